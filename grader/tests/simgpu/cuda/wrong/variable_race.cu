// finding: writes bytes 0-3 of variable factor (4 bytes), and
// A kernel reads a constant that another stream changes meanwhile.
#include "../check.cuh"

__constant__ float factor;
__device__ int calls;

__global__ void scale(float *data)
{
    data[threadIdx.x] *= factor;
    atomicAdd(&calls, 1);
}

int main()
{
    float *data, *host, two = 2;
    int n_calls;
    cudaStream_t a, b;
    OK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    OK(cudaMalloc(&data, 128));
    OK(cudaMemset(data, 0, 128));
    OK(cudaMallocHost(&host, sizeof *host));
    OK(cudaMemcpyToSymbol(factor, &two, sizeof two));
    OK(cudaDeviceSynchronize());
    *host = 3;
    scale<<<1, 32, 0, a>>>(data);
    OK(cudaMemcpyToSymbolAsync(factor, host, sizeof *host, 0, cudaMemcpyHostToDevice, b));
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpyFromSymbol(&n_calls, calls, sizeof n_calls));
    EXPECT(n_calls == 32);
    OK(cudaFree(data));
    OK(cudaFreeHost(host));
    OK(cudaStreamDestroy(a));
    OK(cudaStreamDestroy(b));
}
