/*
 * updatable_nodes.c: device-updatable kernel nodes: what the host may do with them.
 */
#include <stdint.h>
#include <string.h>

#include "../conditional.h"
#include "../situation_kernels.h"

SITUATION(updatable_set,
          "make a kernel node device-updatable: 1, handle; get; 1 again, same handle; 0; 2; get; "
          "on another node 0, get; 2; -1",
          "handle: a handle", "updatable, handle: 1 same", "handle #2: same",
          "cudaGraphKernelNodeSetAttribute(n, &w) #2: NotSupported",
          "cudaGraphKernelNodeSetAttribute(n, &w) #3: InvalidValue", "updatable: 1",
          "updatable, handle #2: 0 NULL", "cudaGraphKernelNodeSetAttribute(m, &w) #2: InvalidValue",
          "cudaGraphKernelNodeSetAttribute(m, &w) #3: InvalidValue")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL);
    cudaGraphNode_t n = add_store(g, NULL, p, 1), m = add_store(g, NULL, p, 2);
    cudaLaunchAttributeValue v = updatable(1), w = updatable(9);
    const cudaLaunchAttributeID id = cudaLaunchAttributeDeviceUpdatableKernelNode;
    answer(cudaGraphKernelNodeSetAttribute(n, id, &v));
    answer_fact("handle", "%s", v.deviceUpdatableKernelNode.devNode ? "a handle" : "NULL");
    answer(cudaGraphKernelNodeGetAttribute(n, id, &w));
    answer_fact("updatable, handle", "%d %s", w.deviceUpdatableKernelNode.deviceUpdatable,
                w.deviceUpdatableKernelNode.devNode == v.deviceUpdatableKernelNode.devNode
                    ? "same"
                    : "other");
    w = updatable(1);
    answer(cudaGraphKernelNodeSetAttribute(n, id, &w));
    answer_fact("handle", "%s",
                w.deviceUpdatableKernelNode.devNode == v.deviceUpdatableKernelNode.devNode
                    ? "same"
                    : "other");
    w = updatable(0);
    answer(cudaGraphKernelNodeSetAttribute(n, id, &w));
    w = updatable(2);
    answer(cudaGraphKernelNodeSetAttribute(n, id, &w));
    answer(cudaGraphKernelNodeGetAttribute(n, id, &w));
    answer_fact("updatable", "%d", w.deviceUpdatableKernelNode.deviceUpdatable);
    w = updatable(0);
    answer(cudaGraphKernelNodeSetAttribute(m, id, &w));
    answer(cudaGraphKernelNodeGetAttribute(m, id, &w));
    answer_fact("updatable, handle", "%d %s", w.deviceUpdatableKernelNode.deviceUpdatable,
                w.deviceUpdatableKernelNode.devNode ? "a handle" : "NULL");
    w = updatable(2);
    answer(cudaGraphKernelNodeSetAttribute(m, id, &w));
    w = updatable(-1);
    answer(cudaGraphKernelNodeSetAttribute(m, id, &w));
}

SITUATION(updatable_destroy,
          "a device-updatable node: destroy it; its edges removed; added; set its parameters in "
          "the graph; copy attributes from it; to it; its graph destroyed",
          "cudaGraphDestroyNode: NotSupported",
          "cudaGraphKernelNodeCopyAttributes(b, n): NotSupported",
          "cudaGraphKernelNodeCopyAttributes(n, b): NotSupported",
          "shape: 3 nodes, 2 edges, 1 roots")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL);
    cudaGraphNode_t a = add_store(g, NULL, p, 1), n = add_store(g, a, p, 2),
                    b = add_store(g, n, p, 3);
    struct cudaKernelNodeParams k = store_params(p, 5);
    open_node(n);
    answer(cudaGraphDestroyNode(n));
    answer(cudaGraphRemoveDependencies(g, &a, &n, NULL, 1));
    answer(cudaGraphAddDependencies(g, &a, &n, NULL, 1));
    answer(cudaGraphKernelNodeSetParams(n, &k));
    answer(cudaGraphKernelNodeCopyAttributes(b, n));
    answer(cudaGraphKernelNodeCopyAttributes(n, b));
    answer_shape(g);
    answer(cudaGraphDestroy(g));
}

