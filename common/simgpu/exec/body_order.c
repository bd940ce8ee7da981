/* body_order.c: the accesses of bodies of conditional nodes, declared to race detection.
 *
 * They are declared when the graph is launched, whether the body will run or not, because all
 * accesses are declared in the order in which the host enqueued them. Bodies of one node are
 * declared in sequence, because they never run concurrently. One iteration of a WHILE node stands
 * for all, because each iteration comes after the one before it. */
#include <stdlib.h>

#include "exec.h"

/* One body while its nodes get their epochs. */
struct round {
    const struct flat *flat;
    const struct op *launched; /* its outermost conditional node */
    const struct epoch *begin;
    bool is_unknown;            /* a kernel has no footprint */
    struct epoch *epochs;       /* of its nodes */
    const struct epoch **after; /* room for the dependencies of one of them, or for its leaves */
    uint32_t *clock_ids;        /* of its chains */
};

static void round_open(struct round *r, const struct flat *f, const struct op *launched,
                       const struct epoch *begin)
{
    size_t n = (size_t)f->n + 1;
    *r = (struct round){.flat = f, .launched = launched, .begin = begin};
    r->epochs = calloc(n, sizeof *r->epochs);
    r->after = calloc(n, sizeof *r->after);
    r->clock_ids = calloc((size_t)f->n_chains + 1, sizeof *r->clock_ids);
    if (!r->epochs || !r->after || !r->clock_ids)
        fatal("out of memory for the order of a body of %d nodes", f->n);
    for (int i = 0; i < f->n_chains; i++)
        r->clock_ids[i] = clock_id_after(begin);
}

static void round_close(struct round *r)
{
    for (int i = 0; i < r->flat->n; i++)
        epoch_drop(&r->epochs[i]);
    for (int i = 0; i < r->flat->n_chains; i++)
        clock_id_free(r->clock_ids[i]);
    free(r->epochs);
    free(r->after);
    free(r->clock_ids);
}

static void declare_node(struct round *r, int i)
{
    const struct flat *f = r->flat;
    struct exec_node *x = &f->nodes[i];
    int n = 0;
    for (int k = 0; k < x->n_in; k++)
        r->after[n++] = &r->epochs[f->in[x->first_in + k].from];
    if (n == 0)
        r->after[n++] = r->begin;
    r->epochs[i] = epoch_new(r->clock_ids[x->chain], r->after, n);
    if (x->work.kind == OP_CONDITION) {
        r->is_unknown |= bodies_declare(x->work.condition.choice, r->launched,
                                        r->clock_ids[x->chain], &r->epochs[i]);
        return;
    }
    struct op op = {.work = x->work,
                    .stream = r->launched->stream,
                    .stream_id = r->launched->stream_id,
                    .index = r->launched->index,
                    .device = &devices[x->device],
                    .in_graph = true,
                    .node = x->number,
                    .epoch = r->epochs[i]};
    epoch_drop(&x->unknown);
    if (!x->disabled && kernel_is_unknown(&op)) {
        x->unknown = epoch_copy(&r->epochs[i]);
        r->is_unknown = true;
    } else if (!x->disabled) {
        access_expect(&op);
    }
}

bool bodies_declare(const struct choice *c, const struct op *launched, uint32_t clock_id,
                    struct epoch *begin)
{
    bool is_unknown = false;
    for (int b = 0; b < c->n; b++) {
        const struct flat *f = &c->bodies[b];
        struct round r;
        round_open(&r, f, launched, begin);
        for (int i = 0; i < f->n; i++)
            declare_node(&r, i);
        int n = 0;
        for (int i = 0; i < f->n; i++)
            if (!f->nodes[i].has_out)
                r.after[n++] = &r.epochs[i];
        struct epoch end = epoch_new(clock_id, r.after, n);
        is_unknown |= r.is_unknown;
        round_close(&r);
        epoch_drop(begin);
        *begin = end;
    }
    return is_unknown;
}
