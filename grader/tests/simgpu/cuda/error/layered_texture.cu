// error: declared with attribute error: the simulated device has no layered textures
#include <cuda_runtime.h>

__global__ void read(cudaTextureObject_t t, float *out)
{
    *out = tex2DLayered<float>(t, 0.5f, 0.5f, 1);
}

int main()
{
    read<<<1, 1>>>(0, nullptr);
}
