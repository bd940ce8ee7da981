/*
 * situations_capture_info.c: cudaStreamGetCaptureInfo, cudaStreamUpdateCaptureDependencies and
 * cudaStreamBeginCaptureToGraph.
 */
#include <stdint.h>

#include "situations_graphs.h"

static cudaStream_t other_stream(void)
{
    return new_stream(cudaStreamNonBlocking);
}

/* What the call fills in, or leaves as it is. */
struct info {
    enum cudaStreamCaptureStatus status;
    unsigned long long id;
    cudaGraph_t graph;
    const cudaGraphNode_t *nodes;
    const cudaGraphEdgeData *data;
    size_t n;
};

static const struct info untouched = {
    (enum cudaStreamCaptureStatus)99, 99, (cudaGraph_t)99, (const cudaGraphNode_t *)99,
    (const cudaGraphEdgeData *)99,    99};

static cudaError_t get(cudaStream_t s, struct info *i)
{
    *i = untouched;
    return cudaStreamGetCaptureInfo(s, &i->status, &i->id, &i->graph, &i->nodes, &i->data, &i->n);
}

static const char *word(const void *p)
{
    return p == (const void *)99 ? "untouched" : p ? "set" : "NULL";
}

static void answer_info(cudaStream_t s)
{
    struct info i;
    answer(get(s, &i));
    answer_text("status %d id %s graph %s nodes %s data %s n %zu", (int)i.status,
                i.id == 99  ? "untouched"
                : i.id == 0 ? "0"
                            : "set",
                word(i.graph), word(i.nodes), word(i.data), i.n);
}

SITUATION(info_none, "cudaStreamGetCaptureInfo, all results: no capture")
{
    answer_info(other_stream());
}

SITUATION(info_legacy, "cudaStreamGetCaptureInfo of 0: no capture; a non-blocking; a blocking "
                       "stream captures; end of it")
{
    cudaStream_t s = other_stream(), b = new_stream(0);
    answer_info(0);
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    answer_info(0);
    begin_capture(b, cudaStreamCaptureModeRelaxed);
    answer_info(0);
    answer_end(b);
}

SITUATION(info_empty, "cudaStreamGetCaptureInfo right after begin; after one memset")
{
    cudaStream_t s = other_stream();
    prepare_work();
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    answer_info(s);
    some_work(s);
    answer_info(s);
    answer_end(s);
}

SITUATION(info_joined, "cudaStreamGetCaptureInfo after a join: nodes are; in which order")
{
    cudaStream_t s = other_stream(), t = other_stream();
    struct info i;
    begin_capture(s, cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    some_work(s);
    some_work(t);
    order_streams(t, s);
    answer_info(s);
    MUST(get(s, &i));
    for (size_t k = 0; k < i.n; k++)
        answer_text("%s", place_text(i.graph, i.nodes[k]));
    answer_shape(i.graph);
    answer_end(s);
}

SITUATION(info_forked, "id and graph of the origin and of a forked stream; of a second capture")
{
    cudaStream_t s = other_stream(), t = other_stream(), u = other_stream();
    struct info a, b, c;
    begin_capture(s, cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    begin_capture(u, cudaStreamCaptureModeGlobal);
    MUST(get(s, &a));
    MUST(get(t, &b));
    MUST(get(u, &c));
    answer_text(a.id == b.id ? "same id" : "ids differ");
    answer_text(a.graph == b.graph ? "same graph" : "graphs differ");
    answer_text(a.id == c.id ? "same id" : "ids differ");
    answer_text("%zu nodes in the fork's frontier", b.n);
    cudaGraph_t g = answer_end(s);
    answer_text(g == a.graph ? "graph as told" : "another graph");
    answer_end(u);
}

SITUATION(info_invalidated, "cudaStreamGetCaptureInfo of an invalidated capture; after its end")
{
    cudaStream_t s = other_stream();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaDeviceSynchronize());
    answer_info(s);
    answer_end(s);
    answer_info(s);
}

SITUATION(info_nulls, "cudaStreamGetCaptureInfo in a capture: only the status; NULL status; "
                      "nodes without their number; number without nodes; nodes without data")
{
    cudaStream_t s = other_stream();
    struct info i = untouched;
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaStreamGetCaptureInfo(s, &i.status, NULL, NULL, NULL, NULL, NULL));
    answer(cudaStreamGetCaptureInfo(s, NULL, &i.id, NULL, NULL, NULL, NULL));
    answer(cudaStreamGetCaptureInfo(s, &i.status, &i.id, NULL, &i.nodes, NULL, NULL));
    answer(cudaStreamGetCaptureInfo(s, &i.status, &i.id, NULL, NULL, NULL, &i.n));
    answer_text("%zu", i.n);
    answer(cudaStreamGetCaptureInfo(s, &i.status, &i.id, &i.graph, &i.nodes, NULL, &i.n));
    answer(cudaStreamGetCaptureInfo(s, &i.status, &i.id, &i.graph, NULL, &i.data, &i.n));
    answer_end(s);
}

