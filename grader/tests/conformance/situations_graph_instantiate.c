/*
 * situations_graph_instantiate.c: from a graph to an exec: flags, results, and the end of execs.
 */
#include <stdint.h>
#include <string.h>

#include "situations_graphs.h"

SITUATION(instantiate_flags, "cudaGraphInstantiate with flags 1; 2; 4; 8; 5; 16; 32; -1 of a graph "
                             "of one kernel")
{
    static const unsigned long long flags[] = {1, 2, 4, 8, 5, 16, 32, (unsigned long long)-1};
    cudaGraphNode_t n;
    cudaGraph_t g = graph_of_one("kernel", &n);
    for (int i = 0; i < 8; i++) {
        cudaGraphExec_t x = NULL;
        answer(cudaGraphInstantiate(&x, g, flags[i]));
        if (x)
            answer_run(x);
    }
}

SITUATION(instantiate_with_flags, "cudaGraphInstantiateWithFlags with flags 0; 2; 16; 9; NULL "
                                  "graph; NULL result")
{
    static const unsigned long long flags[] = {0, 2, 16, 9};
    cudaGraph_t g = captured_memsets(2);
    cudaGraphExec_t x = NULL;
    for (int i = 0; i < 4; i++)
        answer(cudaGraphInstantiateWithFlags(&x, g, flags[i]));
    answer(cudaGraphInstantiateWithFlags(&x, NULL, 0));
    answer(cudaGraphInstantiateWithFlags(NULL, g, 0));
}

static void with_params(cudaGraph_t g, unsigned long long flags, cudaStream_t upload)
{
    cudaGraphExec_t x = NULL;
    cudaGraphInstantiateParams p;
    memset(&p, 0, sizeof p);
    p.flags = flags;
    p.uploadStream = upload;
    p.errNode_out = (cudaGraphNode_t)(uintptr_t)9;
    p.result_out = (cudaGraphInstantiateResult)9;
    answer(cudaGraphInstantiateWithParams(&x, g, &p));
    answer_text("result %d, error %s, %s", (int)p.result_out,
                p.errNode_out == (cudaGraphNode_t)(uintptr_t)9 ? "untouched"
                                                               : place_text(g, p.errNode_out),
                x ? "exec" : "NULL");
}

SITUATION(instantiate_params, "cudaGraphInstantiateWithParams: good; flags 16; AutoFree and "
                              "DeviceLaunch; a cycle")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t a = add_empty(g, NULL), b = add_empty(g, a);
    cudaGraph_t k = captured_memsets(1);
    with_params(k, 0, NULL);
    with_params(k, 16, NULL);
    with_params(k, 5, NULL);
    add_edge(g, b, a);
    with_params(g, 0, NULL);
}

SITUATION(instantiate_params_null, "cudaGraphInstantiateWithParams: NULL parameters; NULL graph; "
                                   "NULL result; the reported result of both")
{
    cudaGraphExec_t x = NULL;
    cudaGraphInstantiateParams p = {0};
    cudaGraph_t g = captured_memsets(1);
    answer(cudaGraphInstantiateWithParams(&x, g, NULL));
    p.result_out = (cudaGraphInstantiateResult)9;
    answer(cudaGraphInstantiateWithParams(&x, NULL, &p));
    answer_text("%d", (int)p.result_out);
    p.result_out = (cudaGraphInstantiateResult)9;
    answer(cudaGraphInstantiateWithParams(NULL, g, &p));
    answer_text("%d", (int)p.result_out);
}

SITUATION(instantiate_upload, "cudaGraphInstantiateWithParams with Upload: in a stream; in 0; in a "
                              "stream that captures")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    cudaGraph_t g = captured_memsets(1);
    with_params(g, cudaGraphInstantiateFlagUpload, s);
    with_params(g, cudaGraphInstantiateFlagUpload, 0);
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    with_params(g, cudaGraphInstantiateFlagUpload, s);
    answer_status(s);
}

SITUATION(instantiate_device, "DeviceLaunch of a graph of one kernel; memset; memcpy from pinned; "
                              "host; record; empty; alloc; of nothing: error, result, error node")
{
    static const char *const kinds[] = {"kernel", "memset", "memcpy", "host",
                                        "record", "empty",  "alloc"};
    cudaGraphNode_t n;
    for (int i = 0; i < 7; i++)
        with_params(graph_of_one(kinds[i], &n), cudaGraphInstantiateFlagDeviceLaunch, NULL);
    with_params(new_graph(), cudaGraphInstantiateFlagDeviceLaunch, NULL);
}

SITUATION(instantiate_device_child, "DeviceLaunch of a graph with a child of a memset; of a host "
                                    "node; a kernel with a host node after it; a wait node")
{
    cudaGraphNode_t n;
    cudaGraph_t g = new_graph(), h = new_graph(), k = graph_of_one("kernel", &n);
    add_child(g, NULL, captured_memsets(1));
    with_params(g, cudaGraphInstantiateFlagDeviceLaunch, NULL);
    cudaGraphNode_t host;
    add_child(h, NULL, graph_of_one("host", &host));
    with_params(h, cudaGraphInstantiateFlagDeviceLaunch, NULL);
    add_letter(k, n, 'x');
    with_params(k, cudaGraphInstantiateFlagDeviceLaunch, NULL);
    with_params(graph_of_one("wait", &n), cudaGraphInstantiateFlagDeviceLaunch, NULL);
}

SITUATION(instantiate_device_copies, "DeviceLaunch of memcpy nodes: inside the device; to pinned; "
                                     "from pageable; pinned to pinned")
{
    char *p = device_bytes(256), *h = pinned_bytes(256), *q = pageable_bytes(256);
    void *to[] = {p, h, p, h};
    const void *from[] = {p + 128, p, q, h + 128};
    for (int i = 0; i < 4; i++) {
        cudaGraph_t g = new_graph();
        add_copy(g, NULL, to[i], from[i]);
        with_params(g, cudaGraphInstantiateFlagDeviceLaunch, NULL);
    }
}

