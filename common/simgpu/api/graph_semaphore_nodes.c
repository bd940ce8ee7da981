/*
 * graph_semaphore_nodes.c: nodes that signal external semaphores or wait for them. The simulated
 * device cannot import any, so only nodes without semaphores are valid.
 */
#include <string.h>

#include "api.h"

static cudaError_t add(enum call_id call, cudaGraphNode_t *out, cudaGraph_t graph,
                       const cudaGraphNode_t *after, size_t n, struct cudaGraphNodeParams *p)
{
    cudaError_t e;
    if (!api_enter(call, &e))
        return e;
    return api_leave(p ? node_add(out, graph, after, NULL, n, p) : cudaErrorInvalidValue);
}

static cudaError_t set(enum call_id call, cudaGraphNode_t node, const struct cudaGraphNodeParams *p)
{
    cudaError_t e;
    if (!api_enter(call, &e))
        return e;
    return api_leave(p ? node_set(node, p) : cudaErrorInvalidValue);
}

static cudaError_t get(enum call_id call, cudaGraphNode_t node, enum cudaGraphNodeType type,
                       void *out, size_t bytes)
{
    cudaError_t e;
    if (!api_enter(call, &e))
        return e;
    const struct node *n = node_of(node);
    if (!n || n->type != type || !out)
        return api_leave(cudaErrorInvalidValue);
    memset(out, 0, bytes);
    return api_leave(cudaSuccess);
}

static cudaError_t set_exec(enum call_id call, cudaGraphExec_t exec, cudaGraphNode_t node,
                            const struct cudaGraphNodeParams *p)
{
    cudaError_t e;
    struct work w;
    if (!api_enter(call, &e))
        return e;
    struct exec *x = exec_of(exec);
    const struct exec_node *n = x ? exec_find(x, node_of(node)) : NULL;
    if (!n || !p || n->type != p->type)
        return api_leave(cudaErrorInvalidValue);
    return api_leave(node_work(&w, p));
}

/* ---- signal ---------------------------------------------------------------------------------- */

static struct cudaGraphNodeParams
semaphore_signal(const struct cudaExternalSemaphoreSignalNodeParams *p)
{
    struct cudaGraphNodeParams q = {.type = cudaGraphNodeTypeExtSemaphoreSignal};
    if (p)
        q.extSemSignal.numExtSems = p->numExtSems;
    return q;
}

EXPORT cudaError_t cudaGraphAddExternalSemaphoresSignalNode(
    cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after, size_t n,
    const struct cudaExternalSemaphoreSignalNodeParams *p)
{
    struct cudaGraphNodeParams q = semaphore_signal(p);
    return add(CALL_cudaGraphAddExternalSemaphoresSignalNode, out, graph, after, n, p ? &q : NULL);
}

EXPORT cudaError_t cudaGraphExternalSemaphoresSignalNodeGetParams(
    cudaGraphNode_t node, struct cudaExternalSemaphoreSignalNodeParams *out)
{
    return get(CALL_cudaGraphExternalSemaphoresSignalNodeGetParams, node,
               cudaGraphNodeTypeExtSemaphoreSignal, out, sizeof *out);
}

EXPORT cudaError_t cudaGraphExternalSemaphoresSignalNodeSetParams(
    cudaGraphNode_t node, const struct cudaExternalSemaphoreSignalNodeParams *p)
{
    struct cudaGraphNodeParams q = semaphore_signal(p);
    return set(CALL_cudaGraphExternalSemaphoresSignalNodeSetParams, node, p ? &q : NULL);
}

EXPORT cudaError_t cudaGraphExecExternalSemaphoresSignalNodeSetParams(
    cudaGraphExec_t exec, cudaGraphNode_t node,
    const struct cudaExternalSemaphoreSignalNodeParams *p)
{
    struct cudaGraphNodeParams q = semaphore_signal(p);
    return set_exec(CALL_cudaGraphExecExternalSemaphoresSignalNodeSetParams, exec, node,
                    p ? &q : NULL);
}

/* ---- wait ------------------------------------------------------------------------------------ */

static struct cudaGraphNodeParams
semaphore_wait(const struct cudaExternalSemaphoreWaitNodeParams *p)
{
    struct cudaGraphNodeParams q = {.type = cudaGraphNodeTypeExtSemaphoreWait};
    if (p)
        q.extSemWait.numExtSems = p->numExtSems;
    return q;
}

EXPORT cudaError_t cudaGraphAddExternalSemaphoresWaitNode(
    cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after, size_t n,
    const struct cudaExternalSemaphoreWaitNodeParams *p)
{
    struct cudaGraphNodeParams q = semaphore_wait(p);
    return add(CALL_cudaGraphAddExternalSemaphoresWaitNode, out, graph, after, n, p ? &q : NULL);
}

EXPORT cudaError_t cudaGraphExternalSemaphoresWaitNodeGetParams(
    cudaGraphNode_t node, struct cudaExternalSemaphoreWaitNodeParams *out)
{
    return get(CALL_cudaGraphExternalSemaphoresWaitNodeGetParams, node,
               cudaGraphNodeTypeExtSemaphoreWait, out, sizeof *out);
}

EXPORT cudaError_t cudaGraphExternalSemaphoresWaitNodeSetParams(
    cudaGraphNode_t node, const struct cudaExternalSemaphoreWaitNodeParams *p)
{
    struct cudaGraphNodeParams q = semaphore_wait(p);
    return set(CALL_cudaGraphExternalSemaphoresWaitNodeSetParams, node, p ? &q : NULL);
}

EXPORT cudaError_t cudaGraphExecExternalSemaphoresWaitNodeSetParams(
    cudaGraphExec_t exec, cudaGraphNode_t node, const struct cudaExternalSemaphoreWaitNodeParams *p)
{
    struct cudaGraphNodeParams q = semaphore_wait(p);
    return set_exec(CALL_cudaGraphExecExternalSemaphoresWaitNodeSetParams, exec, node,
                    p ? &q : NULL);
}
