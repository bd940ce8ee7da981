/*
 * graph_nodes.c:
 */
#include "api.h"
#include <stdlib.h>
#include <string.h>

EXPORT cudaError_t cudaGraphAddNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                    const cudaGraphNode_t *after, const cudaGraphEdgeData *data,
                                    size_t n_after, struct cudaGraphNodeParams *p)
{
    cudaError_t e;
    if (!api_enter(CALL_cudaGraphAddNode, &e))
        return e;
    call_charge(node_cost(p));
    if (node_cost(p) == COST_GRAPH_WORK && p->type != cudaGraphNodeTypeGraph &&
        (e = context_error()) != cudaSuccess)
        return api_leave(e);
    return api_leave(node_add(out, graph, after, data, n_after, p));
}

EXPORT cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, struct cudaGraphNodeParams *p)
{
    cudaError_t e;
    if (!api_enter(CALL_cudaGraphNodeSetParams, &e))
        return e;
    call_charge(node_cost(p));
    return api_leave(node_set(node, p));
}
