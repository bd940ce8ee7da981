// error: reads through a texture object that does not exist
#include "../check.cuh"

__global__ void read(cudaTextureObject_t t, float *out)
{
    *out = tex1D<float>(t, 0);
}

int main()
{
    float *out;
    cudaArray_t array;
    cudaTextureObject_t t;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    OK(cudaMalloc(&out, sizeof *out));
    OK(cudaMallocArray(&array, &format, 8));
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
    cudaTextureDesc d = {};
    OK(cudaCreateTextureObject(&t, &r, &d, nullptr));
    OK(cudaDestroyTextureObject(t));
    read<<<1, 1>>>(t, out);
    OK(cudaDeviceSynchronize());
}
