// finding: increment (the legacy stream, operation 1) reads bytes 2048-4095 of allocation 1
#include "../check.cuh"

__global__ void increment(float *p)
{
    p[threadIdx.x] += 1;
}

int main()
{
    float *p;
    OK(cudaMalloc(&p, 4096));
    OK(cudaMemset(p, 0, 2048));
    increment<<<1, 1024>>>(p);
    OK(cudaDeviceSynchronize());
    OK(cudaFree(p));
}
