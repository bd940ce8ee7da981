/* capture.c: stream capture, from its begin to its end. While a stream captures, the work enqueued
 * in it becomes nodes of a graph and does not run.
 *
 * Each capturing stream has a frontier (frontier.c). Events fork and join streams
 * (capture_events.c). capture_rules.c has the calls that a capture forbids. All rules, and the
 * error of each violation, are those of an H200. */
#include <stdlib.h>

#include "graph.h"

static unsigned long long n_captures;
static struct graph *failed; /* of the last capture that failed; NULL: none, or it was taken */

/* ---- its streams ----------------------------------------------------------------------------- */

void capture_enter(struct stream *s, struct capture *c, const struct frontier *f)
{
    s->capture = c;
    c->refs++;
    s->refs++;
    s->waits_outside = s->waits;
    s->waits = sim.checks ? waits_in_capture(1 + c->caller, s->id) : 0;
    frontier_set(&s->frontier, f);
}

static void leave(struct stream *s)
{
    capture_put(s->capture);
    s->capture = NULL;
    s->waits = s->waits_outside;
    frontier_clear(&s->frontier);
    stream_put(s);
}

/* ---- begin ----------------------------------------------------------------------------------- */

cudaError_t capture_begin(cudaStream_t stream, enum cudaStreamCaptureMode mode, struct graph *given,
                          const struct frontier *f)
{
    struct stream *s;
    if ((unsigned)mode > cudaStreamCaptureModeRelaxed)
        return cudaErrorInvalidValue;
    TRY(stream_for_call(stream, &s));
    if (s->legacy)
        return cudaErrorStreamCaptureUnsupported;
    if (s->capture || (given && given->capture))
        return cudaErrorIllegalState;
    struct capture *c = calloc(1, sizeof *c);
    if (!c)
        return cudaErrorMemoryAllocation;
    c->graph = given ? given : graph_new(NULL);
    c->graph->refs++;
    c->graph->capture = c;
    c->origin = s;
    c->mode = mode;
    c->thread = thread_self()->id;
    c->caller = call_place().at;
    c->id = ++n_captures;
    c->next = captures;
    captures = c;
    capture_enter(s, c, f);
    return cudaSuccess;
}

cudaError_t recapture_begin(cudaStream_t stream, enum cudaStreamCaptureMode mode, struct graph *g,
                            const struct recapture *again)
{
    const cudaError_t e = capture_begin(stream, mode, g, &(struct frontier){NULL, NULL, 0});
    if (e != cudaSuccess)
        return e;
    struct recapture *kept = needed(malloc(sizeof *kept), "a recapture");
    *kept = *again;
    kept->next = g->nodes;
    g->capture->again = kept;
    user_refs_drop(&g->user_refs);
    return cudaSuccess;
}

/* ---- the end --------------------------------------------------------------------------------- */

/* Marks everything that the nodes wait for, and themselves. */
static void mark_before(struct node **start, int n_start, int capacity)
{
    struct node **stack =
        needed(malloc(((size_t)capacity + 1) * sizeof *stack), "a walk over %d nodes", capacity);
    int n = 0;
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
        for (struct stream *s = devices[d].streams; s; s = s->next)
            if (s->capture == c)
                for (int i = 0; i < s->frontier.n; i++)
                    joined = joined && s->frontier.nodes[i]->mark;
    for (struct node *n = c->graph->nodes; n; n = n->next)
        n->mark = 0;
    return joined;
}

/* As if it never had been: no handle, so it is no leak. */
static void keep_failed(struct graph *g)
{
    user_refs_drop(&g->user_refs);
    if (failed)
        graph_put(failed);
    failed = g;
}

/* All its streams leave it, and its events are void. If it failed, its graph is destroyed; only
 * simgpu_failed_capture still shows what was captured. A graph that was to be captured again stays.
 */
static void conclude(struct capture *c, bool success)
{
    struct graph *g = c->graph;
    const bool unwanted = !success && !c->again && !g->parent && graph_of((cudaGraph_t)g);
    c->ended = true;
    c->refs++;
    for (struct capture **at = &captures; *at; at = &(*at)->next)
        if (*at == c) {
            *at = c->next;
            break;
        }
    for (int d = 0; d < sim.n_devices; d++)
        for (struct stream *s = devices[d].streams, *next; s; s = next) {
            next = s->next;
            if (s->capture == c)
                leave(s);
        }
    capture_put(c);
    g->capture = NULL;
    graph_put(g);
    if (unwanted) {
        handle_remove(g);
        keep_failed(g);
    }
}

EXPORT void *simgpu_failed_capture(void)
{
    struct thread_state *t = thread_self();
    device_lock(t);
    while (captures)
        conclude(captures, false);
    struct graph *g = failed;
    if (g)
        handle_add(g, HANDLE_GRAPH);
    failed = NULL;
    device_unlock(t);
    return g;
}

cudaError_t capture_end(cudaStream_t stream, cudaGraph_t *out)
{
    struct stream *s;
    cudaError_t e = stream_for_call(stream, &s);
    if (out)
        *out = NULL;
    if (e != cudaSuccess)
        return e;
    struct capture *c = s->capture;
    if (!c)
        return cudaErrorIllegalState;
    if (c->origin != s) {
        capture_invalidate(c);
        return cudaErrorStreamCaptureUnmatched;
    }
    if (c->mode != cudaStreamCaptureModeRelaxed && c->thread != thread_self()->id)
        e = cudaErrorStreamCaptureWrongThread;
    else if (c->invalidated)
        e = cudaErrorStreamCaptureInvalidated;
    else if (!all_joined(c))
        e = cudaErrorStreamCaptureUnjoined;
    else if (c->again && c->again->next)
        e = (cudaError_t)RECAPTURE_FAILED;
    thread_self()->clock += cost_capture_end(c->graph->n_nodes);
    if (e == cudaSuccess && out)
        *out = (cudaGraph_t)c->graph;
    if (e == cudaSuccess && handle_caller(c->graph) == c->caller) /* the program gets it here */
        handle_add(c->graph, HANDLE_GRAPH);
    conclude(c, e == cudaSuccess);
    return e;
}

void capture_lose_origin(struct stream *s)
{
    if (s->capture && s->capture->origin == s)
        conclude(s->capture, false);
}

/* ---- capturing work -------------------------------------------------------------------------- */

struct node *capture_node(struct stream *s, enum cudaGraphNodeType type, struct work *w)
{
    struct node *n = node_new(s->capture->graph, type, w);
    n->priority = s->priority;
    n->device = s->device->id;
    n->work.waits = stream_waits(s);
    for (int i = 0; i < s->frontier.n; i++)
        edge_add(s->frontier.nodes[i], n, &s->frontier.data[i]);
    frontier_set(&s->frontier, &(struct frontier){&n, NULL, 1});
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

cudaError_t capture_work(struct stream *s, struct work *w)
{
    call_charge(w->kind == OP_KERNEL || w->kind == OP_COPY ? COST_CAPTURE_NODE : COST_CAPTURE_MARK);
    if (s->capture->again)
        return recapture_work(s, type_of(w), w);
    capture_node(s, type_of(w), w);
    return cudaSuccess;
}

cudaError_t work_submit(struct work *w, struct stream *s)
{
    if (s->capture)
        return capture_work(s, w);
    stream_submit(w, s);
    return cudaSuccess;
}
