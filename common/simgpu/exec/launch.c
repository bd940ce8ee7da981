/*
 * launch.c: launches of executable graphs. All nodes become operations between two operations of
 * the stream. The first one waits for the stream and for the previous launch of the executable
 * graph; the stream continues after the last one. Between them only the edges of the graph count,
 * whatever stream it was launched in.
 */
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

static const struct epoch *epoch_of(const struct launch *l, int i)
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
            after[n++] = epoch_of(l, f->in[x->first_in + k].from);
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
    if (!bodies_declare(op->work.condition.choice, l->stream, clock_id, &op->epoch) && !is_late)
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

/*
 * The host launches node by node: the first ones run while it is still at the others. What costs it
 * nothing went to the device together with what it follows.
 */
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

static void clock_ids_give(struct exec *x)
{
    for (int i = 0; sim.checks && i < x->flat.n_chains; i++)
        clock_id_free(x->clock_ids[i]);
}

struct op *nodes_done(struct environment *e, struct stream *s)
{
    struct op *op = op_new(&(struct work){.kind = OP_NODES_DONE, .name = "graph"}, s);
    op->environment = e;
    op->in_graph = true;
    op_enter_at(op, sim.now);
    return op;
}

/* The mark that the stream goes on after waits for every node that nothing waits for. */
static struct op *launch_end(struct launch *l)
{
    struct exec *x = l->exec;
    struct op *end = op_new(
        &(struct work){.kind = OP_GRAPH_END, .name = "graph", .caller = call_place()}, l->stream);
    const struct flat *f = &x->flat;
    const struct epoch **after = malloc(((size_t)f->n_sinks + 1) * sizeof *after);
    if (!after)
        fatal("out of memory for the end of a graph");
    int n = 0;
    op_enter(end);
    end->late = l->late;
    end->mark_ns = x->for_device ? cost_device_launch_end() : 0;
    end->exec = x;
    x->refs++;
    struct op *done = l->environment ? nodes_done(l->environment, l->stream) : end;
    for (int i = 0; i < f->n_sinks; i++) {
        after[n++] = epoch_of(l, f->sinks[i]);
        if (!l->folded)
            op_after(done, l->ops[f->sinks[i]]);
    }
    if (l->folded)
        launch_folded_begins(l, end);
    op_after(done, l->begin);
    if (n == 0)
        after[n++] = &l->begin->epoch;
    if (l->environment)
        op_hold(end);
    op_place(end, after, sim.checks ? n : 0);
    if (l->environment) {
        environment_bind(l->environment, end, after, n);
        op_close(done);
        op_put(done);
    }
    free(after);
    return end;
}

/* What was switched on or off since the launch before is told to the device. */
static void charge_switches(struct exec *x)
{
    thread_self()->clock += us_to_ns(x->owed_us);
    x->owed_us = 0;
}

/* Instantiating other graphs drives what the host keeps of this one out of its caches. */
static void charge_cold(struct exec *x)
{
    double made = nodes_instantiated - x->made_before;
    thread_self()->clock += us_to_ns(cost_launch_cold_us(made, x->flat.n));
    x->made_before = nodes_instantiated;
}

/* Have streams other than the one with most kernels been given some, too? Graphs for device launch
 * need not ask. */
static bool in_company(const struct exec *x)
{
    const struct device *d = x->device;
    return x->for_device || kernels_in_company(d->n_kernels, d->most_kernels);
}

static void now_uploaded(struct exec *x)
{
    exec_drop_image(x);
    if (x->has_updatable)
        exec_each_node(x, exec_node_launched, NULL);
    if (!x->uploaded && (x->flags & cudaGraphInstantiateFlagDeviceLaunch))
        sim.n_device_graphs++;
    x->uploaded = true;
    epoch_drop(&x->upload);
}

void exec_upload(struct exec *x, struct stream *s)
{
    double us = x->owed_us;
    exec_plan(x);
    for (int i = 0; i < x->flat.n && (!x->uploaded || x->image); i++)
        us += upload_cost_us(&x->flat.nodes[i]);
    now_uploaded(x);
    x->owed_us = 0;
    thread_self()->clock += us_to_ns(us);
    if (us <= 0)
        return;
    struct op *op = op_new(&(struct work){.kind = OP_MARKER, .name = "graph upload"}, s);
    op->mark_ns = cost_upload_on_device();
    op_submit(op, NULL, NULL);
    x->upload = epoch_copy(&op->epoch);
    op_put(op);
}

