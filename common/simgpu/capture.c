/*
 * capture.c: stream capture. While a stream captures, what it is given becomes nodes of a graph instead of running.
 *
 * Each capturing stream has a frontier: the nodes that its next node will wait for. A fork copies the frontier of
 * an event, a join unites two. The rules, and what breaking each of them returns, are those of an H200.
 */
#include <stdlib.h>
#include <string.h>

#include "graph.h"

static struct capture *active;
static unsigned long long n_captures;

/* ---- frontiers --------------------------------------------------------------------------------------- */

static void frontier_clear(struct frontier *f)
{
    free(f->nodes);
    *f = (struct frontier){NULL, 0};
}

static void frontier_set(struct frontier *f, struct node *const *nodes, int n)
{
    struct node **copy = malloc(((size_t)n + 1) * sizeof *copy);
    if (!copy)
        fatal("out of memory for the %d dependencies of a captured stream", n);
    if (n)
        memcpy(copy, nodes, (size_t)n * sizeof *copy);
    free(f->nodes);
    *f = (struct frontier){copy, n};
}

static void frontier_unite(struct frontier *f, const struct frontier *more)
{
    struct node **all = malloc(((size_t)f->n + (size_t)more->n + 1) * sizeof *all);
    if (!all)
        fatal("out of memory for the dependencies of a captured stream");
    int n = 0;
    for (int i = 0; i < f->n; i++)
        all[n++] = f->nodes[i];
    for (int i = 0; i < more->n; i++) {
        int k = 0;
        while (k < n && all[k] != more->nodes[i])
            k++;
        if (k == n)
            all[n++] = more->nodes[i];
    }
    free(f->nodes);
    *f = (struct frontier){all, n};
}

/* ---- life of a capture ------------------------------------------------------------------------------- */

void capture_put(struct capture *c)
{
    if (--c->refs > 0)
        return;
    if (c->graph)
        graph_put(c->graph);
    free(c);
}

void capture_invalidate(struct capture *c)
{
    c->invalidated = true;
}

static void stream_enter(struct stream *s, struct capture *c, const struct frontier *f)
{
    s->capture = c;
    c->refs++;
    s->refs++;
    frontier_set(&s->frontier, f->nodes, f->n);
}

static void stream_exit(struct stream *s)
{
    capture_put(s->capture);
    s->capture = NULL;
    frontier_clear(&s->frontier);
    stream_put(s);
}

/* All its streams leave it; what was recorded in it is void. */
static void capture_end(struct capture *c)
{
    c->ended = true;
    c->refs++;
    for (struct capture **at = &active; *at; at = &(*at)->next)
        if (*at == c) {
            *at = c->next;
            break;
        }
    for (int d = 0; d < sim.n_devices; d++)
        for (struct stream *s = sim.devices[d].streams, *next; s; s = next) {
            next = s->next;
            if (s->capture == c)
                stream_exit(s);
        }
    capture_put(c);
}

static cudaError_t begin(struct stream *s, enum cudaStreamCaptureMode mode, struct graph *given,
                         const struct frontier *f)
{
    if (!s)
        return cudaErrorInvalidResourceHandle;
    if ((unsigned)mode > cudaStreamCaptureModeRelaxed)
        return cudaErrorInvalidValue;
    if (s->legacy)
        return cudaErrorStreamCaptureUnsupported;
    if (s->capture)
        return cudaErrorIllegalState;
    struct capture *c = calloc(1, sizeof *c);
    if (!c)
        return cudaErrorMemoryAllocation;
    c->graph = given ? given : graph_new(NULL);
    if (given)
        given->refs++;
    else
        c->graph->in_capture = true;
    c->given_graph = given != NULL;
    c->origin = s;
    c->mode = mode;
    c->thread = thread_self();
    c->id = ++n_captures;
    c->next = active;
    active = c;
    stream_enter(s, c, f);
    return cudaSuccess;
}

EXPORT cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    cudaError_t e;
    if (!api_enter(COST_CAPTURE_BEGIN, "cudaStreamBeginCapture", &e))
        return e;
    return api_leave(begin(stream_of(stream), mode, NULL, &(struct frontier){NULL, 0}));
}

