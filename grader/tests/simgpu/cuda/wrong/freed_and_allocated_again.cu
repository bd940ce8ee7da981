// finding: which fill (stream 1, operation 2) may still be using; record an event after fill
#include "../check.cuh"

__global__ void fill(int *p, int value)
{
    p[threadIdx.x] = value;
}

// the second fill is launched with a pointer that was freed; when it runs, the memory has a new one
int main()
{
    int *keep, *p, *next;
    cudaStream_t a, b;
    OK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    OK(cudaMallocAsync(&keep, 4096, a));
    OK(cudaMallocAsync(&p, 4096, b));
    OK(cudaStreamSynchronize(b));
    fill<<<1, 1024, 0, a>>>(keep, 1);
    OK(cudaFreeAsync(p, b));
    fill<<<1, 1024, 0, a>>>(p, 2);
    OK(cudaMallocAsync(&next, 4096, b));
    EXPECT(next == p);
    fill<<<1, 1024, 0, b>>>(next, 3);
    OK(cudaDeviceSynchronize());
    OK(cudaFreeAsync(next, b));
    OK(cudaFreeAsync(keep, a));
    OK(cudaDeviceSynchronize());
    OK(cudaStreamDestroy(a));
    OK(cudaStreamDestroy(b));
}
