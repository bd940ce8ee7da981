/*
 * situations_graph_clone.c: clones and child graphs.
 */
#include <stdlib.h>

#include "situations_graphs.h"

/* ---- clones ---------------------------------------------------------------------------------- */

SITUATION(clone_shape, "a clone: types, edges; a node added to the original later; to the clone")
{
    cudaGraph_t g = new_graph(), copy;
    void *p = device_bytes(SMALL);
    add_letter(g, add_memset(g, add_empty(g, NULL), p, 1), 'a');
    answer(cudaGraphClone(&copy, g));
    answer_types(copy);
    answer_edges(copy);
    add_empty(g, NULL);
    answer_shape(copy);
    add_empty(copy, NULL);
    add_empty(copy, NULL);
    answer_shape(g);
}

SITUATION(clone_find, "cudaGraphNodeFindInClone: a node; one added later; in the original; in "
                      "another graph; of a node of the clone; NULLs")
{
    cudaGraph_t g = new_graph(), copy;
    cudaGraphNode_t a = add_empty(g, NULL), b = add_empty(g, a), found = NULL;
    MUST(cudaGraphClone(&copy, g));
    answer(cudaGraphNodeFindInClone(&found, b, copy));
    answer_text("%s", place_text(copy, found));
    cudaGraphNode_t later = add_empty(g, NULL);
    answer(cudaGraphNodeFindInClone(&found, later, copy));
    answer(cudaGraphNodeFindInClone(&found, a, g));
    answer(cudaGraphNodeFindInClone(&found, a, new_graph()));
    answer(cudaGraphNodeFindInClone(&found, nth_node(copy, 0), copy));
    answer(cudaGraphNodeFindInClone(&found, NULL, copy));
    answer(cudaGraphNodeFindInClone(&found, a, NULL));
    answer(cudaGraphNodeFindInClone(NULL, a, copy));
}

SITUATION(clone_find_changed, "cudaGraphNodeFindInClone of a node that was destroyed in the clone; "
                              "of one of two clones; the clone of a clone, by the first's node")
{
    cudaGraph_t g = new_graph(), copy, second, third;
    cudaGraphNode_t a = add_empty(g, NULL), b = add_empty(g, a), found = NULL;
    MUST(cudaGraphClone(&copy, g));
    MUST(cudaGraphClone(&second, g));
    MUST(cudaGraphClone(&third, copy));
    answer(cudaGraphNodeFindInClone(&found, b, second));
    answer_text("%s", place_text(second, found));
    answer(cudaGraphNodeFindInClone(&found, a, third));
    answer(cudaGraphNodeFindInClone(&found, nth_node(copy, 1), third));
    answer_text("%s", place_text(third, found));
    MUST(cudaGraphNodeFindInClone(&found, a, copy));
    MUST(cudaGraphDestroyNode(found));
    answer(cudaGraphNodeFindInClone(&found, a, copy));
}

SITUATION(clone_original_gone, "a clone runs when the original graph was destroyed")
{
    cudaGraph_t g = new_graph(), copy;
    int *p = device_bytes(SMALL);
    add_memset(g, NULL, p, 5);
    MUST(cudaGraphClone(&copy, g));
    MUST(cudaGraphDestroy(g));
    answer_run(new_exec(copy));
    answer_text("%d", device_byte(p));
}

SITUATION(clone_alloc, "cudaGraphClone of a graph with an alloc node; with alloc and free; with a "
                       "free node alone; of one whose exec exists")
{
    cudaGraph_t g = new_graph(), h = new_graph(), i = new_graph(), copy = NULL;
    void *p, *q;
    cudaGraphNode_t a = add_alloc(g, NULL, SMALL, &p);
    answer(cudaGraphClone(&copy, g));
    add_free(i, NULL, p);
    answer(cudaGraphClone(&copy, i));
    a = add_alloc(h, NULL, SMALL, &q);
    add_free(h, a, q);
    answer(cudaGraphClone(&copy, h));
}

SITUATION(clone_exec_nodes, "an exec of a graph, asked to set a node of the graph's clone; an exec "
                            "of the clone, a node of the original")
{
    cudaGraph_t g = new_graph(), copy;
    int *p = device_bytes(SMALL);
    cudaGraphNode_t n = add_memset(g, NULL, p, 5), m;
    struct cudaMemsetParams params = memset_params(p, 6, SMALL);
    MUST(cudaGraphClone(&copy, g));
    MUST(cudaGraphNodeFindInClone(&m, n, copy));
    answer(cudaGraphExecMemsetNodeSetParams(new_exec(g), m, &params));
    answer(cudaGraphExecMemsetNodeSetParams(new_exec(copy), n, &params));
}

/* ---- child graphs ---------------------------------------------------------------------------- */

SITUATION(child_copied, "a child graph node copies: the child changed later; destroyed; nodes "
                        "inside; run")
{
    cudaGraph_t g = new_graph(), child = new_graph(), inside = NULL;
    int *p = device_bytes(SMALL);
    add_memset(child, NULL, p, 4);
    cudaGraphNode_t n = add_child(g, NULL, child);
    add_letter(child, NULL, 'x');
    answer(cudaGraphChildGraphNodeGetGraph(n, &inside));
    answer_text(inside == child ? "same handle" : "another handle");
    answer_types(inside);
    MUST(cudaGraphDestroy(child));
    answer_run(new_exec(g));
    answer_text("%d '%s'", device_byte(p), log_text());
}

SITUATION(child_inside_changed, "the graph inside a child node: add a node; set parameters; edges; "
                                "then run; destroy a node of it")
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
    answer_text("%d '%s'", device_byte(p), log_text());
    answer(cudaGraphDestroyNode(first));
    answer_run(new_exec(g));
    answer_text("'%s'", log_text());
}

