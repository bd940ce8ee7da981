/* graph_query.c: queries of the nodes and edges of a graph.
 *
 * All of them fill arrays of the caller in the same way. A NULL array asks for the number only. *n
 * is the size of the array on entry (not 0) and the number of elements written on return; the rest
 * of the array is filled with NULL. */
#include <string.h>

#include "api.h"

static bool has_data(const struct links *links)
{
    static const cudaGraphEdgeData none;
    for (int i = 0; i < links->n; i++)
        if (memcmp(&links->at[i].data, &none, sizeof none) != 0)
            return true;
    return false;
}

static cudaError_t fill_nodes(struct node *first, bool roots_only, cudaGraphNode_t *out, size_t *n)
{
    size_t found = 0, room = *n;
    for (struct node *m = first; m; m = m->next) {
        if (roots_only && m->in.n)
            continue;
        if (out && found < room)
            out[found] = (cudaGraphNode_t)m;
        found++;
    }
    if (!out) {
        *n = found;
        return cudaSuccess;
    }
    if (!room)
        return cudaErrorInvalidValue;
    for (size_t i = found; i < room; i++)
        out[i] = NULL;
    *n = found < room ? found : room;
    return cudaSuccess;
}

EXPORT cudaError_t cudaGraphGetNodes(cudaGraph_t handle, cudaGraphNode_t *nodes, size_t *n)
{
    API_ENTER(cudaGraphGetNodes);
    struct graph *g = graph_of(handle);
    return api_leave(g && n ? fill_nodes(g->nodes, false, nodes, n) : cudaErrorInvalidValue);
}

EXPORT cudaError_t cudaGraphGetRootNodes(cudaGraph_t handle, cudaGraphNode_t *nodes, size_t *n)
{
    API_ENTER(cudaGraphGetRootNodes);
    struct graph *g = graph_of(handle);
    return api_leave(g && n ? fill_nodes(g->nodes, true, nodes, n) : cudaErrorInvalidValue);
}

static cudaError_t fill_links(const struct links *links, cudaGraphNode_t *out,
                              cudaGraphEdgeData *data, size_t *n)
{
    size_t found = (size_t)links->n, room = *n;
    if (!out) {
        *n = found;
        return data ? cudaErrorInvalidValue : cudaSuccess;
    }
    if (!room)
        return cudaErrorInvalidValue;
    if (!data && has_data(links))
        return cudaErrorLossyQuery;
    for (size_t i = 0; i < room; i++) {
        out[i] = i < found ? (cudaGraphNode_t)links->at[i].node : NULL;
        if (data)
            data[i] = i < found ? links->at[i].data : (cudaGraphEdgeData){0};
    }
    *n = found < room ? found : room;
    return cudaSuccess;
}

EXPORT cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t handle, cudaGraphNode_t *nodes,
                                                cudaGraphEdgeData *data, size_t *n)
{
    API_ENTER(cudaGraphNodeGetDependencies);
    struct node *node = node_of(handle);
    return api_leave(node && n ? fill_links(&node->in, nodes, data, n) : cudaErrorInvalidValue);
}

EXPORT cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t handle, cudaGraphNode_t *nodes,
                                                  cudaGraphEdgeData *data, size_t *n)
{
    API_ENTER(cudaGraphNodeGetDependentNodes);
    struct node *node = node_of(handle);
    return api_leave(node && n ? fill_links(&node->out, nodes, data, n) : cudaErrorInvalidValue);
}

static cudaError_t fill_edges(const struct graph *g, cudaGraphNode_t *from, cudaGraphNode_t *to,
                              cudaGraphEdgeData *data, size_t *n)
{
    size_t found = 0, room = *n;
    if (!from != !to || (!from && data))
        return cudaErrorInvalidValue;
    if (!from) {
        *n = g->n_edges;
        return cudaSuccess;
    }
    if (!room)
        return cudaErrorInvalidValue;
    for (struct node *m = g->nodes; m; m = m->next) {
        if (!data && has_data(&m->out))
            return cudaErrorLossyQuery;
        for (int i = 0; i < m->out.n && found < room; i++, found++) {
            from[found] = (cudaGraphNode_t)m;
            to[found] = (cudaGraphNode_t)m->out.at[i].node;
            if (data)
                data[found] = m->out.at[i].data;
        }
    }
    for (size_t i = found; i < room; i++)
        from[i] = to[i] = NULL;
    *n = found;
    return cudaSuccess;
}

EXPORT cudaError_t cudaGraphGetEdges(cudaGraph_t handle, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                     cudaGraphEdgeData *data, size_t *n)
{
    API_ENTER(cudaGraphGetEdges);
    struct graph *g = graph_of(handle);
    return api_leave(g && n ? fill_edges(g, from, to, data, n) : cudaErrorInvalidValue);
}

EXPORT cudaError_t cudaGraphNodeGetType(cudaGraphNode_t handle, enum cudaGraphNodeType *type)
{
    API_ENTER(cudaGraphNodeGetType);
    struct node *n = node_of(handle);
    API_REFUSE_IF(!n || !type, cudaErrorInvalidValue);
    *type = n->type;
    return api_leave(cudaSuccess);
}
