/* "Grid and block sizes must be constant expressions in a capture." */
#include "myth.h"

int main(void)
{
    cudaStream_t stream = new_stream();
    cudaGraph_t graph;
    cudaGraphNode_t nodes[3];
    size_t n = 3;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (int blocks = 1; blocks <= 3; blocks++)
        CHECK(launch_empty(blocks, stream));
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphGetNodes(graph, nodes, &n));
    unsigned sum = 0;
    for (size_t i = 0; i < n; i++) {
        struct cudaKernelNodeParams params;
        CHECK(cudaGraphKernelNodeGetParams(nodes[i], &params));
        sum += params.gridDim.x;
    }
    printf("%zu nodes, %u blocks in all\n", n, sum);
    CHECK(cudaGraphDestroy(graph));
    return 0;
}
