// finding: kernel set: block (0,0,0): thread (0,0,0) accesses address 0x
#include "../check.cuh"

__global__ void set(int *a, long first)
{
    a[first + threadIdx.x] = 1;
}

// so far beyond the end there is no memory
int main()
{
    int *a;
    OK(cudaMalloc(&a, 1000 * sizeof *a));
    set<<<1, 32>>>(a, 1 << 24);
    OK(cudaGetLastError());
    EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
}
