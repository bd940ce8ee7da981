// finding: Nothing orders print (stream 2, operation 0) after memset (stream 1, operation 0)
#include "../check.cuh"

__global__ void print(const int *p, int *out)
{
    out[threadIdx.x] = p[threadIdx.x];
}

// When the kernel runs, the second memset was declared, which comes after it. The first does not.
int main()
{
    int *p, *out;
    cudaStream_t a, b;
    cudaEvent_t printed;
    OK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    OK(cudaEventCreateWithFlags(&printed, cudaEventDisableTiming));
    OK(cudaMalloc(&p, 4096));
    OK(cudaMalloc(&out, 4096));
    OK(cudaMemsetAsync(p, 0, 4096, a));
    print<<<1, 1024, 0, b>>>(p, out);
    OK(cudaEventRecord(printed, b));
    OK(cudaStreamWaitEvent(a, printed));
    OK(cudaMemsetAsync(p, 1, 4096, a));
    OK(cudaDeviceSynchronize());
    OK(cudaEventDestroy(printed));
    OK(cudaStreamDestroy(a));
    OK(cudaStreamDestroy(b));
    OK(cudaFree(p));
    OK(cudaFree(out));
}
