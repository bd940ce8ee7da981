/* probe_condition_kernels.cu: kernels that set the values of conditional nodes. */
#include "probe_condition.h"
#include "simgpu/kernel.h"

static __global__ void round_ends(int *count, int most, cudaGraphConditionalHandle h)
{
    cudaGraphSetConditional(h, ++*count % most != 0);
}

static __global__ void set_value(cudaGraphConditionalHandle h, unsigned value)
{
    cudaGraphSetConditional(h, value);
}

FOOTPRINT round_footprint(struct simgpu_work *work, const struct simgpu_launch *, int *count, int,
                          cudaGraphConditionalHandle)
{
    simgpu_touch(work, SIMGPU_READ_WRITE, count, 1);
}

FOOTPRINT set_footprint(struct simgpu_work *, const struct simgpu_launch *,
                        cudaGraphConditionalHandle, unsigned)
{
}

DECLARE_KERNEL(round_ends, round_footprint, 10);
DECLARE_KERNEL(set_value, set_footprint, 10);

cudaError_t launch_round(int *count, int most, cudaGraphConditionalHandle h, cudaStream_t stream)
{
    void *args[] = {&count, &most, &h};
    return cudaLaunchKernel((const void *)round_ends, dim3(1), dim3(1), args, 0, stream);
}

cudaError_t launch_set(cudaGraphConditionalHandle h, unsigned value, cudaStream_t stream)
{
    void *args[] = {&h, &value};
    return cudaLaunchKernel((const void *)set_value, dim3(1), dim3(1), args, 0, stream);
}
