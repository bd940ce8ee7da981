// cuda12_calls.cu: calls as CUDA 12 had them, beside those of the installed toolkit.
#include "../check.cuh"

#include <thrust/tuple.h>

/* Up to CUDA 12.3 <thrust/tuple.h> had pairs too. */
static_assert(sizeof(thrust::pair<int, int>) == 2 * sizeof(int));

__global__ void increment(int *p)
{
    ++*p;
}

int main()
{
    int *p, device = 0;
    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    OK(cudaMallocManaged(&p, sizeof *p));
    *p = 1;
    OK(cudaMemAdvise(p, sizeof *p, cudaMemAdviseSetPreferredLocation, 0));
    OK(cudaMemAdvise(p, sizeof *p, cudaMemAdviseSetAccessedBy, cudaCpuDeviceId));
    OK(cudaMemPrefetchAsync(p, sizeof *p, device));
    OK(cudaMemPrefetchAsync(p, sizeof *p, 0, stream));
    increment<<<1, 1, 0, stream>>>(p);
    OK(cudaMemPrefetchAsync(p, sizeof *p, cudaCpuDeviceId, stream));

    cudaGraph_t graph;
    cudaGraphNode_t nodes[2], found[2], to[2];
    size_t n = 2;
    OK(cudaGraphCreate(&graph, 0));
    for (cudaGraphNode_t &node : nodes)
        OK(cudaGraphAddEmptyNode(&node, graph, nullptr, 0));
    OK(cudaGraphAddDependencies(graph, &nodes[0], &nodes[1], 1));
    OK(cudaGraphGetEdges(graph, found, to, &n));
    EXPECT(n == 1 && found[0] == nodes[0] && to[0] == nodes[1]);
    OK(cudaGraphNodeGetDependencies(nodes[1], found, &n));
    EXPECT(n == 1 && found[0] == nodes[0]);
    OK(cudaGraphNodeGetDependentNodes(nodes[0], found, &n));
    EXPECT(n == 1 && found[0] == nodes[1]);
    OK(cudaGraphRemoveDependencies(graph, &nodes[0], &nodes[1], 1));
    cudaGraphNodeParams params = {};
    params.type = cudaGraphNodeTypeEmpty;
    OK(cudaGraphAddNode(&found[0], graph, nodes, 2, &params));
    OK(cudaGraphNodeGetDependencies(found[0], nullptr, &n));
    EXPECT(n == 2);
    OK(cudaGraphDestroy(graph));

    OK(cudaStreamSynchronize(stream));
    EXPECT(*p == 2);
    OK(cudaStreamDestroy(stream));
    OK(cudaFree(p));
    puts("passed");
}
