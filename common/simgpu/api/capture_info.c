/* capture_info.c: calls that query a capture, and calls that add or change its dependencies. */
#include <string.h>

#include "api.h"

static enum cudaStreamCaptureStatus status_of(const struct stream *s)
{
    if (!s->capture)
        return cudaStreamCaptureStatusNone;
    return s->capture->invalidated ? cudaStreamCaptureStatusInvalidated
                                   : cudaStreamCaptureStatusActive;
}

/* A question about the legacy stream breaks no capture, it only gets no answer. */
static cudaError_t ask(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                       struct stream **out)
{
    const struct stream *s = *out = stream_of(stream);
    if (!s)
        return cudaErrorInvalidResourceHandle;
    if (!status)
        return cudaErrorInvalidValue;
    if (s->legacy && capture_of_blocking_stream(s->device))
        return cudaErrorStreamCaptureImplicit;
    *status = status_of(s);
    return cudaSuccess;
}

EXPORT cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
    struct stream *s;
    API_ENTER(cudaStreamIsCapturing);
    return api_leave(ask(stream, status, &s));
}

static bool has_data(const struct frontier *f)
{
    static const cudaGraphEdgeData none;
    for (int i = 0; i < f->n; i++)
        if (memcmp(&f->data[i], &none, sizeof none) != 0)
            return true;
    return false;
}

static cudaError_t tell_frontier(const struct frontier *f, const cudaGraphNode_t **nodes,
                                 const cudaGraphEdgeData **data, size_t *n)
{
    if (data && !nodes)
        return cudaErrorInvalidValue;
    if (nodes && !data && has_data(f))
        return cudaErrorLossyQuery;
    if (nodes)
        *nodes = f->n ? (const cudaGraphNode_t *)(const void *)f->nodes : NULL;
    if (data)
        *data = f->n ? f->data : NULL;
    if (n)
        *n = (size_t)f->n;
    return cudaSuccess;
}

EXPORT cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream,
                                            enum cudaStreamCaptureStatus *status,
                                            unsigned long long *id, cudaGraph_t *graph,
                                            const cudaGraphNode_t **nodes,
                                            const cudaGraphEdgeData **data, size_t *n)
{
    struct stream *s;
    API_ENTER(cudaStreamGetCaptureInfo);
    e = ask(stream, status, &s);
    if (e != cudaSuccess || *status != cudaStreamCaptureStatusActive)
        return api_leave(e);
    API_TRY(tell_frontier(&s->frontier, nodes, data, n));
    if (id)
        *id = s->capture->id;
    if (graph)
        *graph = (cudaGraph_t)s->capture->graph;
    return api_leave(cudaSuccess);
}

bool frontier_given(struct frontier *f, const struct graph *g, const cudaGraphNode_t *nodes,
                    const cudaGraphEdgeData *data, size_t n)
{
    if (n && !nodes)
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct node *from = node_of(nodes[i]);
        if (!from || from->graph != g ||
            (data && !edge_data_fits(&data[i], from->type, cudaGraphNodeTypeKernel)))
            return false;
    }
    *f = (struct frontier){(struct node **)(uintptr_t)nodes, (cudaGraphEdgeData *)(uintptr_t)data,
                           (int)n};
    return true;
}

EXPORT cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *nodes,
                                                       const cudaGraphEdgeData *data, size_t n,
                                                       unsigned flags)
{
    struct stream *s;
    struct frontier given;
    API_ENTER(cudaStreamUpdateCaptureDependencies);
    API_TRY(stream_for_call(stream, &s));
    API_REFUSE_IF(!s->capture, cudaErrorIllegalState);
    API_REFUSE_IF(s->capture->invalidated, cudaErrorStreamCaptureInvalidated);
    API_REFUSE_IF(flags > cudaStreamSetCaptureDependencies ||
                      !frontier_given(&given, s->capture->graph, nodes, data, n),
                  cudaErrorInvalidValue);
    if (flags == cudaStreamSetCaptureDependencies) {
        frontier_set(&s->frontier, &given);
        s->waits = waits_without(s->waits);
    } else {
        frontier_unite(&s->frontier, &given);
    }
    return api_leave(cudaSuccess);
}
