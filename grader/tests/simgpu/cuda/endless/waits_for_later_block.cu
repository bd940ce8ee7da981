// waits_for_later_block.cu: ends on a GPU, which runs both blocks at once, and not where blocks run
// one after the other.
#include "../check.cuh"

__global__ void wait_for_last(volatile int *flag)
{
    if (blockIdx.x + 1 == gridDim.x)
        *flag = 1;
    while (*flag == 0)
        continue;
}

int main()
{
    int *flag;
    OK(cudaMalloc(&flag, sizeof *flag));
    OK(cudaMemset(flag, 0, sizeof *flag));
    wait_for_last<<<2, 1>>>(flag);
    OK(cudaGetLastError());
    OK(cudaDeviceSynchronize());
    OK(cudaFree(flag));
    puts("passed");
}
