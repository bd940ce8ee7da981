/* submit.c: the submission of an operation to its stream: after the last operation of the stream,
 * after those that the rules of the default stream add, and after an event. */
#include <stdlib.h>

#include "stream.h"

/* Kernels, copies and whole graphs take room in a stream's queue; marks and host functions do not,
 * as seen on an H200. */
static bool takes_room(const struct op *op)
{
    enum op_kind k = op->work.kind;
    return !op->in_graph && (k == OP_KERNEL || k == OP_COPY || k == OP_MEMSET || k == OP_GRAPH_END);
}

void op_leave(struct op *op)
{
    struct stream *s = op->stream;
    if (s->tail == op) {
        s->tail = NULL;
        op_put(op);
    }
    s->n_pending--;
    s->n_queued -= takes_room(op);
    stream_put(s);
}

struct op *op_new(const struct work *w, struct stream *s)
{
    struct op *op = op_make(w, s->device);
    op->stream = s;
    op->stream_id = s->id;
    op->priority = s->priority;
    return op;
}

void op_enter_at(struct op *op, ns_t now)
{
    op->stream->n_pending++;
    op->stream->refs++;
    op_open_at(op, now);
}

uint64_t op_enter_folded(struct stream *s, int n)
{
    s->n_pending += n;
    s->refs += n;
    return ops_fold(s->device, n);
}

void op_enter(struct op *op)
{
    op_enter_at(op, thread_self()->clock + cost_submit(op->work.engine == ENGINE_HOST));
}

void op_wait_for_room(struct stream *s)
{
    struct thread_state *t = thread_self();
    int depth = stream_depth();
    if (s->n_queued < depth)
        return;
    while (s->n_queued >= depth) {
        if (!sim_step()) {
            host_worker_wait();
            if (s->n_queued >= depth && !sim_step())
                host_worker_wait_left();
        }
    }
    if (t->clock < sim.now)
        t->clock = sim.now;
}

/* The rules of the legacy default stream: it waits for every blocking stream, and they wait for it.
 */
static int default_stream_edges(struct op *op, const struct epoch **after)
{
    struct stream *s = op->stream;
    if (s->legacy) {
        int n = 0;
        for (struct stream *other = s->device->streams; other; other = other->next) {
            if (other == s || (other->flags & cudaStreamNonBlocking))
                continue;
            op_after(op, other->tail);
            if (other->epoch.seq)
                after[n++] = &other->epoch;
        }
        if (s->device->gone[0].seq)
            after[n++] = &s->device->gone[0];
        return n;
    }
    struct stream *legacy = s->device->legacy;
    if ((s->flags & cudaStreamNonBlocking) || !legacy)
        return 0;
    op_after(op, legacy->tail);
    after[0] = &legacy->epoch;
    return legacy->epoch.seq != 0;
}

static void set_stream_epoch(struct op *op, const struct epoch *const *given, int n_given,
                             const struct epoch **after, int n)
{
    struct stream *s = op->stream;
    after[n++] = &host_epoch;
    for (int i = 0; i < n_given; i++)
        if (given[i]->seq)
            after[n++] = given[i];
    struct epoch early = {.seq = 0};
    if (op->is_beside)
        early = epoch_new(clock_id_after(&host_epoch), after, n);
    if (s->epoch.seq)
        after[n++] = &s->epoch;
    op->epoch = epoch_new(s->clock_id, after, n);
    if (op->is_beside)
        op_set_early(op, early);
    epoch_drop(&s->epoch);
    s->epoch = epoch_copy(&op->epoch);
    if (op->work.kind == OP_EVENT_RECORD || op->work.kind == OP_EVENT_WAIT ||
        op->work.kind == OP_MARKER)
        return;
    epoch_drop(&s->work);
    s->work = epoch_copy(&op->epoch);
}

