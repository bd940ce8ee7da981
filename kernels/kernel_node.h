/* kernel_node.h: kernel nodes, for the files of this folder that create graphs. */
#ifndef KERNEL_NODE_H
#define KERNEL_NODE_H

#include "kernels.h"

/* Adds a kernel node of one block that waits for `n_after` nodes. */
static inline cudaError_t add_kernel(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *after, size_t n_after,
                                     const void *kernel, unsigned threads, void **args)
{
    struct cudaKernelNodeParams params = {
        const_cast<void *>(kernel), dim3(1), dim3(threads), 0, args, nullptr};
    return cudaGraphAddKernelNode(node, graph, after, n_after, &params);
}

/* Creates a graph of one such node. */
static inline cudaError_t graph_of_kernel(cudaGraph_t *graph, const void *kernel, void **args)
{
    cudaGraphNode_t node;
    cudaError_t error = cudaGraphCreate(graph, 0);
    return error ? error : add_kernel(&node, *graph, nullptr, 0, kernel, 1, args);
}

#endif
