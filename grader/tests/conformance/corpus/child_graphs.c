/* child_graphs.c: child graph nodes, and the graph inside one. */
#include "../graphs.h"

SITUATION("a child graph node copies: the child changed later; destroyed; nodes inside; run")
{
    cudaGraph_t g = new_graph(), child = new_graph(), inside = NULL;
    int *p = device_bytes(SMALL);
    add_memset(child, NULL, p, 4);
    cudaGraphNode_t n = add_child(g, NULL, child);
    add_letter(child, NULL, 'x');
    answer(cudaGraphChildGraphNodeGetGraph(n, &inside));
    shows("another handle", inside == child ? "same handle" : "another handle");
    types_are("memset", inside);
    MUST(cudaGraphDestroy(child));
    answer_run(new_exec(g));
    shows("4 ''", "%d '%s'", device_byte(p), host_log());
}

SITUATION("the graph inside a child node: add a node; set parameters; edges; then run; destroy a "
          "node of it")
{
    cudaGraph_t g = new_graph(), inside = NULL;
    int *p = device_bytes(SMALL);
    cudaGraph_t child = new_graph();
    add_memset(child, NULL, p, 4);
    cudaGraphNode_t n = add_child(g, NULL, child), first;
    MUST(cudaGraphChildGraphNodeGetGraph(n, &inside));
    first = nth_node(inside, 0);
    struct cudaMemsetParams m = memset_params(p, 6, SMALL);
    struct cudaHostNodeParams h = letter_params('c');
    cudaGraphNode_t added;
    answer(cudaGraphMemsetNodeSetParams(first, &m));
    answer(cudaGraphAddHostNode(&added, inside, &first, 1, &h));
    answer_run(new_exec(g));
    shows("6 'c'", "%d '%s'", device_byte(p), host_log());
    answer(cudaGraphDestroyNode(first));
    answer_run(new_exec(g));
    shows("'cc'", "'%s'", host_log());
}

SITUATION("the graph inside a child node: instantiate; clone; added as a child elsewhere; destroy")
{
    cudaGraph_t g = new_graph(), inside = NULL, copy = NULL;
    cudaGraphNode_t n = add_child(g, NULL, captured_memsets(2));
    cudaGraphExec_t x = NULL;
    MUST(cudaGraphChildGraphNodeGetGraph(n, &inside));
    gives(NotSupported, cudaGraphInstantiate(&x, inside, 0));
    answer(cudaGraphClone(&copy, inside));
    gives(NotSupported, cudaGraphAddChildGraphNode(&n, new_graph(), NULL, 0, inside));
    gives(InvalidValue, cudaGraphDestroy(inside));
}

SITUATION("cudaGraphNodeFindInClone of the original child's node in the graph inside the child "
          "node; of a node inside, in a clone of the outer graph's child")
{
    cudaGraph_t g = new_graph(), child = new_graph(), inside = NULL, copy, copy_inside;
    cudaGraphNode_t a = add_empty(child, NULL), found = NULL, n = add_child(g, NULL, child), m;
    MUST(cudaGraphChildGraphNodeGetGraph(n, &inside));
    answer(cudaGraphNodeFindInClone(&found, a, inside));
    shows("node 0", "%s", place_text(inside, found));
    MUST(cudaGraphClone(&copy, g));
    MUST(cudaGraphNodeFindInClone(&m, n, copy));
    MUST(cudaGraphChildGraphNodeGetGraph(m, &copy_inside));
    answer(cudaGraphNodeFindInClone(&found, nth_node(inside, 0), copy_inside));
    gives(InvalidValue, cudaGraphNodeFindInClone(&found, nth_node(inside, 0), copy));
}

SITUATION("a node after a child graph with two branches waits for both; an empty child between two "
          "nodes orders them")
{
    cudaGraph_t child = new_graph(), g = new_graph();
    add_letter(child, NULL, 'a');
    add_letter(child, add_gate(child), 'b');
    cudaGraphNode_t n = add_child(g, NULL, child);
    n = add_letter(g, n, 'c');
    n = add_child(g, n, new_graph());
    add_letter(g, n, 'd');
    answer_run(new_exec(g));
    const char *log = host_log();
    shows("cd last", "%c%c last", log[2], log[3]);
}