EXPORT cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *after,
                                                 const cudaGraphEdgeData *data, size_t n,
                                                 enum cudaStreamCaptureMode mode)
{
    cudaError_t e;
    if (!api_enter(COST_CAPTURE_BEGIN, "cudaStreamBeginCaptureToGraph", &e))
        return e;
    struct graph *g = graph_of(graph);
    (void)data;
    if (!g)
        return api_leave(cudaErrorInvalidValue);
    e = dependencies_check(g, after, n);
    if (e != cudaSuccess)
        return api_leave(e);
    struct frontier f = {(struct node **)(uintptr_t)after, (int)n};
    return api_leave(begin(stream_of(stream), mode, g, &f));
}

/* ---- the end ----------------------------------------------------------------------------------------- */

/* Marks everything that the nodes wait for, and themselves. */
static void mark_before(struct node **start, int n_start, int capacity)
{
    struct node **stack = malloc(((size_t)capacity + 1) * sizeof *stack);
    int n = 0;
    if (!stack)
        fatal("out of memory for a walk over %d nodes", capacity);
    for (int i = 0; i < n_start; i++)
        if (!start[i]->mark) {
            start[i]->mark = 1;
            stack[n++] = start[i];
        }
    while (n > 0) {
        struct node *node = stack[--n];
        for (int i = 0; i < node->in.n; i++)
            if (!node->in.at[i].node->mark) {
                node->in.at[i].node->mark = 1;
                stack[n++] = node->in.at[i].node;
            }
    }
    free(stack);
}

/* Has every stream of the capture been joined back to its origin? */
static bool all_joined(struct capture *c)
{
    bool joined = true;
    mark_before(c->origin->frontier.nodes, c->origin->frontier.n, c->graph->n_nodes);
    for (int d = 0; d < sim.n_devices; d++)
        for (struct stream *s = sim.devices[d].streams; s; s = s->next)
            if (s->capture == c)
                for (int i = 0; i < s->frontier.n; i++)
                    joined = joined && s->frontier.nodes[i]->mark;
    for (struct node *n = c->graph->nodes; n; n = n->next)
        n->mark = 0;
    return joined;
}

static cudaError_t end(struct stream *s, cudaGraph_t *out)
{
    if (!s)
        return cudaErrorInvalidResourceHandle;
    struct capture *c = s->capture;
    if (!c)
        return cudaErrorIllegalState;
    if (c->origin != s) {
        capture_invalidate(c);
        return cudaErrorStreamCaptureUnmatched;
    }
    cudaError_t e = cudaSuccess;
    if (c->mode != cudaStreamCaptureModeRelaxed && c->thread != thread_self())
        e = cudaErrorStreamCaptureWrongThread;
    else if (c->invalidated)
        e = cudaErrorStreamCaptureInvalidated;
    else if (!all_joined(c))
        e = cudaErrorStreamCaptureUnjoined;
    if (out)
        *out = NULL;
    thread_self()->clock += us_to_ns(sim.profile.graph_capture_end_node_us * c->graph->n_nodes);
    if (e == cudaSuccess && out) {
        struct graph *g = c->graph;
        *out = (cudaGraph_t)g;
        g->refs += !c->given_graph;
        g->in_capture = false;
    }
    capture_end(c);
    return e;
}

EXPORT cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *out)
{
    cudaError_t e;
    if (!api_enter(COST_CAPTURE_END, "cudaStreamEndCapture", &e))
        return e;
    return api_leave(end(stream_of(stream), out));
}

/* ---- what a capture forbids -------------------------------------------------------------------------- */

static bool blocking_stream_captures(void)
{
    for (const struct capture *c = active; c; c = c->next)
        if (!(c->origin->flags & cudaStreamNonBlocking))
            return true;
    return false;
}

static void invalidate_blocking(void)
{
    for (struct capture *c = active; c; c = c->next)
        if (!(c->origin->flags & cudaStreamNonBlocking))
            capture_invalidate(c);
}

/* Legacy work would have to wait for a capturing stream, which has nothing to wait for. */
cudaError_t capture_refuses_legacy(void)
{
    if (!active || !blocking_stream_captures())
        return cudaSuccess;
    invalidate_blocking();
    return cudaErrorStreamCaptureImplicit;
}

