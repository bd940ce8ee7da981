/*
 * condition.c: the values that conditional nodes ask for: their handles, and how kernels set them.
 *
 * What a kernel sets is put aside while it runs and takes effect when it ends, like everything else that it writes.
 */
#include <stdlib.h>

#include "graph.h"

/* What one grid has set, in order. */
struct condition_sets {
    struct condition_set {
        cudaGraphConditionalHandle handle;
        unsigned value;
    } *at;
    int n, cap;
};

/* Blocks of a grid may run on several of the machine's cores. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct condition_sets *running;

struct conditional *conditional_of(cudaGraphConditionalHandle handle)
{
    void *p = (void *)(uintptr_t)handle;
    return handle_type_of(p) == HANDLE_CONDITIONAL ? p : NULL;
}

EXPORT cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *out, cudaGraph_t handle,
                                                    unsigned initial, unsigned flags)
{
    cudaError_t e;
    if (!api_enter(COST_GRAPH_NODE, "cudaGraphConditionalHandleCreate", &e))
        return e;
    struct graph *g = graph_of(handle);
    if (!out || !g || (flags & ~(unsigned)cudaGraphCondAssignDefault))
        return api_leave(cudaErrorInvalidValue);
    struct conditional *c = calloc(1, sizeof *c);
    if (!c)
        return api_leave(cudaErrorMemoryAllocation);
    *c = (struct conditional){.graph = g,
                              .initial = initial,
                              .has_default = flags & cudaGraphCondAssignDefault,
                              .next = g->conditions};
    g->conditions = c;
    handle_add(c, HANDLE_CONDITIONAL);
    *out = (cudaGraphConditionalHandle)(uintptr_t)c;
    return api_leave(cudaSuccess);
}

/* ---- what kernels set -------------------------------------------------------------------------------- */

static void add(struct condition_sets *s, cudaGraphConditionalHandle handle, unsigned value)
{
    if (s->n == s->cap) {
        s->cap = s->cap ? 2 * s->cap : 4;
        s->at = realloc(s->at, (size_t)s->cap * sizeof *s->at);
        if (!s->at)
            fatal("out of memory for %d values of conditional nodes", s->cap);
    }
    s->at[s->n++] = (struct condition_set){handle, value};
}

EXPORT void simgpu_set_condition(unsigned long long handle, unsigned value)
{
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

void condition_sets_free(struct condition_sets *s)
{
    if (s)
        free(s->at);
    free(s);
}

void condition_sets_land(struct condition_sets *s)
{
    for (int i = 0; s && i < s->n; i++) {
        struct conditional *c = conditional_of(s->at[i].handle);
        if (c)
            c->value = s->at[i].value;
    }
    condition_sets_free(s);
}
