/*
 * situations_node_edges.c: dependencies, edge data, and the calls that list nodes and edges.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "situations_graphs.h"
#include "situations_kernels.h"

SITUATION(
    create_flags,
    "cudaGraphCreate with flags 1; with a NULL out; cudaGraphDestroy(NULL); nodes of a NULL graph")
{
    cudaGraph_t g = NULL;
    size_t n = 5;
    answer(cudaGraphCreate(&g, 1));
    answer(cudaGraphCreate(NULL, 0));
    answer(cudaGraphDestroy(NULL));
    answer(cudaGraphGetNodes(NULL, NULL, &n));
    answer(cudaGraphGetNodes(new_graph(), NULL, NULL));
}

SITUATION(deps_bad, "cudaGraphAddEmptyNode with a dependency of another graph; the same dependency "
                    "twice; NULL array of 1; a NULL node; NULL out; count after")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t a = add_empty(g, NULL), other = add_empty(new_graph(), NULL), twice[] = {a, a},
                    none[] = {NULL}, n;
    answer(cudaGraphAddEmptyNode(&n, g, &other, 1));
    answer(cudaGraphAddEmptyNode(&n, g, twice, 2));
    answer(cudaGraphAddEmptyNode(&n, g, NULL, 1));
    answer(cudaGraphAddEmptyNode(&n, g, none, 1));
    answer(cudaGraphAddEmptyNode(NULL, g, NULL, 0));
    answer_text("%zu", node_count(g));
}

SITUATION(edges_partly, "cudaGraphAddDependencies of two edges, the second a duplicate: error; how "
                        "many edges there are then")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t a = add_empty(g, NULL), b = add_empty(g, a), c = add_empty(g, NULL);
    cudaGraphNode_t from[] = {a, a}, to[] = {c, b};
    answer(cudaGraphAddDependencies(g, from, to, NULL, 2));
    answer_edges(g);
    to[1] = c;
    answer(cudaGraphAddDependencies(g, from, to, NULL, 2));
    answer_edges(g);
}

SITUATION(remove_edges, "cudaGraphRemoveDependencies of an edge; of it again; with a node of "
                        "another graph; of two, the second absent: edges")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t a = add_empty(g, NULL), b = add_empty(g, a), c = add_empty(g, b),
                    other = add_empty(new_graph(), NULL);
    cudaGraphNode_t from[] = {b, a}, to[] = {c, c};
    answer(cudaGraphRemoveDependencies(g, &a, &b, NULL, 1));
    answer(cudaGraphRemoveDependencies(g, &a, &b, NULL, 1));
    answer(cudaGraphRemoveDependencies(g, &a, &other, NULL, 1));
    answer(cudaGraphRemoveDependencies(g, from, to, NULL, 2));
    answer_edges(g);
}

SITUATION(short_buffers, "cudaGraphGetNodes with room for 2 of 4, for 6 of 4: count and NULLs; "
                         "cudaGraphGetEdges with room for 1 of 3; with from but no to")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t a = add_empty(g, NULL), from[6], to[6], got[6];
    add_empty(g, a);
    add_empty(g, a);
    add_empty(g, a);
    size_t n = 2;
    answer(cudaGraphGetNodes(g, got, &n));
    answer_text("%zu", n);
    n = 6;
    memset(got, 1, sizeof got);
    answer(cudaGraphGetNodes(g, got, &n));
    answer_text("%zu %s", n, got[5] ? "kept" : "NULL");
    n = 1;
    answer(cudaGraphGetEdges(g, from, to, NULL, &n));
    answer_text("%zu", n);
    n = 6;
    memset(from, 1, sizeof from);
    answer(cudaGraphGetEdges(g, from, to, NULL, &n));
    answer_text("%zu %s", n, from[5] ? "kept" : "NULL");
    answer(cudaGraphGetEdges(g, from, NULL, NULL, &n));
}

SITUATION(deps_query, "cudaGraphNodeGetDependencies of a join of 3: count, with room for 2, for 5; "
                      "dependents of a sink; of a NULL node")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t deps[3], join, got[5];
    for (int i = 0; i < 3; i++)
        deps[i] = add_empty(g, NULL);
    MUST(cudaGraphAddEmptyNode(&join, g, deps, 3));
    size_t n = 99;
    answer(cudaGraphNodeGetDependencies(join, NULL, NULL, &n));
    answer_text("%zu", n);
    n = 2;
    answer(cudaGraphNodeGetDependencies(join, got, NULL, &n));
    answer_text("%zu", n);
    n = 5;
    memset(got, 1, sizeof got);
    answer(cudaGraphNodeGetDependencies(join, got, NULL, &n));
    answer_text("%zu %s", n, got[4] ? "kept" : "NULL");
    answer(cudaGraphNodeGetDependentNodes(join, NULL, NULL, &n));
    answer_text("%zu", n);
    answer(cudaGraphNodeGetDependencies(NULL, NULL, NULL, &n));
    answer(cudaGraphNodeGetDependencies(join, NULL, NULL, NULL));
}

SITUATION(
    roots,
    "cudaGraphGetRootNodes of an empty graph; of a graph with 3 roots with room for 2; of a cycle")
{
    cudaGraph_t g = new_graph(), h = new_graph();
    cudaGraphNode_t got[4];
    size_t n = 4;
    answer(cudaGraphGetRootNodes(g, got, &n));
    answer_text("%zu", n);
    for (int i = 0; i < 3; i++)
        add_empty(g, NULL);
    n = 2;
    answer(cudaGraphGetRootNodes(g, got, &n));
    answer_text("%zu", n);
    cudaGraphNode_t a = add_empty(h, NULL), b = add_empty(h, a);
    add_edge(h, b, a);
    answer(cudaGraphGetRootNodes(h, NULL, &n));
    answer_text("%zu", n);
}

static const cudaGraphEdgeData programmatic = {.from_port = 1,
                                               .type = cudaGraphDependencyTypeProgrammatic};

SITUATION(edge_data, "edge data between kernels: port 1 programmatic; port 1 default type; port 2 "
                     "programmatic; type 5; reserved bytes set; to_port 1")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(64);
    cudaGraphNode_t a = add_store(g, NULL, p, 1);
    cudaGraphEdgeData d[6] = {programmatic, {.from_port = 1},  {.from_port = 2, .type = 1},
                              {.type = 5},  {.reserved = {1}}, {.to_port = 1}};
    for (int i = 0; i < 6; i++) {
        cudaGraphNode_t b = add_store(g, NULL, p, 1);
        answer(cudaGraphAddDependencies(g, &a, &b, &d[i], 1));
    }
    answer_shape(g);
}

SITUATION(edge_data_kinds,
          "a programmatic edge from a memset to a kernel; from a kernel to a memset; from a kernel "
          "to an empty node; port 2 from a kernel to a memset")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(64);
    cudaGraphNode_t k = add_store(g, NULL, p, 1), m = add_memset(g, NULL, p, 1),
                    k2 = add_store(g, NULL, p, 1), e = add_empty(g, NULL);
    cudaGraphEdgeData two = {.from_port = 2};
    answer(cudaGraphAddDependencies(g, &m, &k2, &programmatic, 1));
    answer(cudaGraphAddDependencies(g, &k, &m, &programmatic, 1));
    answer(cudaGraphAddDependencies(g, &k, &e, &programmatic, 1));
    answer(cudaGraphAddDependencies(g, &k, &m, &two, 1));
}

SITUATION(edge_data_query,
          "a graph with one programmatic edge: cudaGraphGetEdges and cudaGraphNodeGetDependencies "
          "without room for edge data, with it; removed without data, with it")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(64);
    cudaGraphNode_t a = add_store(g, NULL, p, 1), b = add_store(g, NULL, p, 1), from[2], to[2];
    cudaGraphEdgeData d[2];
    MUST(cudaGraphAddDependencies(g, &a, &b, &programmatic, 1));
    size_t n = 2;
    answer(cudaGraphGetEdges(g, from, to, NULL, &n));
    answer(cudaGraphNodeGetDependencies(b, from, NULL, &n));
    n = 2;
    answer(cudaGraphGetEdges(g, from, to, d, &n));
    answer_text("%zu %d %d %d", n, d[0].from_port, d[0].to_port, d[0].type);
    answer(cudaGraphRemoveDependencies(g, &a, &b, NULL, 1));
    answer(cudaGraphRemoveDependencies(g, &a, &b, &programmatic, 1));
    answer_run(new_exec(g));
}