cudaError_t stream_for_work(cudaStream_t handle, struct stream **out)
{
    struct stream *s = *out = stream_of(handle);
    if (!s)
        return cudaErrorInvalidResourceHandle;
    if (s->legacy)
        return capture_refuses_legacy();
    return s->capture && s->capture->invalidated ? cudaErrorStreamCaptureInvalidated : cudaSuccess;
}

/* Does this capture keep the calling thread from unsafe calls? */
static bool forbids(const struct capture *c, const struct thread_state *t)
{
    if (c->mode == cudaStreamCaptureModeRelaxed || t->capture_mode == cudaStreamCaptureModeRelaxed)
        return false;
    if (c->thread == t)
        return true;
    return c->mode == cudaStreamCaptureModeGlobal && t->capture_mode == cudaStreamCaptureModeGlobal;
}

cudaError_t capture_unsafe_call(void)
{
    const struct thread_state *t = thread_self();
    cudaError_t e = cudaSuccess;
    for (struct capture *c = active; c; c = c->next)
        if (forbids(c, t)) {
            capture_invalidate(c);
            e = cudaErrorStreamCaptureUnsupported;
        }
    return e;
}

cudaError_t capture_refuses_sync(const struct stream *s)
{
    cudaError_t e = cudaSuccess;
    if (!s) {
        for (struct capture *c = active; c; c = c->next) {
            capture_invalidate(c);
            e = cudaErrorStreamCaptureUnsupported;
        }
        return e;
    }
    if (s->capture) {
        capture_invalidate(s->capture);
        return cudaErrorStreamCaptureUnsupported;
    }
    if (s->legacy && (e = capture_refuses_legacy()) != cudaSuccess)
        return e;
    return capture_unsafe_call();
}

EXPORT cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    cudaError_t e;
    if (!api_enter(COST_QUERY, "cudaThreadExchangeStreamCaptureMode", &e))
        return e;
    if (!mode || (unsigned)*mode > cudaStreamCaptureModeRelaxed)
        return api_leave(cudaErrorInvalidValue);
    struct thread_state *t = thread_self();
    enum cudaStreamCaptureMode before = t->capture_mode;
    t->capture_mode = *mode;
    *mode = before;
    return api_leave(cudaSuccess);
}

/* ---- capturing work ---------------------------------------------------------------------------------- */

struct node *capture_node(struct stream *s, enum cudaGraphNodeType type, struct work *w)
{
    struct node *n = node_new(s->capture->graph, type, w);
    n->priority = s->priority;
    for (int i = 0; i < s->frontier.n; i++)
        edge_add(s->frontier.nodes[i], n, NULL);
    frontier_set(&s->frontier, &n, 1);
    return n;
}

static enum cudaGraphNodeType type_of(const struct work *w)
{
    switch (w->kind) {
    case OP_KERNEL:
        return cudaGraphNodeTypeKernel;
    case OP_COPY:
        return cudaGraphNodeTypeMemcpy;
    case OP_MEMSET:
        return cudaGraphNodeTypeMemset;
    case OP_HOST_FUNC:
        return cudaGraphNodeTypeHost;
    case OP_EVENT_RECORD:
        return cudaGraphNodeTypeEventRecord;
    case OP_EVENT_WAIT:
        return cudaGraphNodeTypeWaitEvent;
    default:
        return cudaGraphNodeTypeEmpty;
    }
}

void capture_work(struct stream *s, struct work *w)
{
    api_charge(w->kind == OP_KERNEL || w->kind == OP_COPY ? COST_CAPTURE_NODE : COST_CAPTURE_MARK);
    capture_node(s, type_of(w), w);
}

/* ---- events ------------------------------------------------------------------------------------------ */

void capture_record(struct event *ev, struct stream *s)
{
    api_charge(COST_CAPTURE_MARK);
    capture_forget_event(ev);
    ev->capture = s->capture;
    ev->capture->refs++;
    frontier_set(&ev->frontier, s->frontier.nodes, s->frontier.n);
}

void capture_forget_event(struct event *ev)
{
    if (!ev->capture)
        return;
    capture_put(ev->capture);
    ev->capture = NULL;
    frontier_clear(&ev->frontier);
}

