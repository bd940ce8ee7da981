/* adapter_cycle.c: graphs that cannot be instantiated, see graphs.h. */
#include "graphs.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/check.h"
#include "labs/lab08/causes.h"
#include "labs/lab08_explicit_graph/lab.h"

cudaError_t cycle_build(cudaGraph_t *graph)
{
    cudaGraphNode_t a, b, c;
    TRY(cudaGraphCreate(graph, 0));
    TRY(cudaGraphAddEmptyNode(&a, *graph, NULL, 0));
    TRY(cudaGraphAddEmptyNode(&b, *graph, &a, 1));
    TRY(cudaGraphAddEmptyNode(&c, *graph, &b, 1));
    return cudaGraphAddDependencies(*graph, &c, &b, NULL, 1);
}

cudaError_t unused_build(cudaGraph_t *graph)
{
    cudaGraphConditionalHandle handle;
    TRY(cudaGraphCreate(graph, 0));
    return cudaGraphConditionalHandleCreate(&handle, *graph, 0, 0);
}

int cycle_draw(struct subject *s, cudaGraph_t graph)
{
    char path[64], text[16] = "";
    int ends[2];
    if (pipe2(ends, O_NONBLOCK) != 0)
        return subject_failed(s, "the grader has no pipe for the drawing");
    snprintf(path, sizeof path, "/proc/self/fd/%d", ends[1]);
    int failed = subject_returned(s, "lab08_draw", lab08_draw(graph, path));
    ssize_t got = read(ends[0], text, sizeof text - 1);
    if (!failed && (got <= 0 || strncmp(text, "digraph", 7) != 0))
        subject_note(s, LAB08_NOT_DRAWN, NULL, NULL);
    close(ends[0]);
    close(ends[1]);
    return failed;
}

static void expect_error(struct subject *s, cudaError_t returned)
{
    char expected[80];
    snprintf(expected, sizeof expected, "error %d, as cudaGraphInstantiateWithParams returned it",
             described_error());
    if (returned != described_error())
        subject_note(s, LAB08_OTHER_ERROR, expected, "lab08_instantiate returned error %d",
                     returned);
}

/* What lab08_instantiate returns if there is no memory for an executable graph. */
static cudaError_t error_without_memory(cudaGraph_t graph)
{
    cudaGraphNode_t named = NULL;
    cudaGraphExec_t exec = NULL;
    describe_refuse(cudaErrorMemoryAllocation);
    const cudaError_t e = lab08_instantiate(graph, &exec, &named);
    describe_refuse(cudaSuccess);
    return e;
}

int cycle_instantiate(struct subject *s, cudaGraph_t graph)
{
    cudaGraphNode_t nodes[3], named = (cudaGraphNode_t)nodes; /* neither is NULL */
    cudaGraphExec_t exec = (cudaGraphExec_t)nodes;
    size_t n = 3;
    cudaGetLastError();
    const int n_before = described_instantiations();
    cudaError_t e = lab08_instantiate(graph, &exec, &named);
    const int n_calls = described_instantiations() - n_before;
    if (e == cudaErrorNotYetImplemented)
        return subject_returned(s, "lab08_instantiate", e);
    subject_forget_errors();
    const cudaError_t last = cudaGetLastError(), returned = e;
    e = cudaGraphGetNodes(graph, nodes, &n);
    if (returned == cudaSuccess)
        subject_note(s, LAB08_ERROR_NOT_RETURNED, NULL, NULL);
    else if (returned != described_error())
        expect_error(s, returned);
    else if (n && named != nodes[1] && named != nodes[2])
        subject_note(s, LAB08_NAMES_NO_NODE, "the node in params.errNode_out", "*node is %s",
                     named ? "not in the cycle" : "NULL");
    else if (exec || (!n && named))
        subject_note(s, LAB08_OLD_VALUE_LEFT, NULL, NULL);
    else if (last != cudaSuccess)
        subject_note(s, LAB08_STALE_ERROR, NULL, NULL);
    else if (n_calls > 1)
        subject_note(s, LAB08_INSTANTIATED_TWICE, "one", "%d instantiations", n_calls);
    else
        expect_error(s, error_without_memory(graph));
    return subject_own_call(s, "reading the graph", e);
}
