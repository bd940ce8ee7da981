/* op.c: an operation, from its creation to its completion.
 *
 * All its predecessors are known when it is closed. Each predecessor has a list of its successors.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"

static struct op *free_ops;
static uint64_t n_ops;
static struct op_type types[N_OP_KINDS];
static void (*leave_stream)(struct op *op);

/* ---- kinds ----------------------------------------------------------------------------------- */

void op_type_set(enum op_kind kind, const struct op_type *type)
{
    types[kind] = *type;
}

void op_on_done(void (*leave)(struct op *op))
{
    leave_stream = leave;
}

static const struct op_type *type_of(const struct work *w)
{
    return &types[w->kind];
}

void work_hold(struct work *w)
{
    if (type_of(w)->hold)
        type_of(w)->hold(w);
}

void work_copy(struct work *to, const struct work *from)
{
    *to = *from;
    work_hold(to);
}

void work_drop(struct work *w)
{
    if (type_of(w)->drop)
        type_of(w)->drop(w);
    w->kind = OP_MARKER;
}

void kernel_call_put(struct kernel_call *k)
{
    if (!k || --k->refs > 0)
        return;
    if (k->recorded)
        free((void *)k->ranges);
    free(k);
}

void op_begins(struct op *op)
{
    if (type_of(&op->work)->begin)
        type_of(&op->work)->begin(op);
}

void op_resumes(struct op *op)
{
    if (type_of(&op->work)->resume)
        type_of(&op->work)->resume(op);
}

void op_lands(struct op *op)
{
    if (type_of(&op->work)->land)
        type_of(&op->work)->land(op);
}

void let_look(const struct op *by)
{
    if (onlooker)
        onlooker->look(by);
}

bool op_sees(struct op *op, const struct op *by)
{
    return type_of(&op->work)->sees(op, by);
}

void op_waits_in_vain(struct op *op, double seconds)
{
    type_of(&op->work)->in_vain(op, seconds);
}

/* ---- life ------------------------------------------------------------------------------------ */

uint64_t ops_opened(void)
{
    return n_ops;
}

struct op *op_make(const struct work *w, struct device *d)
{
    struct op *op = free_ops;
    if (op)
        free_ops = op->next;
    else if (!(op = malloc(sizeof *op)))
        fatal("out of memory for an operation");
    /* not memset: g++ inlines it as a string instruction, half of this function's time */
    const size_t after_work = offsetof(struct op, state);
    explicit_bzero((char *)op + after_work, sizeof *op - after_work);
    op->work = *w;
    op->refs = 1;
    op->device = op->home = d;
    op->node = -1;
    op->mark_ns = w->mark_ns;
    op->succ = op->succ_few;
    op->cap_succ = sizeof op->succ_few / sizeof op->succ_few[0];
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
    epoch_drop(&op->epoch);
    if (op->early) {
        clock_id_free(op->early->clock_id);
        epoch_drop(op->early);
        free(op->early);
    }
    if (op->succ != op->succ_few)
        free(op->succ);
    op->next = free_ops;
    free_ops = op;
}

/* ---- what it waits for ----------------------------------------------------------------------- */

static bool is_marker(const struct op *op)
{
    return op->work.engine == ENGINE_NONE;
}

bool op_is_work(const struct op *op)
{
    return op->came || !is_marker(op);
}

static void successor_add(struct op *before, struct successor s)
{
    if (before->n_succ == before->cap_succ) {
        struct successor *more = needed(malloc(2 * (size_t)before->cap_succ * sizeof *more),
                                        "the successors of an operation");
        memcpy(more, before->succ, (size_t)before->n_succ * sizeof *more);
        if (before->succ != before->succ_few)
            free(before->succ);
        before->succ = more;
        before->cap_succ *= 2;
    }
    before->succ[before->n_succ++] = s;
    op_get(s.op);
    s.op->n_waits++;
}

