// finding: add_last writes bytes 0-3 of allocation 1 (4 bytes, cudaHostRegister)
#include "../check.cuh"

__global__ void add_last(int *count)
{
    if (blockIdx.x == gridDim.x - 1)
        ++*count;
}

// thread-local memory of the host, registered for the device: not shared memory of a block
int main()
{
    thread_local int count = 0;
    cudaStream_t s1, s2;
    OK(cudaHostRegister(&count, sizeof count, cudaHostRegisterMapped));
    OK(cudaStreamCreateWithFlags(&s1, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&s2, cudaStreamNonBlocking));
    add_last<<<64, 1, 0, s1>>>(&count);
    add_last<<<64, 1, 0, s2>>>(&count);
    OK(cudaDeviceSynchronize());
    OK(cudaStreamDestroy(s1));
    OK(cudaStreamDestroy(s2));
    OK(cudaHostUnregister(&count));
}
