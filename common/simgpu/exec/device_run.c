/* device_run.c: nodes that the device launches itself: bodies of conditional nodes, and graphs that
 * kernels launch. */
#include <stdlib.h>

#include "device_launch.h"
#include "launch.h"

/* `end` waits for all nodes of the launch. */
static void launch_nodes(struct launch *l, struct op *end)
{
    for (int i = 0; i < l->flat->n; i++)
        launch_node(l, i);
    for (int i = 0; i < l->flat->n; i++)
        if (!l->flat->nodes[i].has_out)
            op_after(end, l->ops[i]);
}

void flat_run(struct exec *x, struct flat *body, struct op *end, ns_t now)
{
    struct op *few[32], **ops = few;
    if (body->n > 32 && !(ops = malloc((size_t)body->n * sizeof(struct op *))))
        fatal("out of memory for a body of %d nodes", body->n);
    struct launch l = {.exec = x,
                       .flat = body,
                       .stream = end->stream,
                       .priority = end->stream->priority,
                       .in_company = true,
                       .index = end->index,
                       .ops = ops,
                       .ready_ns = now,
                       .by_device = true};
    end->exec = x;
    end->in_graph = true;
    op_enter_at(end, now);
    launch_nodes(&l, end);
    op_close(end);
    op_put(end);
    if (ops != few)
        free(ops);
}

/* The epoch after the nodes that nothing waits for, in the clock id of the first chain, which the
 * environment keeps. */
static void set_done_epoch(const struct launch *l, struct environment *e)
{
    const struct flat *f = l->flat;
    const struct epoch *few[32], **after = few;
    if (f->n > 32 && !(after = malloc((size_t)f->n * sizeof *after)))
        fatal("out of memory for the end of a graph of %d nodes", f->n);
    int n = 0;
    for (int i = 0; i < f->n; i++)
        if (!f->nodes[i].has_out)
            after[n++] = &l->ops[i]->epoch;
    e->clock_id = l->exec->clock_ids[0];
    e->done = epoch_new(e->clock_id, after, n);
    epoch_until(&e->done, &e->end->epoch);
    for (int i = 1; i < f->n_chains; i++)
        clock_id_free(l->exec->clock_ids[i]);
    if (after != few)
        free(after);
}

void exec_launch_by_device(struct environment *e, const struct epoch *origin, ns_t ready_ns)
{
    struct exec *x = e->exec;
    struct flat *f = x->image ? x->image : &x->flat;
    struct op *few[32], **ops = few;
    if (f->n > 32 && !(ops = malloc((size_t)f->n * sizeof(struct op *))))
        fatal("out of memory for the launch of %d nodes", f->n);
    struct launch l = {.exec = x,
                       .flat = f,
                       .stream = e->end->stream,
                       .priority = e->end->stream->priority,
                       .in_company = true,
                       .index = e->end->index,
                       .ops = ops,
                       .ready_ns = ready_ns,
                       .by_device = true,
                       .environment = e,
                       .origin = origin};
    struct op *done = nodes_done(e, l.stream);
    x->launched = true;
    clock_ids_take(x, origin);
    launch_nodes(&l, done);
    if (sim.checks)
        set_done_epoch(&l, e);
    op_close(done);
    op_put(done);
    if (ops != few)
        free(ops);
}
