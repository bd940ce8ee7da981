/*
 * probe_blocks.cu: the kernels that only the probe needs.
 */
#include <cuda_runtime.h>

#include "probe.h"

static __device__ unsigned long long now_ns(void)
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

static __global__ void blocks_kernel(float us)
{
    unsigned long long end = now_ns() + (unsigned long long)(us * 1000.0f);
    while (now_ns() < end)
        ;
}

static __global__ void signal_kernel(volatile unsigned *flag, unsigned value)
{
    *flag = value;
    __threadfence_system();
}

static __global__ void sum_kernel(unsigned *out, const uint4 *src, unsigned long n)
{
    unsigned sum = 0;
    for (unsigned long i = (unsigned long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        uint4 v = src[i];
        sum += v.x + v.y + v.z + v.w;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

cudaError_t launch_blocks(float us, int blocks, int threads, cudaStream_t stream)
{
    void *args[] = {&us};
    return cudaLaunchKernel((const void *)blocks_kernel, dim3((unsigned)blocks), dim3((unsigned)threads), args, 0, stream);
}

cudaError_t launch_signal(unsigned *flag, unsigned value, cudaStream_t stream)
{
    void *args[] = {&flag, &value};
    return cudaLaunchKernel((const void *)signal_kernel, dim3(1), dim3(1), args, 0, stream);
}

cudaError_t launch_sum(void *out, const void *src, unsigned long bytes, int blocks, cudaStream_t stream)
{
    unsigned long n = bytes / sizeof(uint4);
    void *args[] = {&out, &src, &n};
    return cudaLaunchKernel((const void *)sum_kernel, dim3((unsigned)blocks), dim3(1024), args, 0, stream);
}
