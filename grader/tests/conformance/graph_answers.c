/* graph_answers.c: what a graph looks like, and what becomes of it, see graph_answers.h. */
#include "graph_answers.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t node_count(cudaGraph_t g)
{
    size_t n = 0;
    MUST(cudaGraphGetNodes(g, NULL, &n));
    return n;
}

static cudaGraphNode_t *all_nodes(cudaGraph_t g, size_t *n)
{
    *n = node_count(g);
    cudaGraphNode_t *nodes = calloc(*n + 1, sizeof *nodes);
    must(nodes ? cudaSuccess : cudaErrorMemoryAllocation, "calloc");
    if (*n)
        MUST(cudaGraphGetNodes(g, nodes, n));
    return nodes;
}

cudaGraphNode_t nth_node(cudaGraph_t g, size_t n)
{
    size_t total;
    cudaGraphNode_t *nodes = all_nodes(g, &total);
    cudaGraphNode_t node = n < total ? nodes[n] : NULL;
    free(nodes);
    return node;
}

static int place_in(cudaGraphNode_t *nodes, size_t n, cudaGraphNode_t node)
{
    for (size_t i = 0; i < n; i++)
        if (nodes[i] == node)
            return (int)i;
    return -1;
}

const char *place_text(cudaGraph_t g, cudaGraphNode_t node)
{
    enum { KEPT = 4 };
    static char texts[KEPT][16];
    static int next;
    char *text = texts[next++ % KEPT];
    size_t n;
    cudaGraphNode_t *nodes = all_nodes(g, &n);
    int at = place_in(nodes, n, node);
    free(nodes);
    if (!node)
        return "NULL";
    if (at < 0)
        return "other";
    sprintf(text, "node %d", at);
    return text;
}

const char *type_text(enum cudaGraphNodeType type)
{
    static const char *const names[] = {
        [cudaGraphNodeTypeKernel] = "kernel",   [cudaGraphNodeTypeMemcpy] = "memcpy",
        [cudaGraphNodeTypeMemset] = "memset",   [cudaGraphNodeTypeHost] = "host",
        [cudaGraphNodeTypeGraph] = "child",     [cudaGraphNodeTypeEmpty] = "empty",
        [cudaGraphNodeTypeWaitEvent] = "wait",  [cudaGraphNodeTypeEventRecord] = "record",
        [cudaGraphNodeTypeMemAlloc] = "alloc",  [cudaGraphNodeTypeMemFree] = "free",
        [cudaGraphNodeTypeConditional] = "cond"};
    return (size_t)type < sizeof names / sizeof names[0] && names[type] ? names[type] : "?";
}

/* ---- answers --------------------------------------------------------------------------------- */

void answer_shape_as(const char *expected, const char *source, cudaGraph_t g)
{
    size_t n = node_count(g), edges = 0, roots = 0;
    MUST(cudaGraphGetEdges(g, NULL, NULL, NULL, &edges));
    MUST(cudaGraphGetRootNodes(g, NULL, &roots));
    answer_fact_as(source, expected, "%zu nodes, %zu edges, %zu roots", n, edges, roots);
}

void answer_types_as(const char *expected, const char *source, cudaGraph_t g)
{
    char text[256] = "";
    size_t n;
    cudaGraphNode_t *nodes = all_nodes(g, &n);
    for (size_t i = 0; i < n && strlen(text) < sizeof text - 16; i++) {
        enum cudaGraphNodeType type;
        MUST(cudaGraphNodeGetType(nodes[i], &type));
        sprintf(text + strlen(text), "%s%s", i ? " " : "", type_text(type));
    }
    free(nodes);
    answer_fact_as(source, expected, "%s", n ? text : "no nodes");
}

void answer_edges_as(const char *expected, const char *source, cudaGraph_t g)
{
    enum { MOST = 32 };
    char text[256] = "";
    size_t n, n_edges = MOST;
    cudaGraphNode_t *nodes = all_nodes(g, &n), from[MOST], to[MOST];
    cudaGraphEdgeData data[MOST];
    MUST(cudaGraphGetEdges(g, from, to, data, &n_edges));
    for (size_t i = 0; i < n_edges && strlen(text) < sizeof text - 16; i++)
        sprintf(text + strlen(text), "%s%d>%d", i ? " " : "", place_in(nodes, n, from[i]),
                place_in(nodes, n, to[i]));
    free(nodes);
    answer_fact_as(source, expected, "%s", n_edges ? text : "no edges");
}

void answer_instantiate_with_as(const char *error, const char *result, cudaGraph_t g,
                                unsigned long long flags, cudaStream_t upload)
{
    cudaGraphExec_t x = NULL;
    cudaGraphInstantiateParams p;
    memset(&p, 0, sizeof p);
    p.flags = flags;
    p.uploadStream = upload;
    p.errNode_out = (cudaGraphNode_t)(uintptr_t)9;
    p.result_out = (cudaGraphInstantiateResult)9;
    answer_error(error, "cudaGraphInstantiateWithParams(&x, g, &p)",
                 cudaGraphInstantiateWithParams(&x, g, &p));
    answer_fact_as("instantiated", result, "result %d, error %s, %s", (int)p.result_out,
                   p.errNode_out == (cudaGraphNode_t)(uintptr_t)9 ? "untouched"
                                                                  : place_text(g, p.errNode_out),
                   x ? "exec" : "NULL");
}

bool answer_update_as(const char *expected, const char *source, cudaGraphExec_t x, cudaGraph_t to)
{
    cudaGraphExecUpdateResultInfo info;
    memset(&info, 0x5a, sizeof info);
    cudaError_t e = cudaGraphExecUpdate(x, to, &info);
    answer_fact_as(source, expected, "%s %d %s %s", error_text(e), (int)info.result,
                   place_text(to, info.errorNode), place_text(to, info.errorFromNode));
    return e == cudaSuccess;
}

void answer_run_as(const char *expected, const char *source, cudaGraphExec_t x)
{
    cudaStream_t s = nonblocking_stream();
    cudaError_t launch = cudaGraphLaunch(x, s), done = cudaStreamSynchronize(s);
    if (launch == done)
        answer_fact_as(source, expected, "%s", error_text(done));
    else
        answer_fact_as(source, expected, "%s then %s", error_text(launch), error_text(done));
}
