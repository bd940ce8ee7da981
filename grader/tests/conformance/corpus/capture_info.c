/* capture_info.c: cudaStreamGetCaptureInfo, and the graph of a capture while it runs. */
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

SITUATION("cudaStreamGetCaptureInfo of 0: no capture; a non-blocking; a blocking stream captures; "
          "end of it",
          "capture_info_of: Success; Success; StreamCaptureImplicit",
          "info: status 0 id untouched graph untouched nodes untouched data untouched n 99; status "
          "0 id untouched graph untouched nodes untouched data untouched n 99; status 99 id "
          "untouched graph untouched nodes untouched data untouched n 99")
{
    cudaStream_t s = nonblocking_stream(), b = new_stream(0);
    answer_info(0);
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    answer_info(0);
    begin_capture(b, cudaStreamCaptureModeRelaxed);
    answer_info(0);
    captured("1 nodes", b);
}

SITUATION("cudaStreamGetCaptureInfo after a join: nodes are; in which order",
          "info: status 1 id set graph set nodes set data set n 2", "i.nodes[k]: node 1; node 2")
{
    struct capture_info i;
    cudaStream_t t = nonblocking_stream(), s = capturing(cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    some_work(s);
    some_work(t);
    order_streams(t, s);
    answer_info(s);
    MUST(capture_info_of(s, &i));
    for (size_t k = 0; k < i.n; k++)
        answer_text("%s", place_text(i.graph, i.nodes[k]));
    shape_is("3 nodes, 2 edges, 1 roots", i.graph);
    captured("3 nodes", s);
}

SITUATION("id and graph of the origin and of a forked stream; of a second capture")
{
    struct capture_info a, b, c;
    cudaStream_t t = nonblocking_stream(), u = nonblocking_stream(),
                 s = capturing(cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    begin_capture(u, cudaStreamCaptureModeGlobal);
    MUST(capture_info_of(s, &a));
    MUST(capture_info_of(t, &b));
    MUST(capture_info_of(u, &c));
    shows("same id", a.id == b.id ? "same id" : "ids differ");
    shows("same graph", a.graph == b.graph ? "same graph" : "graphs differ");
    shows("ids differ", a.id == c.id ? "same id" : "ids differ");
    shows("1 nodes in the fork's frontier", "%zu nodes in the fork's frontier", b.n);
    cudaGraph_t g = captured("1 nodes", s);
    shows("graph as told", g == a.graph ? "graph as told" : "another graph");
    captured("1 nodes", u);
}

SITUATION("cudaStreamGetCaptureInfo of an invalidated capture; after its end",
          "info: status 2 id untouched graph untouched nodes untouched data untouched n 99; status "
          "0 id untouched graph untouched nodes untouched data untouched n 99")
{
    cudaStream_t s = capturing(cudaStreamCaptureModeGlobal);
    gives(StreamCaptureUnsupported, cudaDeviceSynchronize());
    answer_info(s);
    end_gives(StreamCaptureInvalidated, "NULL", s);
    answer_info(s);
}

SITUATION("cudaStreamGetCaptureInfo in a capture: only the status; NULL status; nodes without "
          "their number; number without nodes; nodes without data")
{
    struct capture_info i = capture_info_untouched;
    cudaStream_t s = capturing(cudaStreamCaptureModeGlobal);
    answer(cudaStreamGetCaptureInfo(s, &i.status, NULL, NULL, NULL, NULL, NULL));
    gives(InvalidValue, cudaStreamGetCaptureInfo(s, NULL, &i.id, NULL, NULL, NULL, NULL));
    answer(cudaStreamGetCaptureInfo(s, &i.status, &i.id, NULL, &i.nodes, NULL, NULL));
    answer(cudaStreamGetCaptureInfo(s, &i.status, &i.id, NULL, NULL, NULL, &i.n));
    shows("1", "%zu", i.n);
    answer(cudaStreamGetCaptureInfo(s, &i.status, &i.id, &i.graph, &i.nodes, NULL, &i.n));
    gives(InvalidValue,
          cudaStreamGetCaptureInfo(s, &i.status, &i.id, &i.graph, NULL, &i.data, &i.n));
    captured("1 nodes", s);
}

SITUATION("ids of one capture after another: zero, equal, growing")
{
    struct capture_info a, b;
    cudaStream_t s = capturing(cudaStreamCaptureModeGlobal);
    MUST(capture_info_of(s, &a));
    captured("1 nodes", s);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    MUST(capture_info_of(s, &b));
    captured("1 nodes", s);
    fact("id, then id", "not zero, growing", "%s, %s", a.id ? "not zero" : "zero",
         b.id > a.id    ? "growing"
         : b.id == a.id ? "equal"
                        : "falling");
}

SITUATION("the graph of a capture, during it: add a node; instantiate; clone; launch of that; "
          "destroy; end")
{
    struct capture_info i;
    cudaGraph_t copy;
    cudaGraphExec_t x = NULL;
    cudaGraphNode_t n;
    cudaStream_t s = capturing(cudaStreamCaptureModeRelaxed);
    MUST(capture_info_of(s, &i));
    answer(cudaGraphAddEmptyNode(&n, i.graph, i.nodes, i.n));
    answer(cudaGraphInstantiate(&x, i.graph, 0));
    answer(cudaGraphClone(&copy, i.graph));
    answer_run(x);
    gives(IllegalState, cudaGraphDestroy(i.graph));
    edges_are("0>1", captured("2 nodes", s));
}

SITUATION("cudaGraphDestroyNode of an older captured node, during the capture; of a node added by "
          "hand; an edge removed; an edge added; end; edges")
{
    struct capture_info i;
    cudaStream_t s = capturing(cudaStreamCaptureModeRelaxed);
    some_work(s);
    MUST(capture_info_of(s, &i));
    cudaGraphNode_t first = nth_node(i.graph, 0), second = nth_node(i.graph, 1);
    cudaGraphNode_t mine = add_empty(i.graph, NULL);
    gives(IllegalState, cudaGraphDestroyNode(first));
    answer(cudaGraphRemoveDependencies(i.graph, &first, &second, NULL, 1));
    answer(cudaGraphAddDependencies(i.graph, &mine, &second, NULL, 1));
    gives(IllegalState, cudaGraphDestroyNode(mine));
    edges_are("2>1", captured("3 nodes", s));
}

SITUATION("a node added by hand to the graph of a capture and left alone: end; shape; a host node "
          "added and joined by hand: run")
{
    struct capture_info i;
    cudaStream_t s = capturing(cudaStreamCaptureModeGlobal);
    MUST(capture_info_of(s, &i));
    cudaGraphNode_t n = add_letter(i.graph, i.nodes[0], 'a');
    add_empty(i.graph, NULL);
    answer(cudaStreamUpdateCaptureDependencies(s, &n, NULL, 1, cudaStreamAddCaptureDependencies));
    some_work(s);
    cudaGraph_t g = captured("4 nodes", s);
    edges_are("0>1 0>3 1>3", g);
    answer_run(new_exec(g));
    shows("'a'", "'%s'", host_log());
}
