/* The per-thread default stream */
#define CUDA_API_PER_THREAD_DEFAULT_STREAM /* what nvcc --default-stream per-thread defines */
#include "myth.h"

int main(void)
{
    unsigned long long zero, mine, legacy;
    char *device, *pinned;
    CHECK(cudaMalloc((void **)&device, 1));
    CHECK(cudaMallocHost((void **)&pinned, 1));
    CHECK(cudaStreamGetId(0, &zero));
    CHECK(cudaStreamGetId(cudaStreamPerThread, &mine));
    CHECK(cudaStreamGetId(cudaStreamLegacy, &legacy));
    printf("stream 0 of this file is cudaStreamPerThread: %s\n", yes(zero == mine));
    printf("stream 0 of this file is the legacy default stream: %s\n", yes(zero == legacy));
    cudaStream_t blocking;
    CHECK(cudaStreamCreate(&blocking));
    keep_busy(blocking);
    printf("cudaMemcpy waits for a blocking stream: %s\n",
           yes(WAITED(cudaMemcpy(device, pinned, 1, cudaMemcpyHostToDevice))));
    keep_busy(0); /* launch_delay was compiled without the macro */
    printf("stream 0 of a library that was compiled otherwise is the legacy one: %s\n",
           yes(cudaStreamQuery(cudaStreamLegacy) == cudaErrorNotReady));
    CHECK(cudaDeviceSynchronize());
    return 0;
}
