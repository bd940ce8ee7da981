/*
 * situations_graph_objects.c: user objects, and pictures of graphs.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "situations_graphs.h"

/* An object whose destructor writes the letter. */
static cudaUserObject_t object(char letter, unsigned refs)
{
    cudaUserObject_t o = NULL;
    MUST(cudaUserObjectCreate(&o, (void *)(intptr_t)letter, write_letter, refs,
                              cudaUserObjectNoDestructorSync));
    return o;
}

/* Destructors may run a moment later on another thread. */
static const char *letters_soon(void)
{
    usleep(100000);
    return log_text();
}

SITUATION(object_create, "cudaUserObjectCreate: flags 0; 2; 0 references; 2^31; NULL destructor; "
                         "NULL result; NULL resource")
{
    cudaUserObject_t o = NULL;
    unsigned no_sync = cudaUserObjectNoDestructorSync;
    answer(cudaUserObjectCreate(&o, &o, write_letter, 1, 0));
    answer(cudaUserObjectCreate(&o, &o, write_letter, 1, 2));
    answer(cudaUserObjectCreate(&o, &o, write_letter, 0, no_sync));
    answer(cudaUserObjectCreate(&o, &o, write_letter, 1u << 31, no_sync));
    answer(cudaUserObjectCreate(&o, &o, NULL, 1, no_sync));
    answer(cudaUserObjectCreate(NULL, &o, write_letter, 1, no_sync));
    answer(cudaUserObjectCreate(&o, NULL, write_letter, 1, no_sync));
}

SITUATION(object_release, "release of an object of 1; retain, release twice; release of 2 of 3, "
                          "then 1: when the destructor runs")
{
    cudaUserObject_t a = object('a', 1), b = object('b', 1), c = object('c', 3);
    answer(cudaUserObjectRelease(a, 1));
    answer_text("'%s'", letters_soon());
    answer(cudaUserObjectRetain(b, 1));
    answer(cudaUserObjectRelease(b, 1));
    answer_text("'%s'", letters_soon());
    answer(cudaUserObjectRelease(b, 1));
    answer_text("'%s'", letters_soon());
    answer(cudaUserObjectRelease(c, 2));
    answer(cudaUserObjectRelease(c, 1));
    answer_text("'%s'", letters_soon());
}

SITUATION(object_counts, "retain 0; release 0; retain 2^31; retain NULL; release NULL; get last "
                         "error")
{
    cudaUserObject_t a = object('a', 1);
    answer(cudaUserObjectRetain(a, 0));
    answer(cudaUserObjectRelease(a, 0));
    answer(cudaUserObjectRetain(a, 1u << 31));
    answer(cudaUserObjectRetain(NULL, 1));
    answer(cudaUserObjectRelease(NULL, 1));
    answer(cudaGetLastError());
    answer_text("'%s'", letters_soon());
}

SITUATION(object_release_too_much, "release of 2 of an object of 1 reference")
{
    answer(cudaUserObjectRelease(object('a', 1), 2));
    answer_text("'%s'", letters_soon());
}

SITUATION(object_graph, "an object moved to a graph; another retained by it; the graph destroyed: "
                        "destructors; the own reference released")
{
    cudaUserObject_t a = object('a', 1), b = object('b', 1);
    cudaGraph_t g = new_graph();
    answer(cudaGraphRetainUserObject(g, a, 1, cudaGraphUserObjectMove));
    answer(cudaGraphRetainUserObject(g, b, 1, 0));
    answer_text("'%s'", letters_soon());
    answer(cudaGraphDestroy(g));
    answer_text("'%s'", letters_soon());
    answer(cudaUserObjectRelease(b, 1));
    answer_text("'%s'", letters_soon());
}

SITUATION(object_graph_bad, "cudaGraphRetainUserObject: count 0; flags 2; NULL graph; NULL object; "
                            "move of more than there is; release of one not held; of too many")
{
    cudaUserObject_t a = object('a', 1), b = object('b', 1);
    cudaGraph_t g = new_graph();
    answer(cudaGraphRetainUserObject(g, a, 0, 0));
    answer(cudaGraphRetainUserObject(g, a, 1, 2));
    answer(cudaGraphRetainUserObject(NULL, a, 1, 0));
    answer(cudaGraphRetainUserObject(g, NULL, 1, 0));
    answer(cudaGraphReleaseUserObject(g, b, 1));
    answer(cudaGraphRetainUserObject(g, a, 1, 0));
    answer(cudaGraphReleaseUserObject(g, a, 0));
    answer(cudaGraphReleaseUserObject(g, a, 1));
    answer_text("'%s'", letters_soon());
}

SITUATION(object_graph_release_many, "cudaGraphReleaseUserObject of more references than the graph "
                                     "holds")
{
    cudaUserObject_t a = object('a', 1);
    cudaGraph_t g = new_graph();
    MUST(cudaGraphRetainUserObject(g, a, 1, 0));
    answer(cudaGraphReleaseUserObject(g, a, 2));
    answer_text("'%s'", letters_soon());
}

SITUATION(object_exec, "an object moved to a graph that is instantiated: graph destroyed; exec "
                       "destroyed: destructor")
{
    cudaUserObject_t a = object('a', 1);
    cudaGraph_t g = captured_memsets(1);
    answer(cudaGraphRetainUserObject(g, a, 1, cudaGraphUserObjectMove));
    cudaGraphExec_t x = new_exec(g);
    answer(cudaGraphDestroy(g));
    answer_text("'%s'", letters_soon());
    answer_run(x);
    answer(cudaGraphExecDestroy(x));
    answer_text("'%s'", letters_soon());
}

