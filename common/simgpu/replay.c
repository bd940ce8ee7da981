/*
 * replay.c: launching an executable graph. All its nodes become operations between two marks in the stream: the
 * first waits for the stream and for the exec's launch before, the last is what the stream goes on after. Between
 * them only the graph's edges count, whatever stream it was launched in.
 */
#include <stdlib.h>

#include "exec_graph.h"

/* What one launch needs while its operations are made. */
struct launch {
    struct exec *exec;
    struct stream *stream;
    struct op *begin;
    struct op **ops;  /* of the flat graph's nodes */
};

static cudaError_t take_memory(struct exec *x)
{
    bool automatic = x->flags & cudaGraphInstantiateFlagAutoFreeOnLaunch;
    for (int i = 0; i < x->flat.n; i++) {
        struct exec_node *n = &x->flat.nodes[i];
        if (n->type == cudaGraphNodeTypeMemAlloc && n->memory->allocated) {
            if (!automatic)
                return cudaErrorInvalidValue;
            graph_memory_freed(n->memory);
        }
    }
    for (int i = 0; i < x->flat.n; i++) {
        struct exec_node *n = &x->flat.nodes[i];
        if (n->type == cudaGraphNodeTypeMemAlloc)
            graph_memory_made(n->memory);
        else if (n->type == cudaGraphNodeTypeMemFree)
            graph_memory_freed(n->memory);
    }
    return cudaSuccess;
}

static void stamp_node(struct launch *l, int i)
{
    const struct flat *f = &l->exec->flat;
    const struct exec_node *x = &f->nodes[i];
    const struct stamp *few[8], **after = few;
    const struct op *op = l->ops[i];
    if (x->n_in > 6 && !(after = malloc(((size_t)x->n_in + 2) * sizeof *after)))
        fatal("out of memory for the %d dependencies of a node", x->n_in);
    int n = 0;
    for (int k = 0; k < x->n_in; k++)
        after[n++] = &l->ops[f->in[x->first_in + k]]->stamp;
    if (n == 0)
        after[n++] = &l->begin->stamp;
    if (op->work.kind == OP_EVENT_WAIT && op->work.event->stamp.seq)
        after[n++] = &op->work.event->stamp;
    l->ops[i]->stamp = order_stamp(l->exec->lanes[x->chain], after, n);
    if (after != few)
        free(after);
}

static void launch_node(struct launch *l, int i)
{
    const struct flat *f = &l->exec->flat;
    const struct exec_node *x = &f->nodes[i];
    struct work w = {.kind = OP_MARKER, .name = x->work.name};
    if (!x->disabled)
        work_copy(&w, &x->work);
    struct op *op = l->ops[i] = op_new(&w, l->stream);
    op->node = x->number;
    op->in_graph = true;
    op->priority = l->exec->flags & cudaGraphInstantiateFlagUseNodePriority ? x->priority : l->stream->priority;
    op_open(op);
    for (int k = 0; k < x->n_in; k++)
        op_after(op, l->ops[f->in[x->first_in + k]]);
    if (x->n_in == 0)
        op_after(op, l->begin);
    if (w.kind == OP_EVENT_WAIT)
        op_after(op, w.event->op);
    if (sim.checks)
        stamp_node(l, i);
    effects_declare(op);
    if (w.kind == OP_EVENT_RECORD)
        event_record_node(w.event, op);
    op_close(op);
}

static void lanes_take(struct exec *x, const struct stamp *origin)
{
    if (!sim.checks)
        return;
    if (!x->lanes && !(x->lanes = calloc((size_t)x->flat.n_chains + 1, sizeof *x->lanes)))
        fatal("out of memory for %d chains", x->flat.n_chains);
    for (int i = 0; i < x->flat.n_chains; i++)
        x->lanes[i] = order_lane_after(origin);
}

static void lanes_give(struct exec *x)
{
    for (int i = 0; sim.checks && i < x->flat.n_chains; i++)
        order_lane_free(x->lanes[i]);
}

