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

static const char *error_expected(void)
{
    static char words[80];
    snprintf(words, sizeof words, "error %d, as cudaGraphInstantiateWithParams returned it",
             described_error());
    return words;
}

int cycle_instantiate(struct subject *s, cudaGraph_t graph)
{
    cudaGraphNode_t nodes[3], named = (cudaGraphNode_t)nodes; /* neither is NULL */
    cudaGraphExec_t exec = (cudaGraphExec_t)nodes;
    size_t n = 3;
    cudaGetLastError();
    cudaError_t e = lab08_instantiate(graph, &exec, &named);
    if (e == cudaErrorNotYetImplemented)
        return subject_returned(s, "lab08_instantiate", e);
    subject_forget_errors();
    const cudaError_t last = cudaGetLastError(), returned = e;
    e = cudaGraphGetNodes(graph, nodes, &n);
    if (returned == cudaSuccess)
        subject_note(s, LAB08_ERROR_NOT_RETURNED, NULL, NULL);
    else if (returned != described_error())
        subject_note(s, LAB08_OTHER_ERROR, error_expected(), "lab08_instantiate returned error %d",
                     returned);
    else if (n && named != nodes[1] && named != nodes[2])
        subject_note(s, LAB08_NAMES_NO_NODE, "the node in params.errNode_out", "*node is %s",
                     named ? "not in the cycle" : "NULL");
    else if (exec || (!n && named))
        subject_note(s, LAB08_OLD_VALUE_LEFT, NULL, NULL);
    else if (last != cudaSuccess)
        subject_note(s, LAB08_STALE_ERROR, NULL, NULL);
    return subject_own_call(s, "reading the graph", e);
}
