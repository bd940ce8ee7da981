/* updatable_nodes.c: device-updatable kernel nodes: what the host may do with them. */
#include "../conditional.h"

SITUATION("make a kernel node device-updatable: 1, handle; get; 1 again, same handle; 0; 2; get; "
          "on another node 0, get; 2; -1")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL);
    cudaGraphNode_t n = add_store(g, NULL, p, 1), m = add_store(g, NULL, p, 2);
    cudaLaunchAttributeValue v = updatable(1), w = updatable(9);
    const cudaLaunchAttributeID id = cudaLaunchAttributeDeviceUpdatableKernelNode;
    answer(cudaGraphKernelNodeSetAttribute(n, id, &v));
    fact("handle", "a handle", "%s", v.deviceUpdatableKernelNode.devNode ? "a handle" : "NULL");
    answer(cudaGraphKernelNodeGetAttribute(n, id, &w));
    fact("updatable, handle", "1 same", "%d %s", w.deviceUpdatableKernelNode.deviceUpdatable,
         w.deviceUpdatableKernelNode.devNode == v.deviceUpdatableKernelNode.devNode ? "same"
                                                                                    : "other");
    w = updatable(1);
    answer(cudaGraphKernelNodeSetAttribute(n, id, &w));
    fact("handle", "same", "%s",
         w.deviceUpdatableKernelNode.devNode == v.deviceUpdatableKernelNode.devNode ? "same"
                                                                                    : "other");
    w = updatable(0);
    gives(NotSupported, cudaGraphKernelNodeSetAttribute(n, id, &w));
    w = updatable(2);
    gives(InvalidValue, cudaGraphKernelNodeSetAttribute(n, id, &w));
    answer(cudaGraphKernelNodeGetAttribute(n, id, &w));
    fact("updatable", "1", "%d", w.deviceUpdatableKernelNode.deviceUpdatable);
    w = updatable(0);
    answer(cudaGraphKernelNodeSetAttribute(m, id, &w));
    answer(cudaGraphKernelNodeGetAttribute(m, id, &w));
    fact("updatable, handle", "0 NULL", "%d %s", w.deviceUpdatableKernelNode.deviceUpdatable,
         w.deviceUpdatableKernelNode.devNode ? "a handle" : "NULL");
    w = updatable(2);
    gives(InvalidValue, cudaGraphKernelNodeSetAttribute(m, id, &w));
    w = updatable(-1);
    gives(InvalidValue, cudaGraphKernelNodeSetAttribute(m, id, &w));
}

SITUATION("a device-updatable node: destroy it; its edges removed; added; set its parameters in "
          "the graph; copy attributes from it; to it; its graph destroyed")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL);
    cudaGraphNode_t a = add_store(g, NULL, p, 1), n = add_store(g, a, p, 2),
                    b = add_store(g, n, p, 3);
    struct cudaKernelNodeParams k = store_params(p, 5);
    open_node(n);
    gives(NotSupported, cudaGraphDestroyNode(n));
    answer(cudaGraphRemoveDependencies(g, &a, &n, NULL, 1));
    answer(cudaGraphAddDependencies(g, &a, &n, NULL, 1));
    answer(cudaGraphKernelNodeSetParams(n, &k));
    gives(NotSupported, cudaGraphKernelNodeCopyAttributes(b, n));
    gives(NotSupported, cudaGraphKernelNodeCopyAttributes(n, b));
    shape_is("3 nodes, 2 edges, 1 roots", g);
    answer(cudaGraphDestroy(g));
}

SITUATION("a graph with a device-updatable node: clone; as a child; twice instantiated; again "
          "after the exec was destroyed; in a body; a child made before")
{
    cudaGraph_t g = new_graph(), copy = NULL, h = new_graph(), body, embedded;
    int *p = device_bytes(SMALL);
    cudaGraphNode_t n = add_store(g, NULL, p, 2), c;
    cudaGraphExec_t x = NULL, y = NULL;
    open_node(n);
    gives(NotSupported, cudaGraphClone(&copy, g));
    answer(cudaGraphAddChildGraphNode(&c, h, NULL, 0, g));
    answer(cudaGraphInstantiate(&x, g, 0));
    gives(NotSupported, cudaGraphInstantiate(&y, g, 0));
    answer(cudaGraphExecDestroy(x));
    answer(cudaGraphInstantiate(&x, g, 0));
    g = new_graph();
    add_conditional(g, NULL, handle_of(g, 1), IF, 1, &body);
    cudaLaunchAttributeValue v = updatable(1);
    answer(cudaGraphKernelNodeSetAttribute(add_store(body, NULL, p, 2),
                                           cudaLaunchAttributeDeviceUpdatableKernelNode, &v));
    instantiate_gives("Success", "result 0, error NULL", g);
    g = new_graph();
    h = new_graph();
    add_store(h, NULL, p, 3);
    MUST(cudaGraphChildGraphNodeGetGraph(add_child(g, NULL, h), &embedded));
    v = updatable(1);
    answer(cudaGraphKernelNodeSetAttribute(nth_node(embedded, 0),
                                           cudaLaunchAttributeDeviceUpdatableKernelNode, &v));
    instantiate_gives("Success", "result 0, error NULL", g);
}

