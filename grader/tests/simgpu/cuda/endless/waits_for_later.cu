// message: set (stream 0, operation 2) starts only after this kernel.
// waits_for_later.cu: a kernel waits, asleep, for one that comes after it in the stream.
#include "../check.cuh"

__global__ void wait_asleep(volatile int *flag)
{
    while (*flag == 0)
        __nanosleep(200);
}

__global__ void set(int *flag)
{
    *flag = 1;
}

int main()
{
    int *flag;
    OK(cudaMalloc(&flag, sizeof *flag));
    OK(cudaMemset(flag, 0, sizeof *flag));
    wait_asleep<<<2, 64>>>(flag);
    set<<<1, 1>>>(flag);
    OK(cudaDeviceSynchronize());
    OK(cudaFree(flag));
    puts("passed");
}
