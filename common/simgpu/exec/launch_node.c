/* launch_node.c: the operations of a launch: one for each node, after those that the node depends
 * on. */
#include <stdlib.h>

#include "device_launch.h"
#include "launch.h"

/* Is nothing known of the end of what the edge comes from? */
static bool starts_beside(const struct flat_in *in)
{
    return in->order != AFTER_END && !in->programmatic;
}

/* Where the node is in the order until it waits for the one kernel that it starts beside. */
static void set_early_epoch(struct launch *l, struct op *op, const struct flat_in *in)
{
    const struct epoch *origin = l->origin ? l->origin : &l->begin->epoch;
    if (in->order == AFTER_END)
        return;
    if (!in->programmatic) {
        epoch_join_beside(&op->epoch, &l->ops[in->from]->epoch);
        return;
    }
    op_set_early(op, epoch_new(clock_id_after(origin), &origin, 1));
}

const struct epoch *launch_epoch_of(const struct launch *l, int i)
{
    return l->folded ? &l->folded[i].epoch : &l->ops[i]->epoch;
}

struct epoch launch_epoch(const struct launch *l, int i)
{
    const struct flat *f = l->flat;
    const struct exec_node *x = &f->nodes[i];
    const struct epoch *few[8], **after = few;
    if (x->continues && x->work.kind != OP_EVENT_WAIT)
        return epoch_next(l->exec->clock_ids[x->chain]);
    if (x->n_in > 6 && !(after = malloc(((size_t)x->n_in + 2) * sizeof *after)))
        fatal("out of memory for the %d dependencies of a node", x->n_in);
    int n = 0;
    for (int k = 0; k < x->n_in; k++)
        if (!starts_beside(&f->in[x->first_in + k]))
            after[n++] = launch_epoch_of(l, f->in[x->first_in + k].from);
    if (n == 0)
        after[n++] = l->origin ? l->origin : &l->begin->epoch;
    if (l->origin && x->n_in == 0 && l->exec->last_run.seq)
        after[n++] = &l->exec->last_run;
    if (!x->disabled && x->work.kind == OP_EVENT_WAIT && x->work.event->epoch.seq)
        after[n++] = &x->work.event->epoch;
    struct epoch epoch = epoch_new(l->exec->clock_ids[x->chain], after, n);
    if (after != few)
        free(after);
    return epoch;
}

static void declare_bodies(struct launch *l, struct op *op, uint32_t clock_id)
{
    const bool is_late = l->late || l->environment;
    if (!is_late)
        l->late = late_begin(&l->begin->epoch, true);
    if (!bodies_declare(op->work.condition.choice, op, clock_id, &op->epoch) && !is_late)
        late_end(&l->late);
}

