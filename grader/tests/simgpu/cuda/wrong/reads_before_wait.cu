// finding: Nothing orders third (stream 1, operation 2) after first (stream 1, operation 0)
#include "../check.cuh"

__global__ void first(int *p)
{
    cudaTriggerProgrammaticLaunchCompletion();
    *p = 1;
}

__global__ void second(int *q)
{
    cudaTriggerProgrammaticLaunchCompletion(); // before it waits: lets the third start beside the
                                               // first
    cudaGridDependencySynchronize();
    *q = 2;
}

__global__ void third(const int *p, int *q)
{
    int read = *p; // too early
    cudaGridDependencySynchronize();
    *q += read;
}

int main()
{
    int *p, *q;
    cudaStream_t stream;
    cudaLaunchAttribute early;
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    OK(cudaMalloc(&p, sizeof *p));
    OK(cudaMalloc(&q, sizeof *q));
    OK(cudaMemset(p, 0, sizeof *p));
    OK(cudaDeviceSynchronize());
    cudaLaunchConfig_t config = {};
    config.gridDim = config.blockDim = 1;
    config.stream = stream;
    config.attrs = &early;
    config.numAttrs = 1;
    OK(cudaLaunchKernelEx(&config, first, p));
    OK(cudaLaunchKernelEx(&config, second, q));
    OK(cudaLaunchKernelEx(&config, third, (const int *)p, q));
    OK(cudaStreamSynchronize(stream));
    OK(cudaFree(p));
    OK(cudaFree(q));
    OK(cudaStreamDestroy(stream));
}
