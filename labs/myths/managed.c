/* Managed memory beside streams */
#include "myth.h"

enum { N = 1 << 20 };

static cudaError_t prefetch(const void *p, enum cudaMemLocationType type, cudaStream_t stream)
{
    const struct cudaMemLocation place = {.type = type};
    return cudaMemPrefetchAsync(p, N * sizeof(float), place, 0, stream);
}

int main(void)
{
    cudaStream_t stream = new_stream();
    cudaGraph_t graph;
    float *x, *y, *device;
    CHECK(cudaMallocManaged((void **)&x, N * sizeof *x, cudaMemAttachGlobal));
    CHECK(cudaMallocManaged((void **)&y, N * sizeof *y, cudaMemAttachGlobal));
    CHECK(cudaMalloc((void **)&device, N * sizeof *device));
    for (int i = 0; i < N; i++)
        x[i] = y[i] = 1; /* the host uses the same address */
    CHECK(prefetch(x, cudaMemLocationTypeDevice, stream));
    CHECK(prefetch(y, cudaMemLocationTypeDevice, stream));
    CHECK(launch_saxpy(y, x, 2, N, stream)); /* after the prefetches: stream order */
    CHECK(prefetch(y, cudaMemLocationTypeHost, stream));
    CHECK(cudaStreamSynchronize(stream)); /* before the host reads */
    printf("the host reads what the kernel wrote, without a copy: %s\n", yes(y[N - 1] == 3));
    printf("a prefetch of memory of cudaMalloc: %s\n",
           cudaGetErrorName(prefetch(device, cudaMemLocationTypeDevice, stream)));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    printf("a prefetch in a capture: %s\n",
           cudaGetErrorName(prefetch(x, cudaMemLocationTypeDevice, stream)));
    printf("the capture: %s\n", cudaGetErrorName(cudaStreamEndCapture(stream, &graph)));
    return 0;
}