cudaError_t capture_wait(struct stream *s, struct event *ev)
{
    struct capture *theirs = ev->capture, *ours = s->capture;
    api_charge(COST_CAPTURE_MARK);
    if (theirs && theirs->ended)
        return cudaErrorInvalidValue;
    if (!theirs) {
        if (!ev->recorded)
            return cudaSuccess;
        capture_invalidate(ours);
        return cudaErrorStreamCaptureIsolation;
    }
    if (theirs->invalidated)
        return cudaErrorStreamCaptureInvalidated;
    if (s->legacy) {
        capture_invalidate(theirs);
        return cudaErrorStreamCaptureImplicit;
    }
    if (!ours) {
        stream_enter(s, theirs, &ev->frontier);
        return cudaSuccess;
    }
    if (ours != theirs) {
        capture_invalidate(ours);
        capture_invalidate(theirs);
        return cudaErrorStreamCaptureMerge;
    }
    frontier_unite(&s->frontier, &ev->frontier);
    return cudaSuccess;
}

cudaError_t capture_refuses_event_query(struct event *ev)
{
    if (!ev->capture)
        return cudaSuccess;
    if (ev->capture->ended)
        return cudaErrorInvalidValue;
    capture_invalidate(ev->capture);
    return cudaErrorCapturedEvent;
}

/* ---- questions --------------------------------------------------------------------------------------- */

static enum cudaStreamCaptureStatus status_of(const struct stream *s)
{
    if (!s->capture)
        return cudaStreamCaptureStatusNone;
    return s->capture->invalidated ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive;
}

EXPORT cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
    cudaError_t e;
    if (!api_enter(COST_QUERY, "cudaStreamIsCapturing", &e))
        return e;
    struct stream *s = stream_of(stream);
    if (!s)
        return api_leave(cudaErrorInvalidResourceHandle);
    if (!status)
        return api_leave(cudaErrorInvalidValue);
    if (s->legacy && active && blocking_stream_captures())
        return api_leave(cudaErrorStreamCaptureImplicit);
    *status = status_of(s);
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                            unsigned long long *id, cudaGraph_t *graph,
                                            const cudaGraphNode_t **nodes, const cudaGraphEdgeData **data, size_t *n)
{
    cudaError_t e;
    if (!api_enter(COST_QUERY, "cudaStreamGetCaptureInfo", &e))
        return e;
    struct stream *s = stream_of(stream);
    if (!s)
        return api_leave(cudaErrorInvalidResourceHandle);
    if (!status)
        return api_leave(cudaErrorInvalidValue);
    if (s->legacy && active && blocking_stream_captures())
        return api_leave(cudaErrorStreamCaptureImplicit);
    *status = status_of(s);
    bool on = *status == cudaStreamCaptureStatusActive;
    if (id && s->capture)
        *id = s->capture->id;
    if (!on)
        return api_leave(cudaSuccess);
    if (graph)
        *graph = (cudaGraph_t)s->capture->graph;
    if (nodes)
        *nodes = (const cudaGraphNode_t *)(const void *)s->frontier.nodes;
    if (data)
        *data = NULL;
    if (n)
        *n = (size_t)s->frontier.n;
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *nodes,
                                                       const cudaGraphEdgeData *data, size_t n, unsigned flags)
{
    cudaError_t e;
    if (!api_enter(COST_GRAPH_NODE, "cudaStreamUpdateCaptureDependencies", &e))
        return e;
    struct stream *s = stream_of(stream);
    (void)data;
    if (!s)
        return api_leave(cudaErrorInvalidResourceHandle);
    if (!s->capture)
        return api_leave(cudaErrorIllegalState);
    if (s->capture->invalidated)
        return api_leave(cudaErrorStreamCaptureInvalidated);
    if (flags > cudaStreamSetCaptureDependencies || dependencies_check(s->capture->graph, nodes, n) != cudaSuccess)
        return api_leave(cudaErrorInvalidValue);
    struct frontier given = {(struct node **)(uintptr_t)nodes, (int)n};
    if (flags == cudaStreamSetCaptureDependencies)
        frontier_set(&s->frontier, given.nodes, given.n);
    else
        frontier_unite(&s->frontier, &given);
    return api_leave(cudaSuccess);
}