void op_after(struct op *op, struct op *before)
{
    if (before && before->state != OP_DONE && before != op)
        successor_add(before, (struct successor){.op = op, .order = AFTER_END});
}

void op_expect(struct op *op, int n)
{
    op->n_waits += n;
}

void op_after_expected(struct op *op, struct op *before)
{
    op->n_waits--;
    successor_add(before, (struct successor){.op = op, .order = AFTER_END});
}

/* Work on `engine` that op waited for ended at `at`. A marker passes that on to what waits for it.
 */
static void op_arrive(struct op *op, enum engine_kind engine, ns_t at, bool crossed)
{
    if (is_marker(op)) {
        const unsigned bit = 1u << engine;
        if (!(op->came & bit) || at > op->came_from[engine]) {
            op->came_from[engine] = at;
            op->came |= (uint8_t)bit;
            op->crossed = (uint8_t)((op->crossed & ~bit) | (crossed ? bit : 0));
        }
    } else {
        ns_t latency = cost_latency(engine, op->work.engine, op->in_graph),
             hop = crossed ? cost_device_hop(op->in_graph) : 0;
        at += latency > hop ? latency : hop;
    }
    if (at > op->ready_ns)
        op->ready_ns = at;
}

/* op has ended now; succ waited for it. */
static void op_pass_on(const struct op *op, struct op *succ, ns_t now)
{
    bool crosses = op->device != succ->device;
    if (!is_marker(op)) {
        op_arrive(succ, op->work.engine, now, crosses);
        return;
    }
    ns_t hop = op->stream != succ->stream ? cost_event_wait() : 0;
    for (unsigned came = op->came; came; came &= came - 1) {
        const int k = __builtin_ctz(came);
        op_arrive(succ, (enum engine_kind)k, op->came_from[k] + hop,
                  crosses || op->crossed & 1u << k);
    }
    if (crosses && !is_marker(succ))
        hop += cost_device_hop(succ->in_graph);
    if (now + hop > succ->ready_ns)
        succ->ready_ns = now + hop;
}

/* ---- programmatic dependent launch ----------------------------------------------------------- */

/* `from` is as far as s wants: its operation starts once the others are so far, too. What `from`
 * itself has done is not complete. If it lets others start before it waits, they are not even
 * ordered after what it waits for. */
static void pass_early(const struct op *from, struct successor *s)
{
    struct op *op = s->op;
    bool waits_first = s->order == AFTER_TRIGGER && from->work.kind == OP_KERNEL &&
                       from->work.kernel.call->trigger == TRIGGERS_AFTER_WAIT;
    bool is_early = from->early && !waits_first;
    ns_t at = sim.now + cost_early_start();
    if (op->early)
        epoch_join_beside(op->early, is_early ? from->early : &from->epoch);
    if (op->ready_ns < at)
        op->ready_ns = at;
    s->passed = true;
    if (!s->beside)
        s->op = NULL;
    op_close(op);
    if (!s->beside)
        op_put(op);
}

void op_set_early(struct op *op, struct epoch early)
{
    op->early = needed(malloc(sizeof *op->early), "a kernel that starts early");
    epoch_until(&early, &op->epoch);
    *op->early = early;
}

void op_after_early(struct op *op, struct op *before, enum order order, bool beside)
{
    if (!before || before->state == OP_DONE)
        return;
    op->is_beside |= beside;
    op->n_beside += beside;
    successor_add(before, (struct successor){.op = op, .order = order, .beside = beside});
    if (before->reached[order])
        pass_early(before, &before->succ[before->n_succ - 1]);
}

void op_reach(struct op *op, enum order order)
{
    if (op->reached[order])
        return;
    op->reached[order] = true;
    for (int i = 0; i < op->n_succ; i++)
        if (op->succ[i].op && op->succ[i].order == order)
            pass_early(op, &op->succ[i]);
}

/* All that op started beside is complete. */
static void op_alone(struct op *op, ns_t now)
{
    if (op->is_over)
        op_done(op, now);
    else if (op->state == OP_RUNNING)
        sm_engine_resume(op, now);
}

