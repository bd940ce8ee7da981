// finding: kernel sum: block (0,0,0): thread (1,0,0) accesses 4 bytes at address 0x
#include "../check.cuh"

__global__ void sum(const char *text, float *total)
{
    atomicAdd(total, *reinterpret_cast<const float *>(text + 5 * threadIdx.x));
}

int main()
{
    char *text;
    float *total;
    OK(cudaMalloc(&text, 64));
    OK(cudaMalloc(&total, sizeof *total));
    OK(cudaMemset(text, 0, 64));
    OK(cudaMemset(total, 0, sizeof *total));
    sum<<<1, 4>>>(text, total);
    OK(cudaGetLastError());
    EXPECT(cudaDeviceSynchronize() == cudaErrorMisalignedAddress);
}
