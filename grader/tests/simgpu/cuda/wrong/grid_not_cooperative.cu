// finding: kernel meet: block (0,0,0): waits for the grid, whose launch is not cooperative: launch
// it by cudaLaunchCooperativeKernel
#include "../check.cuh"
#include <cooperative_groups.h>

__global__ void meet()
{
    cooperative_groups::this_grid().sync();
}

int main()
{
    meet<<<2, 32>>>();
    EXPECT(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
}