/* ---- from pending to done -------------------------------------------------------------------- */

static void op_ready(void *arg, ns_t now)
{
    struct op *op = arg;
    op->state = OP_READY;
    op->start_ns = now;
    if (sim.freedom)
        op->priority = (int)(freedom_bits(FREEDOM_PRIORITY, op->id) % 4);
    if (op->refresh)
        op->refresh(op);
    if (type_of(&op->work)->ready)
        type_of(&op->work)->ready(op, now);
    else if (!is_marker(op))
        engine_submit(op, now);
    else
        op_done(op, now);
}

void op_open_at(struct op *op, ns_t now)
{
    op->id = n_ops++;
    op->ready_ns = now;
    op->n_waits = 1; /* itself, until all edges are known */
    op->home->n_pending++;
    op->device->n_guests += op->device != op->home;
    op_get(op); /* until it is done */
}

void op_close(struct op *op)
{
    if (--op->n_waits == 0)
        agenda_add(op->ready_ns + op->mark_ns + freedom_delay(FREEDOM_START, op->id), op_ready, op);
}

uint64_t ops_fold(struct device *home, int n)
{
    n_ops += (uint64_t)n;
    home->n_pending += n;
    return n_ops - (uint64_t)n;
}

void op_open_folded(struct op *op, uint64_t id, ns_t now, int n_waits)
{
    op->id = id;
    op->ready_ns = now;
    op->n_waits = n_waits;
}

void op_hold(struct op *op)
{
    op->n_waits++;
}

void op_release(struct op *op, ns_t now)
{
    op_arrive(op, ENGINE_SM, now, false);
    op_close(op);
}

/* op is done, which s waited for: to start, or only to be complete. */
static void successor_hears(const struct op *op, struct successor *s, ns_t now)
{
    struct op *succ = s->op;
    if (!succ)
        return;
    if (succ->early && !s->passed)
        epoch_join(succ->early, &op->epoch);
    if (!s->passed && s->order != AFTER_END && !is_marker(op))
        pass_early(op, s);
    else if (!s->passed) {
        op_pass_on(op, succ, now);
        op_close(succ);
    }
    if (!s->op)
        return;
    if (s->beside && --succ->n_beside == 0)
        op_alone(succ, now);
    op_put(succ);
}

void op_done(struct op *op, ns_t now)
{
    if (op->n_beside > 0) { /* others start beside what it started beside */
        op->is_over = true;
        op_reach(op, AFTER_START);
        op_reach(op, AFTER_TRIGGER);
        return;
    }
    op->state = OP_DONE;
    op->end_ns = now;
    if (sim.checks)
        epoch_end(&op->epoch);
    let_look(op);
    if (op->mark_ns > 0)
        for (int k = 0; k < N_ENGINES; k++)
            op->came_from[k] = now; /* what follows starts from the mark */
    if (type_of(&op->work)->done)
        type_of(&op->work)->done(op, now);
    if (sim.tracing)
        trace_op(op);
    op_unfold(op);
    for (int i = 0; i < op->n_succ; i++)
        successor_hears(op, &op->succ[i], now);
    op->n_succ = 0;
    op->home->n_pending--;
    op->device->n_guests -= op->device != op->home;
    leave_stream(op);
    op_put(op);
}

static bool go_on(void)
{
    if (sim_step())
        return true;
    if (!host_worker_running())
        return host_worker_wait_left() || (onlooker && onlooker->wait());
    host_worker_wait();
    return true;
}

void op_run_until_done(struct op *op)
{
    host_worker_wait();
    while (op->state != OP_DONE)
        if (!go_on())
            fatal("operation %s of stream %d can never finish", op->work.name, op->stream_id);
}

void device_run_guests(struct device *d)
{
    while (d->n_guests)
        if (!go_on())
            fatal("a graph's node on device %d can never finish", d->id);
}
