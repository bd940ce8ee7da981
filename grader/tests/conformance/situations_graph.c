/*
 * situations_graph.c: graphs as such: making, destroying and asking about them.
 */
#include <stdint.h>
#include <stdlib.h>

#include "situations_graphs.h"

SITUATION(graph_create, "cudaGraphCreate with a NULL result; with flags 1; get last error; NULL "
                        "graph destroyed")
{
    cudaGraph_t g = NULL;
    answer(cudaGraphCreate(NULL, 0));
    answer(cudaGraphCreate(&g, 1));
    answer(cudaGetLastError());
    answer(cudaGraphDestroy(NULL));
    answer(cudaGetLastError());
}

SITUATION(graph_destroy_twice, "cudaGraphDestroy twice")
{
    answer(cudaGraphDestroy(destroyed_graph()));
}

SITUATION(graph_destroyed_nodes, "cudaGraphGetNodes of a destroyed graph")
{
    size_t n = 9;
    answer(cudaGraphGetNodes(destroyed_graph(), NULL, &n));
}

SITUATION(graph_destroyed_add, "cudaGraphAddEmptyNode to a destroyed graph")
{
    cudaGraphNode_t n;
    answer(cudaGraphAddEmptyNode(&n, destroyed_graph(), NULL, 0));
}

SITUATION(graph_destroyed_instantiate, "cudaGraphInstantiate of a destroyed graph")
{
    cudaGraphExec_t x;
    answer(cudaGraphInstantiate(&x, destroyed_graph(), 0));
}

SITUATION(graph_destroyed_clone, "cudaGraphClone of a destroyed graph")
{
    cudaGraph_t c;
    answer(cudaGraphClone(&c, destroyed_graph()));
}

SITUATION(graph_node_destroyed_twice, "cudaGraphDestroyNode twice")
{
    answer(cudaGraphDestroyNode(destroyed_node()));
}

SITUATION(graph_nulls, "NULL graph or node: nodes; roots; edges; type; dependencies; dependents; "
                       "destroy node; add an empty node; clone; instantiate")
{
    size_t n = 0;
    enum cudaGraphNodeType type;
    cudaGraphNode_t node;
    cudaGraph_t copy;
    cudaGraphExec_t x;
    answer(cudaGraphGetNodes(NULL, NULL, &n));
    answer(cudaGraphGetRootNodes(NULL, NULL, &n));
    answer(cudaGraphGetEdges(NULL, NULL, NULL, NULL, &n));
    answer(cudaGraphNodeGetType(NULL, &type));
    answer(cudaGraphNodeGetDependencies(NULL, NULL, NULL, &n));
    answer(cudaGraphNodeGetDependentNodes(NULL, NULL, NULL, &n));
    answer(cudaGraphDestroyNode(NULL));
    answer(cudaGraphAddEmptyNode(&node, NULL, NULL, 0));
    answer(cudaGraphClone(&copy, NULL));
    answer(cudaGraphInstantiate(&x, NULL, 0));
}

SITUATION(graph_null_results, "NULL results: nodes; roots; edges; type; dependencies; add an "
                              "empty node; clone; instantiate; find in clone")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = add_empty(g, NULL);
    answer(cudaGraphGetNodes(g, NULL, NULL));
    answer(cudaGraphGetRootNodes(g, NULL, NULL));
    answer(cudaGraphGetEdges(g, NULL, NULL, NULL, NULL));
    answer(cudaGraphNodeGetType(n, NULL));
    answer(cudaGraphNodeGetDependencies(n, NULL, NULL, NULL));
    answer(cudaGraphAddEmptyNode(NULL, g, NULL, 0));
    answer_shape(g);
    answer(cudaGraphClone(NULL, g));
    answer(cudaGraphInstantiate(NULL, g, 0));
    answer(cudaGraphNodeFindInClone(NULL, n, g));
}

/* ---- arrays that are filled ------------------------------------------------------------------ */

