/*
 * op.c: an operation, from its API call to its completion.
 *
 *     waiting --(everything before it is done, latency has passed)--> ready --(engine takes it)-->
 * running --> done
 *
 * What it waits for is settled when it is submitted: the operation before it in its stream, what
 * the rules of the default stream add, and an event. Each of those knows it as a successor.
 */
#include <stdlib.h>
#include <string.h>

#include "graph.h"

static struct op *free_ops;

struct op *op_new(const struct work *w, struct stream *s)
{
    struct op *op = free_ops;
    if (op)
        free_ops = op->next;
    else if (!(op = malloc(sizeof *op)))
        fatal("out of memory for an operation");
    memset(op, 0, sizeof *op);
    op->work = *w;
    op->refs = 1;
    op->stream = s;
    op->device = s->device;
    op->node = -1;
    op->priority = s->priority;
    op->succ = op->succ_few;
    op->cap_succ = sizeof op->succ_few / sizeof op->succ_few[0];
    for (int k = 0; k < N_ENGINES; k++)
        op->came_from[k] = -1;
    return op;
}

void op_get(struct op *op)
{
    op->refs++;
}

void op_put(struct op *op)
{
    if (--op->refs > 0)
        return;
    work_drop(&op->work);
    order_drop(&op->stamp);
    if (op->succ != op->succ_few)
        free(op->succ);
    op->next = free_ops;
    free_ops = op;
}

/* succ waits for op. */
static void op_edge(struct op *op, struct op *succ)
{
    if (!op || op->state == OP_DONE || op == succ)
        return;
    if (op->n_succ == op->cap_succ) {
        struct op **more = malloc(2 * (size_t)op->cap_succ * sizeof *more);
        if (!more)
            fatal("out of memory for the successors of an operation");
        memcpy(more, op->succ, (size_t)op->n_succ * sizeof *more);
        if (op->succ != op->succ_few)
            free(op->succ);
        op->succ = more;
        op->cap_succ *= 2;
    }
    op->succ[op->n_succ++] = succ;
    op_get(succ);
    succ->n_waits++;
}

static bool is_marker(const struct op *op)
{
    return op->work.engine == ENGINE_NONE;
}

/* Memsets and copies inside the device are kernels in disguise: going from one to the other costs
 * no crossing. */
static enum engine_kind latency_class(enum engine_kind e)
{
    return e == ENGINE_D2D ? ENGINE_SM : e;
}

/* Time from the end of work on one engine to the earliest start of what waited for it on another.
 */
static ns_t latency(enum engine_kind from, enum engine_kind to, bool in_graph)
{
    const struct profile *p = &sim.profile;
    from = latency_class(from);
    to = latency_class(to);
    if (to == ENGINE_HOST)
        return us_to_ns(from == ENGINE_HOST ? p->host_func_next_us : p->host_func_us);
    if (from == ENGINE_HOST)
        return us_to_ns(p->host_func_done_us);
    if (from != to)
        return us_to_ns(in_graph ? p->graph_cross_us : p->cross_engine_us);
    if (in_graph)
        return us_to_ns(p->graph_edge_us);
    return from == ENGINE_SM ? us_to_ns(p->same_stream_us) : 0;
}

/* Work on `engine` that op waited for ended at `at`. A marker passes that on to what waits for it.
 */
static void op_arrive(struct op *op, enum engine_kind engine, ns_t at)
{
    if (is_marker(op)) {
        if (at > op->came_from[engine])
            op->came_from[engine] = at;
    } else {
        at += latency(engine, op->work.engine, op->in_graph);
    }
    if (at > op->ready_ns)
        op->ready_ns = at;
}

/* op has ended now; succ waited for it. */
static void op_pass_on(const struct op *op, struct op *succ, ns_t now)
{
    if (!is_marker(op)) {
        op_arrive(succ, op->work.engine, now);
        return;
    }
    ns_t hop = op->stream != succ->stream ? us_to_ns(sim.profile.event_wait_us) : 0;
    for (int k = 0; k < N_ENGINES; k++)
        if (op->came_from[k] >= 0)
            op_arrive(succ, (enum engine_kind)k, op->came_from[k] + hop);
    if (now + hop > succ->ready_ns)
        succ->ready_ns = now + hop;
}

