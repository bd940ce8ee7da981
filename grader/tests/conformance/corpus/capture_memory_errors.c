/* capture_memory_errors.c: frees that a capture refuses, and allocations that it keeps. */
#include "../graphs.h"

/* A free that a capture refuses. */
static void refused_free(cudaStream_t *s, cudaGraph_t *g)
{
    void *host = pinned_bytes(64), *m = device_bytes(64);
    *s = nonblocking_stream();
    MUST(cudaStreamBeginCapture(*s, cudaStreamCaptureModeRelaxed));
    MUST(cudaMemsetAsync(m, 1, 64, *s));
    answer(cudaFreeAsync(host, *s));
    MUST(cudaMemsetAsync(m, 2, 64, *s));
    *g = end_capture(*s);
}

static cudaGraphNode_t first_node(cudaGraph_t g)
{
    cudaGraphNode_t nodes[4] = {NULL};
    size_t n = 4;
    MUST(cudaGraphGetNodes(g, nodes, &n));
    answer_text("%zu nodes", n);
    return nodes[0];
}

SITUATION("cudaFreeAsync of host memory in a capture; nodes; clone; child of a graph; instantiate; "
          "launch; instantiate twice; update; remove the edge; destroy a node; instantiate with "
          "device launch",
          "cudaFreeAsync: InvalidValue", "n: 2 nodes")
{
    cudaStream_t s;
    cudaGraph_t g, clone = NULL, parent = new_graph();
    cudaGraphNode_t child = NULL;
    cudaGraphExec_t x = NULL, y = NULL;
    refused_free(&s, &g);
    cudaGraphNode_t from = first_node(g), to = NULL;
    gives(NotSupported, cudaGraphClone(&clone, g));
    gives(NotSupported, cudaGraphAddChildGraphNode(&child, parent, NULL, 0, g));
    answer(cudaGraphInstantiate(&x, g, 0));
    answer(cudaGraphLaunch(x, s));
    answer(cudaStreamSynchronize(s));
    answer(cudaGraphLaunch(x, s));
    answer(cudaStreamSynchronize(s));
    size_t n = 1;
    MUST(cudaGraphNodeGetDependentNodes(from, &to, NULL, &n));
    gives(NotSupported, cudaGraphInstantiate(&y, g, 0));
    cudaGraphExecUpdateResultInfo info = {0};
    answer(cudaGraphExecUpdate(x, g, &info));
    shows("0", "%d", (int)info.result);
    gives(NotSupported, cudaGraphRemoveDependencies(g, &from, &to, NULL, 1));
    gives(NotSupported, cudaGraphDestroyNode(from));
    answer(cudaGraphExecDestroy(x));
    answer(cudaGraphInstantiate(&y, g, cudaGraphInstantiateFlagDeviceLaunch));
}

SITUATION("cudaFreeAsync of host memory in a capture; clone; a node more by the node API; "
          "instantiate; instantiate again",
          "cudaFreeAsync: InvalidValue")
{
    cudaStream_t s;
    cudaGraph_t g, clone = NULL;
    cudaGraphNode_t n = NULL;
    cudaGraphExec_t x = NULL, y = NULL;
    refused_free(&s, &g);
    answer(cudaGraphInstantiate(&x, g, 0));
    answer(cudaGraphAddEmptyNode(&n, g, NULL, 0));
    gives(NotSupported, cudaGraphInstantiate(&y, g, 0));
    gives(NotSupported, cudaGraphClone(&clone, g));
}

SITUATION("cudaFreeAsync of NULL; of host memory; of device memory in the middle of it, in a "
          "capture: each; clone")
{
    cudaStream_t s = nonblocking_stream();
    cudaGraph_t g = NULL, clone = NULL;
    char *m = device_bytes(64);
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    answer(cudaFreeAsync(NULL, s));
    gives(InvalidValue, cudaFreeAsync(m + 16, s));
    answer(cudaStreamEndCapture(s, &g));
    gives(NotSupported, cudaGraphClone(&clone, g));
}

SITUATION("captured cudaMallocAsync, a memset of it and cudaFreeAsync: types, edges; size of the "
          "node; a second launch")
{
    cudaStream_t s = nonblocking_stream();
    void *p;
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    answer(cudaMallocAsync(&p, 1000, s));
    answer(cudaMemsetAsync(p, 1, 1000, s));
    answer(cudaFreeAsync(p, s));
    cudaGraph_t g = captured("3 nodes", s);
    types_are("alloc memset free", g);
    struct cudaMemAllocNodeParams a;
    answer(cudaGraphMemAllocNodeGetParams(nth_node(g, 0), &a));
    shows("1000 same", "%zu %s", a.bytesize, a.dptr == p ? "same" : "other");
    cudaGraphExec_t x = new_exec(g);
    answer_run(x);
    answer_run(x);
}

SITUATION("captured: memory allocated and freed twice; freed in a second capture; cudaFree of it "
          "in the capture")
{
    void *p;
    cudaStream_t s = capturing(cudaStreamCaptureModeRelaxed);
    answer(cudaMallocAsync(&p, 64, s));
    answer(cudaFreeAsync(p, s));
    gives(InvalidValue, cudaFreeAsync(p, s));
    status_is("active", s);
    gives(InvalidValue, cudaFree(p));
    status_is("active", s);
    captured("3 nodes", s);
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    gives(InvalidValue, cudaFreeAsync(p, s));
    status_is("active", s);
}