SITUATION("set the parameters of a node inside a child, in the exec, by the node of the graph "
          "inside; of the original child")
{
    cudaGraph_t g = new_graph(), child = new_graph(), inside;
    int *p = device_bytes(SMALL);
    cudaGraphNode_t a = add_memset(child, NULL, p, 4), n = add_child(g, NULL, child);
    cudaGraphExec_t x = new_exec(g);
    struct cudaMemsetParams m = memset_params(p, 9, SMALL);
    MUST(cudaGraphChildGraphNodeGetGraph(n, &inside));
    answer(cudaGraphExecMemsetNodeSetParams(x, nth_node(inside, 0), &m));
    answer_run(x);
    shows("9", "%d", device_byte(p));
    gives(InvalidValue, cudaGraphExecMemsetNodeSetParams(x, a, &m));
    answer(cudaGraphNodeSetEnabled(x, nth_node(inside, 0), 0));
    gives(InvalidValue, cudaGraphNodeSetEnabled(x, n, 0));
}

SITUATION("cudaGraphExecChildGraphNodeSetParams: the same shape with another value; another shape; "
          "the same graph; NULL; a node that is no child")
{
    cudaGraph_t g = new_graph(), child = new_graph(), like = new_graph();
    int *p = device_bytes(SMALL);
    add_memset(child, NULL, p, 4);
    add_memset(like, NULL, p, 5);
    cudaGraphNode_t n = add_child(g, NULL, child), other = add_empty(g, NULL);
    cudaGraphExec_t x = new_exec(g);
    answer(cudaGraphExecChildGraphNodeSetParams(x, n, like));
    answer_run(x);
    shows("5", "%d", device_byte(p));
    gives(GraphExecUpdateFailure, cudaGraphExecChildGraphNodeSetParams(x, n, captured_memsets(2)));
    answer(cudaGraphExecChildGraphNodeSetParams(x, n, child));
    gives(InvalidValue, cudaGraphExecChildGraphNodeSetParams(x, n, NULL));
    gives(InvalidValue, cudaGraphExecChildGraphNodeSetParams(x, other, like));
    answer_run(x);
    shows("4", "%d", device_byte(p));
}

SITUATION("child graph node: NULL; a graph with alloc nodes; an empty graph: run; a child graph "
          "with a cycle: add; instantiate; result")
{
    cudaGraph_t g = new_graph(), alloc = new_graph();
    cudaGraphNode_t n;
    void *p;
    add_alloc(alloc, NULL, SMALL, &p);
    gives(InvalidValue, cudaGraphAddChildGraphNode(&n, g, NULL, 0, NULL));
    gives(NotSupported, cudaGraphAddChildGraphNode(&n, g, NULL, 0, alloc));
    answer(cudaGraphAddChildGraphNode(&n, g, NULL, 0, new_graph()));
    answer_run(new_exec(g));
    g = new_graph();
    cudaGraph_t child = new_graph();
    cudaGraphNode_t a = add_empty(child, NULL), b = add_empty(child, a);
    cudaGraphExec_t x = NULL;
    cudaGraphInstantiateParams q = {0};
    add_edge(child, b, a);
    answer(cudaGraphAddChildGraphNode(&n, g, NULL, 0, child));
    gives(InvalidValue, cudaGraphInstantiateWithParams(&x, g, &q));
    shows("result 2 a node", "result %d %s", (int)q.result_out, q.errNode_out ? "a node" : "NULL");
}

SITUATION("child graph node: the graph itself, empty; of one node", CRASHES_ON_GPU)
{
    cudaGraph_t g = new_graph(), h = captured_memsets(1);
    cudaGraphNode_t n;
    gives(InvalidValue, cudaGraphAddChildGraphNode(&n, g, NULL, 0, g));
    shape_is("0 nodes, 0 edges, 0 roots", g);
    gives(InvalidValue, cudaGraphAddChildGraphNode(&n, h, NULL, 0, h));
    shape_is("1 nodes, 0 edges, 1 roots", h);
}
