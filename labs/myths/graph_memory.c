/* The memory of allocation nodes */
#include "myth.h"

enum { BYTES = 8 << 20 };

static cudaStream_t stream;

static cudaGraphExec_t with_temporary_memory(void)
{
    void *p;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaMallocAsync(&p, BYTES, stream));
    CHECK(cudaMemsetAsync(p, 0, BYTES, stream));
    CHECK(cudaFreeAsync(p, stream));
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphDestroy(graph));
    return exec;
}

static unsigned long long reserved(void)
{
    unsigned long long bytes;
    CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &bytes));
    return bytes;
}

int main(void)
{
    stream = new_stream();
    cudaGraphExec_t first = with_temporary_memory(), second = with_temporary_memory();
    printf("instantiated, the graph has memory: %s\n", yes(reserved() > 0));
    CHECK(cudaGraphLaunch(first, stream));
    CHECK(cudaStreamSynchronize(stream));
    const unsigned long long of_one = reserved();
    printf("after its first launch: %s\n", yes(of_one >= BYTES));
    CHECK(cudaGraphLaunch(second, stream));
    CHECK(cudaStreamSynchronize(stream));
    printf("a second graph in the same stream needs more: %s\n", yes(reserved() > of_one));
    CHECK(cudaGraphExecDestroy(first));
    CHECK(cudaGraphExecDestroy(second));
    printf("both destroyed, the memory is still reserved: %s\n", yes(reserved() > 0));
    CHECK(cudaDeviceGraphMemTrim(0));
    printf("after cudaDeviceGraphMemTrim: %s\n", yes(reserved() > 0));
    return 0;
}
