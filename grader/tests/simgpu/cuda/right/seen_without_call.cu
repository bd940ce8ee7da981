// seen_without_call.cu: the program sees in its memory, without a call, that kernels are done.
#include <unistd.h>

#include "../check.cuh"

enum { N = 1000, ROUNDS = 3 };

__managed__ int managed;

__global__ void fill(int *a, int value)
{
    for (int i = threadIdx.x; i < N; i += blockDim.x)
        a[i] = value;
}

__global__ void tell(volatile int *seen)
{
    *seen = 1;
}

static void fill_and_wait(int *a, volatile int *seen, cudaStream_t first, cudaStream_t second)
{
    *seen = 0;
    fill<<<1, 128, 0, first>>>(a, 1);
    tell<<<1, 1, 0, first>>>(const_cast<int *>(seen));
    while (!*seen)
        usleep(1000);
    fill<<<1, 128, 0, second>>>(a, 2);
    OK(cudaStreamSynchronize(second));
}

int main()
{
    int *a, *pinned;
    cudaStream_t first, second;
    OK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    OK(cudaMalloc(&a, N * sizeof *a));
    OK(cudaMallocHost(&pinned, sizeof *pinned));
    for (int i = 0; i < ROUNDS; i++) {
        fill_and_wait(a, pinned, first, second);
        fill_and_wait(a, &managed, first, second);
    }
    OK(cudaDeviceSynchronize());
    OK(cudaStreamDestroy(first));
    OK(cudaStreamDestroy(second));
    OK(cudaFree(a));
    OK(cudaFreeHost(pinned));
    puts("passed");
}
