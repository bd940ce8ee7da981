/* newer_calls.c: questions about graphs and their nodes that CUDA 13.1 and 13.2 added, and fields
 * that have been added to the parameters of nodes since. All of it is as NVIDIA's documentation
 * says, and none has been asked of a GPU. With an older toolkit there is nothing here. */
#include "api.h"

#if CUDART_VERSION >= 13020

/* A field that is set and not modeled is refused: without it, the node would be another one. */
cudaError_t newer_fields(const struct cudaGraphNodeParams *p)
{
    static bool context_said, mode_said, function_said;
    if (!p)
        return cudaSuccess;
    const bool context = (p->type == cudaGraphNodeTypeKernel && p->kernel.ctx) ||
                         (p->type == cudaGraphNodeTypeMemcpy && p->memcpy.ctx) ||
                         (p->type == cudaGraphNodeTypeMemset && p->memset.ctx) ||
                         (p->type == cudaGraphNodeTypeHost && p->host.ctx) ||
#if CUDART_VERSION >= 13050
                         (p->type == cudaGraphNodeTypeMemcpyBatch && p->memcpyBatch.ctx) ||
#endif
                         (p->type == cudaGraphNodeTypeConditional && p->conditional.ctx);
    if (context)
        return error_not_modelled("the field ctx of a node", &context_said);
    if (p->type == cudaGraphNodeTypeHost && p->host.syncMode != cudaHostTaskBlocking)
        return p->host.syncMode == cudaHostTaskSpinWait
                   ? error_not_modelled("cudaHostTaskSpinWait", &mode_said)
                   : cudaErrorInvalidValue;
    if (p->type == cudaGraphNodeTypeKernel &&
        p->kernel.functionType > cudaKernelFunctionTypeDeviceEntry)
        return error_not_modelled("the field functionType of a kernel node", &function_said);
    return cudaSuccess;
}

EXPORT cudaError_t cudaGraphNodeGetParams(cudaGraphNode_t node, struct cudaGraphNodeParams *out)
{
    API_ENTER(cudaGraphNodeGetParams);
    API_REFUSE_IF(!node_of(node) || !out, cudaErrorInvalidValue);
    node_params(node_of(node), out);
    return api_leave(cudaSuccess);
}

/* ---- ids, as cudaGraphDebugDotPrint shows them ----------------------------------------------- */

EXPORT cudaError_t cudaGraphGetId(cudaGraph_t graph, unsigned *id)
{
    API_ENTER(cudaGraphGetId);
    const struct graph *g = graph_of(graph);
    API_REFUSE_IF(!g || !id, cudaErrorInvalidValue);
    *id = (unsigned)g->uid;
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaGraphExecGetId(cudaGraphExec_t exec, unsigned *id)
{
    API_ENTER(cudaGraphExecGetId);
    const struct exec *x = exec_of(exec);
    API_REFUSE_IF(!x || !id, cudaErrorInvalidValue);
    *id = (unsigned)x->number;
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaGraphNodeGetLocalId(cudaGraphNode_t node, unsigned *id)
{
    API_ENTER(cudaGraphNodeGetLocalId);
    API_REFUSE_IF(!node_of(node) || !id, cudaErrorInvalidValue);
    *id = (unsigned)node_of(node)->number;
    return api_leave(cudaSuccess);
}

/* As in CUPTI's records: the node's number in the low half. */
EXPORT cudaError_t cudaGraphNodeGetToolsId(cudaGraphNode_t node, unsigned long long *id)
{
    API_ENTER(cudaGraphNodeGetToolsId);
    const struct node *n = node_of(node);
    API_REFUSE_IF(!n || !id, cudaErrorInvalidValue);
    *id = (unsigned long long)n->graph->uid << 32 | (unsigned)n->number;
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaGraphNodeGetContainingGraph(cudaGraphNode_t node, cudaGraph_t *out)
{
    API_ENTER(cudaGraphNodeGetContainingGraph);
    API_REFUSE_IF(!node_of(node) || !out, cudaErrorInvalidValue);
    *out = (cudaGraph_t)node_of(node)->graph;
    return api_leave(cudaSuccess);
}

#else

cudaError_t newer_fields(const struct cudaGraphNodeParams *p)
{
    (void)p;
    return cudaSuccess;
}

#endif
