/* probe_blocks.cu: the kernels that only the probe needs. */
#include "probe.h"
#include "simgpu/kernel.h"

/* ---- blocks of a known length ---------------------------------------------------------------- */

static __global__ void blocks_kernel(unsigned long long ns)
{
    unsigned long long start = device_time_ns();
    while (device_time_ns() - start < ns)
        continue;
}

cudaError_t launch_blocks(float us, int blocks, int threads, cudaStream_t stream)
{
    unsigned long long ns = (unsigned long long)(us * 1000.0f);
    void *args[] = {&ns};
    return cudaLaunchKernel((const void *)blocks_kernel, dim3((unsigned)blocks),
                            dim3((unsigned)threads), args, 0, stream);
}

FOOTPRINT blocks_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                           unsigned long long ns)
{
    work->delay_us = (double)ns * 1e-3;
}

DECLARE_KERNEL(blocks_kernel, blocks_footprint, 16);

/* ---- a word to the host ---------------------------------------------------------------------- */

static __global__ void signal_kernel(volatile unsigned *flag, unsigned value)
{
    *flag = value;
    __threadfence_system();
}

cudaError_t launch_signal(unsigned *flag, unsigned value, cudaStream_t stream)
{
    void *args[] = {&flag, &value};
    return cudaLaunchKernel((const void *)signal_kernel, dim3(1), dim3(1), args, 0, stream);
}

FOOTPRINT signal_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                           volatile unsigned *flag, unsigned)
{
    simgpu_touch(work, SIMGPU_WRITE, const_cast<unsigned *>(flag), 1);
}

DECLARE_KERNEL(signal_kernel, signal_footprint, 16);

/* ---- the time -------------------------------------------------------------------------------- */

static __global__ void timestamp_kernel(unsigned long long *slot)
{
    *slot = device_time_ns();
}

cudaError_t launch_timestamp(unsigned long long *slot, cudaStream_t stream)
{
    void *args[] = {&slot};
    return cudaLaunchKernel((const void *)timestamp_kernel, dim3(1), dim3(1), args, 0, stream);
}

FOOTPRINT timestamp_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                              unsigned long long *slot)
{
    simgpu_touch(work, SIMGPU_WRITE, slot, 1);
}

DECLARE_KERNEL(timestamp_kernel, timestamp_footprint, 16);

/* ---- memory read by a few blocks ------------------------------------------------------------- */

static __global__ void sum_kernel(unsigned *out, const uint4 *src, unsigned long n)
{
    unsigned sum = 0;
    unsigned long stride = (unsigned long)gridDim.x * blockDim.x;
    for (unsigned long i = (unsigned long)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += stride) {
        uint4 v = src[i];
        sum += v.x + v.y + v.z + v.w;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

cudaError_t launch_sum(void *out, const void *src, unsigned long bytes, int blocks,
                       cudaStream_t stream)
{
    unsigned long n = bytes / sizeof(uint4);
    void *args[] = {&out, &src, &n};
    return cudaLaunchKernel((const void *)sum_kernel, dim3((unsigned)blocks), dim3(1024), args, 0,
                            stream);
}

FOOTPRINT sum_footprint(struct simgpu_work *work, const struct simgpu_launch *launch, unsigned *out,
                        const uint4 *src, unsigned long n)
{
    simgpu_touch(work, SIMGPU_READ, src, n);
    simgpu_touch(work, SIMGPU_WRITE, out, (size_t)launch->grid.x * launch->block.x);
}

DECLARE_KERNEL(sum_kernel, sum_footprint, 32);
