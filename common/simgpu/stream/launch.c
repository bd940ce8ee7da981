/*
 * launch.c: kernel launches. The parameters are copied in the call, as on a GPU. The footprint has
 * the accesses of the launch and its amount of work.
 */
#include <stdlib.h>
#include <string.h>

#include "stream.h"

/* One block of memory: the pointers, then the values they point at, each aligned for any type. */
void **kernel_copy_params(const struct simgpu_kernel *k, void **args)
{
    const size_t align = _Alignof(max_align_t);
    size_t head = ((size_t)k->n_params * sizeof(void *) + align - 1) / align * align, total = head;
    for (int i = 0; i < k->n_params; i++)
        total += (k->param_bytes[i] + align - 1) / align * align;
    void **params = malloc(total ? total : 1);
    if (!params)
        fatal("out of memory for the parameters of %s", k->name);
    char *at = (char *)params + head;
    for (int i = 0; i < k->n_params; i++) {
        params[i] = memcpy(at, args[i], k->param_bytes[i]);
        at += (k->param_bytes[i] + align - 1) / align * align;
    }
    return params;
}

/* What the launch accesses and how much work it is. */
static void measure_work(struct kernel_call *k)
{
    if (k->kernel->footprint) {
        struct simgpu_work *w = k->touches = calloc(1, sizeof *w);
        if (!w)
            fatal("out of memory for the footprint of %s", k->kernel->name);
        k->kernel->footprint(&k->launch, k->params, w);
        for (int i = 0; i < w->n_ranges; i++)
            if (w->ranges[i].rows == 0)
                w->ranges[i].rows = 1;
        k->ranges = w->ranges;
        k->n_ranges = w->n_ranges;
    }
    cost_kernel(k, occupancy_blocks_per_sm(k->kernel, &k->launch));
}

cudaError_t kernel_work(struct work *w, const void *func, const struct simgpu_launch *launch,
                        void **args)
{
    const struct simgpu_kernel *kernel = kernel_find(func);
    if (!kernel)
        return func ? cudaErrorInvalidResourceHandle : cudaErrorInvalidDeviceFunction;
    cudaError_t e = launch_check(kernel, launch);
    if (e != cudaSuccess)
        return e;
    if (kernel->n_params > 0 && !args)
        return cudaErrorInvalidValue;
    struct kernel_call *k = calloc(1, sizeof *k);
    if (!k)
        return cudaErrorMemoryAllocation;
    *k = (struct kernel_call){.refs = 1, .kernel = kernel, .launch = *launch};
    k->params = kernel_copy_params(kernel, args);
    measure_work(k);
    *w = (struct work){.kind = OP_KERNEL,
                       .engine = ENGINE_SM,
                       .name = kernel->name,
                       .caller = call_place(),
                       .kernel.call = k};
    return cudaSuccess;
}

bool kernel_launches_graphs(const struct kernel_call *k)
{
    return k->kernel->launches_graphs || (k->touches && k->touches->launches_graphs);
}

/* Writes the bytes that lie at `offset` of the parameter buffer where the parameters are. */
static void write_params(struct kernel_call *k, size_t offset, const unsigned char *value,
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
    const struct kernel_call *old = w->kernel.call;
    struct kernel_call *k = calloc(1, sizeof *k);
    if (!k)
        fatal("out of memory for a kernel node");
    *k = (struct kernel_call){.refs = 1, .kernel = old->kernel, .launch = old->launch};
    k->params = kernel_copy_params(k->kernel, old->params);
    if (grid)
        k->launch.grid = *grid;
    write_params(k, offset, value, bytes);
    measure_work(k);
    kernel_call_put(w->kernel.call);
    w->kernel.call = k;
}
