/*
 * capture.c: begin and end captures.
 */
#include "api.h"

/* An H200 takes one mode more than the headers name. */
enum { MODE_BEYOND = cudaStreamCaptureModeRelaxed + 1 };

EXPORT cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    cudaError_t e;
    if (!api_enter(CALL_cudaStreamBeginCapture, &e))
        return e;
    return api_leave(capture_begin(stream, mode, NULL, &(struct frontier){NULL, NULL, 0}));
}

EXPORT cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                                 const cudaGraphNode_t *after,
                                                 const cudaGraphEdgeData *data, size_t n,
                                                 enum cudaStreamCaptureMode mode)
{
    cudaError_t e;
    if (!api_enter(CALL_cudaStreamBeginCaptureToGraph, &e))
        return e;
    struct graph *g = graph_of(graph);
    struct frontier f;
    if (!g || !frontier_given(&f, g, after, data, n))
        return api_leave(cudaErrorInvalidValue);
    return api_leave(capture_begin(stream, mode, g, &f));
}

EXPORT cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *out)
{
    cudaError_t e;
    if (!api_enter(CALL_cudaStreamEndCapture, &e))
        return e;
    return api_leave(capture_end(stream, out));
}

EXPORT cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    cudaError_t e;
    if (!api_enter(CALL_cudaThreadExchangeStreamCaptureMode, &e))
        return e;
    if (!mode || (unsigned)*mode > MODE_BEYOND)
        return api_leave(cudaErrorInvalidValue);
    struct thread_state *t = thread_self();
    enum cudaStreamCaptureMode before = t->capture_mode;
    t->capture_mode = *mode;
    *mode = before;
    return api_leave(cudaSuccess);
}
