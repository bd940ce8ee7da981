/* unfold.c: launches whose nodes become operations one after the other.
 *
 * A launch by the host makes a small record of each node: when the host had launched it, and its
 * place in the order. When the first of a node's predecessors is done, the node becomes an
 * operation. So there are about as many operations as nodes that can run concurrently, in the same
 * memory again and again, and not as many as all pending launches have nodes.
 *
 * The edges are those of the executable graph. Its nodes may be changed while launches are pending:
 * exec_before_change makes operations of all their nodes first. */
#include <stdlib.h>

#include "launch.h"

/* ---- folding --------------------------------------------------------------------------------- */

static void list_add(struct launch *l)
{
    struct launch **first = &l->exec->folded;
    l->is_listed = true;
    l->next = *first;
    l->prev = first;
    if (*first)
        (*first)->prev = &l->next;
    *first = l;
}

static void list_remove(struct launch *l)
{
    if (!l->is_listed)
        return;
    l->is_listed = false;
    *l->prev = l->next;
    if (l->next)
        l->next->prev = l->prev;
}

/* Declares what the node accesses, in the name of the operation that it will be. */
static void declare(const struct launch *l, const struct exec_node *x, struct folded *f)
{
    struct op op = {.work = x->work,
                    .epoch = f->epoch,
                    .device = &devices[x->device],
                    .home = l->stream->device,
                    .stream = l->stream,
                    .stream_id = l->stream->id,
                    .index = l->index,
                    .in_graph = true,
                    .node = x->number,
                    .known = x->known};
    access_declare(&op);
    f->fails = op.fails;
    f->read_later = op.read_later;
    f->late = op.late;
    f->bad_address = op.work.kind == OP_KERNEL && op.work.kernel.bad_address;
}

/* Of a launch of the executable graph, whose number of nodes never changes. */
static struct launch *take_memory(struct exec *x)
{
    struct launch *l = x->spare;
    if (l)
        x->spare = l->next;
    else if (!(l = malloc(sizeof *l + (size_t)x->flat.n * sizeof *l->folded)))
        fatal("out of memory for the launch of %d nodes", x->flat.n);
    return l;
}

struct launch *launch_fold(const struct launch *given)
{
    const struct flat *f = given->flat;
    struct launch *l = take_memory(given->exec);
    *l = *given;
    l->folded = (struct folded *)(l + 1);
    l->first_id = op_enter_folded(l->stream, f->n);
    for (int i = 0; i < f->n; i++) {
        const struct exec_node *x = &f->nodes[i];
        l->folded[i] = (struct folded){.ready_ns = launch_ready_ns(l, x)};
        devices[x->device].n_guests += x->device != l->stream->device->id;
        if (sim.checks)
            l->folded[i].epoch = launch_epoch(l, i);
        if (x->accesses && !x->disabled)
            declare(l, x, &l->folded[i]);
    }
    list_add(l);
    return l;
}

void launch_folded_ends(struct launch *l)
{
    list_remove(l);
    l->next = l->exec->spare;
    l->exec->spare = l;
}

/* ---- unfolding ------------------------------------------------------------------------------- */

static void unfold(struct op *op);

static struct op *unfolded(struct launch *l, int i)
{
    struct folded *f = &l->folded[i];
    const int n_in = l->flat->nodes[i].n_in;
    if (f->op)
        return f->op;
    struct op *op = f->op = launch_op(l, i);
    op->epoch = f->epoch;
    op->fails = f->fails;
    op->read_later = f->read_later;
    op->late = f->late;
    if (f->bad_address)
        op->work.kernel.bad_address = true;
    op->launch = l;
    op->place = i;
    op->unfold = unfold;
    op_open_folded(op, l->first_id + (uint64_t)i, f->ready_ns, n_in ? n_in : 1);
    return op;
}

/* Those that wait for it. */
static void unfold(struct op *op)
{
    struct launch *l = op->launch;
    const struct flat *f = l->flat;
    const bool begins = op->place < 0;
    const int *next = begins ? f->sinks - f->n_roots : f->out + f->nodes[op->place].first_out;
    const int n = begins ? f->n_roots : f->nodes[op->place].n_out;
    op->unfold = NULL;
    for (int i = 0; i < n; i++)
        op_after_expected(unfolded(l, next[i]), op);
    if (n == 0 && !begins)
        op_after_expected(l->end, op);
}

void launch_folded_begins(struct launch *l, struct op *end)
{
    l->end = end;
    l->end->launch = l->begin->launch = l;
    l->begin->place = -1;
    l->begin->unfold = unfold;
    op_expect(end, l->flat->n_sinks);
}

void launches_unfold(struct exec *x)
{
    for (struct launch *l; (l = x->folded);) {
        for (int i = 0; i < l->flat->n; i++)
            unfolded(l, i);
        list_remove(l);
    }
}
