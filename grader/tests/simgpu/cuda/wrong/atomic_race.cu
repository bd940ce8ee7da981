// finding: Nothing orders memcpyD2H (stream 2, operation 2) after count (stream 1, operation 0)
#include "../check.cuh"

__global__ void count(int *p)
{
    atomicAdd(p, 1);
}

// the copy comes after one of two kernels that add to the counter
int main()
{
    int *p, *result;
    cudaStream_t a, b;
    OK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    OK(cudaMallocHost(&result, sizeof *result));
    OK(cudaMalloc(&p, sizeof *p));
    OK(cudaMemset(p, 0, sizeof *p));
    OK(cudaDeviceSynchronize());
    count<<<1, 1, 0, a>>>(p);
    count<<<1, 1, 0, b>>>(p);
    count<<<1, 1, 0, b>>>(p);
    OK(cudaMemcpyAsync(result, p, sizeof *p, cudaMemcpyDeviceToHost, b));
    OK(cudaDeviceSynchronize());
    OK(cudaStreamDestroy(a));
    OK(cudaStreamDestroy(b));
    OK(cudaFreeHost(result));
    OK(cudaFree(p));
}
