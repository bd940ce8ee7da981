/*
 * graph_create.c: creating and destroying graphs and nodes, and calls with a NULL or destroyed
 * one.
 */
#include "../graphs.h"

SITUATION(graph_create,
          "cudaGraphCreate with a NULL result; with flags 1; get last error; NULL "
          "graph destroyed",
          "cudaGraphCreate(NULL, 0): InvalidValue", "cudaGraphCreate(&g, 1): InvalidValue",
          "cudaGetLastError: InvalidValue", "cudaGraphDestroy: InvalidValue",
          "cudaGetLastError #2: InvalidValue")
{
    cudaGraph_t g = NULL;
    answer(cudaGraphCreate(NULL, 0));
    answer(cudaGraphCreate(&g, 1));
    answer(cudaGetLastError());
    answer(cudaGraphDestroy(NULL));
    answer(cudaGetLastError());
}

SITUATION(graph_destroy_twice, "cudaGraphDestroy twice", "cudaGraphDestroy: InvalidValue")
{
    answer(cudaGraphDestroy(destroyed_graph()));
}

SITUATION(graph_destroyed_nodes, "cudaGraphGetNodes of a destroyed graph",
          "cudaGraphGetNodes: InvalidValue")
{
    size_t n = 9;
    answer(cudaGraphGetNodes(destroyed_graph(), NULL, &n));
}

SITUATION(graph_destroyed_add, "cudaGraphAddEmptyNode to a destroyed graph",
          "cudaGraphAddEmptyNode: InvalidValue")
{
    cudaGraphNode_t n;
    answer(cudaGraphAddEmptyNode(&n, destroyed_graph(), NULL, 0));
}

SITUATION(graph_destroyed_instantiate, "cudaGraphInstantiate of a destroyed graph",
          "cudaGraphInstantiate: InvalidValue")
{
    cudaGraphExec_t x;
    answer(cudaGraphInstantiate(&x, destroyed_graph(), 0));
}

SITUATION(graph_destroyed_clone, "cudaGraphClone of a destroyed graph",
          "cudaGraphClone: InvalidValue")
{
    cudaGraph_t c;
    answer(cudaGraphClone(&c, destroyed_graph()));
}

SITUATION(graph_node_destroyed_twice, "cudaGraphDestroyNode twice", CRASHES_ON_GPU,
          "cudaGraphDestroyNode: InvalidValue")
{
    answer(cudaGraphDestroyNode(destroyed_node()));
}

SITUATION(graph_nulls,
          "NULL graph or node: nodes; roots; edges; type; dependencies; dependents; "
          "destroy node; add an empty node; clone; instantiate",
          "cudaGraphGetNodes: InvalidValue", "cudaGraphGetRootNodes: InvalidValue",
          "cudaGraphGetEdges: InvalidValue", "cudaGraphNodeGetType: InvalidValue",
          "cudaGraphNodeGetDependencies: InvalidValue",
          "cudaGraphNodeGetDependentNodes: InvalidValue", "cudaGraphDestroyNode: InvalidValue",
          "cudaGraphAddEmptyNode: InvalidValue", "cudaGraphClone: InvalidValue",
          "cudaGraphInstantiate: InvalidValue")
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

SITUATION(graph_null_results,
          "NULL results: nodes; roots; edges; type; dependencies; add an "
          "empty node; clone; instantiate; find in clone",
          "cudaGraphGetNodes: InvalidValue", "cudaGraphGetRootNodes: InvalidValue",
          "cudaGraphGetEdges: InvalidValue", "cudaGraphNodeGetType: InvalidValue",
          "cudaGraphNodeGetDependencies: InvalidValue", "cudaGraphAddEmptyNode: InvalidValue",
          "shape: 1 nodes, 0 edges, 1 roots", "cudaGraphClone: InvalidValue",
          "cudaGraphInstantiate: InvalidValue", "cudaGraphNodeFindInClone: InvalidValue")
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

SITUATION(graph_destroy_middle, "cudaGraphDestroyNode in the middle of a chain: shape, edges",
          "shape: 2 nodes, 0 edges, 2 roots", "edges: no edges")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t a = add_empty(g, NULL), b = add_empty(g, a);
    add_empty(g, b);
    answer(cudaGraphDestroyNode(b));
    answer_shape(g);
    answer_edges(g);
}

SITUATION(graph_destroy_node_exec,
          "a node destroyed after instantiate: the exec still runs it; "
          "its parameters can be set in the exec",
          "device_byte: 6")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL);
    cudaGraphNode_t n = add_memset(g, NULL, p, 6);
    cudaGraphExec_t x = new_exec(g);
    MUST(cudaGraphDestroyNode(n));
    answer_run(x);
    answer_text("%d", device_byte(p));
}

