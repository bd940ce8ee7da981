/* "Memory that a graph allocates can be freed at any time." */
#include "myth.h"

static cudaStream_t stream;

/* A graph that allocates and does not free. */
static cudaGraphExec_t allocating(void **p, unsigned long long flags)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaMallocAsync(p, 4096, stream));
    CHECK(cudaMemsetAsync(*p, 0, 4096, stream));
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, flags));
    return exec;
}

int main(void)
{
    void *p;
    stream = new_stream();
    cudaGraphExec_t exec = allocating(&p, 0);
    printf("freed before the first launch: %s\n", cudaGetErrorName(cudaFreeAsync(p, stream)));
    CHECK(cudaGraphLaunch(exec, stream));
    printf("second launch, not freed: %s\n", cudaGetErrorName(cudaGraphLaunch(exec, stream)));
    printf("freed in the stream after a launch: %s\n", cudaGetErrorName(cudaFreeAsync(p, stream)));
    printf("second launch then: %s\n", cudaGetErrorName(cudaGraphLaunch(exec, stream)));

    exec = allocating(&p, cudaGraphInstantiateFlagAutoFreeOnLaunch);
    CHECK(cudaGraphLaunch(exec, stream));
    printf("second launch with AutoFreeOnLaunch: %s\n",
           cudaGetErrorName(cudaGraphLaunch(exec, stream)));
    CHECK(cudaStreamSynchronize(stream));
    return 0;
}