static void op_ready(void *arg, ns_t now)
{
    struct op *op = arg;
    op->state = OP_READY;
    op->start_ns = now;
    if (op->updatable)
        op_look_again(op);
    if (op->work.kind == OP_HOST_FUNC)
        hostfn_start(op, now);
    else if (op->work.kind == OP_CONDITION)
        condition_reached(op, now);
    else if (!is_marker(op))
        engine_submit(op, now);
    else
        op_done(op, now);
}

/* Device time of what runs on no engine. */
static ns_t mark_ns(const struct op *op)
{
    bool records_time =
        op->work.kind == OP_EVENT_RECORD && !(op->work.event->flags & cudaEventDisableTiming);
    return records_time ? us_to_ns(sim.profile.event_record_us) : op->mark_ns;
}

static void op_schedule(struct op *op)
{
    agenda_add(op->ready_ns + mark_ns(op), op_ready, op);
}

/*
 * Kernels, copies and whole graphs take room in a stream's queue; marks and host functions do not,
 * as seen on an H200.
 */
static bool takes_room(const struct op *op)
{
    enum op_kind k = op->work.kind;
    return !op->in_graph && (k == OP_KERNEL || k == OP_COPY || k == OP_MEMSET || k == OP_GRAPH_END);
}

void op_done(struct op *op, ns_t now)
{
    struct stream *s = op->stream;
    op->state = OP_DONE;
    op->end_ns = now;
    if (op->work.kind == OP_EVENT_RECORD)
        event_happened(op->work.event, op);
    if (mark_ns(op) > 0)
        for (int k = 0; k < N_ENGINES; k++)
            if (op->came_from[k] >= 0)
                op->came_from[k] = now; /* what follows starts from the mark */
    if (op->work.kind == OP_FREE)
        mempool_free_now(op);
    else if (op->work.kind == OP_GRAPH_BEGIN)
        exec_launch_begins(op);
    else if (op->work.kind == OP_NODES_DONE)
        environment_nodes_done(op, now);
    else if (op->work.kind == OP_BODY_END)
        body_ended(op->work.body_of, now);
    if (sim.tracing)
        trace_op(op);
    for (int i = 0; i < op->n_succ; i++) {
        struct op *succ = op->succ[i];
        op_pass_on(op, succ, now);
        if (--succ->n_waits == 0)
            op_schedule(succ);
        op_put(succ);
    }
    op->n_succ = 0;
    if (s->tail == op) {
        s->tail = NULL;
        op_put(op);
    }
    s->n_pending--;
    s->n_queued -= takes_room(op);
    s->device->n_pending--;
    stream_put(s);
    if (op->work.kind == OP_GRAPH_END)
        exec_launch_ended(op);
    op_put(op);
}

/* A stream holds only so many operations: a call that would add one more waits, as on a GPU. */
void op_wait_for_room(struct stream *s)
{
    struct thread_state *t = thread_self();
    if (s->n_queued < sim.profile.stream_depth)
        return;
    while (s->n_queued >= sim.profile.stream_depth) {
        if (!history_step()) {
            hostfn_wait();
            if (s->n_queued >= sim.profile.stream_depth && !history_step())
                hostfn_wait_left();
        }
    }
    if (t->clock < sim.now)
        t->clock = sim.now;
}

/* The rules of the legacy default stream: it waits for every blocking stream, and they wait for it.
 */
static int default_stream_edges(struct op *op, const struct stamp **after)
{
    struct stream *s = op->stream;
    if (s->legacy) {
        int n = 0;
        for (struct stream *other = s->device->streams; other; other = other->next) {
            if (other == s || (other->flags & cudaStreamNonBlocking))
                continue;
            op_edge(other->tail, op);
            if (other->stamp.seq)
                after[n++] = &other->stamp;
        }
        if (s->device->gone[0].seq)
            after[n++] = &s->device->gone[0];
        return n;
    }
    struct stream *legacy = s->device->legacy;
    if ((s->flags & cudaStreamNonBlocking) || !legacy)
        return 0;
    op_edge(legacy->tail, op);
    after[0] = &legacy->stamp;
    return legacy->stamp.seq != 0;
}

