/* consume.cu: the consumer of lab 02. Smooths its input with the weights 1, 2, 1. Each element
 * depends on both of its neighbors. So the result is wrong if the consumer starts too early, or if
 * the producer overwrites the input too early. */
#include "kernels.h"

/* ---- CPU reference --------------------------------------------------------------------------- */

void reference_consume(double *out, const float *in, int n)
{
    for (int i = 0; i < n; i++) {
        bool is_end = i == 0 || i == n - 1;
        out[i] = is_end ? in[i] : ((double)in[i - 1] + 2.0 * in[i] + in[i + 1]) / 4.0;
    }
}

#ifndef REFERENCE_ONLY
#include "simgpu/kernel.h"

/* ---- kernel ---------------------------------------------------------------------------------- */

static __global__ void consume(float *__restrict__ out, const float *__restrict__ in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    bool is_end = i == 0 || i == n - 1;
    out[i] = is_end ? in[i] : (in[i - 1] + 2.0f * in[i] + in[i + 1]) * 0.25f;
}

/* ---- launcher -------------------------------------------------------------------------------- */

cudaError_t launch_consume(float *out, const float *in, int n, cudaStream_t stream)
{
    if (!out || !in || n <= 0)
        return cudaErrorInvalidValue;
    const unsigned threads = 256, blocks = ((unsigned)n + threads - 1) / threads;
    void *args[] = {&out, &in, &n};
    return cudaLaunchKernel((const void *)consume, dim3(blocks), dim3(threads), args, 0, stream);
}

const void *kernel_consume(void)
{
    return (const void *)consume;
}

/* ---- declared footprint ---------------------------------------------------------------------- */

FOOTPRINT consume_footprint(struct simgpu_work *work, const struct simgpu_launch *launch,
                            float *out, const float *in, int n)
{
    const size_t reached = simgpu_reached(work, launch, n);
    simgpu_touch(work, SIMGPU_READ, in, reached < (size_t)n ? reached + 1 : reached);
    simgpu_touch(work, SIMGPU_WRITE, out, reached);
    work->flops = 4.0 * reached;
}

DECLARE_KERNEL(consume, consume_footprint, 16);
#endif