SITUATION(
    updatable_clone,
    "a graph with a device-updatable node: clone; as a child; twice instantiated; again after "
    "the exec was destroyed; in a body; a child made before",
    "cudaGraphClone: NotSupported", "cudaGraphInstantiate(&y): NotSupported",
    "instantiated: result 0, error NULL", "instantiated #2: result 0, error NULL")
{
    cudaGraph_t g = new_graph(), copy = NULL, h = new_graph(), body, embedded;
    int *p = device_bytes(SMALL);
    cudaGraphNode_t n = add_store(g, NULL, p, 2), c;
    cudaGraphExec_t x = NULL, y = NULL;
    open_node(n);
    answer(cudaGraphClone(&copy, g));
    answer(cudaGraphAddChildGraphNode(&c, h, NULL, 0, g));
    answer(cudaGraphInstantiate(&x, g, 0));
    answer(cudaGraphInstantiate(&y, g, 0));
    answer(cudaGraphExecDestroy(x));
    answer(cudaGraphInstantiate(&x, g, 0));
    g = new_graph();
    add_conditional(g, NULL, handle_of(g, 1), IF, 1, &body);
    cudaLaunchAttributeValue v = updatable(1);
    answer(cudaGraphKernelNodeSetAttribute(add_store(body, NULL, p, 2),
                                           cudaLaunchAttributeDeviceUpdatableKernelNode, &v));
    answer_instantiate(g);
    g = new_graph();
    h = new_graph();
    add_store(h, NULL, p, 3);
    MUST(cudaGraphChildGraphNodeGetGraph(add_child(g, NULL, h), &embedded));
    v = updatable(1);
    answer(cudaGraphKernelNodeSetAttribute(nth_node(embedded, 0),
                                           cudaLaunchAttributeDeviceUpdatableKernelNode, &v));
    answer_instantiate(g);
}

SITUATION(updatable_instantiate,
          "a graph with a device-updatable node: instantiate with AutoFree; Upload; "
          "DeviceLaunch; UseNodePriority; result, node",
          "p.result_out, p.errNode_out: 0 NULL", "p.result_out, p.errNode_out #2: 0 NULL",
          "p.result_out, p.errNode_out #3: 0 NULL", "p.result_out, p.errNode_out #4: 0 NULL")
{
    static const unsigned long long flags[] = {1, 2, 4, 8};
    for (int i = 0; i < 4; i++) {
        cudaGraph_t g = new_graph();
        cudaGraphNode_t n = add_store(g, NULL, device_bytes(SMALL), 2);
        cudaGraphInstantiateParams p;
        cudaGraphExec_t x = NULL;
        open_node(n);
        memset(&p, 0, sizeof p);
        p.flags = flags[i];
        p.uploadStream = nonblocking_stream();
        answer(cudaGraphInstantiateWithParams(&x, g, &p));
        answer_text("%d %s", (int)p.result_out, place_text(g, p.errNode_out));
    }
}

SITUATION(
    updatable_update,
    "an exec with a device-updatable node: update by a like graph without; an exec without by "
    "a graph with; by itself; errors, results and nodes",
    "cudaGraphExecUpdate: NotSupported 0 NULL", "cudaGraphExecUpdate #2: NotSupported 0 NULL",
    "cudaGraphExecUpdate #3: NotSupported 0 NULL")
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
        cudaGraphExecUpdateResultInfo info;
        memset(&info, 0, sizeof info);
        cudaGraph_t by = g[i == 0 ? 2 : 0];
        cudaError_t e = cudaGraphExecUpdate(i == 1 ? without : with, by, &info);
        answer_fact("cudaGraphExecUpdate", "%s %d %s", error_text(e), (int)info.result,
                    place_text(by, info.errorNode));
    }
}

SITUATION(updatable_exec_set,
          "an exec's device-updatable node: parameters set by the host; enabled by the host; run; "
          "uploaded, run",
          "device_int: 5", "on: 0", "device_int #2: 0")
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
    answer_text("%d", device_int(p));
    answer(cudaGraphUpload(x, s));
    set_device_int(p, 0);
    answer(cudaGraphNodeSetEnabled(x, n, 0));
    answer(cudaGraphNodeGetEnabled(x, n, &on));
    answer_text("%u", on);
    answer(cudaGraphUpload(x, s));
    answer_run(x);
    answer_text("%d", device_int(p));
}

