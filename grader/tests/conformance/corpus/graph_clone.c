/* graph_clone.c: cudaGraphClone and cudaGraphNodeFindInClone. */
#include "../graphs.h"

SITUATION("a clone: types, edges; a node added to the original later; to the clone")
{
    cudaGraph_t g = new_graph(), copy;
    void *p = device_bytes(SMALL);
    add_letter(g, add_memset(g, add_empty(g, NULL), p, 1), 'a');
    answer(cudaGraphClone(&copy, g));
    types_are("empty memset host", copy);
    edges_are("0>1 1>2", copy);
    add_empty(g, NULL);
    shape_is("3 nodes, 2 edges, 1 roots", copy);
    add_empty(copy, NULL);
    add_empty(copy, NULL);
    shape_is("4 nodes, 2 edges, 2 roots", g);
}

SITUATION("cudaGraphNodeFindInClone: a node; one added later; in the original; in another graph; "
          "of a node of the clone; NULLs; of one of two clones; the clone of a clone, by the "
          "first's node; of a node that was destroyed in the clone")
{
    cudaGraph_t g = new_graph(), copy;
    cudaGraphNode_t a = add_empty(g, NULL), b = add_empty(g, a), found = NULL;
    MUST(cudaGraphClone(&copy, g));
    answer(cudaGraphNodeFindInClone(&found, b, copy));
    shows("node 1", "%s", place_text(copy, found));
    gives(InvalidValue, cudaGraphNodeFindInClone(&found, add_empty(g, NULL), copy));
    gives(InvalidValue, cudaGraphNodeFindInClone(&found, a, g));
    gives(InvalidValue, cudaGraphNodeFindInClone(&found, a, new_graph()));
    gives(InvalidValue, cudaGraphNodeFindInClone(&found, nth_node(copy, 0), copy));
    gives(InvalidValue, cudaGraphNodeFindInClone(&found, NULL, copy));
    gives(InvalidValue, cudaGraphNodeFindInClone(&found, a, NULL));
    gives(InvalidValue, cudaGraphNodeFindInClone(NULL, a, copy));
    cudaGraph_t second, third;
    MUST(cudaGraphClone(&second, g));
    MUST(cudaGraphClone(&third, copy));
    answer(cudaGraphNodeFindInClone(&found, b, second));
    shows("node 1", "%s", place_text(second, found));
    gives(InvalidValue, cudaGraphNodeFindInClone(&found, a, third));
    answer(cudaGraphNodeFindInClone(&found, nth_node(copy, 1), third));
    shows("node 1", "%s", place_text(third, found));
    MUST(cudaGraphNodeFindInClone(&found, a, copy));
    MUST(cudaGraphDestroyNode(found));
    gives(InvalidValue, cudaGraphNodeFindInClone(&found, a, copy));
}

SITUATION("cudaGraphClone of a graph with an alloc node; with alloc and free; with a free node "
          "alone; of one whose exec exists")
{
    cudaGraph_t g = new_graph(), h = new_graph(), i = new_graph(), copy = NULL;
    void *p, *q;
    cudaGraphNode_t a = add_alloc(g, NULL, SMALL, &p);
    gives(NotSupported, cudaGraphClone(&copy, g));
    add_free(i, NULL, p);
    gives(NotSupported, cudaGraphClone(&copy, i));
    a = add_alloc(h, NULL, SMALL, &q);
    add_free(h, a, q);
    gives(NotSupported, cudaGraphClone(&copy, h));
}

SITUATION("an exec of a graph, told to set a node of the graph's clone; an exec of the clone, a "
          "node of the original")
{
    cudaGraph_t g = new_graph(), copy;
    int *p = device_bytes(SMALL);
    cudaGraphNode_t n = add_memset(g, NULL, p, 5), m;
    struct cudaMemsetParams params = memset_params(p, 6, SMALL);
    MUST(cudaGraphClone(&copy, g));
    MUST(cudaGraphNodeFindInClone(&m, n, copy));
    gives(InvalidValue, cudaGraphExecMemsetNodeSetParams(new_exec(g), m, &params));
    gives(InvalidValue, cudaGraphExecMemsetNodeSetParams(new_exec(copy), n, &params));
}

SITUATION("a clone: find a node in it; change the clone's node: the original's value; the clone's")
{
    cudaGraph_t g = new_graph(), h = NULL;
    int *p = device_bytes(64);
    cudaGraphNode_t a = add_store(g, NULL, p, 1), in = NULL;
    answer(cudaGraphClone(&h, g));
    answer(cudaGraphNodeFindInClone(&in, a, h));
    struct cudaKernelNodeParams k = store_params(p, 2);
    answer(cudaGraphKernelNodeSetParams(in, &k));
    answer_run(new_exec(g));
    shows("1", "%d", device_int(p));
    answer_run(new_exec(h));
    shows("2", "%d", device_int(p));
}
