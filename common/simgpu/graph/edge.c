/* edge.c: dependencies between the nodes of a graph. An edge is kept at both of its ends. */
#include <stdlib.h>
#include <string.h>

#include "graph.h"

/* ---- links ----------------------------------------------------------------------------------- */

void links_init(struct links *links)
{
    links->at = links->few;
    links->cap = sizeof links->few / sizeof links->few[0];
}

void links_free(struct links *links)
{
    if (links->at != links->few)
        free(links->at);
}

static void link_remove(struct links *links, int i)
{
    memmove(&links->at[i], &links->at[i + 1], (size_t)(links->n - i - 1) * sizeof links->at[0]);
    links->n--;
}

static int link_find(const struct links *links, const struct node *n)
{
    for (int i = 0; i < links->n; i++)
        if (links->at[i].node == n)
            return i;
    return -1;
}

static void link_add(struct links *links, struct node *n, const cudaGraphEdgeData *data)
{
    if (links->n == links->cap) {
        struct link *more = needed(malloc(2 * (size_t)links->cap * sizeof *more),
                                   "%d edges of a node", 2 * links->cap);
        memcpy(more, links->at, (size_t)links->n * sizeof *more);
        links_free(links);
        links->at = more;
        links->cap *= 2;
    }
    struct link link = {.node = n};
    if (data)
        link.data = *data;
    links->at[links->n++] = link;
}

static bool linked(const struct node *from, const struct node *to)
{
    return from->out.n < to->in.n ? link_find(&from->out, to) >= 0 : link_find(&to->in, from) >= 0;
}

/* ---- edges ----------------------------------------------------------------------------------- */

/* Data other than zero is for edges that leave a kernel before its end: programmatic ones, to
 * another kernel, from the port where the kernel says so or from its launch; or plain ones from its
 * launch. */
bool edge_data_fits(const cudaGraphEdgeData *data, enum cudaGraphNodeType from,
                    enum cudaGraphNodeType to)
{
    static const cudaGraphEdgeData none;
    if (memcmp(data, &none, sizeof none) == 0)
        return true;
    if (from != cudaGraphNodeTypeKernel || data->to_port ||
        memcmp(data->reserved, none.reserved, sizeof none.reserved))
        return false;
    if (data->type == cudaGraphDependencyTypeDefault)
        return data->from_port == cudaGraphKernelNodePortLaunchCompletion;
    return data->type == cudaGraphDependencyTypeProgrammatic && to == cudaGraphNodeTypeKernel &&
           (data->from_port == cudaGraphKernelNodePortProgrammatic ||
            data->from_port == cudaGraphKernelNodePortLaunchCompletion);
}

cudaError_t edge_add(struct node *from, struct node *to, const cudaGraphEdgeData *data)
{
    if (from == to || linked(from, to))
        return cudaErrorInvalidValue;
    link_add(&from->out, to, data);
    link_add(&to->in, from, data);
    from->graph->n_edges++;
    return cudaSuccess;
}

/* Two nodes have one edge at most: what its data are makes no difference. */
static cudaError_t edge_remove(struct node *from, struct node *to)
{
    int i = link_find(&from->out, to);
    if (i < 0)
        return cudaErrorInvalidValue;
    link_remove(&from->out, i);
    link_remove(&to->in, link_find(&to->in, from));
    from->graph->n_edges--;
    return cudaSuccess;
}

void edges_drop(struct node *n)
{
    for (int i = 0; i < n->in.n; i++)
        link_remove(&n->in.at[i].node->out, link_find(&n->in.at[i].node->out, n));
    for (int i = 0; i < n->out.n; i++)
        link_remove(&n->out.at[i].node->in, link_find(&n->out.at[i].node->in, n));
    n->graph->n_edges -= (size_t)n->in.n + (size_t)n->out.n;
}

/* ---- the calls ------------------------------------------------------------------------------- */

/* The ends of all edges are checked before the first is changed; then changes stop at the first
 * that fails. */
cudaError_t edges_change(cudaGraph_t handle, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                         size_t n, const cudaGraphEdgeData *data, bool add)
{
    struct graph *g = graph_of(handle);
    if (!g || (n && (!from || !to)))
        return cudaErrorInvalidValue;
    if (!add && g->n_memory_nodes)
        return cudaErrorNotSupported;
    for (size_t i = 0; i < n; i++) {
        const struct node *a = node_of(from[i]), *b = node_of(to[i]);
        if (!a || !b || a->graph != g || b->graph != g || a == b)
            return cudaErrorInvalidValue;
        if (add && data && !edge_data_fits(&data[i], a->type, b->type))
            return cudaErrorInvalidValue;
    }
    for (size_t i = 0; i < n; i++) {
        struct node *a = node_of(from[i]), *b = node_of(to[i]);
        TRY(add ? edge_add(a, b, data ? &data[i] : NULL) : edge_remove(a, b));
    }
    return cudaSuccess;
}
