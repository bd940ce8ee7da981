/* empty.cu: a grid that does nothing. Its time is the cost of the launch. */
#ifndef REFERENCE_ONLY
#include "kernels.h"
#include "simgpu/kernel.h"

/* ---- kernel ---------------------------------------------------------------------------------- */

static __global__ void empty()
{
}

/* ---- launcher -------------------------------------------------------------------------------- */

cudaError_t launch_empty(int blocks, cudaStream_t stream)
{
    if (blocks <= 0)
        return cudaErrorInvalidValue;
    return cudaLaunchKernel((const void *)empty, dim3((unsigned)blocks), dim3(32), nullptr, 0,
                            stream);
}

/* ---- declared footprint ---------------------------------------------------------------------- */

FOOTPRINT empty_footprint(struct simgpu_work *, const struct simgpu_launch *)
{
}

DECLARE_KERNEL(empty, empty_footprint, 16);
#endif
