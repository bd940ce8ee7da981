// finding: writes 96 bytes that begin 0 bytes after the end of allocation 1 (4000 bytes
#include "../check.cuh"

__global__ void increment(int *p, int n)
{
    p[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}

// more threads than elements, and no thread asks
int main()
{
    const int n = 1000;
    int *p;
    OK(cudaMalloc(&p, n * sizeof *p));
    OK(cudaMemset(p, 0, n * sizeof *p));
    increment<<<4, 256>>>(p, n);
    OK(cudaDeviceSynchronize());
    OK(cudaFree(p));
}
