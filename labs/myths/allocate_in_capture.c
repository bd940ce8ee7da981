/* "There is no dynamic allocation in a capture." */
#include "myth.h"

int main(void)
{
    cudaStream_t stream = new_stream();
    cudaGraph_t graph;
    size_t n = 0;
    void *p;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaMallocAsync(&p, 4096, stream));
    CHECK(cudaMemsetAsync(p, 0, 4096, stream));
    CHECK(cudaFreeAsync(p, stream));
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphGetNodes(graph, NULL, &n));
    printf("cudaMallocAsync, cudaMemsetAsync, cudaFreeAsync: %zu nodes\n", n);
    CHECK(cudaGraphDestroy(graph));

    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    printf("cudaMalloc: %s\n", cudaGetErrorName(cudaMalloc(&p, 4096)));
    printf("the capture: %s\n", cudaGetErrorName(cudaStreamEndCapture(stream, &graph)));
    return 0;
}
