/* capture.c: begin and end captures. */
#include "api.h"

/* An H200 takes one mode more than the headers name. */
enum { MODE_BEYOND = cudaStreamCaptureModeRelaxed + 1 };

API_CALL(cudaStreamBeginCapture, (cudaStream_t stream, enum cudaStreamCaptureMode mode),
         capture_begin(stream, mode, NULL, &(struct frontier){NULL, NULL, 0}))

EXPORT cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                                 const cudaGraphNode_t *after,
                                                 const cudaGraphEdgeData *data, size_t n,
                                                 enum cudaStreamCaptureMode mode)
{
    API_ENTER(cudaStreamBeginCaptureToGraph);
    struct graph *g = graph_of(graph);
    struct frontier f;
    if (!g)
        refusal_note_handle(graph, "graph");
    return api_leave(!g || !frontier_given(&f, g, after, data, n)
                         ? cudaErrorInvalidValue
                         : capture_begin(stream, mode, g, &f));
}

#if CUDART_VERSION >= 13030
EXPORT cudaError_t cudaStreamBeginRecaptureToGraph(cudaStream_t stream,
                                                   enum cudaStreamCaptureMode mode,
                                                   cudaGraph_t graph,
                                                   struct cudaGraphRecaptureCallbackData *callback)
{
    API_ENTER(cudaStreamBeginRecaptureToGraph);
    API_REFUSE_IF(!graph_of(graph) || (callback && !callback->callbackFunc), cudaErrorInvalidValue);
    const struct recapture again = {.changed = callback ? callback->callbackFunc : NULL,
                                    .data = callback ? callback->userData : NULL,
                                    .can_become = work_can_become};
    return api_leave(recapture_begin(stream, mode, graph_of(graph), &again));
}
#endif

API_CALL(cudaStreamEndCapture, (cudaStream_t stream, cudaGraph_t *out), capture_end(stream, out))

EXPORT cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    API_ENTER(cudaThreadExchangeStreamCaptureMode);
    API_REFUSE_IF(!mode || (unsigned)*mode > MODE_BEYOND, cudaErrorInvalidValue);
    struct thread_state *t = thread_self();
    enum cudaStreamCaptureMode before = t->capture_mode;
    t->capture_mode = *mode;
    *mode = before;
    return api_leave(cudaSuccess);
}