SITUATION(object_exec_running, "an exec that holds an object destroyed while it runs: destructor "
                               "only after the launch")
{
    cudaUserObject_t a = object('a', 1);
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    struct cudaHostNodeParams gate = {stand_at_gate, NULL};
    gate_reset();
    MUST(cudaGraphAddHostNode(&n, g, NULL, 0, &gate));
    add_letter(g, n, 'g');
    MUST(cudaGraphRetainUserObject(g, a, 1, cudaGraphUserObjectMove));
    cudaGraphExec_t x = new_exec(g);
    MUST(cudaGraphDestroy(g));
    answer(cudaGraphLaunch(x, s));
    answer(cudaGraphExecDestroy(x));
    answer_text("'%s'", letters_soon());
    gate_open();
    answer(cudaStreamSynchronize(s));
    answer_text("'%s'", letters_soon());
}

SITUATION(object_clone_child, "a graph that holds an object, cloned, and added as a child: each "
                              "destroyed in turn: when the destructor runs")
{
    cudaUserObject_t a = object('a', 1);
    cudaGraph_t g = captured_memsets(1), copy, outer = new_graph();
    MUST(cudaGraphRetainUserObject(g, a, 1, cudaGraphUserObjectMove));
    MUST(cudaGraphClone(&copy, g));
    add_child(outer, NULL, g);
    answer(cudaGraphDestroy(g));
    answer_text("'%s'", letters_soon());
    answer(cudaGraphDestroy(copy));
    answer_text("'%s'", letters_soon());
    answer(cudaGraphDestroy(outer));
    answer_text("'%s'", letters_soon());
}

SITUATION(object_order, "three objects moved to a graph in the order a, b, c; the graph destroyed: "
                        "order of destructors")
{
    cudaGraph_t g = new_graph();
    MUST(cudaGraphRetainUserObject(g, object('a', 1), 1, cudaGraphUserObjectMove));
    MUST(cudaGraphRetainUserObject(g, object('b', 1), 1, cudaGraphUserObjectMove));
    MUST(cudaGraphRetainUserObject(g, object('c', 1), 1, cudaGraphUserObjectMove));
    answer(cudaGraphDestroy(g));
    answer_text("'%s'", letters_soon());
}

SITUATION(object_update, "an exec whose graph holds object a, updated to a graph that holds b; "
                         "graphs destroyed; exec destroyed: destructors")
{
    cudaGraph_t g = captured_memsets(1), h = captured_memsets(1);
    cudaGraphExecUpdateResultInfo info;
    MUST(cudaGraphRetainUserObject(g, object('a', 1), 1, cudaGraphUserObjectMove));
    MUST(cudaGraphRetainUserObject(h, object('b', 1), 1, cudaGraphUserObjectMove));
    cudaGraphExec_t x = new_exec(g);
    answer(cudaGraphExecUpdate(x, h, &info));
    answer(cudaGraphDestroy(g));
    answer_text("'%s'", letters_soon());
    answer(cudaGraphDestroy(h));
    answer_text("'%s'", letters_soon());
    answer(cudaGraphExecDestroy(x));
    answer_text("'%s'", letters_soon());
}

SITUATION(object_retained_twice, "an object retained twice by a graph with count 1 and 2; released "
                                 "by 1; destroyed; own reference released")
{
    cudaUserObject_t a = object('a', 1);
    cudaGraph_t g = new_graph();
    answer(cudaGraphRetainUserObject(g, a, 1, 0));
    answer(cudaGraphRetainUserObject(g, a, 2, 0));
    answer(cudaGraphReleaseUserObject(g, a, 1));
    answer(cudaUserObjectRelease(a, 1));
    answer_text("'%s'", letters_soon());
    answer(cudaGraphDestroy(g));
    answer_text("'%s'", letters_soon());
}

/* ---- pictures -------------------------------------------------------------------------------- */

SITUATION(dot_bad, "cudaGraphDebugDotPrint: NULL graph; NULL path; a folder that is not there; "
                   "flags -1; flags 2; flags 1<<20")
{
    cudaGraph_t g = captured_memsets(2);
    char path[64];
    snprintf(path, sizeof path, "/tmp/situation-%d.dot", (int)getpid());
    answer(cudaGraphDebugDotPrint(NULL, path, 0));
    answer(cudaGraphDebugDotPrint(g, NULL, 0));
    answer(cudaGraphDebugDotPrint(g, "/tmp/no such folder/graph.dot", 0));
    answer(cudaGraphDebugDotPrint(g, path, (unsigned)-1));
    answer(cudaGraphDebugDotPrint(g, path, 2));
    answer(cudaGraphDebugDotPrint(g, path, 1u << 20));
    unlink(path);
}

SITUATION(dot_text, "cudaGraphDebugDotPrint of a chain of three: first word; arrows; balanced")
{
    cudaGraph_t g = captured_memsets(3);
    char path[64], text[16384] = "";
    snprintf(path, sizeof path, "/tmp/situation-%d.dot", (int)getpid());
    answer(cudaGraphDebugDotPrint(g, path, cudaGraphDebugDotFlagsVerbose));
    FILE *f = fopen(path, "r");
    if (!f) {
        answer_text("no file");
        return;
    }
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    unlink(path);
    int arrows = 0, braces = 0;
    for (const char *c = text; *c; c++) {
        arrows += c[0] == '-' && c[1] == '>';
        braces += (*c == '{') - (*c == '}');
    }
    answer_text("%.7s %d arrows, %s", text, arrows, braces ? "not balanced" : "balanced");
}
