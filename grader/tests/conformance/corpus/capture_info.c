/*
 * capture_info.c: cudaStreamGetCaptureInfo, and the graph of a capture while it runs.
 */
#include "../graphs.h"

static const char *word(const void *p)
{
    return p == (const void *)99 ? "untouched" : p ? "set" : "NULL";
}

static void answer_info(cudaStream_t s)
{
    struct capture_info i;
    answer(capture_info_of(s, &i));
    answer_fact("info", "status %d id %s graph %s nodes %s data %s n %zu", (int)i.status,
                i.id == 99  ? "untouched"
                : i.id == 0 ? "0"
                            : "set",
                word(i.graph), word(i.nodes), word(i.data), i.n);
}

SITUATION(info_none, "cudaStreamGetCaptureInfo, all results: no capture",
          "info: status 0 id untouched graph untouched nodes untouched data untouched n 99")
{
    answer_info(nonblocking_stream());
}

SITUATION(info_legacy,
          "cudaStreamGetCaptureInfo of 0: no capture; a non-blocking; a blocking "
          "stream captures; end of it",
          "info: status 0 id untouched graph untouched nodes untouched data untouched n 99",
          "info #2: status 0 id untouched graph untouched nodes untouched data untouched n 99",
          "capture_info_of #3: StreamCaptureImplicit",
          "info #3: status 99 id untouched graph untouched nodes untouched data untouched n 99",
          "captured: 1 nodes")
{
    cudaStream_t s = nonblocking_stream(), b = new_stream(0);
    answer_info(0);
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    answer_info(0);
    begin_capture(b, cudaStreamCaptureModeRelaxed);
    answer_info(0);
    answer_end(b);
}

SITUATION(info_empty, "cudaStreamGetCaptureInfo right after begin; after one memset",
          "info: status 1 id set graph set nodes NULL data NULL n 0",
          "info #2: status 1 id set graph set nodes set data set n 1", "captured: 1 nodes")
{
    cudaStream_t s = nonblocking_stream();
    prepare_work();
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    answer_info(s);
    some_work(s);
    answer_info(s);
    answer_end(s);
}

