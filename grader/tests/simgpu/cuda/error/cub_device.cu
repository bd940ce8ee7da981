// error: cub_device.cu includes <cub/cub.cuh>: of CUB the simulated device has the collectives of
// blocks and warps only
#include <cub/cub.cuh>

int main()
{
}