/* The mark that the stream goes on after waits for every node that nothing waits for. */
static struct op *launch_end(struct launch *l)
{
    struct exec *x = l->exec;
    struct op *end = op_new(&(struct work){.kind = OP_MARKER, .name = "graph"}, l->stream);
    const struct stamp **after = calloc((size_t)x->flat.n + 1, sizeof *after);
    if (!after)
        fatal("out of memory for the end of a graph");
    int n = 0;
    op_open(end);
    for (int i = 0; i < x->flat.n; i++)
        if (!x->flat.nodes[i].has_out) {
            op_after(end, l->ops[i]);
            after[n++] = &l->ops[i]->stamp;
        }
    op_after(end, l->begin);
    op_place(end, after, sim.checks ? n : 0);
    free(after);
    return end;
}

static void charge_launch(struct exec *x)
{
    const struct profile *p = &sim.profile;
    double us = p->graph_launch_node_us * x->flat.n + p->graph_launch_branch_us * (x->flat.width > 1 ? x->flat.width - 1 : 0);
    if (!x->uploaded)
        us += p->graph_upload_us + p->graph_upload_node_us * x->flat.n;
    x->uploaded = true;
    thread_self()->clock += us_to_ns(us);
}

/* The simulated device holds only so many pending operations: a launch beyond that waits for older ones. */
enum { PENDING_MOST = 1 << 18 };

static void wait_for_room(const struct device *d)
{
    struct thread_state *t = thread_self();
    while (d->n_pending > PENDING_MOST) {
        if (!history_step())
            hostfn_wait();
    }
    if (t->clock < sim.now)
        t->clock = sim.now;
}

cudaError_t exec_launch(struct exec *x, struct stream *s)
{
    cudaError_t e = take_memory(x);
    if (e != cudaSuccess)
        return e;
    wait_for_room(s->device);
    charge_launch(x);
    struct launch l = {.exec = x, .stream = s};
    l.ops = malloc(((size_t)x->flat.n + 1) * sizeof *l.ops);
    hostfn_thread();
    l.begin = op_new(&(struct work){.kind = OP_MARKER, .name = "graph"}, s);
    if (!l.ops)
        fatal("out of memory for the launch of %d nodes", x->flat.n);
    op_open(l.begin);
    if (x->last_end)
        op_after(l.begin, x->last_end);
    const struct stamp *before = &x->last_stamp;
    op_place(l.begin, &before, 1);
    lanes_take(x, &l.begin->stamp);
    for (int i = 0; i < x->flat.n; i++)
        launch_node(&l, i);
    struct op *end = launch_end(&l);
    lanes_give(x);
    for (int i = 0; i < x->flat.n; i++)
        op_put(l.ops[i]);
    free(l.ops);
    op_put(l.begin);
    if (x->last_end)
        op_put(x->last_end);
    x->last_end = end;
    order_drop(&x->last_stamp);
    x->last_stamp = order_copy(&end->stamp);
    return cudaSuccess;
}

EXPORT cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream)
{
    cudaError_t e;
    if (!api_enter(COST_GRAPH_LAUNCH, "cudaGraphLaunch", &e))
        return e;
    struct exec *x = exec_of(handle);
    struct stream *s;
    if (!x)
        return api_leave(cudaErrorInvalidValue);
    e = stream_for_work(stream, &s);
    if (e != cudaSuccess)
        return api_leave(e);
    if (s->capture)
        return api_leave(capture_graph(s, x->shape));
    return api_leave(exec_launch(x, s));
}

EXPORT cudaError_t cudaGraphUpload(cudaGraphExec_t handle, cudaStream_t stream)
{
    cudaError_t e;
    if (!api_enter(COST_GRAPH_LAUNCH, "cudaGraphUpload", &e))
        return e;
    struct exec *x = exec_of(handle);
    struct stream *s;
    if (!x)
        return api_leave(cudaErrorInvalidValue);
    e = stream_for_work(stream, &s);
    if (e != cudaSuccess)
        return api_leave(e);
    if (s->capture)
        return api_leave(cudaErrorStreamCaptureUnsupported);
    if (!x->uploaded)
        thread_self()->clock +=
            us_to_ns(sim.profile.graph_upload_us + sim.profile.graph_upload_node_us * x->flat.n);
    x->uploaded = true;
    return api_leave(cudaSuccess);
}
