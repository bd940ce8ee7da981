// finding: which fill (stream 1, operation 1) may still be using; let the host wait for stream 1
#include "../check.cuh"

__global__ void fill(int *p, int value)
{
    p[threadIdx.x] = value;
}

// cudaFree does not wait for the device if the memory is from cudaMallocAsync
int main()
{
    int *p;
    cudaStream_t stream;
    OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    OK(cudaMallocAsync(&p, 4096, stream));
    OK(cudaStreamSynchronize(stream));
    fill<<<1, 1024, 0, stream>>>(p, 1);
    cudaFree(p); // an H200 returns no error yet
    EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
}
