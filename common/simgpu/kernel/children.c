/* children.c: dynamic parallelism: grids that the threads of a grid launch. They run when that grid
 * has ended. Each runs with its own children before the next one begins. Every stream of the device
 * allows this order, because a parent cannot wait for its children. The parent's operation ends
 * after them. Their accesses and their time count as the parent's. */
#include <stdlib.h>
#include <string.h>

#include "worker.h"

enum { MAX_DEPTH = 24 }; /* as the CUDA Programming Guide says */

/* A launch that waits for its parent to end. */
struct child {
    const struct simgpu_kernel *kernel;
    struct simgpu_launch launch;
    struct child *next;
    void *params[]; /* they follow the pointers */
};

static __thread int depth; /* of the grid that the calling thread began */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the children of all grids */

static struct child *child_new(const struct simgpu_kernel *k, const struct simgpu_launch *launch,
                               void *const *params)
{
    size_t n = (size_t)k->n_params;
    struct child *c =
        needed(malloc(sizeof *c + n * sizeof(void *) + kernel_param_offset(k, k->n_params) + 16),
               "a launch of %s by a kernel", k->name);
    *c = (struct child){.kernel = k, .launch = *launch};
    uintptr_t values = ((uintptr_t)&c->params[n] + 15) / 16 * 16;
    for (size_t i = 0; i < n; i++) {
        c->params[i] = (void *)(values + kernel_param_offset(k, (int)i));
        memcpy(c->params[i], params[i], k->param_bytes[i]);
    }
    return c;
}

void children_begin(struct children *c)
{
    c->depth = depth;
}

cudaError_t kernel_launch_child(const void *entry, const struct simgpu_launch *launch,
                                void *const *params, bool is_tail)
{
    struct children *c = &worker_running->grid->children;
    const struct simgpu_kernel *k = kernel_find(entry);
    if (!k)
        return kernel_missing(entry);
    pthread_mutex_lock(&lock);
    cudaError_t e =
        c->depth >= MAX_DEPTH ? cudaErrorLaunchMaxDepthExceeded : launch_check(k, launch);
    if (e == cudaSuccess) {
        struct child **at = is_tail ? &c->tail : &c->first;
        while (*at)
            at = &(*at)->next;
        *at = child_new(k, launch, params);
    }
    pthread_mutex_unlock(&lock);
    return e;
}

/* Runs them, unless one before has failed. */
static bool run_all(struct child *c, bool good, struct recording *recording, const char **why)
{
    while (c) {
        struct grid_steps steps = {.waits = false};
        struct child *next = c->next;
        good = good && grid_run(c->kernel, &c->launch, c->params, recording, &steps, why);
        free(c);
        c = next;
    }
    return good;
}

bool children_run(struct children *c, bool good, struct recording *recording, const char **why)
{
    if (!c->first && !c->tail)
        return good;
    depth++;
    good = run_all(c->first, good, recording, why);
    good = run_all(c->tail, good, recording, why);
    depth--;
    return good;
}
