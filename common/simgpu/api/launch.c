/* launch.c: kernel launches. */
#include <stdio.h>

#include "api.h"

static bool by_guide;

EXPORT void simgpu_by_guide(int on)
{
    by_guide = on;
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
    if (by_guide && s->device->id != thread_self()->device) {
        const struct device *current = &devices[thread_self()->device];
        refusal_note(SIMGPU_REFUSED_DEVICE, "stream", s->device->id, current->id,
                     current->n_streams - (current->legacy != NULL));
        return cudaErrorInvalidResourceHandle;
    }
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
    if (kernel_launches_graphs(w.kernel.call) && !s->capture) {
        work_drop(&w);
        return cudaErrorNotSupported;
    }
    w.kernel.cooperative = launch_attributes_cooperative(attributes, n_attributes);
    if (!s->capture) {
        if (launch_attributes_beside(attributes, n_attributes))
            stream_submit_beside(&w, s);
        else
            stream_submit(&w, s);
        return launch_attributes_after(stream, s, NULL, attributes, n_attributes);
    }
    launch_attributes_before(s, attributes, n_attributes);
    if ((e = capture_work(s, &w)) != cudaSuccess)
        return e;
    struct node *n = s->frontier.nodes[0];
    n->attributes.memory = s->memory;
    launch_attributes_keep(n, attributes, n_attributes);
    return launch_attributes_after(stream, s, n, attributes, n_attributes);
}

/* Dynamic parallelism. Children run in the order of their launches, whatever their streams. */
static cudaError_t launch_from_kernel(const void *func, dim3 grid, dim3 block, void **args,
                                      size_t shared, cudaStream_t stream)
{
    struct simgpu_launch l = {{grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, shared};
    if (stream && stream != STREAM_TAIL_LAUNCH && stream != STREAM_FIRE_AND_FORGET)
        kernel_refuse_call("cudaLaunchKernel with a stream of the host");
    return kernel_launch_child(func, &l, args, stream == STREAM_TAIL_LAUNCH);
}

/* A <<<>>> returns no error: the program learns it from cudaGetLastError, or never. */
static void note_unasked(struct thread_state *t, const void *func, dim3 grid, dim3 block,
                         cudaError_t e)
{
    const struct simgpu_kernel *kernel = kernel_find(func);
    struct simgpu_finding *f = &t->unasked;
    if (f->what || context_error() != cudaSuccess)
        return;
    *f = (struct simgpu_finding){
        .kind = SIMGPU_NOT_LAUNCHED,
        .what = SIMGPU_WHAT_LAUNCH_FAILED,
        .next = SIMGPU_NEXT_ASK_FOR_ERROR,
        .first = {.stream = -1, .node = -1, .caller = t->caller},
        .launch = {.grid = {grid.x, grid.y, grid.z}, .block = {block.x, block.y, block.z}}};
    snprintf(f->first.name, sizeof f->first.name, "%s", kernel ? kernel->name : "a kernel");
    snprintf(f->error, sizeof f->error, "%s (%s)", cudaGetErrorName(e), cudaGetErrorString(e));
}

EXPORT cudaError_t cudaLaunchKernel(const void *func, dim3 grid, dim3 block, void **args,
                                    size_t shared, cudaStream_t stream)
{
    struct thread_state *t = thread_self();
    const bool in_brackets = t->launcher.at != 0;
    if (kernel_is_running())
        return launch_from_kernel(func, grid, block, args, shared, stream);
    API_ENTER(cudaLaunchKernel);
    e = launch(func, grid, block, args, shared, stream, NULL, 0);
    if (e != cudaSuccess && in_brackets)
        note_unasked(t, func, grid, block, e);
    return api_leave(e);
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
    API_ENTER(cudaLaunchKernelExC);
    API_REFUSE_IF(!config || (config->numAttrs && !config->attrs), cudaErrorInvalidValue);
    cudaLaunchAttributeValue *updatable = updatable_attribute(config);
    const struct stream *s = stream_of(config->stream);
    API_REFUSE_IF(updatable && updatable->deviceUpdatableKernelNode.deviceUpdatable && s &&
                      !s->capture,
                  cudaErrorNotSupported);
    e = launch(func, config->gridDim, config->blockDim, args, config->dynamicSmemBytes,
               config->stream, config->attrs, config->numAttrs);
    if (e == cudaSuccess && updatable && s->capture)
        e = node_set_updatable(s->frontier.nodes[0], updatable);
    return api_leave(e);
}

EXPORT cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 grid, dim3 block, void **args,
                                               size_t shared, cudaStream_t stream)
{
    API_ENTER(cudaLaunchCooperativeKernel);
    const struct simgpu_kernel *kernel = kernel_find(func);
    struct simgpu_launch l = {{grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, shared};
    double blocks = (double)grid.x * grid.y * grid.z;
    API_REFUSE_IF(kernel && launch_check(kernel, &l) == cudaSuccess &&
                      blocks > (double)occupancy_blocks_per_sm(kernel, &l) * sim.profile.sm_count,
                  cudaErrorCooperativeLaunchTooLarge);
    cudaLaunchAttribute cooperative = {.id = cudaLaunchAttributeCooperative, .val.cooperative = 1};
    return api_leave(launch(func, grid, block, args, shared, stream, &cooperative, 1));
}