void op_open(struct op *op)
{
    op_open_at(op, thread_self()->clock + us_to_ns(sim.profile.submit_us));
    if (op->work.engine == ENGINE_HOST)
        op->ready_ns += us_to_ns(sim.profile.host_func_idle_us);
}

void op_open_at(struct op *op, ns_t now)
{
    struct stream *s = op->stream;
    op->id = sim.n_ops++;
    op->ready_ns = now;
    op->n_waits = 1; /* itself, until all edges are known */
    s->n_pending++;
    s->device->n_pending++;
    s->refs++;
    op_get(op); /* until it is done */
}

void op_after(struct op *op, struct op *before)
{
    op_edge(before, op);
}

void op_close(struct op *op)
{
    if (--op->n_waits == 0)
        op_schedule(op);
}

void op_hold(struct op *op)
{
    op->n_waits++;
}

void op_release(struct op *op, ns_t now)
{
    op_arrive(op, ENGINE_SM, now);
    op_close(op);
}

static void stamp_in_stream(struct op *op, const struct stamp *const *given, int n_given,
                            const struct stamp **after, int n)
{
    struct stream *s = op->stream;
    if (s->stamp.seq)
        after[n++] = &s->stamp;
    after[n++] = &sim.host;
    for (int i = 0; i < n_given; i++)
        if (given[i]->seq)
            after[n++] = given[i];
    op->stamp = order_stamp(s->lane, after, n);
    order_drop(&s->stamp);
    s->stamp = order_copy(&op->stamp);
}

void op_place(struct op *op, const struct stamp *const *given, int n_given)
{
    struct stream *s = op->stream;
    enum { FEW = 32 };
    const struct stamp *few[FEW], **after = few;
    size_t most = 3 + (size_t)n_given + (s->legacy ? (size_t)s->device->n_streams : 0);
    if (most > FEW && !(after = malloc(most * sizeof *after)))
        fatal("out of memory for %zu dependencies", most);
    op->index = s->n_ops++;
    int n = default_stream_edges(op, after);
    op_edge(s->tail, op);
    if (sim.checks)
        stamp_in_stream(op, given, n_given, after, n);
    if (after != few)
        free(after);
    effects_declare(op);
    if (s->tail)
        op_put(s->tail);
    s->tail = op;
    op_get(op);
    s->n_queued += takes_room(op);
    op_close(op);
}

void op_submit(struct op *op, struct op *extra, const struct stamp *extra_stamp)
{
    hostfn_thread();
    if (takes_room(op))
        op_wait_for_room(op->stream);
    op_open(op);
    op_after(op, extra);
    op_place(op, &extra_stamp, extra_stamp ? 1 : 0);
}

void op_note(struct op *op, const struct stamp *done)
{
    op_open_at(op, thread_self()->clock);
    op_place(op, &done, 1);
}

/* Is it work, or a mark that had work to wait for? */
static bool worked(const struct op *op)
{
    for (int k = 0; k < N_ENGINES; k++)
        if (op->came_from[k] >= 0)
            return true;
    return !is_marker(op);
}

void op_wait(struct op *op)
{
    struct thread_state *t = thread_self();
    op_get(op);
    history_advance_to(op);
    ns_t back = op->end_ns + (worked(op) ? us_to_ns(sim.profile.sync_return_us) : 0);
    if (back > t->clock)
        t->clock = back;
    if (sim.checks)
        order_join(&sim.host, &op->stamp);
    op_put(op);
    history_advance(t->clock);
}

static void count_kernel(struct stream *s)
{
    struct device *d = s->device;
    d->n_kernels++;
    if (++s->n_kernels > d->most_kernels)
        d->most_kernels = s->n_kernels;
}

cudaError_t work_submit(struct work *w, struct stream *s)
{
    if (s->capture) {
        capture_work(s, w);
        return cudaSuccess;
    }
    struct op *op = op_new(w, s);
    if (w->kind == OP_KERNEL)
        count_kernel(s);
    op_submit(op, NULL, NULL);
    op_put(op);
    return cudaSuccess;
}
