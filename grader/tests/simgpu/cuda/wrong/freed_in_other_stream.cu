// finding: which fill (stream 1, operation 1) may still be using; record an event after fill
#include "../check.cuh"

__global__ void fill(int *p, int value)
{
    p[threadIdx.x] = value;
}

int main()
{
    int *p, *next;
    cudaStream_t user, other;
    OK(cudaStreamCreateWithFlags(&user, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    OK(cudaMallocAsync(&p, 4096, user));
    OK(cudaStreamSynchronize(user));
    fill<<<1, 1024, 0, user>>>(p, 1);
    OK(cudaFreeAsync(p, other));
    OK(cudaMallocAsync(&next, 4096, other));
    EXPECT(next == p);
    fill<<<1, 1024, 0, other>>>(next, 2);
    OK(cudaFreeAsync(next, other));
    OK(cudaDeviceSynchronize());
    OK(cudaStreamDestroy(user));
    OK(cudaStreamDestroy(other));
}
