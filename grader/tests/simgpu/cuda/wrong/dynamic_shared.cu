// finding: thread (96,0,0) accesses byte 384 of the dynamic shared memory, which has 300 bytes
#include "../check.cuh"

__global__ void reverse(float *p)
{
    extern __shared__ float all[];
    all[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = all[blockDim.x - 1 - threadIdx.x];
}

// elements instead of bytes. What is accessed in the same 128 bytes as the last one is not noticed
int main()
{
    float *p;
    OK(cudaMalloc(&p, 300 * sizeof *p));
    OK(cudaMemset(p, 0, 300 * sizeof *p));
    reverse<<<1, 300, 300>>>(p);
    cudaDeviceSynchronize();
    cudaFree(p);
}
