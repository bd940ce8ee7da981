// message: kernel wait_for_ever has not finished a block for 1 s. If its threads wait in a loop for a value, it has not been written so far. Read it by an atomic operation, or as volatile
// waits_not_volatile.cu: the compiler reads the flag once.
#include "../check.cuh"

__global__ void wait_for_ever(int *flag)
{
    while (*flag == 0)
        continue;
}

int main()
{
    int *flag;
    OK(cudaMalloc(&flag, sizeof *flag));
    OK(cudaMemset(flag, 0, sizeof *flag));
    wait_for_ever<<<1, 1>>>(flag);
    OK(cudaDeviceSynchronize());
    OK(cudaFree(flag));
    puts("passed");
}
