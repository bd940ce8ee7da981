// error: cub_device.cu uses cub::DeviceReduce: of CUB the simulated device has the collectives of
// blocks and warps only
#include <cub/cub.cuh>

int main()
{
    size_t bytes = 0;
    int in = 0, out = 0;
    cub::DeviceReduce::Sum(nullptr, bytes, &in, &out, 1);
}
