// error: simgpu: an array that is layered, a cube map or sparse is not modeled by the simulated
// device; it returns cudaErrorNotSupported
#include "../check.cuh"

int main()
{
    cudaArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    OK(cudaMalloc3DArray(&array, &format, make_cudaExtent(8, 8, 4), cudaArrayLayered));
}
