// runtime_templates.cu: the C++ side of the runtime: kernels and variables by name, typed pointers.
#include "../check.cuh"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ int counts[4];
__constant__ float factor;
__managed__ int shared_with_host = 3;

__global__ void scale(float *p, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        p[i] *= factor;
}

template <int Unroll> __global__ void tally(const float *p, int n)
{
#pragma unroll
    for (int k = 0; k < Unroll; k++) {
        int i = (blockIdx.x * blockDim.x + threadIdx.x) * Unroll + k;
        if (i < n && p[i] > 1) {
            auto group = cg::coalesced_threads();
            int first = 0;
            if (group.thread_rank() == 0)
                first = atomicAdd(&counts[0], static_cast<int>(group.size()));
            first = group.shfl(first, 0);
            atomicMax(&counts[1], first + static_cast<int>(group.thread_rank()) + 1);
        }
    }
    if (threadIdx.x == 0 && blockIdx.x == 0)
        shared_with_host++;
}

// two kernels that only add to the same counter: concurrent atomic operations are no race
__global__ void vote(int *votes, int ballot)
{
    unsigned yes = __ballot_sync(0xffffffff, threadIdx.x % 2 == 0);
    if (threadIdx.x % 32 == 0)
        atomicAdd(votes, __popc(yes) * ballot);
}

int main()
{
    const int n = 1 << 12;
    float *p, *mapped, two = 2;
    int *votes, host[4], least, block, blocks;
    cudaStream_t s[2];
    OK(cudaMalloc(&p, n * sizeof *p));
    OK(cudaMallocHost(&mapped, n * sizeof *mapped));
    for (int i = 0; i < n; i++)
        mapped[i] = i % 2;
    for (cudaStream_t &stream : s)
        OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    OK(cudaOccupancyMaxPotentialBlockSize(&least, &block, scale));
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, tally<4>, 128, 0));
    EXPECT(least > 0 && block > 0 && blocks > 0);
    cudaFuncAttributes attributes;
    OK(cudaFuncGetAttributes(&attributes, tally<4>));
    OK(cudaFuncSetAttribute(scale, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 16));
    OK(cudaMemcpyToSymbolAsync(factor, &two, sizeof two, 0, cudaMemcpyHostToDevice, s[0]));
    OK(cudaMemcpyAsync(p, mapped, n * sizeof *p, cudaMemcpyHostToDevice, s[0]));
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(4);
    config.blockDim = dim3(block);
    config.stream = s[0];
    OK(cudaLaunchKernelEx(&config, scale, p, n));
    tally<4><<<n / 512, 128, 0, s[0]>>>(p, n);
    int *address;
    size_t bytes;
    OK(cudaGetSymbolAddress((void **)&address, counts));
    OK(cudaGetSymbolSize(&bytes, counts));
    OK(cudaMemcpyFromSymbolAsync(host, counts, sizeof host, 0, cudaMemcpyDeviceToHost, s[0]));
    OK(cudaStreamSynchronize(s[0]));
    EXPECT(bytes == sizeof host && host[0] == n / 2 && host[1] == n / 2);
    EXPECT(shared_with_host == 4);

    OK(cudaMalloc(&votes, sizeof *votes));
    OK(cudaMemset(votes, 0, sizeof *votes));
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 2; i++)
        vote<<<2, 64, 0, s[i]>>>(votes, i + 1);
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpy(host, votes, sizeof *votes, cudaMemcpyDeviceToHost));
    EXPECT(host[0] == 64 * 3);
    for (cudaStream_t stream : s)
        OK(cudaStreamDestroy(stream));
    OK(cudaFreeHost(mapped));
    OK(cudaFree(p));
    OK(cudaFree(votes));
    puts("passed");
}