SITUATION(info_joined, "cudaStreamGetCaptureInfo after a join: nodes are; in which order",
          "info: status 1 id set graph set nodes set data set n 2", "i.nodes[k]: node 1",
          "i.nodes[k] #2: node 2", "shape: 3 nodes, 2 edges, 1 roots", "captured: 3 nodes")
{
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
    struct capture_info i;
    begin_capture(s, cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    some_work(s);
    some_work(t);
    order_streams(t, s);
    answer_info(s);
    MUST(capture_info_of(s, &i));
    for (size_t k = 0; k < i.n; k++)
        answer_text("%s", place_text(i.graph, i.nodes[k]));
    answer_shape(i.graph);
    answer_end(s);
}

SITUATION(info_forked, "id and graph of the origin and of a forked stream; of a second capture",
          "a.id == b.id: same id", "a.graph == b.graph: same graph", "a.id == c.id: ids differ",
          "b.n: 1 nodes in the fork's frontier", "captured(s): 1 nodes",
          "g == a.graph: graph as told", "captured(u): 1 nodes")
{
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream(), u = nonblocking_stream();
    struct capture_info a, b, c;
    begin_capture(s, cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    begin_capture(u, cudaStreamCaptureModeGlobal);
    MUST(capture_info_of(s, &a));
    MUST(capture_info_of(t, &b));
    MUST(capture_info_of(u, &c));
    answer_text(a.id == b.id ? "same id" : "ids differ");
    answer_text(a.graph == b.graph ? "same graph" : "graphs differ");
    answer_text(a.id == c.id ? "same id" : "ids differ");
    answer_text("%zu nodes in the fork's frontier", b.n);
    cudaGraph_t g = answer_end(s);
    answer_text(g == a.graph ? "graph as told" : "another graph");
    answer_end(u);
}

SITUATION(info_invalidated, "cudaStreamGetCaptureInfo of an invalidated capture; after its end",
          "cudaDeviceSynchronize: StreamCaptureUnsupported",
          "info: status 2 id untouched graph untouched nodes untouched data untouched n 99",
          "cudaStreamEndCapture: StreamCaptureInvalidated", "captured: NULL",
          "info #2: status 0 id untouched graph untouched nodes untouched data untouched n 99")
{
    cudaStream_t s = nonblocking_stream();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaDeviceSynchronize());
    answer_info(s);
    answer_end(s);
    answer_info(s);
}

SITUATION(info_nulls,
          "cudaStreamGetCaptureInfo in a capture: only the status; NULL status; "
          "nodes without their number; number without nodes; nodes without data",
          "cudaStreamGetCaptureInfo(NULL, &i.id, NULL, NULL, NULL, NULL): InvalidValue", "i.n: 1",
          "cudaStreamGetCaptureInfo(&i.status, &i.id, &i.graph, NULL, &i.data, &i.n): InvalidValue",
          "captured: 1 nodes")
{
    cudaStream_t s = nonblocking_stream();
    struct capture_info i = capture_info_untouched;
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

SITUATION(info_ids, "ids of one capture after another: zero, equal, growing", "captured: 1 nodes",
          "captured #2: 1 nodes", "id, then id: not zero, growing")
{
    cudaStream_t s = nonblocking_stream();
    struct capture_info a, b;
    begin_capture(s, cudaStreamCaptureModeGlobal);
    MUST(capture_info_of(s, &a));
    answer_end(s);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    MUST(capture_info_of(s, &b));
    answer_end(s);
    answer_fact("id, then id", "%s, %s", a.id ? "not zero" : "zero",
                b.id > a.id    ? "growing"
                : b.id == a.id ? "equal"
                               : "falling");
}

SITUATION(info_graph_used,
          "the graph of a capture, during it: add a node; instantiate; clone; "
          "launch of that; end",
          "captured: 2 nodes", "edges: 0>1")
{
    cudaStream_t s = nonblocking_stream();
    struct capture_info i;
    cudaGraph_t copy;
    cudaGraphExec_t x = NULL;
    cudaGraphNode_t n;
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    MUST(capture_info_of(s, &i));
    answer(cudaGraphAddEmptyNode(&n, i.graph, i.nodes, i.n));
    answer(cudaGraphInstantiate(&x, i.graph, 0));
    answer(cudaGraphClone(&copy, i.graph));
    if (x)
        answer_run(x);
    cudaGraph_t g = answer_end(s);
    answer_edges(g);
}

SITUATION(info_graph_destroyed, "cudaGraphDestroy of the graph of a capture, during it",
          "cudaGraphDestroy: IllegalState")
{
    cudaStream_t s = nonblocking_stream();
    struct capture_info i;
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    MUST(capture_info_of(s, &i));
    answer(cudaGraphDestroy(i.graph));
}

SITUATION(info_node_destroyed,
          "cudaGraphDestroyNode of the last captured node, during the capture; "
          "a memset more; end",
          "cudaGraphDestroyNode: IllegalState", "i.n: 1 in the frontier")
{
    cudaStream_t s = nonblocking_stream();
    struct capture_info i;
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    some_work(s);
    MUST(capture_info_of(s, &i));
    answer(cudaGraphDestroyNode(i.nodes[0]));
    MUST(capture_info_of(s, &i));
    answer_text("%zu in the frontier", i.n);
}

SITUATION(info_nodes_destroyed,
          "cudaGraphDestroyNode of an older captured node, during the "
          "capture; of a node added by hand; an edge removed; an edge added; "
          "end; edges",
          "cudaGraphDestroyNode(first): IllegalState", "cudaGraphDestroyNode(mine): IllegalState",
          "captured: 3 nodes", "edges: 2>1")
{
    cudaStream_t s = nonblocking_stream();
    struct capture_info i;
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    some_work(s);
    MUST(capture_info_of(s, &i));
    cudaGraphNode_t first = nth_node(i.graph, 0), second = nth_node(i.graph, 1);
    cudaGraphNode_t mine = add_empty(i.graph, NULL);
    answer(cudaGraphDestroyNode(first));
    answer(cudaGraphRemoveDependencies(i.graph, &first, &second, NULL, 1));
    answer(cudaGraphAddDependencies(i.graph, &mine, &second, NULL, 1));
    answer(cudaGraphDestroyNode(mine));
    answer_edges(answer_end(s));
}

SITUATION(info_loose_node,
          "a node added by hand to the graph of a capture and left alone: end; "
          "shape; a host node added and joined by hand: run",
          "captured: 4 nodes", "edges: 0>1 0>3 1>3", "host_log: 'a'")
{
    cudaStream_t s = nonblocking_stream();
    struct capture_info i;
    begin_capture(s, cudaStreamCaptureModeGlobal);
    MUST(capture_info_of(s, &i));
    cudaGraphNode_t n = add_letter(i.graph, i.nodes[0], 'a');
    add_empty(i.graph, NULL);
    answer(cudaStreamUpdateCaptureDependencies(s, &n, NULL, 1, cudaStreamAddCaptureDependencies));
    some_work(s);
    cudaGraph_t g = answer_end(s);
    answer_edges(g);
    answer_run(new_exec(g));
    answer_text("'%s'", host_log());
}

SITUATION(info_empty_frontier,
          "the frontier of a capture with work set to none: end; the same of a "
          "forked stream with no work of its own",
          "captured: 1 nodes", "captured #2: 1 nodes")
{
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaStreamUpdateCaptureDependencies(s, NULL, NULL, 0, cudaStreamSetCaptureDependencies));
    answer_end(s);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    answer(cudaStreamUpdateCaptureDependencies(t, NULL, NULL, 0, cudaStreamSetCaptureDependencies));
    answer_end(s);
}

SITUATION(info,
          "cudaStreamGetCaptureInfo: dependencies of an origin and of a fork, same id, same "
          "graph; a second capture's id differs",
          "dependencies, id, graph: 1 1 same id same graph", "n: 2", "captured: 2 nodes",
          "c == a: other id", "captured #2: 1 nodes")
{
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
    size_t n = 9, m = 9;
    unsigned long long a, b, c;
    begin_capture(s, cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    some_work(t);
    cudaGraph_t g = answer_graph_of_capture(s, &n, &a), h = answer_graph_of_capture(t, &m, &b);
    answer_fact("dependencies, id, graph", "%zu %zu %s %s", n, m, a == b ? "same id" : "other id",
                g == h ? "same graph" : "other graph");
    order_streams(t, s);
    g = answer_graph_of_capture(s, &n, &a);
    answer_text("%zu", n);
    answer_end(s);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer_graph_of_capture(s, &n, &c);
    answer_text("%s", c == a ? "same id" : "other id");
    answer_end(s);
}

SITUATION(info_none_more,
          "cudaStreamGetCaptureInfo of a stream that does not capture; of one that was "
          "invalidated; of NULL; with edges queried and no out",
          "status: 0", "cudaDeviceSynchronize: StreamCaptureUnsupported", "status #2: 2",
          "cudaStreamGetCaptureInfo(s, NULL, NULL): InvalidValue")
{
    cudaStream_t s = nonblocking_stream();
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
