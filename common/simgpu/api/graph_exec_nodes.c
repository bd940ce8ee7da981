/* graph_exec_nodes.c: change single nodes of an executable graph: parameters, enabled or not. */
#include "api.h"

static cudaError_t replace(struct exec_node *x, const struct cudaGraphNodeParams *p,
                           bool for_device)
{
    struct work w;
    cudaError_t e = node_work(&w, p);
    return e == cudaSuccess ? exec_set_work(x, &w, for_device) : e;
}

/* The node of the exec that a call for one node means, if it is of the type. */
static struct exec_node *target(cudaGraphExec_t exec, cudaGraphNode_t node,
                                enum cudaGraphNodeType type)
{
    struct exec *x = exec_given(exec);
    if (x)
        exec_before_change(x);
    struct exec_node *n = x ? exec_find(x, node_given(node)) : NULL;
    return n && n->type == type ? n : NULL;
}

/* Addresses and sizes of the copies, whose number stays. */
static cudaError_t set_batch(struct exec *x, const struct node *n,
                             const struct cudaGraphNodeParams *p)
{
    struct graph *g;
    TRY(batch_graph(&g, NULL, p));
    const bool fits = exec_set_child(x, n, g) == cudaSuccess;
    graph_put(g);
    return fits ? cudaSuccess : cudaErrorInvalidValue;
}

static cudaError_t set_work(enum call_id call, cudaGraphExec_t exec, cudaGraphNode_t node,
                            const struct cudaGraphNodeParams *p)
{
    API_ENTERED(api_enter(call, &e));
    call_charge(node_cost(p) == COST_GRAPH_WORK ? COST_GRAPH_SET : COST_GRAPH_NODE);
    API_TRY(newer_fields(p));
    struct exec_node *n = p ? target(exec, node, p->type) : NULL;
    API_REFUSE_IF(n && n->type == cudaGraphNodeTypeConditional, cudaErrorNotSupported);
    if (n && n->type == cudaGraphNodeTypeGraph && graph_of(p->graph.graph))
        return api_leave(exec_set_child(exec_of(exec), node_of(node), graph_of(p->graph.graph)));
    if (n && (int)n->type == NODE_BATCH)
        return api_leave(set_batch(exec_of(exec), node_of(node), p));
    bool for_device = n && exec_of(exec)->flags & cudaGraphInstantiateFlagDeviceLaunch;
    return api_leave(n ? replace(n, p, for_device) : cudaErrorInvalidValue);
}

EXPORT cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                              struct cudaGraphNodeParams *p)
{
    return set_work(CALL_cudaGraphExecNodeSetParams, exec, node, p);
}

#define SETS(call, given, params_of)                                                               \
    EXPORT cudaError_t call(cudaGraphExec_t exec, cudaGraphNode_t node, const struct given *g)     \
    {                                                                                              \
        struct cudaGraphNodeParams p = g ? params_of(g) : (struct cudaGraphNodeParams){0};         \
        return set_work(CALL_##call, exec, node, g ? &p : NULL);                                   \
    }
SETS(cudaGraphExecKernelNodeSetParams, cudaKernelNodeParams, params_of_kernel)
SETS(cudaGraphExecMemcpyNodeSetParams, cudaMemcpy3DParms, params_of_memcpy)
SETS(cudaGraphExecMemsetNodeSetParams, cudaMemsetParams, params_of_memset)
SETS(cudaGraphExecHostNodeSetParams, cudaHostNodeParams, params_of_host)

EXPORT cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                      void *dst, const void *src, size_t bytes,
                                                      enum cudaMemcpyKind kind)
{
    struct cudaGraphNodeParams p = params_of_memcpy_1d(dst, src, bytes, kind);
    return set_work(CALL_cudaGraphExecMemcpyNodeSetParams1D, exec, node, &p);
}

EXPORT cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                        cudaEvent_t event)
{
    struct cudaGraphNodeParams p = params_of_record(event);
    return set_work(CALL_cudaGraphExecEventRecordNodeSetEvent, exec, node, &p);
}

EXPORT cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                      cudaEvent_t event)
{
    struct cudaGraphNodeParams p = params_of_wait(event);
    return set_work(CALL_cudaGraphExecEventWaitNodeSetEvent, exec, node, &p);
}

static bool can_be_disabled(enum cudaGraphNodeType type)
{
    return type == cudaGraphNodeTypeKernel || type == cudaGraphNodeTypeMemcpy ||
           type == cudaGraphNodeTypeMemset;
}

static struct exec_node *switchable(cudaGraphExec_t exec, cudaGraphNode_t node)
{
    struct exec *x = exec_given(exec);
    if (x)
        exec_before_change(x);
    struct exec_node *n = x ? exec_find(x, node_given(node)) : NULL;
    return n && can_be_disabled(n->type) ? n : NULL;
}

EXPORT cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           unsigned enabled)
{
    API_ENTER_EARLY(cudaGraphNodeSetEnabled, thread_self()->in_host_func ? EARLY : NOT_EARLY,
                    cudaErrorInvalidValue);
    struct exec_node *n = switchable(exec, node);
    API_REFUSE_IF(!n, cudaErrorInvalidValue);
    struct exec *x = exec_of(exec);
    if (x->uploaded && n->disabled == (enabled != 0))
        x->owed_us += cost_switch_us(enabled);
    n->disabled = n->host_disabled = !enabled;
    n->host_changed = true;
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           unsigned *enabled)
{
    API_ENTER_EARLY(cudaGraphNodeGetEnabled, thread_self()->in_host_func ? EARLY : NOT_EARLY,
                    cudaErrorInvalidValue);
    const struct exec_node *n = switchable(exec, node);
    API_REFUSE_IF(!n || !enabled, cudaErrorInvalidValue);
    *enabled = !n->host_disabled;
    return api_leave(cudaSuccess);
}
