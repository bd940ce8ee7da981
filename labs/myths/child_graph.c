/* "cudaGraphAddSubGraphNode adds a graph to a graph; cudaStreamBeginCapture(&stream) captures." */
#include <dlfcn.h>

#include "myth.h"

int main(void)
{
    cudaGraph_t graph, part;
    cudaGraphNode_t node;
    enum cudaGraphNodeType type;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphCreate(&part, 0));
    CHECK(cudaGraphAddChildGraphNode(&node, graph, NULL, 0, part));
    CHECK(cudaGraphNodeGetType(node, &type));
    printf("cudaGraphAddSubGraphNode exists: %s\n",
           yes(dlsym(RTLD_DEFAULT, "cudaGraphAddSubGraphNode") != NULL));
    printf("cudaGraphAddChildGraphNode adds the graph: %s\n", yes(type == cudaGraphNodeTypeGraph));
    printf(
        "cudaStreamBeginCapture takes the stream itself, and a mode: %s\n",
        yes(_Generic(&cudaStreamBeginCapture,
                     cudaError_t(*)(cudaStream_t, enum cudaStreamCaptureMode) : 1, default : 0)));
    CHECK(cudaGraphDestroy(part));
    CHECK(cudaGraphDestroy(graph));
    return 0;
}
