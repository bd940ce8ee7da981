/*
 * launch.c: kernel launches. The parameters are copied in the call, as on a GPU; the footprint says
 * what the launch touches and how much work it is.
 */
#include <stdlib.h>
#include <string.h>

#include "graph.h"

/* One block of memory: the pointers, then the values they point at, each aligned for any type. */
static void **copy_params(const struct simgpu_kernel *k, void **args)
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

/* The work of the launch in the engine's units: microseconds of one SM at its full rate. */
static void measure_work(struct kernel_call *k)
{
    const struct profile *p = &sim.profile;
    const struct simgpu_dim *g = &k->launch.grid;
    double blocks = (double)g->x * g->y * g->z;
    int per_sm = occupancy_blocks_per_sm(k->kernel, &k->launch);
    k->capacity = (per_sm > 0 ? per_sm : 1) * p->sm_count;
    k->half_threads = p->sm_half_threads;
    if (!k->kernel->footprint)
        return;
    struct simgpu_work *w = k->touches = calloc(1, sizeof *w);
    if (!w)
        fatal("out of memory for the footprint of %s", k->kernel->name);
    k->kernel->footprint(&k->launch, k->params, w);
    double touched = 0;
    for (int i = 0; i < w->n_ranges; i++) {
        struct simgpu_range *r = &w->ranges[i];
        if (r->rows == 0)
            r->rows = 1;
        int times = r->access == SIMGPU_READ_WRITE ? 2 : 1;
        touched += (double)times * (double)r->width_bytes * (double)r->rows;
    }
    double traffic = w->dram_bytes > 0 ? w->dram_bytes : touched;
    double load = w->flops / (p->sm_gflops * 1e3);
    double drawn = w->cache_bytes > traffic ? w->cache_bytes : traffic;
    double shared = w->shared_bytes / (p->sm_shared_gbps * 1e3),
           dram = drawn / (p->sm_dram_gbps * 1e3);
    if (shared > load) {
        load = shared;
        k->half_threads = p->sm_shared_half_threads;
    }
    load = dram > load ? dram : load;
    k->block_load = load / blocks;
    k->dram_per_load = load > 0 ? traffic / load : 0;
    double waits_us = w->waits * p->memory_wait_us;
    k->least_us = waits_us > w->delay_us ? waits_us : w->delay_us;
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
    k->params = copy_params(kernel, args);
    measure_work(k);
    *w = (struct work){
        .kind = OP_KERNEL, .engine = ENGINE_SM, .name = kernel->name, .kernel.call = k};
    return cudaSuccess;
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
    k->params = copy_params(k->kernel, old->params);
    if (grid)
        k->launch.grid = *grid;
    write_params(k, offset, value, bytes);
    measure_work(k);
    kernel_call_put(w->kernel.call);
    w->kernel.call = k;
}

static cudaError_t launch(const void *func, dim3 grid, dim3 block, void **args, size_t shared,
                          cudaStream_t stream, const cudaLaunchAttribute *attributes,
                          unsigned n_attributes)
{
    struct simgpu_launch l = {{grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, shared};
    struct stream *s;
    cudaError_t e = stream_for_work(stream, &s);
    if (e != cudaSuccess)
        return e;
    if (s->device->id != thread_self()->device)
        return cudaErrorInvalidResourceHandle;
    struct work w;
    e = kernel_work(&w, func, &l, args);
    if (e != cudaSuccess) {
        const struct simgpu_kernel *kernel = kernel_find(func);
        if (s->capture && kernel && launch_check(kernel, &l) != cudaSuccess)
            capture_invalidate(s->capture);
        return e;
    }
    if ((e = launch_attributes_error(s, &l.grid, attributes, n_attributes)) != cudaSuccess) {
        work_drop(&w);
        return e;
    }
    const struct simgpu_work *touches = w.kernel.call->touches;
    if (touches && touches->launches_graphs && !s->capture) {
        work_drop(&w);
        return cudaErrorNotSupported;
    }
    if (!s->capture) {
        e = work_submit(&w, s);
        return e != cudaSuccess
                   ? e
                   : launch_attributes_after(stream, s, NULL, attributes, n_attributes);
    }
    launch_attributes_before(s, attributes, n_attributes);
    capture_work(s, &w);
    struct node *n = s->frontier.nodes[0];
    n->attributes.memory = s->memory;
    launch_attributes_keep(n, attributes, n_attributes);
    return launch_attributes_after(stream, s, n, attributes, n_attributes);
}

EXPORT cudaError_t cudaLaunchKernel(const void *func, dim3 grid, dim3 block, void **args,
                                    size_t shared, cudaStream_t stream)
{
    cudaError_t e;
    if (!api_enter(COST_LAUNCH, "cudaLaunchKernel", &e))
        return e;
    return api_leave(launch(func, grid, block, args, shared, stream, NULL, 0));
}

static cudaLaunchAttributeValue *updatable_attribute(const cudaLaunchConfig_t *config)
{
    for (unsigned i = 0; i < config->numAttrs; i++)
        if (config->attrs[i].id == cudaLaunchAttributeDeviceUpdatableKernelNode)
            return &config->attrs[i].val;
    return NULL;
}

EXPORT cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *func,
                                       void **args)
{
    cudaError_t e;
    if (!api_enter(COST_LAUNCH, "cudaLaunchKernelExC", &e))
        return e;
    if (!config || (config->numAttrs && !config->attrs))
        return api_leave(cudaErrorInvalidValue);
    cudaLaunchAttributeValue *updatable = updatable_attribute(config);
    const struct stream *s = stream_of(config->stream);
    if (updatable && updatable->deviceUpdatableKernelNode.deviceUpdatable && s && !s->capture)
        return api_leave(cudaErrorNotSupported);
    e = launch(func, config->gridDim, config->blockDim, args, config->dynamicSmemBytes,
               config->stream, config->attrs, config->numAttrs);
    if (e == cudaSuccess && updatable && s->capture)
        e = node_set_updatable(s->frontier.nodes[0], updatable);
    return api_leave(e);
}

EXPORT cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 grid, dim3 block, void **args,
                                               size_t shared, cudaStream_t stream)
{
    cudaError_t e;
    if (!api_enter(COST_LAUNCH, "cudaLaunchCooperativeKernel", &e))
        return e;
    const struct simgpu_kernel *kernel = kernel_find(func);
    struct simgpu_launch l = {{grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, shared};
    double blocks = (double)grid.x * grid.y * grid.z;
    if (kernel && launch_check(kernel, &l) == cudaSuccess &&
        blocks > (double)occupancy_blocks_per_sm(kernel, &l) * sim.profile.sm_count)
        return api_leave(cudaErrorCooperativeLaunchTooLarge);
    cudaLaunchAttribute cooperative = {.id = cudaLaunchAttributeCooperative, .val.cooperative = 1};
    return api_leave(launch(func, grid, block, args, shared, stream, &cooperative, 1));
}
