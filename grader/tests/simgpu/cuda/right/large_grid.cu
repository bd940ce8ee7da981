// large_grid.cu: a grid barrier among all threads that a quarter of an H200 holds, twice.
#include "../check.cuh"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

const int blocks = 64, threads = 1024, n = blocks * threads;

__global__ void pass_on(int *data)
{
    extern int __shared__ before[];
    cg::grid_group grid = cg::this_grid();
    int i = grid.thread_rank();
    data[i] = i;
    grid.sync();
    before[threadIdx.x] = data[(i + threads) % n];
    grid.sync();
    data[i] = before[threadIdx.x];
}

int main()
{
    static int host[n];
    int *data, per_sm;
    OK(cudaMalloc(&data, sizeof host));
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, pass_on, threads,
                                                     threads * sizeof(int)));
    EXPECT(per_sm == 2);
    void *args[] = {&data};
    for (int launch = 0; launch < 2; launch++)
        OK(cudaLaunchCooperativeKernel(pass_on, blocks, threads, args, threads * sizeof(int), 0));
    OK(cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        EXPECT(host[i] == (i + threads) % n);
    OK(cudaFree(data));
    puts("passed");
}
