/* graph_semaphore_nodes.c: nodes that signal external semaphores or wait for them. The simulated
 * device cannot import any, so only nodes without semaphores are valid. */
#include <string.h>

#include "api.h"

static cudaError_t add(enum call_id call, cudaGraphNode_t *out, cudaGraph_t graph,
                       const cudaGraphNode_t *after, size_t n, struct cudaGraphNodeParams *p)
{
    API_ENTERED(api_enter(call, &e));
    return api_leave(p ? node_add(out, graph, after, NULL, n, p) : cudaErrorInvalidValue);
}

static cudaError_t set(enum call_id call, cudaGraphNode_t node, const struct cudaGraphNodeParams *p)
{
    API_ENTERED(api_enter(call, &e));
    return api_leave(p ? node_set(node, p) : cudaErrorInvalidValue);
}

static cudaError_t get(enum call_id call, cudaGraphNode_t node, enum cudaGraphNodeType type,
                       void *out, size_t bytes)
{
    API_ENTERED(api_enter(call, &e));
    const struct node *n = node_of(node);
    API_REFUSE_IF(!n || n->type != type || !out, cudaErrorInvalidValue);
    memset(out, 0, bytes);
    return api_leave(cudaSuccess);
}

static cudaError_t set_exec(enum call_id call, cudaGraphExec_t exec, cudaGraphNode_t node,
                            const struct cudaGraphNodeParams *p)
{
    struct work w;
    API_ENTERED(api_enter(call, &e));
    struct exec *x = exec_of(exec);
    const struct exec_node *n = x ? exec_find(x, node_of(node)) : NULL;
    return api_leave(!n || !p || n->type != p->type ? cudaErrorInvalidValue : node_work(&w, p));
}

/* ---- the calls, for nodes that signal and for nodes that wait -------------------------------- */

#define CALLS(Signal, field)                                                                       \
    static struct cudaGraphNodeParams params_of_##field(                                           \
        const struct cudaExternalSemaphore##Signal##NodeParams *p)                                 \
    {                                                                                              \
        struct cudaGraphNodeParams q = {.type = cudaGraphNodeTypeExtSemaphore##Signal};            \
        if (p)                                                                                     \
            q.field.numExtSems = p->numExtSems;                                                    \
        return q;                                                                                  \
    }                                                                                              \
    EXPORT cudaError_t cudaGraphAddExternalSemaphores##Signal##Node(                               \
        cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after, size_t n,           \
        const struct cudaExternalSemaphore##Signal##NodeParams *p)                                 \
    {                                                                                              \
        struct cudaGraphNodeParams q = params_of_##field(p);                                       \
        return add(CALL_cudaGraphAddExternalSemaphores##Signal##Node, out, graph, after, n,        \
                   p ? &q : NULL);                                                                 \
    }                                                                                              \
    EXPORT cudaError_t cudaGraphExternalSemaphores##Signal##NodeGetParams(                         \
        cudaGraphNode_t node, struct cudaExternalSemaphore##Signal##NodeParams *out)               \
    {                                                                                              \
        return get(CALL_cudaGraphExternalSemaphores##Signal##NodeGetParams, node,                  \
                   cudaGraphNodeTypeExtSemaphore##Signal, out, sizeof *out);                       \
    }                                                                                              \
    EXPORT cudaError_t cudaGraphExternalSemaphores##Signal##NodeSetParams(                         \
        cudaGraphNode_t node, const struct cudaExternalSemaphore##Signal##NodeParams *p)           \
    {                                                                                              \
        struct cudaGraphNodeParams q = params_of_##field(p);                                       \
        return set(CALL_cudaGraphExternalSemaphores##Signal##NodeSetParams, node, p ? &q : NULL);  \
    }                                                                                              \
    EXPORT cudaError_t cudaGraphExecExternalSemaphores##Signal##NodeSetParams(                     \
        cudaGraphExec_t exec, cudaGraphNode_t node,                                                \
        const struct cudaExternalSemaphore##Signal##NodeParams *p)                                 \
    {                                                                                              \
        struct cudaGraphNodeParams q = params_of_##field(p);                                       \
        return set_exec(CALL_cudaGraphExecExternalSemaphores##Signal##NodeSetParams, exec, node,   \
                        p ? &q : NULL);                                                            \
    }
CALLS(Signal, extSemSignal)
CALLS(Wait, extSemWait)