static void set_node_epoch(struct launch *l, int i)
{
    const struct flat *f = l->flat;
    const struct exec_node *x = &f->nodes[i];
    struct op *op = l->ops[i];
    op->epoch = launch_epoch(l, i);
    if (x->n_in == 1)
        set_early_epoch(l, op, &f->in[x->first_in]);
    if (l->origin)
        epoch_until(&op->epoch, &l->environment->end->epoch);
    if (op->work.kind == OP_CONDITION)
        declare_bodies(l, op, l->exec->clock_ids[x->chain]);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* The host launches node by node: the first ones run while it is still at the others. What costs it
 * nothing went to the device together with what it follows. */
ns_t launch_ready_ns(const struct launch *l, const struct exec_node *x)
{
    struct thread_state *t = thread_self();
    ns_t ns = x->launch_ns;
    bool goes_along = x->goes_along;
    if (!l->exec->uploaded) {
        double us = launch_cost_us(x) + upload_cost_us(x);
        ns = us_to_ns(us + cost_launch_node_us());
        goes_along = us <= 0;
    }
    t->clock += ns;
    bool host = !x->disabled && x->work.engine == ENGINE_HOST;
    return goes_along ? l->ready_ns : t->clock + cost_submit(host);
}

static void open_node(struct launch *l, struct op *op, const struct exec_node *x)
{
    op_enter_at(op, l->by_device ? l->ready_ns : launch_ready_ns(l, x));
    if (l->by_device && l->origin && x->n_in == 0)
        l->ready_ns += cost_root();
}

/* What it touches was told when its graph was launched; that it may is seen in the first round of
 * each launch. */
static void verify(struct launch *l, struct op *op, struct exec_node *x)
{
    if (x->verified == l->exec->n_launches || x->disabled)
        return;
    x->verified = l->exec->n_launches;
    access_verify(op);
}

/* A node of a body runs: its place in the order was set when its graph was launched. */
static void run_in_body(struct launch *l, struct op *op, struct exec_node *x)
{
    verify(l, op, x);
    if (x->unknown.seq)
        op->epoch = epoch_copy(&x->unknown);
}

static void add_edges(const struct launch *l, struct op *op, const struct exec_node *x)
{
    for (int k = 0; k < x->n_in; k++) {
        const struct flat_in *in = &l->flat->in[x->first_in + k];
        if (in->order == AFTER_END)
            op_after(op, l->ops[in->from]);
        else
            op_after_early(op, l->ops[in->from], (enum order)in->order, in->programmatic);
    }
    if (x->n_in == 0)
        op_after(op, l->begin);
}

/* An operation that does what the node does in this launch. */
static struct op *new_op(const struct launch *l, const struct exec_node *x)
{
    if (x->disabled)
        return op_new(&(struct work){.kind = OP_MARKER, .name = x->work.name}, l->stream);
    struct op *op = op_new(&x->work, l->stream);
    struct work *w = &op->work;
    work_hold(w);
    if (w->kind == OP_CONDITION)
        w->condition.inner = l->by_device;
    if (w->kind == OP_COPY && exec_node_copied_by_kernel(x)) {
        w->engine = ENGINE_D2D;
        w->copy.inlined = false;
    }
    if (w->kind == OP_COPY && w->copy.staged_by_host)
        copy_route(&w->copy);
    return op;
}

struct op *launch_op(const struct launch *l, int i)
{
    const struct exec_node *x = &l->flat->nodes[i];
    struct op *op = new_op(l, x);
    op->device = &devices[x->device];
    op->index = l->index;
    op->node = x->number;
    op->exec = l->exec;
    op->in_graph = true;
    op->known = x->updatable ? UINT64_MAX : x->known;
    op->branch = (uint32_t)x->chain + 1;
    if (x->disabled)
        op->mark_ns = cost_disabled_node();
    op->in_company = l->in_company;
    op->priority =
        l->exec->flags & cudaGraphInstantiateFlagUseNodePriority ? x->priority : l->priority;
    op->first_of_run = x->first_of_run && (l->by_device || x->work.kind == OP_KERNEL);
    return op;
}

void launch_node(struct launch *l, int i)
{
    const struct flat *f = l->flat;
    struct exec_node *x = &f->nodes[i];
    struct op *op = l->ops[i] = launch_op(l, i);
    const struct work *w = &op->work;
    op->environment = l->environment;
    op->graph = l->environment ? environment_graph(l->environment) : 0;
    op->updatable = x->updatable ? x->source : 0;
    op->refresh = x->updatable ? updatable_refresh : NULL;
    if (x->memory)
        x->memory->allocation->freed_by_node = x->type == cudaGraphNodeTypeMemFree;
    op->in_body = l->by_device && !l->origin;
    open_node(l, op, x);
    add_edges(l, op, x);
    if (w->kind == OP_EVENT_WAIT)
        op_after(op, w->event->op);
    if (sim.checks && (!l->by_device || l->origin))
        set_node_epoch(l, i);
    if (l->origin) {
        access_declare_late(op);
        if (sim.checks)
            late_writes_meet(l->environment, op);
    } else if (l->by_device)
        run_in_body(l, op, x);
    else
        access_declare(op);
    exec_memory_ends(op, x);
    if (w->kind == OP_EVENT_RECORD)
        event_set_record(w->event, op), event_set_epoch(w->event, op);
    op_close(op);
    op_put(op); /* it is pending at least until the simulation goes on */
}

void clock_ids_take(struct exec *x, const struct epoch *origin)
{
    if (!sim.checks)
        return;
    if (!x->clock_ids &&
        !(x->clock_ids = calloc((size_t)x->flat.n_chains + 1, sizeof *x->clock_ids)))
        fatal("out of memory for %d chains", x->flat.n_chains);
    for (int i = 0; i < x->flat.n_chains; i++)
        x->clock_ids[i] = clock_id_after(origin);
}

struct op *nodes_done(struct environment *e, struct stream *s)
{
    struct op *op = op_new(&(struct work){.kind = OP_NODES_DONE, .name = "graph"}, s);
    op->environment = e;
    op->in_graph = true;
    op_enter_at(op, sim.now);
    return op;
}
