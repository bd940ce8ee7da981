/* engine.c: the engines of a device together: operations that are ready wait in a queue until their
 * engine takes them. */
#include <stdlib.h>

#include "engine.h"

struct device devices[MAX_DEVICES];

bool goes_first(const struct op *a, const struct op *b)
{
    return a->priority < b->priority;
}

void ready_put(struct ready_queue *q, struct op *op)
{
    q->n++;
    op->next = NULL;
    if (!q->first) {
        q->first = q->last = op;
        return;
    }
    if (!goes_first(op, q->last)) {
        q->last->next = op;
        q->last = op;
        return;
    }
    struct op **at = &q->first;
    while (!goes_first(op, *at))
        at = &(*at)->next;
    op->next = *at;
    *at = op;
}

struct op *ready_take(struct ready_queue *q)
{
    struct op *op = q->first;
    q->first = op->next;
    q->n--;
    return op;
}

ns_t ceil_ns(double ns)
{
    if (ns >= 1e18)
        return NS_NEVER / 2;
    ns_t down = (ns_t)ns;
    return down + (ns > (double)down);
}

void device_start(struct device *d, int id)
{
    d->id = id;
    for (int i = 0; i < N_COPY_ENGINES; i++)
        d->copy[i].next_ns = NS_NEVER;
    d->sm.next_ns = NS_NEVER;
    d->sm.running = needed(calloc(MAX_CONCURRENT_KERNELS, sizeof *d->sm.running), "device %d", id);
}

void engine_submit(struct op *op, ns_t now)
{
    if (op->work.engine == ENGINE_SM)
        sm_engine_submit(op, now);
    else
        copy_engine_submit(op, now);
}

struct engines_due engines_due = {.next_ns = NS_NEVER};

ns_t engine_search_next(void)
{
    ns_t next = NS_NEVER;
    for (int i = 0; i < sim.n_devices; i++) {
        const struct device *d = &devices[i];
        for (int k = 0; k < N_COPY_ENGINES; k++)
            if (d->copy[k].next_ns < next)
                next = d->copy[k].next_ns;
        if (d->sm.next_ns < next)
            next = d->sm.next_ns;
    }
    engines_due = (struct engines_due){.next_ns = next};
    return next;
}

void engine_run(ns_t now)
{
    for (int i = 0; i < sim.n_devices; i++) {
        struct device *d = &devices[i];
        for (int k = 0; k < N_COPY_ENGINES; k++)
            if (d->copy[k].next_ns <= now)
                copy_engine_run(d, k, now);
        if (d->sm.next_ns <= now)
            sm_engine_run(&d->sm, now);
    }
}
