/* cooperative_kernels.cu: a kernel with two phases; no block begins the second before all have
   ended the first. */
#include "cooperative_kernels.h"

#include <cooperative_groups.h>

enum { THREADS = 128 };

static __global__ void in_two_phases(int *x, int n)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = first; i < n; i += gridDim.x * blockDim.x)
        x[i] = i;
    grid.sync();
    if (first == 0)
        x[0] = x[n - 1];
}

int cooperative_blocks(void)
{
    int per_sm = 0, sms = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, in_two_phases, THREADS, 0);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    return per_sm * sms;
}

cudaError_t launch_in_two_phases(int *x, int n, int blocks, cudaStream_t stream)
{
    void *args[] = {&x, &n};
    return cudaLaunchCooperativeKernel((const void *)in_two_phases, dim3(blocks), dim3(THREADS),
                                       args, 0, stream);
}
