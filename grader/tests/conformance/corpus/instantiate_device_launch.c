/* instantiate_device_launch.c: instantiation for device launch. */
#include "../graphs.h"

SITUATION("DeviceLaunch of a graph of one kernel; memset; memcpy from pinned; host; record; empty; "
          "alloc; of nothing: error, result, error node",
          "cudaGraphInstantiateWithParams: Success; Success; Success; InvalidValue; InvalidValue; "
          "InvalidValue; InvalidValue",
          "instantiated: result 0, error NULL, exec; result 0, error NULL, exec; result 0, error "
          "NULL, exec; result 3, error node 0, NULL; result 3, error node 0, NULL; result 3, error "
          "node 0, NULL; result 3, error node 0, NULL")
{
    static const char *const kinds[] = {"kernel", "memset", "memcpy", "host",
                                        "record", "empty",  "alloc"};
    cudaGraphNode_t n;
    for (int i = 0; i < 7; i++)
        instantiate_with_gives(NULL, NULL, graph_of_one(kinds[i], &n),
                               cudaGraphInstantiateFlagDeviceLaunch, NULL);
    instantiate_with_gives("InvalidValue", "result 1, error NULL, NULL", new_graph(),
                           cudaGraphInstantiateFlagDeviceLaunch, NULL);
}

SITUATION("DeviceLaunch of a graph with a child of a memset; of a host node; a kernel with a host "
          "node after it; a wait node")
{
    cudaGraphNode_t n;
    cudaGraph_t g = new_graph(), h = new_graph(), k = graph_of_one("kernel", &n);
    add_child(g, NULL, captured_memsets(1));
    instantiate_with_gives("Success", "result 0, error NULL, exec", g,
                           cudaGraphInstantiateFlagDeviceLaunch, NULL);
    cudaGraphNode_t host;
    add_child(h, NULL, graph_of_one("host", &host));
    instantiate_with_gives("InvalidValue", "result 3, error other, NULL", h,
                           cudaGraphInstantiateFlagDeviceLaunch, NULL);
    add_letter(k, n, 'x');
    instantiate_with_gives("InvalidValue", "result 3, error node 1, NULL", k,
                           cudaGraphInstantiateFlagDeviceLaunch, NULL);
    instantiate_with_gives("InvalidValue", "result 3, error node 0, NULL", graph_of_one("wait", &n),
                           cudaGraphInstantiateFlagDeviceLaunch, NULL);
}

SITUATION(
    "DeviceLaunch of memcpy nodes: inside the device; to pinned; from pageable; pinned to pinned",
    "cudaGraphInstantiateWithParams: Success; Success; InvalidValue; Success",
    "instantiated: result 0, error NULL, exec; result 0, error NULL, exec; result 3, error node 0, "
    "NULL; result 0, error NULL, exec")
{
    char *p = device_bytes(256), *h = pinned_bytes(256), *q = pageable_bytes(256);
    void *to[] = {p, h, p, h};
    const void *from[] = {p + 128, p, q, h + 128};
    for (int i = 0; i < 4; i++) {
        cudaGraph_t g = new_graph();
        add_copy(g, NULL, to[i], from[i]);
        instantiate_with_gives(NULL, NULL, g, cudaGraphInstantiateFlagDeviceLaunch, NULL);
    }
}

SITUATION("an exec for DeviceLaunch: launched from the host without upload; after upload; flags; a "
          "second exec of it; update; enable")
{
    cudaGraphNode_t n;
    cudaGraph_t g = graph_of_one("kernel", &n);
    cudaStream_t s = nonblocking_stream();
    cudaGraphExec_t x = NULL, y = NULL;
    unsigned long long flags = 99;
    cudaGraphExecUpdateResultInfo info = {0};
    MUST(cudaGraphInstantiate(&x, g, cudaGraphInstantiateFlagDeviceLaunch));
    answer_run(x);
    answer(cudaGraphUpload(x, s));
    answer_run(x);
    answer(cudaGraphExecGetFlags(x, &flags));
    shows("4", "%llu", flags);
    answer(cudaGraphInstantiate(&y, g, cudaGraphInstantiateFlagDeviceLaunch));
    answer(cudaGraphExecUpdate(x, g, &info));
    shows("0", "%d", (int)info.result);
    answer(cudaGraphNodeSetEnabled(x, n, 0));
}
