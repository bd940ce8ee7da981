// finding: memcpyH2D writes bytes 0-1023 of allocation 2 (1 KiB, cudaMallocArray), and read reads
// them
#include "../check.cuh"

__global__ void read(cudaTextureObject_t t, float *out)
{
    out[threadIdx.x] = tex2D<float>(t, threadIdx.x + 0.5f, 0.5f);
}

int main()
{
    enum { N = 256 };
    static float host[N];
    float *out;
    cudaArray_t array;
    cudaTextureObject_t t;
    cudaStream_t copies, kernels;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    OK(cudaMalloc(&out, sizeof host));
    OK(cudaMallocArray(&array, &format, N, 1));
    OK(cudaMemcpy2DToArray(array, 0, 0, host, sizeof host, sizeof host, 1, cudaMemcpyHostToDevice));
    OK(cudaStreamCreate(&copies));
    OK(cudaStreamCreate(&kernels));
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
    cudaTextureDesc d = {};
    OK(cudaCreateTextureObject(&t, &r, &d, nullptr));
    OK(cudaMemcpy2DToArrayAsync(array, 0, 0, host, sizeof host, sizeof host, 1,
                                cudaMemcpyHostToDevice, copies));
    read<<<1, N, 0, kernels>>>(t, out); // no event: the copy may be under way
    OK(cudaDeviceSynchronize());
    OK(cudaDestroyTextureObject(t));
    OK(cudaFreeArray(array));
    OK(cudaFree(out));
    OK(cudaStreamDestroy(copies));
    OK(cudaStreamDestroy(kernels));
}
