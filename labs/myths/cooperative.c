/* Cooperative launches in a graph */
#include "cooperative_kernels.h"
#include "myth.h"

int main(void)
{
    enum { N = 1 << 16, TOO_MANY = 1 << 20 };
    cudaStream_t stream = new_stream();
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t node;
    cudaLaunchAttributeValue value;
    size_t n = 1;
    int *x, blocks, got = 0;
    CHECK(cudaMalloc((void **)&x, N * sizeof *x));
    blocks = cooperative_blocks();
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(launch_in_two_phases(x, N, blocks, stream));
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphGetNodes(graph, &node, &n));
    CHECK(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeCooperative, &value));
    printf("the captured node is cooperative: %s\n", yes(value.cooperative));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaMemcpyAsync(&got, x, sizeof got, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    printf("in the graph all blocks have waited for all: %s\n", yes(got == N - 1));
    printf("more blocks than fit at once: %s\n",
           cudaGetErrorName(launch_in_two_phases(x, N, TOO_MANY, stream)));
    return 0;
}
