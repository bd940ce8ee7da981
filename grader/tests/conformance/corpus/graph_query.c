/* graph_query.c: listing nodes, roots, edges and dependencies. */
#include "../graphs.h"

static void answer_array(cudaError_t e, cudaGraphNode_t *nodes, size_t room, size_t n)
{
    char text[32] = "";
    for (size_t i = 0; i < room && i < 8; i++)
        text[i] = nodes[i] == NULL ? '0' : nodes[i] == (cudaGraphNode_t)(uintptr_t)9 ? '-' : 'n';
    answer_fact("answer_array", "%s %zu %s", error_text(e), n, text);
}

static void fill(cudaGraphNode_t *nodes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        nodes[i] = (cudaGraphNode_t)(uintptr_t)9;
}

SITUATION("cudaGraphGetNodes of 3 nodes with room for 0; 2; 3; 5; number alone; "
          "cudaGraphGetRootNodes of 2 roots with room for 0; 1; 2; 5",
          "answer_array: InvalidValue 0 -----; Success 2 nn---; Success 3 nnn--; Success 3 nnn00; "
          "InvalidValue 0 -----; Success 1 n----; Success 2 nn---; Success 2 nn000")
{
    static const size_t rooms[] = {0, 2, 3, 5}, of_roots[] = {0, 1, 2, 5};
    cudaGraph_t g = new_graph();
    cudaGraphNode_t nodes[5];
    size_t n;
    add_empty(g, add_empty(g, NULL));
    add_empty(g, NULL);
    for (int i = 0; i < 4; i++) {
        fill(nodes, 5);
        n = rooms[i];
        cudaError_t e = cudaGraphGetNodes(g, nodes, &n);
        answer_array(e, nodes, 5, n);
    }
    n = 1;
    answer(cudaGraphGetNodes(g, NULL, &n));
    shows("3", "%zu", n);
    for (int i = 0; i < 4; i++) {
        fill(nodes, 5);
        n = of_roots[i];
        cudaError_t e = cudaGraphGetRootNodes(g, nodes, &n);
        answer_array(e, nodes, 5, n);
    }
}

SITUATION("cudaGraphGetEdges of 2 edges with room for 0; 1; 2; 4; only from; only to",
          "answer_array: InvalidValue 0 ----; InvalidValue 0 ----; Success 1 n---; Success 1 n---; "
          "Success 2 nn--; Success 2 nn--; Success 2 nn00; Success 2 nn00")
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
    gives(InvalidValue, cudaGraphGetEdges(g, from, NULL, NULL, &n));
    gives(InvalidValue, cudaGraphGetEdges(g, NULL, to, NULL, &n));
}

SITUATION(
    "cudaGraphNodeGetDependencies of 2 with room for 0; 1; 4; dependents of 2 with room for 1; 4",
    "answer_array: InvalidValue 0 ----; Success 1 n---; Success 2 nn00; Success 1 n---; Success 2 "
    "nn00")
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

SITUATION("nodes, roots, edges and dependencies are listed in the order of their making, or not: "
          "of a node destroyed and others made after",
          "nodes[i]: node 3; node 0; node 2; node 1")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t a = add_empty(g, NULL), b = add_empty(g, NULL), c = add_empty(g, NULL);
    cudaGraphNode_t d = add_empty(g, NULL), nodes[8];
    size_t n = 8;
    add_edge(g, d, c);
    add_edge(g, a, c);
    add_edge(g, a, b);
    edges_are("0>2 0>1 3>2", g);
    MUST(cudaGraphNodeGetDependencies(c, nodes, NULL, &n));
    for (size_t i = 0; i < n; i++)
        answer_text("%s", place_text(g, nodes[i]));
    n = 8;
    MUST(cudaGraphNodeGetDependentNodes(a, nodes, NULL, &n));
    for (size_t i = 0; i < n; i++)
        answer_text("%s", place_text(g, nodes[i]));
    MUST(cudaGraphDestroyNode(b));
    cudaGraphNode_t e = add_empty(g, NULL);
    shows("node 0 node 1 node 2 node 3", "%s %s %s %s", place_text(g, a), place_text(g, c),
          place_text(g, d), place_text(g, e));
}

SITUATION("a chain of 100000 empty nodes: shape; instantiate; launch")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = NULL;
    for (int i = 0; i < 100000; i++)
        n = add_empty(g, n);
    shape_is("100000 nodes, 99999 edges, 1 roots", g);
    answer_run(new_exec(g));
    answer(cudaGraphDestroy(g));
}

SITUATION("10000 memsets side by side between two empty nodes: shape; launch")
{
    cudaGraph_t g = new_graph();
    void *p = device_bytes(SMALL);
    cudaGraphNode_t first = add_empty(g, NULL), last = add_empty(g, NULL);
    for (int i = 0; i < 10000; i++)
        add_edge(g, add_memset(g, first, p, 1), last);
    shape_is("10002 nodes, 20000 edges, 1 roots", g);
    answer_run(new_exec(g));
}

SITUATION("a node that waits for 1000 others, all given at once: shape")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t nodes[1000], n;
    for (int i = 0; i < 1000; i++)
        nodes[i] = add_empty(g, NULL);
    answer(cudaGraphAddEmptyNode(&n, g, nodes, 1000));
    shape_is("1001 nodes, 1000 edges, 1000 roots", g);
}

SITUATION("the root and sink of a fork and join by hand: roots, dependents of the root, "
          "dependencies of the sink, in order of adding")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t root = add_empty(g, NULL), a = add_empty(g, root), b = add_empty(g, root),
                    c = add_empty(g, root), got[4];
    cudaGraphNode_t deps[] = {c, a, b}, sink;
    size_t n = 4;
    MUST(cudaGraphAddEmptyNode(&sink, g, deps, 3));
    answer(cudaGraphNodeGetDependencies(sink, got, NULL, &n));
    shows("node 3 node 1 node 2", "%s %s %s", place_text(g, got[0]), place_text(g, got[1]),
          place_text(g, got[2]));
    n = 4;
    answer(cudaGraphNodeGetDependentNodes(root, got, NULL, &n));
    shows("node 1 node 2 node 3", "%s %s %s", place_text(g, got[0]), place_text(g, got[1]),
          place_text(g, got[2]));
    edges_are("0>1 0>2 0>3 1>4 2>4 3>4", g);
}
