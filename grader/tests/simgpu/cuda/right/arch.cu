// arch.cu: #if tells device code what the device can do.
#include "../check.cuh"

#if __CUDA_ARCH__ >= 900
__device__ int newest(int x)
{
    return x + 1;
}
#endif

// a function for both is compiled once
__host__ __device__ bool on_device()
{
#ifdef __CUDA_ARCH__
    return true;
#elif !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 300
    return false;
#endif
}

__global__ void k(int *out)
{
#if __CUDA_ARCH__ >= 900
    *out = newest(41);
#endif
}

int main()
{
    int *out, result = 0;
    OK(cudaMalloc(&out, sizeof *out));
    OK(cudaMemset(out, 0, sizeof *out));
    k<<<1, 1>>>(out);
    OK(cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost));
    OK(cudaFree(out));
    EXPECT(result == 42 && !on_device());
    puts("passed");
}
