/* saxpy.cu: y = alpha x + y. One multiply-add for three floats moved: memory bandwidth is the
 * limit. */
#include "kernels.h"

/* ---- CPU reference --------------------------------------------------------------------------- */

void reference_saxpy(double *y, const float *x, float alpha, int n)
{
    for (int i = 0; i < n; i++)
        y[i] += (double)alpha * x[i];
}

#ifndef REFERENCE_ONLY
#include "simgpu/kernel.h"

/* ---- kernel ---------------------------------------------------------------------------------- */

static __global__ void saxpy(float *__restrict__ y, const float *__restrict__ x, float alpha, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = alpha * x[i] + y[i];
}

/* ---- launcher -------------------------------------------------------------------------------- */

cudaError_t launch_saxpy(float *y, const float *x, float alpha, int n, cudaStream_t stream)
{
    if (!y || !x || n <= 0)
        return cudaErrorInvalidValue;
    const unsigned threads = 256, blocks = ((unsigned)n + threads - 1) / threads;
    void *args[] = {&y, &x, &alpha, &n};
    return cudaLaunchKernel((const void *)saxpy, dim3(blocks), dim3(threads), args, 0, stream);
}

const void *kernel_saxpy(void)
{
    return (const void *)saxpy;
}

/* ---- declared footprint ---------------------------------------------------------------------- */

FOOTPRINT saxpy_footprint(struct simgpu_work *work, const struct simgpu_launch *launch, float *y,
                          const float *x, float, int n)
{
    const size_t reached = simgpu_reached(work, launch, n);
    simgpu_touch(work, SIMGPU_READ, x, reached);
    simgpu_touch(work, SIMGPU_READ_WRITE, y, reached);
    work->flops = 2.0 * reached;
}

DECLARE_KERNEL(saxpy, saxpy_footprint, 16);
#endif
