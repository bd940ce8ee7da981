// finding: Nothing orders half (stream 2, operation 0) after fill (stream 1, operation 0): fill
// writes bytes 0-4095
#include "../check.cuh"

__global__ void fill(float *p)
{
    p[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

__global__ void half(const float *in, float *out)
{
    out[threadIdx.x] = in[threadIdx.x] / 2;
}

int main()
{
    float *a, *b;
    cudaStream_t s1, s2;
    OK(cudaMalloc(&a, 8192));
    OK(cudaMalloc(&b, 4096));
    OK(cudaStreamCreateWithFlags(&s1, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&s2, cudaStreamNonBlocking));
    fill<<<2, 1024, 0, s1>>>(a);
    half<<<1, 1024, 0, s2>>>(a, b);
    OK(cudaDeviceSynchronize());
    OK(cudaStreamDestroy(s1));
    OK(cudaStreamDestroy(s2));
    OK(cudaFree(a));
    OK(cudaFree(b));
}