static void answer_array(cudaError_t e, cudaGraphNode_t *nodes, size_t room, size_t n)
{
    char text[32] = "";
    for (size_t i = 0; i < room && i < 8; i++)
        text[i] = nodes[i] == NULL ? '0' : nodes[i] == (cudaGraphNode_t)(uintptr_t)9 ? '-' : 'n';
    answer_text("%s %zu %s", error_text(e), n, text);
}

static void fill(cudaGraphNode_t *nodes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        nodes[i] = (cudaGraphNode_t)(uintptr_t)9;
}

SITUATION(graph_get_nodes, "cudaGraphGetNodes of 3 nodes with room for 0; 2; 3; 5; number alone")
{
    static const size_t rooms[] = {0, 2, 3, 5};
    cudaGraph_t g = new_graph();
    cudaGraphNode_t nodes[5];
    size_t n;
    for (int i = 0; i < 3; i++)
        add_empty(g, NULL);
    for (int i = 0; i < 4; i++) {
        fill(nodes, 5);
        n = rooms[i];
        cudaError_t e = cudaGraphGetNodes(g, nodes, &n);
        answer_array(e, nodes, 5, n);
    }
    n = 1;
    answer(cudaGraphGetNodes(g, NULL, &n));
    answer_text("%zu", n);
}

SITUATION(graph_get_roots, "cudaGraphGetRootNodes of 2 roots of 3 nodes with room for 0; 1; 2; 5")
{
    static const size_t rooms[] = {0, 1, 2, 5};
    cudaGraph_t g = new_graph();
    cudaGraphNode_t nodes[5];
    add_empty(g, add_empty(g, NULL));
    add_empty(g, NULL);
    for (int i = 0; i < 4; i++) {
        fill(nodes, 5);
        size_t n = rooms[i];
        cudaError_t e = cudaGraphGetRootNodes(g, nodes, &n);
        answer_array(e, nodes, 5, n);
    }
}

SITUATION(graph_get_edges, "cudaGraphGetEdges of 2 edges with room for 0; 1; 2; 4; only from; "
                           "only to")
{
    static const size_t rooms[] = {0, 1, 2, 4};
    cudaGraph_t g = new_graph();
    cudaGraphNode_t from[4], to[4];
    size_t n;
    add_empty(g, add_empty(g, add_empty(g, NULL)));
    for (int i = 0; i < 4; i++) {
        fill(from, 4);
        fill(to, 4);
        n = rooms[i];
        cudaError_t e = cudaGraphGetEdges(g, from, to, NULL, &n);
        answer_array(e, from, 4, n);
        answer_array(e, to, 4, n);
    }
    n = 4;
    answer(cudaGraphGetEdges(g, from, NULL, NULL, &n));
    answer(cudaGraphGetEdges(g, NULL, to, NULL, &n));
}

SITUATION(graph_get_dependencies, "cudaGraphNodeGetDependencies of 2 with room for 0; 1; 4; "
                                  "dependents of 2 with room for 1; 4")
{
    static const size_t rooms[] = {0, 1, 4};
    cudaGraph_t g = new_graph();
    cudaGraphNode_t a = add_empty(g, NULL), b = add_empty(g, NULL), nodes[4];
    cudaGraphNode_t c = add_empty(g, a), d = add_empty(g, a);
    add_edge(g, b, c);
    for (int i = 0; i < 3; i++) {
        fill(nodes, 4);
        size_t n = rooms[i];
        cudaError_t e = cudaGraphNodeGetDependencies(c, nodes, NULL, &n);
        answer_array(e, nodes, 4, n);
    }
    for (int i = 1; i < 3; i++) {
        fill(nodes, 4);
        size_t n = rooms[i];
        cudaError_t e = cudaGraphNodeGetDependentNodes(a, nodes, NULL, &n);
        answer_array(e, nodes, 4, n);
    }
    (void)d;
}