SITUATION(updatable_launch,
          "cudaLaunchKernelExC with the device-updatable attribute: outside of a capture; in one: "
          "handle, nodes; value 0 in one; a launch of it",
          "cudaLaunchKernelExC: NotSupported", "device_int: 0",
          "a.val.deviceUpdatableKernelNode.devNode: a handle",
          "a.val.deviceUpdatableKernelNode.devNode #2: NULL", "captured: 3 nodes")
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
    answer(cudaLaunchKernelExC(&c, situation_store(), args));
    answer(cudaStreamSynchronize(s));
    answer_text("%d", device_int(p));
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaLaunchKernelExC(&c, situation_store(), args));
    answer_text(a.val.deviceUpdatableKernelNode.devNode ? "a handle" : "NULL");
    a.val = updatable(0);
    answer(cudaLaunchKernelExC(&c, situation_store(), args));
    answer_text(a.val.deviceUpdatableKernelNode.devNode ? "a handle" : "NULL");
    cudaGraph_t g = answer_end(s);
    answer_run(new_exec(g));
}

SITUATION(updatable_again,
          "device-updatable set with a device node already in the value: on a fresh node; on one "
          "that is updatable; off with one in it; get, then set what was got",
          "cudaGraphKernelNodeSetAttribute(a, &v): InvalidValue",
          "cudaGraphKernelNodeSetAttribute(b, &v) #2: InvalidValue",
          "cudaGraphKernelNodeSetAttribute(b, &w): InvalidValue",
          "cudaGraphKernelNodeSetAttribute(b, &w) #2: NotSupported",
          "cudaGraphKernelNodeSetAttribute(a, &w): InvalidValue")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(64);
    cudaGraphNode_t a = add_store(g, NULL, p, 1), b = add_store(g, NULL, p, 1);
    cudaLaunchAttributeValue v = updatable(1), w;
    v.deviceUpdatableKernelNode.devNode = (cudaGraphDeviceNode_t)(uintptr_t)8;
    answer(cudaGraphKernelNodeSetAttribute(a, cudaLaunchAttributeDeviceUpdatableKernelNode, &v));
    v = updatable(1);
    answer(cudaGraphKernelNodeSetAttribute(b, cudaLaunchAttributeDeviceUpdatableKernelNode, &v));
    answer(cudaGraphKernelNodeSetAttribute(b, cudaLaunchAttributeDeviceUpdatableKernelNode, &v));
    answer(cudaGraphKernelNodeGetAttribute(b, cudaLaunchAttributeDeviceUpdatableKernelNode, &w));
    answer(cudaGraphKernelNodeSetAttribute(b, cudaLaunchAttributeDeviceUpdatableKernelNode, &w));
    w.deviceUpdatableKernelNode.deviceUpdatable = 0;
    answer(cudaGraphKernelNodeSetAttribute(b, cudaLaunchAttributeDeviceUpdatableKernelNode, &w));
    answer(cudaGraphKernelNodeSetAttribute(a, cudaLaunchAttributeDeviceUpdatableKernelNode, &w));
}

SITUATION(updatable_rules,
          "a device-updatable kernel node: attribute set twice; cleared; node destroyed; clone; "
          "second instantiation; parameters set in the graph; in the exec",
          "cudaGraphKernelNodeSetAttribute(&on) #2: InvalidValue",
          "cudaGraphKernelNodeSetAttribute(&off): NotSupported", "cudaGraphClone: NotSupported",
          "cudaGraphInstantiate: NotSupported", "device_int: 2",
          "cudaGraphDestroyNode: NotSupported")
{
    cudaGraph_t g = new_graph(), copy;
    int *p = device_bytes(64);
    cudaGraphNode_t n = add_store(g, NULL, p, 1);
    cudaLaunchAttributeValue on = updatable(1), off = updatable(0);
    answer(cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributeDeviceUpdatableKernelNode, &on));
    answer(cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributeDeviceUpdatableKernelNode, &on));
    answer(cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributeDeviceUpdatableKernelNode, &off));
    struct cudaKernelNodeParams k = store_params(p, 2);
    answer(cudaGraphKernelNodeSetParams(n, &k));
    answer(cudaGraphClone(&copy, g));
    cudaGraphExec_t x = new_exec(g), y;
    answer(cudaGraphInstantiate(&y, g, 0));
    answer(cudaGraphExecKernelNodeSetParams(x, n, &k));
    answer(cudaGraphUpload(x, 0));
    answer_run(x);
    answer_text("%d", device_int(p));
    answer(cudaGraphDestroyNode(n));
}