SITUATION(graph_destroy_kinds,
          "cudaGraphDestroyNode of a kernel, memcpy, memset, host, child, "
          "record, alloc node; an alloc node with its free node",
          "cudaGraphDestroyNode(n) #7: NotSupported", "cudaGraphDestroyNode(free): NotSupported",
          "cudaGraphDestroyNode(alloc): NotSupported", "shape: 2 nodes, 1 edges, 1 roots")
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

SITUATION(use_after, "calls with a destroyed graph: add a node, nodes, clone, instantiate, destroy",
          "cudaGraphAddEmptyNode: InvalidValue", "cudaGraphGetNodes: InvalidValue",
          "cudaGraphClone: InvalidValue", "cudaGraphInstantiate: InvalidValue",
          "cudaGraphDestroy: InvalidValue")
{
    cudaGraph_t g = destroyed_graph(), copy;
    cudaGraphNode_t n;
    cudaGraphExec_t x;
    size_t count;
    answer(cudaGraphAddEmptyNode(&n, g, NULL, 0));
    answer(cudaGraphGetNodes(g, NULL, &count));
    answer(cudaGraphClone(&copy, g));
    answer(cudaGraphInstantiate(&x, g, 0));
    answer(cudaGraphDestroy(g));
}

SITUATION(
    use_after_node,
    "calls with a destroyed node: type, dependencies, as a dependency, destroy, an edge from it",
    CRASHES_ON_GPU, "cudaGraphNodeGetType: InvalidValue",
    "cudaGraphNodeGetDependencies: InvalidValue", "cudaGraphAddEmptyNode: InvalidValue",
    "cudaGraphDestroyNode: InvalidValue", "cudaGraphAddDependencies: InvalidValue")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = add_empty(g, NULL), m = add_empty(g, NULL), k;
    enum cudaGraphNodeType type;
    size_t count;
    MUST(cudaGraphDestroyNode(n));
    answer(cudaGraphNodeGetType(n, &type));
    answer(cudaGraphNodeGetDependencies(n, NULL, NULL, &count));
    answer(cudaGraphAddEmptyNode(&k, g, &n, 1));
    answer(cudaGraphDestroyNode(n));
    answer(cudaGraphAddDependencies(g, &n, &m, NULL, 1));
}

SITUATION(handles_mixed,
          "a graph passed as an exec; an exec as a graph; a node as a graph; an event as a stream",
          "cudaGraphLaunch: InvalidValue", "cudaGraphGetNodes: InvalidValue",
          "cudaGraphExecDestroy: InvalidValue")
{
    cudaGraph_t g = new_graph();
    cudaGraphExec_t x = new_exec(g);
    cudaStream_t s = new_stream(0);
    size_t n;
    answer(cudaGraphLaunch((cudaGraphExec_t)(void *)g, s));
    answer(cudaGraphGetNodes((cudaGraph_t)(void *)x, NULL, &n));
    answer(cudaGraphExecDestroy((cudaGraphExec_t)(void *)g));
}

SITUATION(destroy_node,
          "cudaGraphDestroyNode: of a root with two dependents; NULL; a node inside "
          "a child graph; shape after",
          "shape: 3 nodes, 0 edges, 3 roots", "cudaGraphDestroyNode(NULL): InvalidValue",
          "node_count: 1")
{
    cudaGraph_t g = new_graph(), inner = NULL;
    cudaGraphNode_t a = add_empty(g, NULL);
    add_empty(g, a);
    add_empty(g, a);
    cudaGraphNode_t c = add_child(g, a, captured_memsets(2));
    answer(cudaGraphDestroyNode(a));
    answer_shape(g);
    answer(cudaGraphDestroyNode(NULL));
    MUST(cudaGraphChildGraphNodeGetGraph(c, &inner));
    answer(cudaGraphDestroyNode(nth_node(inner, 0)));
    answer_text("%zu", node_count(inner));
}

SITUATION(
    create_flags,
    "cudaGraphCreate with flags 1; with a NULL out; cudaGraphDestroy(NULL); nodes of a NULL graph",
    "cudaGraphCreate(&g, 1): InvalidValue", "cudaGraphCreate(NULL, 0): InvalidValue",
    "cudaGraphDestroy: InvalidValue", "cudaGraphGetNodes(NULL, &n): InvalidValue",
    "cudaGraphGetNodes(new_graph(), NULL): InvalidValue")
{
    cudaGraph_t g = NULL;
    size_t n = 5;
    answer(cudaGraphCreate(&g, 1));
    answer(cudaGraphCreate(NULL, 0));
    answer(cudaGraphDestroy(NULL));
    answer(cudaGraphGetNodes(NULL, NULL, &n));
    answer(cudaGraphGetNodes(new_graph(), NULL, NULL));
}
