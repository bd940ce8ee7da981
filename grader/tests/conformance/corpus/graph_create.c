/* graph_create.c: creating and destroying graphs and nodes, and calls with a NULL or destroyed
 * one. */
#include "../graphs.h"

SITUATION("cudaGraphCreate with a NULL result; with flags 1; get last error; NULL graph destroyed")
{
    cudaGraph_t g = NULL;
    gives(InvalidValue, cudaGraphCreate(NULL, 0));
    gives(InvalidValue, cudaGraphCreate(&g, 1));
    gives(InvalidValue, cudaGetLastError());
    gives(InvalidValue, cudaGraphDestroy(NULL));
    gives(InvalidValue, cudaGetLastError());
}

SITUATION("NULL graph or node: nodes; roots; edges; type; dependencies; dependents; destroy node; "
          "add an empty node; clone; instantiate")
{
    size_t n = 0;
    enum cudaGraphNodeType type;
    cudaGraphNode_t node;
    cudaGraph_t copy;
    cudaGraphExec_t x;
    gives(InvalidValue, cudaGraphGetNodes(NULL, NULL, &n));
    gives(InvalidValue, cudaGraphGetRootNodes(NULL, NULL, &n));
    gives(InvalidValue, cudaGraphGetEdges(NULL, NULL, NULL, NULL, &n));
    gives(InvalidValue, cudaGraphNodeGetType(NULL, &type));
    gives(InvalidValue, cudaGraphNodeGetDependencies(NULL, NULL, NULL, &n));
    gives(InvalidValue, cudaGraphNodeGetDependentNodes(NULL, NULL, NULL, &n));
    gives(InvalidValue, cudaGraphDestroyNode(NULL));
    gives(InvalidValue, cudaGraphAddEmptyNode(&node, NULL, NULL, 0));
    gives(InvalidValue, cudaGraphClone(&copy, NULL));
    gives(InvalidValue, cudaGraphInstantiate(&x, NULL, 0));
}

SITUATION("NULL results: nodes; roots; edges; type; dependencies; add an empty node; clone; "
          "instantiate; find in clone")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = add_empty(g, NULL);
    gives(InvalidValue, cudaGraphGetNodes(g, NULL, NULL));
    gives(InvalidValue, cudaGraphGetRootNodes(g, NULL, NULL));
    gives(InvalidValue, cudaGraphGetEdges(g, NULL, NULL, NULL, NULL));
    gives(InvalidValue, cudaGraphNodeGetType(n, NULL));
    gives(InvalidValue, cudaGraphNodeGetDependencies(n, NULL, NULL, NULL));
    gives(InvalidValue, cudaGraphAddEmptyNode(NULL, g, NULL, 0));
    shape_is("1 nodes, 0 edges, 1 roots", g);
    gives(InvalidValue, cudaGraphClone(NULL, g));
    gives(InvalidValue, cudaGraphInstantiate(NULL, g, 0));
    gives(InvalidValue, cudaGraphNodeFindInClone(NULL, n, g));
}

SITUATION("cudaGraphDestroyNode in the middle of a chain: shape, edges; of a root with two "
          "dependents; NULL; a node inside a child graph; shape after")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t a = add_empty(g, NULL), b = add_empty(g, a);
    add_empty(g, b);
    answer(cudaGraphDestroyNode(b));
    shape_is("2 nodes, 0 edges, 2 roots", g);
    edges_are("no edges", g);
    cudaGraph_t inner = NULL;
    g = new_graph();
    a = add_empty(g, NULL);
    add_empty(g, a);
    add_empty(g, a);
    cudaGraphNode_t c = add_child(g, a, captured_memsets(2));
    answer(cudaGraphDestroyNode(a));
    shape_is("3 nodes, 0 edges, 3 roots", g);
    gives(InvalidValue, cudaGraphDestroyNode(NULL));
    MUST(cudaGraphChildGraphNodeGetGraph(c, &inner));
    answer(cudaGraphDestroyNode(nth_node(inner, 0)));
    shows("1", "%zu", node_count(inner));
}

SITUATION("a node destroyed after instantiate: the exec still runs it; its parameters can be set "
          "in the exec")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL);
    cudaGraphNode_t n = add_memset(g, NULL, p, 6);
    cudaGraphExec_t x = new_exec(g);
    MUST(cudaGraphDestroyNode(n));
    answer_run(x);
    shows("6", "%d", device_byte(p));
}

SITUATION(
    "cudaGraphDestroyNode of a kernel, memcpy, memset, host, child, record, alloc node; an alloc "
    "node with its free node",
    "cudaGraphDestroyNode(n): Success; Success; Success; Success; Success; Success; NotSupported")
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
    gives(NotSupported, cudaGraphDestroyNode(free));
    gives(NotSupported, cudaGraphDestroyNode(alloc));
    shape_is("2 nodes, 1 edges, 1 roots", g);
}

SITUATION("calls with a destroyed graph: add a node, nodes, clone, instantiate, destroy")
{
    cudaGraph_t g = destroyed_graph(), copy;
    cudaGraphNode_t n;
    cudaGraphExec_t x;
    size_t count;
    gives(InvalidValue, cudaGraphAddEmptyNode(&n, g, NULL, 0));
    gives(InvalidValue, cudaGraphGetNodes(g, NULL, &count));
    gives(InvalidValue, cudaGraphClone(&copy, g));
    gives(InvalidValue, cudaGraphInstantiate(&x, g, 0));
    gives(InvalidValue, cudaGraphDestroy(g));
}

SITUATION(
    "calls with a destroyed node: type, dependencies, as a dependency, destroy, an edge from it",
    CRASHES_ON_GPU)
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = add_empty(g, NULL), m = add_empty(g, NULL), k;
    enum cudaGraphNodeType type;
    size_t count;
    MUST(cudaGraphDestroyNode(n));
    gives(InvalidValue, cudaGraphNodeGetType(n, &type));
    gives(InvalidValue, cudaGraphNodeGetDependencies(n, NULL, NULL, &count));
    gives(InvalidValue, cudaGraphAddEmptyNode(&k, g, &n, 1));
    gives(InvalidValue, cudaGraphDestroyNode(n));
    gives(InvalidValue, cudaGraphAddDependencies(g, &n, &m, NULL, 1));
}

SITUATION("a graph passed as an exec; an exec as a graph; a node as a graph; an event as a stream")
{
    cudaGraph_t g = new_graph();
    cudaGraphExec_t x = new_exec(g);
    cudaStream_t s = new_stream(0);
    size_t n;
    gives(InvalidValue, cudaGraphLaunch((cudaGraphExec_t)(void *)g, s));
    gives(InvalidValue, cudaGraphGetNodes((cudaGraph_t)(void *)x, NULL, &n));
    gives(InvalidValue, cudaGraphExecDestroy((cudaGraphExec_t)(void *)g));
}
