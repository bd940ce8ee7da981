/* graph_edges.c: adding and removing edges. */
#include "../graphs.h"

SITUATION("cudaGraphAddDependencies: a self edge; an edge twice; NULL from; NULL to; none; to and "
          "from a NULL "
          "node; a node of another graph; NULL graph; edges")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t a = add_empty(g, NULL), b = add_empty(g, a), none = NULL;
    cudaGraphNode_t other = add_empty(new_graph(), NULL);
    gives(InvalidValue, cudaGraphAddDependencies(g, &a, &a, NULL, 1));
    gives(InvalidValue, cudaGraphAddDependencies(g, &a, &b, NULL, 1));
    gives(InvalidValue, cudaGraphAddDependencies(g, NULL, &b, NULL, 1));
    gives(InvalidValue, cudaGraphAddDependencies(g, &a, NULL, NULL, 1));
    answer(cudaGraphAddDependencies(g, NULL, NULL, NULL, 0));
    gives(InvalidValue, cudaGraphAddDependencies(g, &a, &none, NULL, 1));
    gives(InvalidValue, cudaGraphAddDependencies(g, &none, &b, NULL, 1));
    gives(InvalidValue, cudaGraphAddDependencies(g, &a, &other, NULL, 1));
    gives(InvalidValue, cudaGraphAddDependencies(g, &other, &b, NULL, 1));
    gives(InvalidValue, cudaGraphAddDependencies(NULL, &a, &b, NULL, 1));
    gives(InvalidValue, cudaGraphAddDependencies(NULL, NULL, NULL, NULL, 0));
    edges_are("0>1", g);
}

SITUATION("an edge that closes a cycle; of two nodes; of three; instantiate; result and error "
          "node; shape")
{
    cudaGraph_t g = new_graph(), h = new_graph();
    cudaGraphNode_t a = add_empty(g, NULL), b = add_empty(g, a);
    cudaGraphNode_t c = add_empty(h, NULL), d = add_empty(h, c), e = add_empty(h, d);
    cudaGraphExec_t x = NULL;
    cudaGraphInstantiateParams p = {0};
    answer(cudaGraphAddDependencies(g, &b, &a, NULL, 1));
    answer(cudaGraphAddDependencies(h, &e, &c, NULL, 1));
    gives(InvalidValue, cudaGraphInstantiate(&x, g, 0));
    gives(InvalidValue, cudaGraphInstantiateWithParams(&x, h, &p));
    shows("result 2, error node 2", "result %d, error %s", (int)p.result_out,
          place_text(h, p.errNode_out));
    shape_is("3 nodes, 3 edges, 0 roots", h);
}

SITUATION("cudaGraphAddDependencies of a good and a bad edge; bad first: which are there then; the "
          "same edge twice in one call")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t a = add_empty(g, NULL), b = add_empty(g, NULL), c = add_empty(g, NULL);
    cudaGraphNode_t from[] = {a, b}, to[] = {b, b};
    gives(InvalidValue, cudaGraphAddDependencies(g, from, to, NULL, 2));
    edges_are("no edges", g);
    cudaGraphNode_t from2[] = {b, a}, to2[] = {b, c};
    gives(InvalidValue, cudaGraphAddDependencies(g, from2, to2, NULL, 2));
    edges_are("no edges", g);
    cudaGraphNode_t from3[] = {b, b}, to3[] = {c, c};
    gives(InvalidValue, cudaGraphAddDependencies(g, from3, to3, NULL, 2));
    edges_are("1>2", g);
}

SITUATION("cudaGraphAddDependencies of a new edge and one that is there; the one that is there "
          "first; a node of another graph second: edges")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t a = add_empty(g, NULL), b = add_empty(g, a), c = add_empty(g, NULL);
    cudaGraphNode_t foreign = add_empty(new_graph(), NULL);
    cudaGraphNode_t from[] = {a, a}, to[] = {c, b};
    gives(InvalidValue, cudaGraphAddDependencies(g, from, to, NULL, 2));
    edges_are("0>1 0>2", g);
    cudaGraphNode_t from2[] = {a, b}, to2[] = {b, c};
    gives(InvalidValue, cudaGraphAddDependencies(g, from2, to2, NULL, 2));
    edges_are("0>1 0>2", g);
    cudaGraphNode_t from3[] = {b, a}, to3[] = {c, foreign};
    gives(InvalidValue, cudaGraphAddDependencies(g, from3, to3, NULL, 2));
    edges_are("0>1 0>2", g);
}

SITUATION("cudaGraphRemoveDependencies: an edge; again; one that never was; NULL; none; a self "
          "edge; with a node of another graph; a good and a bad one: edges")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t a = add_empty(g, NULL), b = add_empty(g, a), c = add_empty(g, b);
    cudaGraphNode_t other = add_empty(new_graph(), NULL);
    answer(cudaGraphRemoveDependencies(g, &a, &b, NULL, 1));
    gives(InvalidValue, cudaGraphRemoveDependencies(g, &a, &b, NULL, 1));
    gives(InvalidValue, cudaGraphRemoveDependencies(g, &c, &a, NULL, 1));
    gives(InvalidValue, cudaGraphRemoveDependencies(g, NULL, NULL, NULL, 1));
    answer(cudaGraphRemoveDependencies(g, NULL, NULL, NULL, 0));
    gives(InvalidValue, cudaGraphRemoveDependencies(g, &a, &a, NULL, 1));
    gives(InvalidValue, cudaGraphRemoveDependencies(g, &a, &other, NULL, 1));
    cudaGraphNode_t from[] = {b, a}, to[] = {c, c};
    gives(InvalidValue, cudaGraphRemoveDependencies(g, from, to, NULL, 2));
    edges_are("no edges", g);
}

SITUATION("adding a node after: the same node twice; NULL with n 1; a NULL node; a node of another "
          "graph; itself not there: shape")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t a = add_empty(g, NULL), n, none = NULL, other = add_empty(new_graph(), NULL);
    cudaGraphNode_t twice[] = {a, a};
    gives(InvalidValue, cudaGraphAddEmptyNode(&n, g, twice, 2));
    gives(InvalidValue, cudaGraphAddEmptyNode(&n, g, NULL, 1));
    gives(InvalidValue, cudaGraphAddEmptyNode(&n, g, &none, 1));
    gives(InvalidValue, cudaGraphAddEmptyNode(&n, g, &other, 1));
    shape_is("1 nodes, 0 edges, 1 roots", g);
}

SITUATION("an edge between a node of a graph and one inside its child; an edge inside the child by "
          "its own graph; by the parent")
{
    cudaGraph_t g = new_graph(), inner;
    cudaGraphNode_t e = add_empty(g, NULL), c = add_child(g, NULL, captured_memsets(2)), a, b;
    MUST(cudaGraphChildGraphNodeGetGraph(c, &inner));
    a = nth_node(inner, 0);
    b = add_empty(inner, NULL);
    gives(InvalidValue, cudaGraphAddDependencies(g, &e, &a, NULL, 1));
    gives(InvalidValue, cudaGraphAddDependencies(g, &a, &b, NULL, 1));
    answer(cudaGraphAddDependencies(inner, &a, &b, NULL, 1));
    shape_is("3 nodes, 2 edges, 1 roots", inner);
}
