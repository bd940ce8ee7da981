// finding: reads host memory at
// graph_host_memory_freed.cu: a graph copies from memory of malloc that was freed before the
// launch.
#include <stdlib.h>

#include "../check.cuh"

int main()
{
    enum { BYTES = 4 << 20 }; // a mapping of its own: free unmaps it
    cudaStream_t s;
    cudaGraph_t g;
    cudaGraphExec_t x;
    void *device, *host = malloc(BYTES);
    OK(cudaStreamCreate(&s));
    OK(cudaMalloc(&device, BYTES));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    OK(cudaMemcpyAsync(device, host, BYTES, cudaMemcpyHostToDevice, s));
    OK(cudaStreamEndCapture(s, &g));
    OK(cudaGraphInstantiate(&x, g, 0));
    free(host);
    OK(cudaGraphLaunch(x, s));
    EXPECT(cudaStreamSynchronize(s) == cudaErrorLaunchFailure);
}