void op_place(struct op *op, const struct epoch *const *given, int n_given)
{
    struct stream *s = op->stream;
    enum { FEW = 32 };
    const struct epoch *few[FEW], **after = few;
    size_t most = 3 + (size_t)n_given + (s->legacy ? (size_t)s->device->n_streams : 0);
    if (most > FEW && !(after = malloc(most * sizeof *after)))
        fatal("out of memory for %zu dependencies", most);
    op->index = op->work.kind == OP_GRAPH_END ? s->n_ops - 1 : s->n_ops++; /* a launch is one */
    op->nth = site_count(op->work.caller.at);
    int n = default_stream_edges(op, after);
    op->is_beside = op->is_beside && s->tail && s->tail->work.kind == OP_KERNEL;
    if (sim.checks)
        set_stream_epoch(op, given, n_given, after, n);
    if (op->is_beside)
        op_after_early(op, s->tail, AFTER_TRIGGER, true);
    else
        op_after(op, s->tail);
    if (after != few)
        free(after);
    access_declare(op);
    host_access_enqueued();
    if (s->tail)
        op_put(s->tail);
    s->tail = op;
    op_get(op);
    s->n_queued += takes_room(op);
    op_close(op);
}

void op_submit(struct op *op, struct op *extra, const struct epoch *extra_epoch)
{
    host_worker_start();
    if (takes_room(op))
        op_wait_for_room(op->stream);
    op_enter(op);
    op_after(op, extra);
    op_place(op, &extra_epoch, extra_epoch ? 1 : 0);
}

void op_note(struct op *op, const struct epoch *done)
{
    op_enter_at(op, thread_self()->clock);
    op_place(op, &done, 1);
}

void op_wait_clock(struct op *op)
{
    struct thread_state *t = thread_self();
    op_get(op);
    op_run_until_done(op);
    ns_t back = op->end_ns + (op_is_work(op) ? cost_sync_return() : 0);
    if (back > t->clock)
        t->clock = back;
    op_put(op);
    sim_run_until(t->clock);
    memory_host_waited();
}

void op_wait(struct op *op)
{
    op_get(op);
    op_wait_clock(op);
    if (sim.checks)
        host_waited(&op->epoch);
    op_put(op);
}

static void count_kernel(struct stream *s)
{
    struct device *d = s->device;
    d->n_kernels++;
    if (++s->n_kernels > d->most_kernels)
        d->most_kernels = s->n_kernels;
}

/* A mark in the legacy stream of the device, after `extra`. Counted. */
static struct op *mark_legacy(int device, struct op *extra)
{
    struct work w = {.kind = OP_MARKER, .name = "copy between devices"};
    struct op *mark = op_new(&w, stream_legacy(&devices[device]));
    op_submit(mark, extra, extra ? &extra->epoch : NULL);
    return mark;
}

/* A copy between devices in a legacy stream counts as work of the legacy streams of both: it waits
 * for what each of them would wait for, and they for it. */
static void submit_between(struct op *op)
{
    const struct copy_job *c = &op->work.copy;
    const struct epoch *given[2] = {NULL, NULL};
    struct op *before[2] = {NULL, NULL};
    const int ends[2] = {c->from, c->to};
    int n = 0;
    for (int i = 0; i < 2; i++)
        if (ends[i] != op->home->id)
            before[n++] = mark_legacy(ends[i], NULL);
    op_wait_for_room(op->stream);
    op_enter(op);
    for (int i = 0; i < n; i++) {
        op_after(op, before[i]);
        given[i] = &before[i]->epoch;
    }
    op_place(op, given, sim.checks ? n : 0);
    for (int i = 0; i < n; i++)
        op_put(before[i]);
    for (int i = 0; i < 2; i++)
        if (ends[i] != op->home->id)
            op_put(mark_legacy(ends[i], op));
}

static void submit(const struct work *w, struct stream *s, bool is_beside)
{
    struct op *op = op_new(w, s);
    if (w->kind == OP_KERNEL)
        count_kernel(s);
    op->is_beside = is_beside;
    op->work.waits = stream_waits(s);
    if (s->legacy && w->kind == OP_COPY && w->copy.path == PATH_PEER)
        submit_between(op);
    else
        op_submit(op, NULL, NULL);
    op_put(op);
}

void stream_submit(const struct work *w, struct stream *s)
{
    submit(w, s, false);
}

void stream_submit_beside(const struct work *w, struct stream *s)
{
    submit(w, s, true);
}
