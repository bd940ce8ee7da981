/* conditional_kernels.cu: a count on the device. */
#include "conditional_kernels.h"
#include "simgpu/kernel.h"

/* ---- kernels --------------------------------------------------------------------------------- */

static __global__ void begin(int *left, int n)
{
    *left = n;
}

static __global__ void step(int *left)
{
    --*left;
}

static __global__ void step_while(int *left, cudaGraphConditionalHandle condition)
{
    cudaGraphSetConditional(condition, --*left > 0);
}

/* ---- launchers ------------------------------------------------------------------------------- */

cudaError_t launch_begin(int *left, int n, cudaStream_t stream)
{
    void *args[] = {&left, &n};
    return cudaLaunchKernel((const void *)begin, dim3(1), dim3(1), args, 0, stream);
}

cudaError_t launch_step(int *left, cudaStream_t stream)
{
    void *args[] = {&left};
    return cudaLaunchKernel((const void *)step, dim3(1), dim3(1), args, 0, stream);
}

cudaError_t launch_step_while(int *left, cudaGraphConditionalHandle condition, cudaStream_t stream)
{
    void *args[] = {&left, &condition};
    return cudaLaunchKernel((const void *)step_while, dim3(1), dim3(1), args, 0, stream);
}

/* ---- declared footprints --------------------------------------------------------------------- */

FOOTPRINT begin_footprint(struct simgpu_work *work, const struct simgpu_launch *, int *left, int)
{
    simgpu_touch(work, SIMGPU_WRITE, left, 1);
}

FOOTPRINT step_footprint(struct simgpu_work *work, const struct simgpu_launch *, int *left)
{
    simgpu_touch(work, SIMGPU_READ_WRITE, left, 1);
}

FOOTPRINT step_while_footprint(struct simgpu_work *work, const struct simgpu_launch *, int *left,
                               cudaGraphConditionalHandle)
{
    simgpu_touch(work, SIMGPU_READ_WRITE, left, 1);
}

DECLARE_KERNEL(begin, begin_footprint, 16);
DECLARE_KERNEL(step, step_footprint, 16);
DECLARE_KERNEL(step_while, step_while_footprint, 16);
