// finding: kernel set: block (0,0,0): thread (0,0,0) accesses address (nil)
#include "../check.cuh"

__global__ void set(int *p)
{
    *p = 1;
}

// after the error cudaFree and cudaStreamDestroy fail, too: nothing has leaked
int main()
{
    int *p;
    cudaStream_t stream;
    OK(cudaMalloc(&p, sizeof *p));
    OK(cudaStreamCreate(&stream));
    set<<<1, 1, 0, stream>>>(nullptr);
    cudaDeviceSynchronize();
    cudaStreamDestroy(stream);
    cudaFree(p);
}
