/* cuda12_calls.h: the forms that calls had in CUDA 12, for programs that were written for it: a
 * device is a number, and edges of graphs have no data. Included by kernel.h only, for simcc. */
#ifndef SIMGPU_CUDA12_CALLS_H
#define SIMGPU_CUDA12_CALLS_H

#if CUDART_VERSION >= 13000

inline cudaMemLocation simgpu_location(int device)
{
    cudaMemLocation location = {};
    location.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    location.id = device == cudaCpuDeviceId ? 0 : device;
    return location;
}

inline cudaError_t cudaMemPrefetchAsync(const void *p, size_t bytes, int device,
                                        cudaStream_t stream = nullptr)
{
    return cudaMemPrefetchAsync(p, bytes, simgpu_location(device), 0, stream);
}

inline cudaError_t cudaMemAdvise(const void *p, size_t bytes, cudaMemoryAdvise advice, int device)
{
    return cudaMemAdvise(p, bytes, advice, simgpu_location(device));
}

inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                            const cudaGraphNode_t *to, size_t n)
{
    return cudaGraphAddDependencies(graph, from, to, nullptr, n);
}

inline cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                               const cudaGraphNode_t *to, size_t n)
{
    return cudaGraphRemoveDependencies(graph, from, to, nullptr, n);
}

inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                     size_t *n)
{
    return cudaGraphGetEdges(graph, from, to, nullptr, n);
}

inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                                size_t *n)
{
    return cudaGraphNodeGetDependencies(node, nodes, nullptr, n);
}

inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                                  size_t *n)
{
    return cudaGraphNodeGetDependentNodes(node, nodes, nullptr, n);
}

inline cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                    const cudaGraphNode_t *after, size_t n,
                                    cudaGraphNodeParams *params)
{
    return cudaGraphAddNode(node, graph, after, nullptr, n, params);
}

inline cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *nodes,
                                                       size_t n, unsigned flags = 0)
{
    return cudaStreamUpdateCaptureDependencies(stream, nodes, nullptr, n, flags);
}

#endif
#endif