SITUATION(info_ids, "ids of one capture after another: zero, equal, growing")
{
    cudaStream_t s = other_stream();
    struct info a, b;
    begin_capture(s, cudaStreamCaptureModeGlobal);
    MUST(get(s, &a));
    answer_end(s);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    MUST(get(s, &b));
    answer_end(s);
    answer_text("%s, %s", a.id ? "not zero" : "zero",
                b.id > a.id    ? "growing"
                : b.id == a.id ? "equal"
                               : "falling");
}

/* ---- the graph while it is being captured ---------------------------------------------------- */

SITUATION(info_graph_used, "the graph of a capture, during it: add a node; instantiate; clone; "
                           "launch of that; end")
{
    cudaStream_t s = other_stream();
    struct info i;
    cudaGraph_t copy;
    cudaGraphExec_t x = NULL;
    cudaGraphNode_t n;
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    MUST(get(s, &i));
    answer(cudaGraphAddEmptyNode(&n, i.graph, i.nodes, i.n));
    answer(cudaGraphInstantiate(&x, i.graph, 0));
    answer(cudaGraphClone(&copy, i.graph));
    if (x)
        answer_run(x);
    cudaGraph_t g = answer_end(s);
    answer_edges(g);
}

SITUATION(info_graph_destroyed, "cudaGraphDestroy of the graph of a capture, during it")
{
    cudaStream_t s = other_stream();
    struct info i;
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    MUST(get(s, &i));
    answer(cudaGraphDestroy(i.graph));
}

SITUATION(info_node_destroyed,
          "cudaGraphDestroyNode of the last captured node, during the capture; "
          "a memset more; end")
{
    cudaStream_t s = other_stream();
    struct info i;
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    some_work(s);
    MUST(get(s, &i));
    answer(cudaGraphDestroyNode(i.nodes[0]));
    MUST(get(s, &i));
    answer_text("%zu in the frontier", i.n);
}

SITUATION(info_nodes_destroyed, "cudaGraphDestroyNode of an older captured node, during the "
                                "capture; of a node added by hand; an edge removed; an edge added; "
                                "end; edges")
{
    cudaStream_t s = other_stream();
    struct info i;
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    some_work(s);
    MUST(get(s, &i));
    cudaGraphNode_t first = nth_node(i.graph, 0), second = nth_node(i.graph, 1);
    cudaGraphNode_t mine = add_empty(i.graph, NULL);
    answer(cudaGraphDestroyNode(first));
    answer(cudaGraphRemoveDependencies(i.graph, &first, &second, NULL, 1));
    answer(cudaGraphAddDependencies(i.graph, &mine, &second, NULL, 1));
    answer(cudaGraphDestroyNode(mine));
    answer_edges(answer_end(s));
}

SITUATION(info_loose_node, "a node added by hand to the graph of a capture and left alone: end; "
                           "shape; a host node added and joined by hand: run")
{
    cudaStream_t s = other_stream();
    struct info i;
    begin_capture(s, cudaStreamCaptureModeGlobal);
    MUST(get(s, &i));
    cudaGraphNode_t n = add_letter(i.graph, i.nodes[0], 'a');
    add_empty(i.graph, NULL);
    answer(cudaStreamUpdateCaptureDependencies(s, &n, NULL, 1, cudaStreamAddCaptureDependencies));
    some_work(s);
    cudaGraph_t g = answer_end(s);
    answer_edges(g);
    answer_run(new_exec(g));
    answer_text("'%s'", log_text());
}

SITUATION(info_forked_update, "the frontier of the origin set to the node of a forked stream, "
                              "without an event: end")
{
    cudaStream_t s = other_stream(), t = other_stream();
    struct info i;
    begin_capture(s, cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    some_work(t);
    MUST(get(t, &i));
    cudaGraphNode_t n = i.nodes[0];
    answer(cudaStreamUpdateCaptureDependencies(s, &n, NULL, 1, cudaStreamAddCaptureDependencies));
    some_work(s);
    answer_edges(answer_end(s));
}

SITUATION(info_empty_frontier,
          "the frontier of a capture with work set to none: end; the same of a "
          "forked stream with no work of its own")
{
    cudaStream_t s = other_stream(), t = other_stream();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaStreamUpdateCaptureDependencies(s, NULL, NULL, 0, cudaStreamSetCaptureDependencies));
    answer_end(s);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    answer(cudaStreamUpdateCaptureDependencies(t, NULL, NULL, 0, cudaStreamSetCaptureDependencies));
    answer_end(s);
}

/* ---- cudaStreamUpdateCaptureDependencies ----------------------------------------------------- */

SITUATION(update_set, "cudaStreamUpdateCaptureDependencies: set to a node added by hand; the next "
                      "node's edges; end")
{
    cudaStream_t s = other_stream();
    struct info i;
    begin_capture(s, cudaStreamCaptureModeGlobal);
    MUST(get(s, &i));
    cudaGraphNode_t n = add_empty(i.graph, i.nodes[0]);
    answer(cudaStreamUpdateCaptureDependencies(s, &n, NULL, 1, cudaStreamSetCaptureDependencies));
    some_work(s);
    cudaGraph_t g = answer_end(s);
    answer_types(g);
    answer_edges(g);
}

