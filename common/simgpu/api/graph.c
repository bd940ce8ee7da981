/* graph.c: create, clone, destroy and print graphs; edges; handles of conditional nodes. */
#include <stdlib.h>

#include "api.h"

static cudaError_t make_condition(cudaGraphConditionalHandle *out, cudaGraph_t handle,
                                  unsigned initial, unsigned flags)
{
    struct graph *g = graph_of(handle);
    if (!out || !g || (flags & ~(unsigned)cudaGraphCondAssignDefault))
        return cudaErrorInvalidValue;
    struct conditional *c = calloc(1, sizeof *c);
    if (!c)
        return cudaErrorMemoryAllocation;
    g = graph_top(g);
    *c = (struct conditional){.handle = g->conditions ? g->conditions->handle + 1 : 1,
                              .initial = initial,
                              .has_default = flags & cudaGraphCondAssignDefault,
                              .device = thread_self()->device,
                              .next = g->conditions};
    g->conditions = c;
    *out = c->handle;
    return cudaSuccess;
}

API_CALL(cudaGraphConditionalHandleCreate,
         (cudaGraphConditionalHandle * out, cudaGraph_t graph, unsigned initial, unsigned flags),
         make_condition(out, graph, initial, flags))

#if CUDART_VERSION >= 13020
/* As documented, not asked of a GPU; without a context it is the call above. */
EXPORT cudaError_t cudaGraphConditionalHandleCreate_v2(cudaGraphConditionalHandle *out,
                                                       cudaGraph_t graph,
                                                       cudaExecutionContext_t context,
                                                       unsigned initial, unsigned flags)
{
    static bool said;
    API_ENTER(cudaGraphConditionalHandleCreate_v2);
    return api_leave(context ? error_not_modelled("a condition of an execution context", &said)
                             : make_condition(out, graph, initial, flags));
}
#endif

API_CALL(cudaGraphAddDependencies,
         (cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
          const cudaGraphEdgeData *data, size_t n),
         edges_change(graph, from, to, n, data, true))
API_CALL(cudaGraphRemoveDependencies,
         (cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
          const cudaGraphEdgeData *data, size_t n),
         edges_change(graph, from, to, n, data, false))

EXPORT cudaError_t cudaGraphCreate(cudaGraph_t *out, unsigned flags)
{
    API_ENTER(cudaGraphCreate);
    API_REFUSE_IF(!out || flags, cudaErrorInvalidValue);
    *out = (cudaGraph_t)graph_new(NULL);
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaGraphDestroy(cudaGraph_t handle)
{
    API_ENTER(cudaGraphDestroy);
    struct graph *g = graph_of(handle);
    API_REFUSE_IF(!g || g->parent, cudaErrorInvalidValue);
    API_REFUSE_IF(g->capture, cudaErrorIllegalState);
    thread_self()->clock += cost_graph_destroy(g->n_nodes);
    handle_remove(g);
    graph_put(g);
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaGraphDestroyNode(cudaGraphNode_t handle)
{
    API_ENTER(cudaGraphDestroyNode);
    struct node *n = node_of(handle);
    API_REFUSE_IF(!n, cudaErrorInvalidValue);
    API_REFUSE_IF(n->graph->capture, cudaErrorIllegalState);
    API_REFUSE_IF(n->graph->n_memory_nodes || n->updatable, cudaErrorNotSupported);
    node_destroy(n);
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaGraphClone(cudaGraph_t *out, cudaGraph_t handle)
{
    API_ENTER(cudaGraphClone);
    struct graph *g = graph_of(handle);
    API_REFUSE_IF(!out || !g, cudaErrorInvalidValue);
    API_REFUSE_IF(g->n_memory_nodes || !graph_is_plain(g) || g->n_updatable, cudaErrorNotSupported);
    *out = (cudaGraph_t)graph_clone(g, NULL);
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *out, cudaGraphNode_t original,
                                            cudaGraph_t clone)
{
    API_ENTER(cudaGraphNodeFindInClone);
    struct graph *g = graph_of(clone);
    struct node *n = node_of(original);
    API_REFUSE_IF(!out, cudaErrorInvalidValue);
    *out = NULL;
    API_REFUSE_IF(!g || !n || g->origin != n->graph->uid, cudaErrorInvalidValue);
    for (struct node *m = g->nodes; m; m = m->next)
        if (m->origin == n->uid) {
            *out = (cudaGraphNode_t)m;
            return api_leave(cudaSuccess);
        }
    return api_leave(cudaErrorInvalidValue);
}

EXPORT cudaError_t cudaGraphDebugDotPrint(cudaGraph_t handle, const char *path, unsigned flags)
{
    API_ENTER(cudaGraphDebugDotPrint);
    const struct graph *g = graph_of(handle);
    API_REFUSE_IF(!g || !path, cudaErrorInvalidValue);
    bool written = graph_print_dot(
        g, path, flags & (cudaGraphDebugDotFlagsVerbose | cudaGraphDebugDotFlagsKernelNodeParams));
    return api_leave(written ? cudaSuccess : cudaErrorOperatingSystem);
}
