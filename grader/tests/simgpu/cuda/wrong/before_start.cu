// finding: writes 16 bytes that begin 16 bytes before allocation 1 (4000 bytes, cudaMalloc)
#include "../check.cuh"

__global__ void shift(int *p)
{
    p[static_cast<int>(threadIdx.x) - 4] = 1;
}

// the first allocation of a program has nothing before it
int main()
{
    int *p;
    OK(cudaMalloc(&p, 4000));
    shift<<<1, 8>>>(p);
    OK(cudaDeviceSynchronize());
    OK(cudaFree(p));
}
