/*
 * situations_capture_refused.c: what calls that a capture refuses leave behind, and waits for what
 * is done already.
 */
#include <cuda_runtime_api.h>

#include "situations.h"

/* A free that a capture refuses. */
static void refused_free(cudaStream_t *s, cudaGraph_t *g)
{
    void *host = NULL, *m = device_bytes(64);
    *s = new_stream(cudaStreamNonBlocking);
    MUST(cudaMallocHost(&host, 64));
    MUST(cudaStreamBeginCapture(*s, cudaStreamCaptureModeRelaxed));
    MUST(cudaMemsetAsync(m, 1, 64, *s));
    answer(cudaFreeAsync(host, *s));
    MUST(cudaMemsetAsync(m, 2, 64, *s));
    MUST(cudaStreamEndCapture(*s, g));
}

static cudaGraphNode_t first_node(cudaGraph_t g)
{
    cudaGraphNode_t nodes[4] = {NULL};
    size_t n = 4;
    MUST(cudaGraphGetNodes(g, nodes, &n));
    answer_text("%zu nodes", n);
    return nodes[0];
}

SITUATION(refused_free_clone,
          "cudaFreeAsync of host memory in a capture; nodes; clone; child of a graph; "
          "instantiate; launch")
{
    cudaStream_t s;
    cudaGraph_t g, clone = NULL, parent = NULL;
    cudaGraphNode_t child = NULL;
    cudaGraphExec_t x = NULL;
    refused_free(&s, &g);
    first_node(g);
    answer(cudaGraphClone(&clone, g));
    MUST(cudaGraphCreate(&parent, 0));
    answer(cudaGraphAddChildGraphNode(&child, parent, NULL, 0, g));
    answer(cudaGraphInstantiate(&x, g, 0));
    answer(cudaGraphLaunch(x, s));
    answer(cudaStreamSynchronize(s));
    answer(cudaGraphLaunch(x, s));
    answer(cudaStreamSynchronize(s));
}

SITUATION(refused_free_change,
          "cudaFreeAsync of host memory in a capture; nodes; instantiate twice; update; "
          "remove the edge; destroy a node; instantiate with device launch")
{
    cudaStream_t s;
    cudaGraph_t g;
    cudaGraphExec_t x = NULL, y = NULL;
    refused_free(&s, &g);
    cudaGraphNode_t from = first_node(g), to = NULL;
    size_t n = 1;
    MUST(cudaGraphNodeGetDependentNodes(from, &to, NULL, &n));
    answer(cudaGraphInstantiate(&x, g, 0));
    answer(cudaGraphInstantiate(&y, g, 0));
    cudaGraphExecUpdateResultInfo info = {0};
    answer(cudaGraphExecUpdate(x, g, &info));
    answer_text("%d", (int)info.result);
    answer(cudaGraphRemoveDependencies(g, &from, &to, NULL, 1));
    answer(cudaGraphDestroyNode(from));
    answer(cudaGraphExecDestroy(x));
    answer(cudaGraphInstantiate(&y, g, cudaGraphInstantiateFlagDeviceLaunch));
}

SITUATION(refused_free_later,
          "cudaFreeAsync of host memory in a capture; clone; a node more by the node API; "
          "instantiate; instantiate again")
{
    cudaStream_t s;
    cudaGraph_t g, clone = NULL;
    cudaGraphNode_t n = NULL;
    cudaGraphExec_t x = NULL, y = NULL;
    refused_free(&s, &g);
    answer(cudaGraphInstantiate(&x, g, 0));
    answer(cudaGraphAddEmptyNode(&n, g, NULL, 0));
    answer(cudaGraphInstantiate(&y, g, 0));
    answer(cudaGraphClone(&clone, g));
}

SITUATION(refused_free_twice,
          "cudaFreeAsync of NULL; of host memory; of device memory in the middle of it, in a "
          "capture: each; clone")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    cudaGraph_t g = NULL, clone = NULL;
    char *m = device_bytes(64);
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    answer(cudaFreeAsync(NULL, s));
    answer(cudaFreeAsync(m + 16, s));
    answer(cudaStreamEndCapture(s, &g));
    answer(cudaGraphClone(&clone, g));
}

SITUATION(wait_for_past, "cudaStreamWaitEvent for an event that is done: query of the stream; "
                         "query of the legacy stream")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking), t = new_stream(0);
    cudaEvent_t e = NULL;
    MUST(cudaEventCreate(&e));
    MUST(cudaEventRecord(e, s));
    MUST(cudaDeviceSynchronize());
    answer(cudaStreamWaitEvent(t, e, 0));
    answer(cudaStreamQuery(t));
    answer(cudaStreamWaitEvent(0, e, 0));
    answer(cudaStreamQuery(0));
    answer(cudaStreamWaitEvent(s, e, 0));
    answer(cudaStreamQuery(s));
}

SITUATION(begin_mode_in_capture, "a blocking stream captures: cudaStreamBeginCapture of the legacy "
                                 "stream with mode 7; with mode 0")
{
    cudaStream_t s = new_stream(0);
    cudaGraph_t g = NULL;
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    answer(cudaStreamBeginCapture(0, (enum cudaStreamCaptureMode)7));
    answer(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal));
    answer(cudaStreamEndCapture(s, &g));
}