SITUATION(graph_order_of_nodes, "nodes, roots, edges and dependencies are listed in the order of "
                                "their making, or not: of a node destroyed and others made after")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t a = add_empty(g, NULL), b = add_empty(g, NULL), c = add_empty(g, NULL);
    cudaGraphNode_t d = add_empty(g, NULL), nodes[8];
    size_t n = 8;
    add_edge(g, d, c);
    add_edge(g, a, c);
    add_edge(g, a, b);
    answer_edges(g);
    MUST(cudaGraphNodeGetDependencies(c, nodes, NULL, &n));
    for (size_t i = 0; i < n; i++)
        answer_text("%s", place_text(g, nodes[i]));
    n = 8;
    MUST(cudaGraphNodeGetDependentNodes(a, nodes, NULL, &n));
    for (size_t i = 0; i < n; i++)
        answer_text("%s", place_text(g, nodes[i]));
    MUST(cudaGraphDestroyNode(b));
    cudaGraphNode_t e = add_empty(g, NULL);
    answer_text("%s %s %s %s", place_text(g, a), place_text(g, c), place_text(g, d),
                place_text(g, e));
}

/* ---- destroying nodes ------------------------------------------------------------------------ */

SITUATION(graph_destroy_middle, "cudaGraphDestroyNode in the middle of a chain: shape, edges")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t a = add_empty(g, NULL), b = add_empty(g, a);
    add_empty(g, b);
    answer(cudaGraphDestroyNode(b));
    answer_shape(g);
    answer_edges(g);
}

SITUATION(graph_destroy_node_exec, "a node destroyed after instantiate: the exec still runs it; "
                                   "its parameters can be set in the exec")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL);
    cudaGraphNode_t n = add_memset(g, NULL, p, 6);
    cudaGraphExec_t x = new_exec(g);
    MUST(cudaGraphDestroyNode(n));
    answer_run(x);
    answer_text("%d", device_byte(p));
}

SITUATION(graph_destroy_kinds, "cudaGraphDestroyNode of a kernel, memcpy, memset, host, child, "
                               "record, alloc node; an alloc node with its free node")
{
    static const char *const kinds[] = {"kernel", "memcpy", "memset", "host",
                                        "child",  "record", "alloc"};
    cudaGraphNode_t n;
    for (int i = 0; i < 7; i++) {
        graph_of_one(kinds[i], &n);
        answer(cudaGraphDestroyNode(n));
    }
    void *p;
    cudaGraph_t g = new_graph();
    cudaGraphNode_t alloc = add_alloc(g, NULL, SMALL, &p), free = add_free(g, alloc, p);
    answer(cudaGraphDestroyNode(free));
    answer(cudaGraphDestroyNode(alloc));
    answer_shape(g);
}

/* ---- many ------------------------------------------------------------------------------------ */

SITUATION(graph_many, "a chain of 100000 empty nodes: shape; instantiate; launch")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = NULL;
    for (int i = 0; i < 100000; i++)
        n = add_empty(g, n);
    answer_shape(g);
    answer_run(new_exec(g));
    answer(cudaGraphDestroy(g));
}

SITUATION(graph_many_wide, "10000 memsets side by side between two empty nodes: shape; launch")
{
    cudaGraph_t g = new_graph();
    void *p = device_bytes(SMALL);
    cudaGraphNode_t first = add_empty(g, NULL), last = add_empty(g, NULL);
    for (int i = 0; i < 10000; i++)
        add_edge(g, add_memset(g, first, p, 1), last);
    answer_shape(g);
    answer_run(new_exec(g));
}

SITUATION(graph_many_dependencies, "a node that waits for 1000 others, all given at once: shape")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t nodes[1000], n;
    for (int i = 0; i < 1000; i++)
        nodes[i] = add_empty(g, NULL);
    answer(cudaGraphAddEmptyNode(&n, g, nodes, 1000));
    answer_shape(g);
}