SITUATION("a graph with a device-updatable node: instantiate with AutoFree; Upload; DeviceLaunch; "
          "UseNodePriority; result, node")
{
    static const unsigned long long flags[] = {1, 2, 4, 8};
    for (int i = 0; i < 4; i++) {
        cudaGraph_t g = new_graph();
        cudaGraphNode_t n = add_store(g, NULL, device_bytes(SMALL), 2);
        cudaGraphInstantiateParams p = {0};
        cudaGraphExec_t x = NULL;
        open_node(n);
        p.flags = flags[i];
        p.uploadStream = nonblocking_stream();
        answer(cudaGraphInstantiateWithParams(&x, g, &p));
        shows("0 NULL", "%d %s", (int)p.result_out, place_text(g, p.errNode_out));
    }
}

SITUATION("an exec with a device-updatable node: update by a like graph without; an exec without "
          "by a graph with; by itself; errors, results and nodes")
{
    cudaGraph_t g[3];
    int *p = device_bytes(SMALL);
    for (int i = 0; i < 3; i++) {
        g[i] = new_graph();
        cudaGraphNode_t n = add_store(g[i], NULL, p, i);
        if (i == 0)
            open_node(n);
    }
    cudaGraphExec_t with = new_exec(g[0]), without = new_exec(g[1]);
    for (int i = 0; i < 3; i++) {
        cudaGraphExecUpdateResultInfo info = {0};
        cudaGraph_t by = g[i == 0 ? 2 : 0];
        cudaError_t e = cudaGraphExecUpdate(i == 1 ? without : with, by, &info);
        fact("cudaGraphExecUpdate", "NotSupported 0 NULL", "%s %d %s", error_text(e),
             (int)info.result, place_text(by, info.errorNode));
    }
}

SITUATION("an exec's device-updatable node: parameters set by the host; enabled by the host; run; "
          "uploaded, run")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL);
    cudaGraphNode_t n = add_store(g, NULL, p, 2);
    struct cudaKernelNodeParams k = store_params(p, 5);
    unsigned on = 9;
    open_node(n);
    cudaGraphExec_t x = new_exec(g);
    cudaStream_t s = nonblocking_stream();
    answer(cudaGraphUpload(x, s));
    answer(cudaGraphExecKernelNodeSetParams(x, n, &k));
    answer_run(x);
    shows("5", "%d", device_int(p));
    answer(cudaGraphUpload(x, s));
    set_device_int(p, 0);
    answer(cudaGraphNodeSetEnabled(x, n, 0));
    answer(cudaGraphNodeGetEnabled(x, n, &on));
    shows("0", "%u", on);
    answer(cudaGraphUpload(x, s));
    answer_run(x);
    shows("0", "%d", device_int(p));
}

SITUATION("cudaLaunchKernelExC with the device-updatable attribute: outside of a capture; in one: "
          "handle, nodes; value 0 in one; a launch of it")
{
    cudaStream_t s = nonblocking_stream();
    cudaLaunchAttribute a;
    int *p = device_bytes(SMALL), value = 4;
    void *args[] = {&p, &value};
    memset(&a, 0, sizeof a);
    a.id = cudaLaunchAttributeDeviceUpdatableKernelNode;
    a.val = updatable(1);
    cudaLaunchConfig_t c = {
        .gridDim = {1, 1, 1}, .blockDim = {1, 1, 1}, .stream = s, .attrs = &a, .numAttrs = 1};
    gives(NotSupported, cudaLaunchKernelExC(&c, situation_store(), args));
    answer(cudaStreamSynchronize(s));
    shows("0", "%d", device_int(p));
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaLaunchKernelExC(&c, situation_store(), args));
    shows("a handle", a.val.deviceUpdatableKernelNode.devNode ? "a handle" : "NULL");
    a.val = updatable(0);
    answer(cudaLaunchKernelExC(&c, situation_store(), args));
    shows("NULL", a.val.deviceUpdatableKernelNode.devNode ? "a handle" : "NULL");
    cudaGraph_t g = captured("3 nodes", s);
    answer_run(new_exec(g));
}

SITUATION("device-updatable set with a device node already in the value: on a fresh node; on one "
          "that is updatable; off with one in it; get, then set what was got")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(64);
    cudaGraphNode_t a = add_store(g, NULL, p, 1), b = add_store(g, NULL, p, 1);
    cudaLaunchAttributeValue v = updatable(1), w;
    v.deviceUpdatableKernelNode.devNode = (cudaGraphDeviceNode_t)(uintptr_t)8;
    gives(InvalidValue,
          cudaGraphKernelNodeSetAttribute(a, cudaLaunchAttributeDeviceUpdatableKernelNode, &v));
    v = updatable(1);
    answer(cudaGraphKernelNodeSetAttribute(b, cudaLaunchAttributeDeviceUpdatableKernelNode, &v));
    gives(InvalidValue,
          cudaGraphKernelNodeSetAttribute(b, cudaLaunchAttributeDeviceUpdatableKernelNode, &v));
    answer(cudaGraphKernelNodeGetAttribute(b, cudaLaunchAttributeDeviceUpdatableKernelNode, &w));
    gives(InvalidValue,
          cudaGraphKernelNodeSetAttribute(b, cudaLaunchAttributeDeviceUpdatableKernelNode, &w));
    w.deviceUpdatableKernelNode.deviceUpdatable = 0;
    gives(NotSupported,
          cudaGraphKernelNodeSetAttribute(b, cudaLaunchAttributeDeviceUpdatableKernelNode, &w));
    gives(InvalidValue,
          cudaGraphKernelNodeSetAttribute(a, cudaLaunchAttributeDeviceUpdatableKernelNode, &w));
}
