/* launch.c: launches of executable graphs. All nodes become operations between two operations of
 * the stream. The first one waits for the stream and for the previous launch of the executable
 * graph; the stream continues after the last one. Between them only the edges of the graph count,
 * whatever stream it was launched in. */
#include <stdlib.h>

#include "device_launch.h"
#include "launch.h"

/* The mark that the stream goes on after waits for every node that nothing waits for. */
static struct op *launch_end(struct launch *l)
{
    struct exec *x = l->exec;
    struct op *end = op_new(
        &(struct work){.kind = OP_GRAPH_END, .name = "graph", .caller = call_place()}, l->stream);
    const struct flat *f = &x->flat;
    const struct epoch **after =
        needed(malloc(((size_t)f->n_sinks + 1) * sizeof *after), "the end of a graph");
    int n = 0;
    op_enter(end);
    end->late = l->late;
    end->mark_ns = x->for_device ? cost_device_launch_end() : 0;
    end->exec = x;
    x->refs++;
    struct op *done = l->environment ? nodes_done(l->environment, l->stream) : end;
    for (int i = 0; i < f->n_sinks; i++) {
        after[n++] = launch_epoch_of(l, f->sinks[i]);
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
        conditions_begin(begin->exec, begin->work.defaults, begin->id);
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
    struct work w = {.kind = OP_GRAPH_BEGIN, .name = "graph", .caller = call_place()};
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
    l->ops = needed(malloc(((size_t)l->flat->n + 1) * sizeof *l->ops), "the launch of %d nodes",
                    l->flat->n);
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
    TRY(exec_memory_take(x, s, backing));
    exec_plan(x);
    thread_self()->clock += us_to_ns(x->owed_us); /* nodes were enabled or disabled */
    x->owed_us = 0;
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
    for (int i = 0; sim.checks && i < x->flat.n_chains; i++)
        clock_id_free(x->clock_ids[i]);
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
