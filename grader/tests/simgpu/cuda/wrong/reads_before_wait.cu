// finding: Nothing orders third (stream 1, operation 2) after first (stream 1, operation 0)
#include "../check.cuh"

__global__ void first(int *p)
{
    cudaTriggerProgrammaticLaunchCompletion();
    *p = 1;
}

__global__ void second(int *q)
{
    cudaTriggerProgrammaticLaunchCompletion(); // before it waits: lets the third start beside the
                                               // first
    cudaGridDependencySynchronize();
    *q = 2;
}

__global__ void third(const int *p, int *q)
{
    int read = *p; // too early
    cudaGridDependencySynchronize();
    *q += read;
}

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

// The early reads have old data, in each block.
static void expect_old_data(cudaLaunchConfig_t config)
{
    static int result[2 * n];
    int *all;
    config.gridDim = n / 32;
    config.blockDim = 32;
    OK(cudaMalloc(&all, sizeof result));
    OK(cudaMemsetAsync(all, 0, sizeof result, config.stream));
    OK(cudaLaunchKernelEx(&config, count, all));
    OK(cudaLaunchKernelEx(&config, compare, all, all + n));
    OK(cudaStreamSynchronize(config.stream));
    OK(cudaMemcpy(result, all, sizeof result, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        EXPECT(result[i] == 7 && result[n + i] == 1);
    OK(cudaFree(all));
}

int main()
{
    int *p, *q;
    cudaStream_t stream;
    cudaLaunchAttribute early;
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    OK(cudaMalloc(&p, sizeof *p));
    OK(cudaMalloc(&q, sizeof *q));
    OK(cudaMemset(p, 0, sizeof *p));
    OK(cudaDeviceSynchronize());
    cudaLaunchConfig_t config = {};
    config.gridDim = config.blockDim = 1;
    config.stream = stream;
    config.attrs = &early;
    config.numAttrs = 1;
    OK(cudaLaunchKernelEx(&config, first, p));
    OK(cudaLaunchKernelEx(&config, second, q));
    OK(cudaLaunchKernelEx(&config, third, (const int *)p, q));
    OK(cudaStreamSynchronize(stream));
    expect_old_data(config);
    OK(cudaFree(p));
    OK(cudaFree(q));
    OK(cudaStreamDestroy(stream));
}