/* The simulated device holds only so many pending operations: a launch beyond that waits for older
 * ones. */
enum { PENDING_MOST = 1 << 18 };

static void wait_for_room(const struct device *d)
{
    struct thread_state *t = thread_self();
    while (d->n_pending > PENDING_MOST) {
        if (sim_step())
            continue;
        if (host_worker_running())
            host_worker_wait();
        else
            host_worker_wait_left();
    }
    if (t->clock < sim.now)
        t->clock = sim.now;
}

static void launch_begins(struct op *begin, ns_t now)
{
    (void)now;
    if (begin->work.defaults)
        conditions_begin(begin->exec, begin->work.defaults);
    if (begin->environment)
        environment_begins(begin);
}

void exec_drop_former_refs(struct exec *x)
{
    if (!x->last_end || x->last_end->state == OP_DONE)
        user_refs_drop(&x->former_refs);
}

static void launch_ended(struct op *end, ns_t now)
{
    (void)now;
    late_end(&end->late);
    exec_drop_former_refs(end->exec);
    if (end->launch)
        launch_folded_ends(end->launch);
    exec_put(end->exec);
}

static void defaults_drop(struct work *w)
{
    condition_defaults_put(w->defaults);
}

/* The mark that the nodes come after. */
static struct op *launch_begin(struct launch *l)
{
    struct exec *x = l->exec;
    struct work w = {.kind = OP_GRAPH_BEGIN, .name = "graph"};
    if (x->defaults)
        w.defaults = condition_defaults_get(x->defaults);
    struct op *begin = op_new(&w, l->stream);
    begin->exec = x;
    begin->environment = l->environment;
    return begin;
}

/* Each node is an operation at once. */
static struct op *launch_eagerly(struct launch *l)
{
    l->ops = malloc(((size_t)l->flat->n + 1) * sizeof *l->ops);
    if (!l->ops)
        fatal("out of memory for the launch of %d nodes", l->flat->n);
    for (int i = 0; i < l->flat->n; i++)
        launch_node(l, i);
    struct op *end = launch_end(l);
    free(l->ops);
    return end;
}

cudaError_t exec_launch(struct exec *x, struct stream *s)
{
    wait_for_room(s->device);
    op_wait_for_room(s);
    /* other threads may trim it while this one waits, until the launch is made */
    struct backing *backing[MAX_DEVICES] = {NULL};
    cudaError_t e = exec_memory_take(x, s, backing);
    if (e != cudaSuccess)
        return e;
    exec_plan(x);
    charge_switches(x);
    charge_cold(x);
    thread_self()->clock += cost_launch_devices(x->n_devices);
    x->in_company = in_company(x);
    if (x->for_device)
        thread_self()->clock += cost_launch_for_device();
    if (x->defaults)
        thread_self()->clock += cost_launch_conditions();
    struct launch l = {.exec = x,
                       .flat = &x->flat,
                       .stream = s,
                       .priority = s->priority,
                       .in_company = x->in_company};
    if (sim.n_device_graphs > 0 || (x->flags & cudaGraphInstantiateFlagDeviceLaunch))
        l.environment = environment_of_launch(x);
    x->launched = true;
    x->n_launches++;
    host_worker_start();
    l.begin = launch_begin(&l);
    op_enter(l.begin);
    l.ready_ns = l.begin->ready_ns;
    if (x->last_end)
        op_after(l.begin, x->last_end);
    const struct epoch *before = &x->last_epoch;
    op_place(l.begin, &before, 1);
    l.index = l.begin->index;
    clock_ids_take(x, &l.begin->epoch);
    if (l.environment)
        environment_expect(l.environment, &l.begin->epoch);
    struct op *end = x->folds && !l.environment ? launch_end(launch_fold(&l)) : launch_eagerly(&l);
    for (int d = 0; d < sim.n_devices; d++)
        graph_backing_used(backing[d], s, end);
    now_uploaded(x);
    clock_ids_give(x);
    op_put(l.begin);
    if (x->last_end)
        op_put(x->last_end);
    x->last_end = end;
    epoch_drop(&x->last_epoch);
    x->last_epoch = epoch_copy(&end->epoch);
    return cudaSuccess;
}

const struct op_type graph_begin_type = {.done = launch_begins, .drop = defaults_drop};
const struct op_type graph_end_type = {.done = launch_ended};