SITUATION(instantiate_device_run,
          "an exec for DeviceLaunch: launched from the host without upload; "
          "after upload; flags; a second exec of it; update; enable")
{
    cudaGraphNode_t n;
    cudaGraph_t g = graph_of_one("kernel", &n);
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    cudaGraphExec_t x = NULL, y = NULL;
    unsigned long long flags = 99;
    cudaGraphExecUpdateResultInfo info = {0};
    MUST(cudaGraphInstantiate(&x, g, cudaGraphInstantiateFlagDeviceLaunch));
    answer_run(x);
    answer(cudaGraphUpload(x, s));
    answer_run(x);
    answer(cudaGraphExecGetFlags(x, &flags));
    answer_text("%llu", flags);
    answer(cudaGraphInstantiate(&y, g, cudaGraphInstantiateFlagDeviceLaunch));
    answer(cudaGraphExecUpdate(x, g, &info));
    answer_text("%d", (int)info.result);
    answer(cudaGraphNodeSetEnabled(x, n, 0));
}

SITUATION(instantiate_get_flags,
          "cudaGraphExecGetFlags after flags 0; 1; 8; 9; after WithParams 2; "
          "NULL result; NULL exec")
{
    static const unsigned long long flags[] = {0, 1, 8, 9};
    cudaGraph_t g = captured_memsets(1);
    cudaGraphExec_t x;
    unsigned long long got;
    for (int i = 0; i < 4; i++) {
        MUST(cudaGraphInstantiate(&x, g, flags[i]));
        got = 99;
        answer(cudaGraphExecGetFlags(x, &got));
        answer_text("%llu", got);
    }
    cudaGraphInstantiateParams p = {.flags = cudaGraphInstantiateFlagUpload};
    MUST(cudaGraphInstantiateWithParams(&x, g, &p));
    got = 99;
    answer(cudaGraphExecGetFlags(x, &got));
    answer_text("%llu", got);
    answer(cudaGraphExecGetFlags(x, NULL));
    answer(cudaGraphExecGetFlags(NULL, &got));
}

SITUATION(instantiate_three, "one graph instantiated three times, each run; the graph destroyed "
                             "between")
{
    cudaGraph_t g = captured_memsets(3);
    cudaGraphExec_t x = new_exec(g), y = new_exec(g), z = new_exec(g);
    answer_run(x);
    answer(cudaGraphDestroy(g));
    answer_run(y);
    answer_run(z);
}

SITUATION(exec_destroy_bad, "cudaGraphExecDestroy of NULL; get last error; good; of a graph")
{
    answer(cudaGraphExecDestroy(NULL));
    answer(cudaGetLastError());
    answer(cudaGraphExecDestroy(new_exec(new_graph())));
    answer(cudaGraphExecDestroy((cudaGraphExec_t)new_graph()));
}

SITUATION(exec_destroy_twice, "cudaGraphExecDestroy twice")
{
    answer(cudaGraphExecDestroy(destroyed_exec()));
}

SITUATION(exec_launch_destroyed, "cudaGraphLaunch of a destroyed exec")
{
    answer(cudaGraphLaunch(destroyed_exec(), 0));
}

SITUATION(exec_flags_destroyed, "cudaGraphExecGetFlags of a destroyed exec")
{
    unsigned long long flags;
    answer(cudaGraphExecGetFlags(destroyed_exec(), &flags));
}

SITUATION(exec_update_destroyed, "cudaGraphExecUpdate of a destroyed exec")
{
    cudaGraphExecUpdateResultInfo info;
    answer(cudaGraphExecUpdate(destroyed_exec(), new_graph(), &info));
}

SITUATION(exec_destroy_running, "an exec destroyed while it runs; its graph too: the launch "
                                "completes")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    int *p = device_bytes(SMALL);
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    struct cudaHostNodeParams gate = {stand_at_gate, NULL};
    gate_reset();
    MUST(cudaGraphAddHostNode(&n, g, NULL, 0, &gate));
    add_memset(g, n, p, 3);
    cudaGraphExec_t x = new_exec(g);
    answer(cudaGraphLaunch(x, s));
    gate_open_later(100);
    answer(cudaGraphExecDestroy(x));
    answer(cudaGraphDestroy(g));
    answer_text("%s", gate_waited());
    answer(cudaStreamSynchronize(s));
    answer_text("%d", device_byte(p));
}

SITUATION(instantiate_then_add, "a node added to the graph after instantiate is not in the exec")
{
    cudaGraph_t g = new_graph();
    add_letter(g, NULL, 'a');
    cudaGraphExec_t x = new_exec(g);
    add_letter(g, NULL, 'b');
    answer_run(x);
    answer_text("'%s'", log_text());
}

SITUATION(instantiate_freed_memset, "a memset node whose memory was freed: instantiate")
{
    char *p = device_bytes(SMALL);
    cudaGraph_t g = new_graph();
    cudaGraphExec_t x;
    add_memset(g, NULL, p, 1);
    MUST(cudaFree(p));
    answer(cudaGraphInstantiate(&x, g, 0));
}

SITUATION(instantiate_freed_kernel, "a kernel node whose memory was freed: instantiate")
{
    int *p = device_bytes(SMALL);
    cudaGraph_t g = new_graph();
    cudaGraphExec_t x;
    add_store(g, NULL, p, 1);
    MUST(cudaFree(p));
    answer(cudaGraphInstantiate(&x, g, 0));
}
