/* "Whatever the program enqueues during a capture is in the graph." */
#include "myth.h"

int main(void)
{
    int n = 0;
    cudaStream_t origin = new_stream();
    cudaGraph_t graph;
    size_t n_nodes = 1;
    unsigned char *byte, got;
    CHECK(cudaGetDeviceCount(&n));
    CHECK(cudaSetDevice(n - 1)); /* the other device, if there is one */
    cudaStream_t other = new_stream();
    CHECK(cudaMalloc((void **)&byte, 1));
    CHECK(cudaMemsetAsync(byte, 0, 1, other));
    CHECK(cudaStreamSynchronize(other));

    CHECK(cudaStreamBeginCapture(origin, cudaStreamCaptureModeThreadLocal));
    CHECK(cudaMemsetAsync(byte, 1, 1, other)); /* this stream captures nothing */
    cudaError_t error = cudaStreamEndCapture(origin, &graph);
    CHECK(cudaGraphGetNodes(graph, NULL, &n_nodes));
    printf("cudaStreamEndCapture: %s, %zu nodes\n", cudaGetErrorName(error), n_nodes);
    CHECK(cudaStreamSynchronize(other));
    CHECK(cudaMemcpy(&got, byte, 1, cudaMemcpyDeviceToHost));
    printf("the work has run, once: %s\n", yes(got == 1));
    return 0;
}
