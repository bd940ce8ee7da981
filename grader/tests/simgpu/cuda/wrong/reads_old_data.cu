// finding: Nothing orders compare (stream 1, operation 2) after count (stream 1, operation 1)
// What a block reads before it waits is as it was when the kernel started.
#include "../check.cuh"

__global__ void count(int *all)
{
    long long begin = clock64();
    cudaTriggerProgrammaticLaunchCompletion();
    while (clock64() - begin < 20000)
        continue;
    all[blockIdx.x * blockDim.x + threadIdx.x]++;
}

// One thread waits for its block.
__global__ void compare(int *all, int *read)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, early = all[i];
    if (threadIdx.x == 0)
        cudaGridDependencySynchronize();
    __syncthreads();
    read[i] = 10 * early + all[i];
    all[i] = 7;
}

const int n = 256;

int main()
{
    static int result[2 * n];
    int *all;
    cudaLaunchAttribute early;
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = n / 32;
    config.blockDim = 32;
    config.attrs = &early;
    config.numAttrs = 1;
    OK(cudaStreamCreateWithFlags(&config.stream, cudaStreamNonBlocking));
    OK(cudaMalloc(&all, sizeof result));
    OK(cudaMemsetAsync(all, 0, sizeof result, config.stream));
    OK(cudaLaunchKernelEx(&config, count, all));
    OK(cudaLaunchKernelEx(&config, compare, all, all + n));
    OK(cudaStreamSynchronize(config.stream));
    OK(cudaMemcpy(result, all, sizeof result, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        EXPECT(result[i] == 7 && result[n + i] == 1);
    OK(cudaFree(all));
    OK(cudaStreamDestroy(config.stream));
}
