/* condition_values.c: the values of conditional handles in an executable graph, and how kernels set
 * them.
 *
 * A value that a kernel sets takes effect when the kernel ends, as all of its writes do. */
#include <stdlib.h>

#include "exec.h"

/* What one grid has set, in order. */
struct condition_set {
    cudaGraphConditionalHandle handle;
    unsigned value;
};

struct condition_sets {
    struct condition_set *at;
    int n;
    size_t cap;
};

/* Blocks of a grid may run on several of the machine's cores. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct condition_sets *running;

/* ---- the values of an executable graph ------------------------------------------------------- */

/* What every launch begins with, by handle. Counted: a launch that waits keeps what held when it
 * was made. */
struct condition_defaults {
    int refs, n;
    struct {
        bool assigned;
        unsigned value;
    } at[];
};

struct condition_defaults *condition_defaults_new(const struct graph *g)
{
    int n = g->conditions ? (int)g->conditions->handle : 0;
    struct condition_defaults *d =
        needed(calloc(1, sizeof *d + (size_t)n * sizeof d->at[0]), "%d conditions of a graph", n);
    d->refs = 1;
    d->n = n;
    for (const struct conditional *c = g->conditions; c; c = c->next) {
        d->at[c->handle - 1].assigned = c->has_default;
        d->at[c->handle - 1].value = c->initial;
    }
    return d;
}

struct condition_defaults *condition_defaults_get(struct condition_defaults *d)
{
    d->refs++;
    return d;
}

void condition_defaults_put(struct condition_defaults *d)
{
    if (d && --d->refs == 0)
        free(d);
}

void conditions_begin(struct exec *x, const struct condition_defaults *d, uint64_t launch)
{
    struct single_exec *s = x->single;
    for (int i = 0; i < s->n_values; i++) {
        struct condition_value *v = &s->values[i];
        v->was_set = false;
        v->has_default = i < d->n && d->at[i].assigned;
        if (v->has_default)
            v->now = d->at[i].value;
        else if (freedom_other_way(FREEDOM_CONDITION, launch + (uint64_t)i))
            v->now = (unsigned)(freedom_bits(FREEDOM_CONDITION, launch + (uint64_t)i) >> 32) % 4;
    }
}

struct condition_value *condition_value(struct exec *x, cudaGraphConditionalHandle handle)
{
    struct single_exec *s = x->single;
    return s && handle >= 1 && handle <= (unsigned)s->n_values ? &s->values[handle - 1] : NULL;
}

void single_exec_take(struct exec *x, struct graph *g)
{
    int n = g->conditions ? (int)g->conditions->handle : 0;
    if (!n && !g->n_updatable && !g->n_memory_nodes)
        return;
    if (!g->single) {
        g->single = needed(calloc(1, sizeof *g->single), "an executable graph");
        g->single->refs = 1;
    }
    struct single_exec *s = x->single = g->single;
    s->refs++;
    s->exists = true;
    x->has_updatable = g->n_updatable > 0;
    s->values = needed(realloc(s->values, (size_t)(n + 1) * sizeof *s->values),
                       "%d conditions of a graph", n);
    for (; s->n_values < n; s->n_values++)
        s->values[s->n_values] = (struct condition_value){.now = 0};
    if (n)
        x->defaults = condition_defaults_new(g);
}

/* ---- what kernels set ------------------------------------------------------------------------ */

static void add(struct condition_sets *s, cudaGraphConditionalHandle handle, unsigned value)
{
    s->at =
        room_for_one(s->at, (size_t)s->n, &s->cap, sizeof *s->at, "values of conditional nodes");
    s->at[s->n++] = (struct condition_set){handle, value};
}

EXPORT void simgpu_set_condition(unsigned long long handle, unsigned value)
{
    if (!kernel_is_running())
        fatal("the host called cudaGraphSetConditional, which nvcc does not compile: only a kernel "
              "can set the value of a conditional node");
    pthread_mutex_lock(&lock);
    if (!running && !(running = calloc(1, sizeof *running)))
        fatal("out of memory for a value of a conditional node");
    add(running, handle, value);
    pthread_mutex_unlock(&lock);
}

struct condition_sets *condition_sets_take(void)
{
    struct condition_sets *taken = running;
    running = NULL;
    return taken;
}

void condition_sets_give(struct condition_sets *s)
{
    running = s;
}

void condition_sets_free(struct condition_sets *s)
{
    if (s)
        free(s->at);
    free(s);
}

void condition_sets_land(struct condition_sets *s, struct exec *x)
{
    for (int i = 0; s && i < s->n; i++) {
        struct condition_value *v = x ? condition_value(x, s->at[i].handle) : NULL;
        if (!x || !x->defaults)
            context_fail(cudaErrorIllegalAddress); /* there are no values where this kernel runs */
        else if (v)
            v->now = s->at[i].value, v->was_set = true;
    }
    condition_sets_free(s);
}