SITUATION(child_inside_destroyed, "cudaGraphDestroy of the graph inside a child node")
{
    cudaGraph_t g = new_graph(), inside = NULL;
    cudaGraphNode_t n = add_child(g, NULL, captured_memsets(2));
    MUST(cudaGraphChildGraphNodeGetGraph(n, &inside));
    answer(cudaGraphDestroy(inside));
}

SITUATION(child_inside_instantiate, "the graph inside a child node: instantiate; run; clone; added "
                                    "as a child elsewhere")
{
    cudaGraph_t g = new_graph(), inside = NULL, copy = NULL;
    cudaGraphNode_t n = add_child(g, NULL, captured_memsets(2));
    cudaGraphExec_t x = NULL;
    MUST(cudaGraphChildGraphNodeGetGraph(n, &inside));
    answer(cudaGraphInstantiate(&x, inside, 0));
    if (x)
        answer_run(x);
    answer(cudaGraphClone(&copy, inside));
    answer(cudaGraphAddChildGraphNode(&n, new_graph(), NULL, 0, inside));
}

SITUATION(child_find, "cudaGraphNodeFindInClone of the original child's node in the graph inside "
                      "the child node; of a node inside, in a clone of the outer graph's child")
{
    cudaGraph_t g = new_graph(), child = new_graph(), inside = NULL, copy, copy_inside;
    cudaGraphNode_t a = add_empty(child, NULL), found = NULL, n = add_child(g, NULL, child), m;
    MUST(cudaGraphChildGraphNodeGetGraph(n, &inside));
    answer(cudaGraphNodeFindInClone(&found, a, inside));
    answer_text("%s", place_text(inside, found));
    MUST(cudaGraphClone(&copy, g));
    MUST(cudaGraphNodeFindInClone(&m, n, copy));
    MUST(cudaGraphChildGraphNodeGetGraph(m, &copy_inside));
    answer(cudaGraphNodeFindInClone(&found, nth_node(inside, 0), copy_inside));
    answer(cudaGraphNodeFindInClone(&found, nth_node(inside, 0), copy));
}

SITUATION(child_nested, "a child in a child in a child: run; order against nodes before and after")
{
    cudaGraph_t a = new_graph(), b = new_graph(), c = new_graph();
    add_letter(a, add_letter(a, NULL, '1'), '2');
    cudaGraphNode_t n = add_child(b, add_letter(b, NULL, '3'), a);
    add_letter(b, n, '4');
    n = add_child(c, add_letter(c, NULL, '5'), b);
    add_letter(c, n, '6');
    answer_run(new_exec(c));
    answer_text("'%s'", log_text());
}

SITUATION(child_branches, "a node after a child graph with two branches waits for both; an empty "
                          "child between two nodes orders them")
{
    cudaGraph_t child = new_graph(), g = new_graph();
    struct cudaHostNodeParams gate = {stand_at_gate, NULL};
    cudaGraphNode_t n, first = add_letter(child, NULL, 'a');
    gate_reset();
    MUST(cudaGraphAddHostNode(&n, child, NULL, 0, &gate));
    add_letter(child, n, 'b');
    (void)first;
    n = add_child(g, NULL, child);
    n = add_letter(g, n, 'c');
    n = add_child(g, n, new_graph());
    add_letter(g, n, 'd');
    cudaGraphExec_t x = new_exec(g);
    gate_open_later(150);
    answer_run(x);
    const char *log = log_text();
    answer_text("%c%c last", log[2], log[3]);
}

SITUATION(child_exec_set_inside, "set the parameters of a node inside a child, in the exec, by the "
                                 "node of the graph inside; of the original child")
{
    cudaGraph_t g = new_graph(), child = new_graph(), inside;
    int *p = device_bytes(SMALL);
    cudaGraphNode_t a = add_memset(child, NULL, p, 4), n = add_child(g, NULL, child);
    cudaGraphExec_t x = new_exec(g);
    struct cudaMemsetParams m = memset_params(p, 9, SMALL);
    MUST(cudaGraphChildGraphNodeGetGraph(n, &inside));
    answer(cudaGraphExecMemsetNodeSetParams(x, nth_node(inside, 0), &m));
    answer_run(x);
    answer_text("%d", device_byte(p));
    answer(cudaGraphExecMemsetNodeSetParams(x, a, &m));
    answer(cudaGraphNodeSetEnabled(x, nth_node(inside, 0), 0));
    answer(cudaGraphNodeSetEnabled(x, n, 0));
}

SITUATION(child_exec_set, "cudaGraphExecChildGraphNodeSetParams: the same shape with another "
                          "value; another shape; the same graph; NULL; a node that is no child")
{
    cudaGraph_t g = new_graph(), child = new_graph(), like = new_graph();
    int *p = device_bytes(SMALL);
    add_memset(child, NULL, p, 4);
    add_memset(like, NULL, p, 5);
    cudaGraphNode_t n = add_child(g, NULL, child), other = add_empty(g, NULL);
    cudaGraphExec_t x = new_exec(g);
    answer(cudaGraphExecChildGraphNodeSetParams(x, n, like));
    answer_run(x);
    answer_text("%d", device_byte(p));
    answer(cudaGraphExecChildGraphNodeSetParams(x, n, captured_memsets(2)));
    answer(cudaGraphExecChildGraphNodeSetParams(x, n, child));
    answer(cudaGraphExecChildGraphNodeSetParams(x, n, NULL));
    answer(cudaGraphExecChildGraphNodeSetParams(x, other, like));
    answer_run(x);
    answer_text("%d", device_byte(p));
}
