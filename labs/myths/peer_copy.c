/* "cudaMemcpyPeerAsync can be captured, like every asynchronous copy." */
#include "myth.h"

int main(void)
{
    cudaStream_t stream = new_stream();
    cudaGraph_t graph = NULL;
    size_t n_nodes = 0;
    char *from, *to;
    CHECK(cudaMalloc((void **)&from, 1));
    CHECK(cudaMalloc((void **)&to, 1));
    CHECK(cudaMemset(from, 0, 1));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    printf("cudaMemcpyPeerAsync: %s\n",
           cudaGetErrorName(cudaMemcpyPeerAsync(to, 0, from, 0, 1, stream)));
    printf("cudaStreamEndCapture: %s\n", cudaGetErrorName(cudaStreamEndCapture(stream, &graph)));

    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaMemcpyAsync(to, from, 1, cudaMemcpyDeviceToDevice, stream));
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphGetNodes(graph, NULL, &n_nodes));
    printf("cudaMemcpyAsync, device to device: %zu node\n", n_nodes);
    CHECK(cudaGraphDestroy(graph));
    return 0;
}
