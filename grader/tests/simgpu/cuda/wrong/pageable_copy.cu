// finding: the source of memcpyH2D is pageable memory: the call returns when it has read the source
#include "../check.cuh"

__global__ void half(float *p)
{
    p[threadIdx.x] /= 2;
}

int main()
{
    static float host[256];
    float *p;
    cudaStream_t s;
    OK(cudaMalloc(&p, sizeof host));
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice));
    half<<<1, 256, 0, s>>>(p);
    OK(cudaDeviceSynchronize());
    OK(cudaStreamDestroy(s));
    OK(cudaFree(p));
}
