/*
 * body_order.c: what the bodies of a conditional node may touch, told to the ordering checks.
 *
 * It is told when the graph is launched, whether a body will run or not: then everything is told in
 * the order in which the host issued it. Bodies of one node come one after another, for no two of
 * them run at once, and one round of a WHILE stands for all: each comes after the one before it.
 */
#include <stdlib.h>

#include "exec.h"

/* One body while its nodes get their stamps. */
struct round {
    const struct flat *flat;
    struct stream *stream;
    const struct stamp *begin;
    struct stamp *stamps;       /* of its nodes */
    const struct stamp **after; /* room for the dependencies of one of them, or for its leaves */
    uint32_t *lanes;            /* of its chains */
};

static void round_open(struct round *r, const struct flat *f, struct stream *s,
                       const struct stamp *begin)
{
    size_t n = (size_t)f->n + 1;
    *r = (struct round){.flat = f, .stream = s, .begin = begin};
    r->stamps = calloc(n, sizeof *r->stamps);
    r->after = calloc(n, sizeof *r->after);
    r->lanes = calloc((size_t)f->n_chains + 1, sizeof *r->lanes);
    if (!r->stamps || !r->after || !r->lanes)
        fatal("out of memory for the order of a body of %d nodes", f->n);
    for (int i = 0; i < f->n_chains; i++)
        r->lanes[i] = order_lane_after(begin);
}

static void round_close(struct round *r)
{
    for (int i = 0; i < r->flat->n; i++)
        order_drop(&r->stamps[i]);
    for (int i = 0; i < r->flat->n_chains; i++)
        order_lane_free(r->lanes[i]);
    free(r->stamps);
    free(r->after);
    free(r->lanes);
}

static void declare_node(struct round *r, int i)
{
    const struct flat *f = r->flat;
    const struct exec_node *x = &f->nodes[i];
    int n = 0;
    for (int k = 0; k < x->n_in; k++)
        r->after[n++] = &r->stamps[f->in[x->first_in + k]];
    if (n == 0)
        r->after[n++] = r->begin;
    r->stamps[i] = order_stamp(r->lanes[x->chain], r->after, n);
    if (x->work.kind == OP_CONDITION) {
        bodies_declare(x->work.condition.choice, r->stream, r->lanes[x->chain], &r->stamps[i]);
        return;
    }
    struct op op = {.work = x->work,
                    .stream = r->stream,
                    .device = r->stream->device,
                    .node = x->number,
                    .stamp = r->stamps[i]};
    if (!x->disabled)
        access_expect(&op);
}

void bodies_declare(const struct choice *c, struct stream *s, uint32_t lane, struct stamp *begin)
{
    for (int b = 0; b < c->n; b++) {
        const struct flat *f = &c->bodies[b];
        struct round r;
        round_open(&r, f, s, begin);
        for (int i = 0; i < f->n; i++)
            declare_node(&r, i);
        int n = 0;
        for (int i = 0; i < f->n; i++)
            if (!f->nodes[i].has_out)
                r.after[n++] = &r.stamps[i];
        struct stamp end = order_stamp(lane, r.after, n);
        round_close(&r);
        order_drop(begin);
        *begin = end;
    }
}
