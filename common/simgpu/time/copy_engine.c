/* copy_engine.c: copies. Each engine runs one copy at a time: first its overhead, then its bytes.
 *
 * Work is a fluid: an operation has a number of bytes left. They move at a rate that stays the same
 * until something on an engine begins or ends. */
#include "engine.h"

/* Copies between devices run where the bytes come from, unless only the other one has access. */
static struct device *device_of(const struct op *op)
{
    return op->work.engine == ENGINE_PEER ? &devices[op->work.copy.by] : op->device;
}

static bool moves(const struct copy_engine *e)
{
    return e->running && e->moving;
}

/* Copies from other devices that move into this one at once: they share its link. */
static int arrivals(int device)
{
    int n = 0;
    for (int i = 0; i < sim.n_devices; i++) {
        const struct copy_engine *e = &devices[i].copy[COPY_PEER];
        n += moves(e) && e->running->work.copy.to == device;
    }
    return n;
}

/* Bytes per nanosecond of the copy that moves on engine `which`, given what else moves. 1 GB/s is 1
 * byte/ns. */
static double copy_rate(const struct device *d, int which)
{
    const struct work *w = &d->copy[which].running->work;
    if (which == COPY_PEER)
        return cost_peer_rate(w, arrivals(w->copy.to));
    bool both = moves(&d->copy[COPY_H2D]) && moves(&d->copy[COPY_D2H]);
    return cost_copy_rate(w, which, both);
}

static void copy_settle(struct copy_engine *e, ns_t now)
{
    if (e->running && e->moving)
        e->running->left_work -= e->running->rate * (double)(now - e->since_ns);
    e->since_ns = now;
}

static void rerate_one(struct device *d, int which, ns_t now)
{
    struct copy_engine *e = &d->copy[which];
    if (!moves(e))
        return;
    copy_settle(e, now);
    e->running->rate = copy_rate(d, which);
    engine_is_due(
        &e->next_ns,
        now + (e->running->left_work > 0 ? ceil_ns(e->running->left_work / e->running->rate) : 0));
}

/* Something began or ended to move at `now` on engine `which`: new rates for all that share with
 * it. */
static void copy_rerate(struct device *d, int which, ns_t now)
{
    for (int i = 0; i < COPY_PEER && which != COPY_PEER; i++)
        rerate_one(d, i, now);
    for (int i = 0; i < sim.n_devices && which == COPY_PEER; i++)
        rerate_one(&devices[i], COPY_PEER, now);
}

/* Has any other engine worked since the copy before on this one began? */
static bool others_busy(const struct device *d, int which)
{
    ns_t since = d->copy[which].start_ns;
    for (int i = 0; i < N_COPY_ENGINES; i++)
        if (i != which && (d->copy[i].running || d->copy[i].end_ns > since))
            return true;
    return d->sm.n_started > 0 || d->sm.end_ns > since;
}

static void copy_start(struct device *d, int which, ns_t now)
{
    struct copy_engine *e = &d->copy[which];
    struct op *op = e->queue.n ? ready_take(&e->queue) : NULL;
    e->running = op;
    e->moving = false;
    engine_is_due(&e->next_ns, NS_NEVER);
    if (!op)
        return;
    op->left_work = (double)op->work.bytes;
    op_begins(op);
    const ns_t later = freedom_delay(FREEDOM_DURATION, op->id);
    if (which == COPY_D2D && !goes_with_command(&op->work)) { /* its overhead is over */
        engine_is_due(&e->next_ns, now + later);
        return;
    }
    op->state = OP_RUNNING;
    op->start_ns = now;
    double overhead_us = cost_copy_overhead_us(op);
    bool other = e->last_stream != op->stream_id || e->last_branch != op->branch;
    if (which < COPY_D2D && e->has_last && other && others_busy(d, which))
        overhead_us += cost_copy_switch_us();
    e->start_ns = now;
    e->has_last = true;
    e->last_stream = op->stream_id;
    e->last_branch = op->branch;
    engine_is_due(&e->next_ns, now + us_to_ns(overhead_us) + later);
}

static void d2d_put(void *arg, ns_t now)
{
    struct op *op = arg;
    struct copy_engine *e = &op->device->copy[COPY_D2D];
    ready_put(&e->queue, op);
    if (!e->running)
        copy_start(op->device, COPY_D2D, now);
}

/* Memsets and copies inside the device are kernels in disguise: they are issued in turn with the
 * kernels, and their overheads pass side by side. */
static void d2d_submit(struct device *d, struct op *op, ns_t now)
{
    if (goes_with_command(&op->work)) {
        d2d_put(op, now);
        return;
    }
    op->state = OP_RUNNING;
    op->start_ns = now > d->sm.issue_free_ns ? now : d->sm.issue_free_ns;
    d->sm.issue_free_ns = op->start_ns + cost_issue(op->in_graph);
    agenda_add(op->start_ns + us_to_ns(cost_disguised_kernel_us(op)), d2d_put, op);
}

/* An engine stays with a stream whose next copy is already queued, as traces of an H200 show: of
 * the operations that waited for op alone, the copy for the same engine, if it is ready at once and
 * nothing of higher priority waits. */
static struct op *next_of_stream(const struct copy_engine *e, struct op *op, ns_t now)
{
    op_unfold(op);
    for (int i = 0; i < op->n_succ; i++) {
        struct op *s = op->succ[i].op;
        if (s->stream == op->stream && s->device == op->device &&
            s->work.engine == op->work.engine && s->n_waits == 1 && s->ready_ns <= now)
            return e->queue.first && goes_first(e->queue.first, s) ? NULL : s;
    }
    return NULL;
}

/* The overhead is over, or the last byte has moved. */
void copy_engine_run(struct device *d, int which, ns_t now)
{
    struct copy_engine *e = &d->copy[which];
    struct op *op = e->running;
    if (!e->moving) {
        e->moving = true;
        e->since_ns = now;
        copy_rerate(d, which, now);
        return;
    }
    e->running = NULL;
    engine_is_due(&e->next_ns, NS_NEVER);
    e->end_ns = now;
    e->expected = which >= COPY_D2D ? NULL : next_of_stream(e, op, now);
    op_lands(op);
    op_done(op, now);
    if (!e->expected)
        copy_start(d, which, now);
    copy_rerate(d, which, now);
}

void copy_engine_submit(struct op *op, ns_t now)
{
    static const int engines[] = {
        [ENGINE_H2D] = COPY_H2D, [ENGINE_D2H] = COPY_D2H, [ENGINE_PEER] = COPY_PEER};
    struct device *d = device_of(op);
    if (op->work.engine == ENGINE_D2D) {
        d2d_submit(d, op, now);
        return;
    }
    int which = engines[op->work.engine];
    struct copy_engine *e = &d->copy[which];
    if (e->expected == op) {
        e->expected = NULL;
        op->next = e->queue.first;
        e->queue.first = op;
        if (e->queue.n++ == 0)
            e->queue.last = op;
    } else {
        ready_put(&e->queue, op);
    }
    if (!e->running && !e->expected)
        copy_start(d, which, now);
}