SITUATION(update_add, "cudaStreamUpdateCaptureDependencies: add a node; the same again; the next "
                      "node's edges; end")
{
    cudaStream_t s = other_stream();
    struct info i;
    begin_capture(s, cudaStreamCaptureModeGlobal);
    MUST(get(s, &i));
    cudaGraphNode_t n = add_empty(i.graph, NULL);
    answer(cudaStreamUpdateCaptureDependencies(s, &n, NULL, 1, cudaStreamAddCaptureDependencies));
    answer(cudaStreamUpdateCaptureDependencies(s, &n, NULL, 1, cudaStreamAddCaptureDependencies));
    MUST(get(s, &i));
    answer_text("%zu in the frontier", i.n);
    some_work(s);
    answer_edges(answer_end(s));
}

SITUATION(update_none, "cudaStreamUpdateCaptureDependencies: set to none; the next node's edges; "
                       "end; instantiate")
{
    cudaStream_t s = other_stream();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaStreamUpdateCaptureDependencies(s, NULL, NULL, 0, cudaStreamSetCaptureDependencies));
    some_work(s);
    cudaGraph_t g = answer_end(s);
    if (g)
        answer_edges(g);
}

SITUATION(update_bad, "cudaStreamUpdateCaptureDependencies: NULL with n 1; flags 2; flags -1; a "
                      "node of another graph; a NULL node; the same node twice; status; end")
{
    cudaStream_t s = other_stream();
    struct info i;
    begin_capture(s, cudaStreamCaptureModeGlobal);
    MUST(get(s, &i));
    cudaGraphNode_t mine = i.nodes[0], other = add_empty(new_graph(), NULL), none = NULL;
    cudaGraphNode_t twice[] = {mine, mine};
    answer(cudaStreamUpdateCaptureDependencies(s, NULL, NULL, 1, 0));
    answer(cudaStreamUpdateCaptureDependencies(s, &mine, NULL, 1, 2));
    answer(cudaStreamUpdateCaptureDependencies(s, &mine, NULL, 1, (unsigned)-1));
    answer(cudaStreamUpdateCaptureDependencies(s, &other, NULL, 1, 1));
    answer(cudaStreamUpdateCaptureDependencies(s, &none, NULL, 1, 1));
    answer(cudaStreamUpdateCaptureDependencies(s, twice, NULL, 2, 1));
    answer_status(s);
    MUST(get(s, &i));
    answer_text("%zu in the frontier", i.n);
    answer_end(s);
}

SITUATION(update_outside, "cudaStreamUpdateCaptureDependencies of a stream that does not capture; "
                          "of 0; of an invalidated capture")
{
    cudaStream_t s = other_stream();
    cudaGraphNode_t n = add_empty(new_graph(), NULL);
    answer(cudaStreamUpdateCaptureDependencies(s, &n, NULL, 1, 0));
    answer(cudaStreamUpdateCaptureDependencies(0, &n, NULL, 1, 0));
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaDeviceSynchronize());
    answer(cudaStreamUpdateCaptureDependencies(s, NULL, NULL, 0, 0));
}

SITUATION(update_replaced, "work replaced in the frontier is not joined any more: end")
{
    cudaStream_t s = other_stream();
    struct info i;
    begin_capture(s, cudaStreamCaptureModeGlobal);
    MUST(get(s, &i));
    cudaGraphNode_t first = i.nodes[0];
    some_work(s);
    answer(cudaStreamUpdateCaptureDependencies(s, &first, NULL, 1, 1));
    some_work(s);
    answer_edges(answer_end(s));
}

SITUATION(update_forked, "the frontier of a forked stream set to none, instead of a join: end")
{
    cudaStream_t s = other_stream(), t = other_stream();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    some_work(t);
    answer(cudaStreamUpdateCaptureDependencies(t, NULL, NULL, 0, 1));
    answer_end(s);
}

SITUATION(update_data, "cudaStreamUpdateCaptureDependencies with zero edge data; with a "
                       "programmatic edge from a memset; from port 1 of a memset")
{
    cudaStream_t s = other_stream();
    struct info i;
    begin_capture(s, cudaStreamCaptureModeGlobal);
    MUST(get(s, &i));
    cudaGraphNode_t n = i.nodes[0];
    cudaGraphEdgeData zero = {0}, programmatic = {.type = 1}, port = {.from_port = 1, .type = 1};
    answer(cudaStreamUpdateCaptureDependencies(s, &n, &zero, 1, 1));
    answer(cudaStreamUpdateCaptureDependencies(s, &n, &programmatic, 1, 1));
    answer(cudaStreamUpdateCaptureDependencies(s, &n, &port, 1, 1));
    answer_end(s);
}
