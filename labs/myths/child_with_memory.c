/* Child graphs that allocate */
#include "myth.h"

/* A library's work that allocates temporary memory. */
static cudaGraph_t captured(cudaStream_t stream)
{
    void *p;
    cudaGraph_t graph;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaMallocAsync(&p, 4096, stream));
    CHECK(cudaMemsetAsync(p, 0, 4096, stream));
    CHECK(cudaFreeAsync(p, stream));
    CHECK(cudaStreamEndCapture(stream, &graph));
    return graph;
}

int main(void)
{
#if CUDART_VERSION >= 12090
    cudaStream_t stream = new_stream();
    cudaGraph_t parent, child = captured(stream);
    cudaGraphExec_t exec;
    cudaGraphNode_t node;
    struct cudaGraphNodeParams params = {.type = cudaGraphNodeTypeGraph};
    CHECK(cudaGraphCreate(&parent, 0));
    printf("a copy of a graph that allocates: %s\n",
           cudaGetErrorName(cudaGraphAddChildGraphNode(&node, parent, NULL, 0, child)));
    cudaGetLastError();

    params.graph.graph = child;
    params.graph.ownership = cudaGraphChildGraphOwnershipMove;
#if CUDART_VERSION >= 13000
    CHECK(cudaGraphAddNode(&node, parent, NULL, NULL, 0, &params));
#else
    CHECK(cudaGraphAddNode_v2(&node, parent, NULL, NULL, 0, &params));
#endif
    CHECK(cudaGraphInstantiate(&exec, parent, 0));
    CHECK(cudaGraphLaunch(exec, stream));
    printf("the graph itself, moved: %s\n", cudaGetErrorName(cudaStreamSynchronize(stream)));
    return 0;
#else
    printf("needs CUDA 12.9\n");
    (void)captured;
    return MYTH_SKIPPED;
#endif
}
