/*
 * situations_capture_shape.c: the graph of a capture while it runs: its dependencies, nodes added
 * by hand, captures to a graph.
 */
#include <stdint.h>
#include <string.h>

#include "situations_graphs.h"
#include "situations_kernels.h"

static cudaStream_t apart(void)
{
    return new_stream(cudaStreamNonBlocking);
}

static cudaGraph_t graph_now(cudaStream_t s, size_t *n, unsigned long long *id)
{
    cudaGraph_t g = NULL;
    const cudaGraphNode_t *deps = NULL;
    const cudaGraphEdgeData *data = NULL;
    enum cudaStreamCaptureStatus status;
    answer(cudaStreamGetCaptureInfo(s, &status, id, &g, &deps, &data, n));
    return g;
}

SITUATION(info, "cudaStreamGetCaptureInfo: dependencies of an origin and of a fork, same id, same "
                "graph; a second capture's id differs")
{
    cudaStream_t s = apart(), t = apart();
    size_t n = 9, m = 9;
    unsigned long long a, b, c;
    begin_capture(s, cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    some_work(t);
    cudaGraph_t g = graph_now(s, &n, &a), h = graph_now(t, &m, &b);
    answer_text("%zu %zu %s %s", n, m, a == b ? "same id" : "other id",
                g == h ? "same graph" : "other graph");
    order_streams(t, s);
    g = graph_now(s, &n, &a);
    answer_text("%zu", n);
    answer_end(s);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    graph_now(s, &n, &c);
    answer_text("%s", c == a ? "same id" : "other id");
    answer_end(s);
}

SITUATION(info_none, "cudaStreamGetCaptureInfo of a stream that does not capture; of one that was "
                     "invalidated; of NULL; with edges asked for and no out")
{
    cudaStream_t s = apart();
    enum cudaStreamCaptureStatus status = (enum cudaStreamCaptureStatus)9;
    unsigned long long id = 77;
    answer(cudaStreamGetCaptureInfo(s, &status, &id, NULL, NULL, NULL, NULL));
    answer_text("%d", (int)status);
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    answer(cudaDeviceSynchronize());
    answer(cudaStreamGetCaptureInfo(s, &status, &id, NULL, NULL, NULL, NULL));
    answer_text("%d", (int)status);
    answer(cudaStreamGetCaptureInfo(NULL, &status, NULL, NULL, NULL, NULL, NULL));
    answer(cudaStreamGetCaptureInfo(s, NULL, NULL, NULL, NULL, NULL, NULL));
}

SITUATION(update_deps, "cudaStreamUpdateCaptureDependencies: set to none, then work; add a node; "
                       "flags 2; a node of another graph; outside a capture")
{
    cudaStream_t s = apart(), t = apart();
    size_t n;
    unsigned long long id;
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    cudaGraph_t g = graph_now(s, &n, &id);
    cudaGraphNode_t first = nth_node(g, 0), other = add_empty(new_graph(), NULL);
    answer(cudaStreamUpdateCaptureDependencies(s, NULL, NULL, 0, cudaStreamSetCaptureDependencies));
    some_work(s);
    answer(
        cudaStreamUpdateCaptureDependencies(s, &first, NULL, 1, cudaStreamAddCaptureDependencies));
    answer(cudaStreamUpdateCaptureDependencies(s, &first, NULL, 1, 2));
    some_work(s);
    answer(
        cudaStreamUpdateCaptureDependencies(s, &other, NULL, 1, cudaStreamSetCaptureDependencies));
    answer(cudaStreamUpdateCaptureDependencies(t, NULL, NULL, 0, 0));
    cudaGraph_t got = answer_end(s);
    if (got)
        answer_edges(got);
}

SITUATION(node_by_hand,
          "a node added by hand to the graph of a capture, made its dependency: end, edges")
{
    cudaStream_t s = apart();
    size_t n;
    unsigned long long id;
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    cudaGraph_t g = graph_now(s, &n, &id);
    cudaGraphNode_t mine = add_empty(g, nth_node(g, 0));
    answer(
        cudaStreamUpdateCaptureDependencies(s, &mine, NULL, 1, cudaStreamSetCaptureDependencies));
    some_work(s);
    answer_edges(answer_end(s));
}

SITUATION(hand_unjoined, "a node added by hand to the graph of a capture, tied to nothing: end")
{
    cudaStream_t s = apart();
    size_t n;
    unsigned long long id;
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    add_empty(graph_now(s, &n, &id), NULL);
    answer_end(s);
}

SITUATION(hand_destroyed,
          "the last captured node destroyed during the capture; then more work; end")
{
    cudaStream_t s = apart();
    size_t n;
    unsigned long long id;
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    some_work(s);
    cudaGraph_t g = graph_now(s, &n, &id);
    answer(cudaGraphDestroyNode(nth_node(g, 0)));
    answer_text("%zu", node_count(g));
    some_work(s);
    answer_edges(answer_end(s));
}

SITUATION(
    graph_in_use,
    "during a capture, of its graph: instantiate, clone, destroy, cudaGraphGetNodes count; end")
{
    cudaStream_t s = apart();
    size_t n;
    unsigned long long id;
    cudaGraph_t copy = NULL;
    cudaGraphExec_t x = NULL;
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    cudaGraph_t g = graph_now(s, &n, &id);
    answer_text("%zu", node_count(g));
    answer(cudaGraphInstantiate(&x, g, 0));
    answer(cudaGraphClone(&copy, g));
    answer_status(s);
    answer_end(s);
}

SITUATION(to_graph, "cudaStreamBeginCaptureToGraph onto a graph of two empty nodes after the "
                    "second: end gives the same graph; edges")
{
    cudaStream_t s = apart();
    cudaGraph_t g = new_graph(), same = NULL;
    add_empty(g, NULL);
    cudaGraphNode_t b = add_empty(g, NULL);
    prepare_work();
    answer(cudaStreamBeginCaptureToGraph(s, g, &b, NULL, 1, cudaStreamCaptureModeRelaxed));
    some_work(s);
    some_work(s);
    answer(cudaStreamEndCapture(s, &same));
    answer_text("%s", same == g ? "same" : "other");
    answer_edges(g);
}

SITUATION(to_graph_bad,
          "cudaStreamBeginCaptureToGraph with a NULL graph; with a NULL node array of 1; with a "
          "node of another graph; on NULL; on a capturing stream; twice to one graph")
{
    cudaStream_t s = apart(), t = apart();
    cudaGraph_t g = new_graph();
    cudaGraphNode_t other = add_empty(new_graph(), NULL);
    prepare_work();
    answer(cudaStreamBeginCaptureToGraph(s, NULL, NULL, NULL, 0, cudaStreamCaptureModeRelaxed));
    answer(cudaStreamBeginCaptureToGraph(s, g, &other, NULL, 1, cudaStreamCaptureModeRelaxed));
    answer_status(s);
    answer(cudaStreamBeginCaptureToGraph(NULL, g, NULL, NULL, 0, cudaStreamCaptureModeRelaxed));
    answer(cudaStreamBeginCaptureToGraph(s, g, NULL, NULL, 0, cudaStreamCaptureModeRelaxed));
    answer(cudaStreamBeginCaptureToGraph(s, g, NULL, NULL, 0, cudaStreamCaptureModeRelaxed));
    answer(cudaStreamBeginCaptureToGraph(t, g, NULL, NULL, 0, cudaStreamCaptureModeRelaxed));
    answer_status(t);
}

SITUATION(to_graph_invalid,
          "a capture to a graph is invalidated: end; the nodes that the graph has after it")
{
    cudaStream_t s = apart();
    cudaGraph_t g = new_graph();
    add_empty(g, NULL);
    prepare_work();
    answer(cudaStreamBeginCaptureToGraph(s, g, NULL, NULL, 0, cudaStreamCaptureModeRelaxed));
    some_work(s);
    answer(cudaStreamSynchronize(s));
    answer_end(s);
    size_t n = 77;
    answer(cudaGraphGetNodes(g, NULL, &n));
}
