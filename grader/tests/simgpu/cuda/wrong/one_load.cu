// finding: sum (the legacy stream, operation 2) reads bytes 20004096-20008191 of allocation 1
#include "../check.cuh"

enum { THREADS = 128, BLOCKS = 64, N = THREADS * BLOCKS };

/* The same instruction loads from shared memory, from the stack and from three places of global
 * memory that are far from each other. */
__device__ __noinline__ float load(const float *p)
{
    return *p;
}

__global__ void sum(const float *p, float *result, int far)
{
    __shared__ float mine[THREADS];
    int i = blockIdx.x * THREADS + threadIdx.x;
    volatile float local[8];
    mine[threadIdx.x] = 1;
    local[i % 8] = 2;
    __syncthreads();
    float at_3 = load(&mine[THREADS - 1 - threadIdx.x]) + load((const float *)&local[i % 8]);
    result[i] = at_3 + load(p + i) + load(p + far + i) + load(p + 2 * far + i);
}

int main()
{
    const int far = 2500000;
    const size_t bytes = (2 * far + N) * sizeof(float), gap = 2 * far * sizeof(float) + 4096;
    float *p, *result;
    OK(cudaMalloc(&p, bytes));
    OK(cudaMalloc(&result, N * sizeof(float)));
    OK(cudaMemset(p, 0, gap));
    OK(cudaMemset((char *)p + gap + 4096, 0, bytes - gap - 4096));
    sum<<<BLOCKS, THREADS>>>(p, result, far);
    OK(cudaDeviceSynchronize());
    OK(cudaFree(p));
    OK(cudaFree(result));
}
