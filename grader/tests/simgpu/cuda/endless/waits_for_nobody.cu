// message: kernel wait_for_ever (stream 0, operation 1, launched at waits_for_nobody.cu:16) waits in a loop for a value that never comes: it reads 0 at byte 0 of cudaMalloc memory
// waits_for_nobody.cu: ends on no GPU, because nobody writes what the kernel waits for.
#include "../check.cuh"

__global__ void wait_for_ever(volatile int *flag)
{
    while (*flag == 0)
        continue;
}

int main()
{
    int *flag;
    OK(cudaMalloc(&flag, sizeof *flag));
    OK(cudaMemset(flag, 0, sizeof *flag));
    wait_for_ever<<<2, 1>>>(flag);
    OK(cudaGetLastError());
    OK(cudaDeviceSynchronize());
    OK(cudaFree(flag));
    puts("passed");
}
