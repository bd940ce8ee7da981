// finding: which was freed before the launch by cudaFreeAsync (stream 1, operation 2)
#include "../check.cuh"

__global__ void fill(int *p, int value)
{
    p[threadIdx.x] = value;
}

// in one stream, and the address is allocated again before the kernel runs
int main()
{
    int *p, *next;
    cudaStream_t stream, other;
    cudaEvent_t freed;
    OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    OK(cudaEventCreateWithFlags(&freed, cudaEventDisableTiming));
    OK(cudaMallocAsync(&p, 4096, stream));
    fill<<<1, 1024, 0, stream>>>(p, 1);
    OK(cudaFreeAsync(p, stream));
    OK(cudaEventRecord(freed, stream));
    fill<<<1, 1024, 0, stream>>>(p, 2);
    OK(cudaStreamWaitEvent(other, freed));
    OK(cudaMallocAsync(&next, 4096, other));
    EXPECT(next == p);
    OK(cudaDeviceSynchronize());
    OK(cudaFreeAsync(next, other));
    OK(cudaDeviceSynchronize());
    OK(cudaEventDestroy(freed));
    OK(cudaStreamDestroy(stream));
    OK(cudaStreamDestroy(other));
}
