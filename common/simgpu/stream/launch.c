/* launch.c: kernel launches. The parameters are copied in the call, as on a GPU. The footprint has
 * the accesses of the launch and its amount of work. */
#include <stdlib.h>
#include <string.h>

#include "stream.h"

static size_t aligned(size_t bytes)
{
    const size_t align = _Alignof(max_align_t);
    return (bytes + align - 1) / align * align;
}

/* A call with its own copy of the parameters, and room for so many ranges; all else is 0. */
static struct kernel_call *call_new(const struct simgpu_kernel *kernel, void *const *args,
                                    int n_ranges)
{
    const size_t n = (size_t)kernel->n_params, ranges = aligned(sizeof(struct kernel_call)),
                 params = aligned(ranges + (size_t)n_ranges * sizeof(struct simgpu_range));
    size_t values = aligned(params + n * sizeof(void *)), end = values;
    for (size_t i = 0; i < n; i++)
        end += aligned(kernel->param_bytes[i]); /* for any type */
    struct kernel_call *k = needed(malloc(end), "a launch of kernel %s", kernel->name);
    char *block = (char *)k;
    *k = (struct kernel_call){.refs = 1,
                              .kernel = kernel,
                              .params = (void **)(void *)(block + params),
                              .ranges = (struct simgpu_range *)(void *)(block + ranges),
                              .n_ranges = n_ranges};
    for (size_t i = 0; i < n; i++) {
        k->params[i] = memcpy(block + values, args[i], kernel->param_bytes[i]);
        values += aligned(kernel->param_bytes[i]);
    }
    return k;
}

struct kernel_call *kernel_call_copy(const struct kernel_call *from)
{
    struct kernel_call *k = call_new(from->kernel, from->params, from->n_ranges);
    void **params = k->params;
    struct simgpu_range *ranges = (void *)(uintptr_t)k->ranges;
    *k = *from;
    k->refs = 1;
    k->is_given = false;
    k->params = params;
    k->ranges = memcpy(ranges, from->ranges, (size_t)from->n_ranges * sizeof *ranges);
    return k;
}

struct kernel_call *kernel_call_to_give(struct work *w)
{
    struct kernel_call *shared = w->kernel.call;
    if (!shared->is_given) {
        w->kernel.call = kernel_call_copy(shared);
        w->kernel.call->is_given = true;
        kernel_call_put(shared);
    }
    return w->kernel.call;
}

bool kernel_call_is(const struct kernel_call *k, const struct simgpu_kernel *kernel,
                    const struct simgpu_launch *launch, void *const *args)
{
    if (k->kernel != kernel || memcmp(&k->launch, launch, sizeof *launch) != 0)
        return false;
    for (int i = 0; i < kernel->n_params; i++)
        if (memcmp(k->params[i], args[i], kernel->param_bytes[i]) != 0)
            return false;
    return true;
}

/* The call, with what it accesses and how much work it is: that of w. */
static struct kernel_call *measured(const struct simgpu_kernel *kernel,
                                    const struct simgpu_launch *launch, void **args,
                                    const struct simgpu_work *w, int blocks_per_sm)
{
    struct kernel_call *k = call_new(kernel, args, w->n_ranges);
    k->launch = *launch;
    k->is_known = kernel->footprint != NULL;
    k->launches_graphs = w->launches_graphs;
    k->waits_for_grids = w->waits_for_grids;
    struct simgpu_range *ranges = (void *)(uintptr_t)k->ranges;
    for (int i = 0; i < w->n_ranges; i++) {
        ranges[i] = w->ranges[i];
        if (ranges[i].rows == 0)
            ranges[i].rows = 1;
    }
    cost_kernel(k, k->is_known ? w : NULL, blocks_per_sm);
    return k;
}

/* Calls made before, each the last of its kernels. Programs make equal ones again and again: these
 * share one. */
struct known_call {
    struct kernel_call *call; /* counted, or NULL */
    struct simgpu_work work;
    int blocks_per_sm;
};

enum { N_KNOWN_CALLS = 64 };
static struct known_call known_calls[N_KNOWN_CALLS];

static struct kernel_call *kernel_call_of(const struct simgpu_kernel *kernel,
                                          const struct simgpu_launch *launch, void **args)
{
    struct known_call *n = &known_calls[(uintptr_t)kernel / sizeof *kernel % N_KNOWN_CALLS];
    struct simgpu_work w;
    memset(&w, 0, sizeof w); /* gaps, too: it is compared */
    if (kernel->footprint)
        kernel->footprint(launch, args, &w);
    int blocks_per_sm = occupancy_blocks_per_sm(kernel, launch);
    if (!n->call || n->blocks_per_sm != blocks_per_sm ||
        !kernel_call_is(n->call, kernel, launch, args) || memcmp(&n->work, &w, sizeof w) != 0) {
        kernel_call_put(n->call);
        *n = (struct known_call){measured(kernel, launch, args, &w, blocks_per_sm), w,
                                 blocks_per_sm};
    }
    n->call->refs++;
    return n->call;
}

cudaError_t kernel_work(struct work *w, const void *func, const struct simgpu_launch *launch,
                        void **args)
{
    const struct simgpu_kernel *kernel = kernel_find(func);
    if (!kernel)
        return func ? cudaErrorInvalidResourceHandle : cudaErrorInvalidDeviceFunction;
    TRY(launch_check(kernel, launch));
    if (kernel->n_params > 0 && !args) {
        refusal_note(SIMGPU_REFUSED_NULL, "kernelParams", 0, 0, 0);
        return cudaErrorInvalidValue;
    }
    *w = (struct work){.kind = OP_KERNEL,
                       .engine = ENGINE_SM,
                       .name = kernel->name,
                       .caller = call_place(),
                       .kernel.call = kernel_call_of(kernel, launch, args)};
    return cudaSuccess;
}

bool kernel_launches_graphs(const struct kernel_call *k)
{
    return k->kernel->launches_graphs || k->launches_graphs;
}

/* Writes the bytes that lie at `offset` of the parameter buffer where the parameters are. */
static void write_params(const struct kernel_call *k, size_t offset, const unsigned char *value,
                         size_t bytes)
{
    for (int i = 0; i < k->kernel->n_params; i++) {
        size_t lo = kernel_param_offset(k->kernel, i), hi = lo + k->kernel->param_bytes[i];
        size_t from = offset > lo ? offset : lo, to = offset + bytes < hi ? offset + bytes : hi;
        if (from < to)
            memcpy((char *)k->params[i] + (from - lo), value + (from - offset), to - from);
    }
}

void kernel_change(struct work *w, const struct simgpu_dim *grid, size_t offset, const void *value,
                   size_t bytes)
{
    struct kernel_call *old = w->kernel.call, *changed = call_new(old->kernel, old->params, 0);
    changed->launch = old->launch;
    if (grid)
        changed->launch.grid = *grid;
    write_params(changed, offset, value, bytes);
    w->kernel.call = kernel_call_of(changed->kernel, &changed->launch, changed->params);
    kernel_call_put(changed);
    kernel_call_put(old);
}
