/*
 * capture_dependencies.c: cudaStreamUpdateCaptureDependencies, and nodes added by hand to the
 * graph of a capture.
 */
#include "../graphs.h"

SITUATION(info_forked_update,
          "the frontier of the origin set to the node of a forked stream, "
          "without an event: end",
          "captured: 3 nodes", "edges: 0>1 0>2 1>2")
{
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
    struct capture_info i;
    begin_capture(s, cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    some_work(t);
    MUST(capture_info_of(t, &i));
    cudaGraphNode_t n = i.nodes[0];
    answer(cudaStreamUpdateCaptureDependencies(s, &n, NULL, 1, cudaStreamAddCaptureDependencies));
    some_work(s);
    answer_edges(answer_end(s));
}

SITUATION(update_set,
          "cudaStreamUpdateCaptureDependencies: set to a node added by hand; the next "
          "node's edges; end",
          "captured: 3 nodes", "types: memset empty memset", "edges: 0>1 1>2")
{
    cudaStream_t s = nonblocking_stream();
    struct capture_info i;
    begin_capture(s, cudaStreamCaptureModeGlobal);
    MUST(capture_info_of(s, &i));
    cudaGraphNode_t n = add_empty(i.graph, i.nodes[0]);
    answer(cudaStreamUpdateCaptureDependencies(s, &n, NULL, 1, cudaStreamSetCaptureDependencies));
    some_work(s);
    cudaGraph_t g = answer_end(s);
    answer_types(g);
    answer_edges(g);
}

SITUATION(update_add,
          "cudaStreamUpdateCaptureDependencies: add a node; the same again; the next "
          "node's edges; end",
          "i.n: 2 in the frontier", "captured: 3 nodes", "edges: 0>2 1>2")
{
    cudaStream_t s = nonblocking_stream();
    struct capture_info i;
    begin_capture(s, cudaStreamCaptureModeGlobal);
    MUST(capture_info_of(s, &i));
    cudaGraphNode_t n = add_empty(i.graph, NULL);
    answer(cudaStreamUpdateCaptureDependencies(s, &n, NULL, 1, cudaStreamAddCaptureDependencies));
    answer(cudaStreamUpdateCaptureDependencies(s, &n, NULL, 1, cudaStreamAddCaptureDependencies));
    MUST(capture_info_of(s, &i));
    answer_text("%zu in the frontier", i.n);
    some_work(s);
    answer_edges(answer_end(s));
}

SITUATION(update_none,
          "cudaStreamUpdateCaptureDependencies: set to none; the next node's edges; "
          "end; instantiate",
          "captured: 2 nodes", "edges: no edges")
{
    cudaStream_t s = nonblocking_stream();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaStreamUpdateCaptureDependencies(s, NULL, NULL, 0, cudaStreamSetCaptureDependencies));
    some_work(s);
    cudaGraph_t g = answer_end(s);
    if (g)
        answer_edges(g);
}

SITUATION(update_bad,
          "cudaStreamUpdateCaptureDependencies: NULL with n 1; flags 2; flags -1; a "
          "node of another graph; a NULL node; the same node twice; status; end",
          "cudaStreamUpdateCaptureDependencies(NULL, 1, 0): InvalidValue",
          "cudaStreamUpdateCaptureDependencies(&mine, 1, 2): InvalidValue",
          "cudaStreamUpdateCaptureDependencies(&mine, 1, -1): InvalidValue",
          "cudaStreamUpdateCaptureDependencies(&other, 1, 1): InvalidValue",
          "cudaStreamUpdateCaptureDependencies(&none, 1, 1): InvalidValue", "status: active",
          "i.n: 1 in the frontier", "captured: 1 nodes")
{
    cudaStream_t s = nonblocking_stream();
    struct capture_info i;
    begin_capture(s, cudaStreamCaptureModeGlobal);
    MUST(capture_info_of(s, &i));
    cudaGraphNode_t mine = i.nodes[0], other = add_empty(new_graph(), NULL), none = NULL;
    cudaGraphNode_t twice[] = {mine, mine};
    answer(cudaStreamUpdateCaptureDependencies(s, NULL, NULL, 1, 0));
    answer(cudaStreamUpdateCaptureDependencies(s, &mine, NULL, 1, 2));
    answer(cudaStreamUpdateCaptureDependencies(s, &mine, NULL, 1, (unsigned)-1));
    answer(cudaStreamUpdateCaptureDependencies(s, &other, NULL, 1, 1));
    answer(cudaStreamUpdateCaptureDependencies(s, &none, NULL, 1, 1));
    answer(cudaStreamUpdateCaptureDependencies(s, twice, NULL, 2, 1));
    answer_status(s);
    MUST(capture_info_of(s, &i));
    answer_text("%zu in the frontier", i.n);
    answer_end(s);
}

SITUATION(update_outside,
          "cudaStreamUpdateCaptureDependencies of a stream that does not capture; "
          "of 0; of an invalidated capture",
          "cudaStreamUpdateCaptureDependencies(s, &n, 1): IllegalState",
          "cudaStreamUpdateCaptureDependencies(0, &n, 1): IllegalState",
          "cudaDeviceSynchronize: StreamCaptureUnsupported",
          "cudaStreamUpdateCaptureDependencies(s, NULL, 0): StreamCaptureInvalidated")
{
    cudaStream_t s = nonblocking_stream();
    cudaGraphNode_t n = add_empty(new_graph(), NULL);
    answer(cudaStreamUpdateCaptureDependencies(s, &n, NULL, 1, 0));
    answer(cudaStreamUpdateCaptureDependencies(0, &n, NULL, 1, 0));
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaDeviceSynchronize());
    answer(cudaStreamUpdateCaptureDependencies(s, NULL, NULL, 0, 0));
}

SITUATION(update_replaced, "work replaced in the frontier is not joined any more: end",
          "captured: 3 nodes", "edges: 0>1 0>2")
{
    cudaStream_t s = nonblocking_stream();
    struct capture_info i;
    begin_capture(s, cudaStreamCaptureModeGlobal);
    MUST(capture_info_of(s, &i));
    cudaGraphNode_t first = i.nodes[0];
    some_work(s);
    answer(cudaStreamUpdateCaptureDependencies(s, &first, NULL, 1, 1));
    some_work(s);
    answer_edges(answer_end(s));
}

SITUATION(update_forked, "the frontier of a forked stream set to none, instead of a join: end",
          "captured: 2 nodes")
{
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    some_work(t);
    answer(cudaStreamUpdateCaptureDependencies(t, NULL, NULL, 0, 1));
    answer_end(s);
}

SITUATION(update_data,
          "cudaStreamUpdateCaptureDependencies with zero edge data; with a "
          "programmatic edge from a memset; from port 1 of a memset",
          "cudaStreamUpdateCaptureDependencies(&programmatic): InvalidValue",
          "cudaStreamUpdateCaptureDependencies(&port): InvalidValue", "captured: 1 nodes")
{
    cudaStream_t s = nonblocking_stream();
    struct capture_info i;
    begin_capture(s, cudaStreamCaptureModeGlobal);
    MUST(capture_info_of(s, &i));
    cudaGraphNode_t n = i.nodes[0];
    cudaGraphEdgeData zero = {0}, programmatic = {.type = 1}, port = {.from_port = 1, .type = 1};
    answer(cudaStreamUpdateCaptureDependencies(s, &n, &zero, 1, 1));
    answer(cudaStreamUpdateCaptureDependencies(s, &n, &programmatic, 1, 1));
    answer(cudaStreamUpdateCaptureDependencies(s, &n, &port, 1, 1));
    answer_end(s);
}

SITUATION(update_deps,
          "cudaStreamUpdateCaptureDependencies: set to none, then work; add a node; "
          "flags 2; a node of another graph; outside a capture",
          "cudaStreamUpdateCaptureDependencies(s, &first, 1, 2): InvalidValue",
          "cudaStreamUpdateCaptureDependencies(s, &other, 1, cudaStreamSetCaptureDependencies): "
          "InvalidValue",
          "cudaStreamUpdateCaptureDependencies(t, NULL, 0, 0): IllegalState", "captured: 3 nodes",
          "edges: 0>2 1>2")
{
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
    size_t n;
    unsigned long long id;
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    cudaGraph_t g = answer_graph_of_capture(s, &n, &id);
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
          "a node added by hand to the graph of a capture, made its dependency: end, edges",
          "captured: 3 nodes", "edges: 0>1 1>2")
{
    cudaStream_t s = nonblocking_stream();
    size_t n;
    unsigned long long id;
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    cudaGraph_t g = answer_graph_of_capture(s, &n, &id);
    cudaGraphNode_t mine = add_empty(g, nth_node(g, 0));
    answer(
        cudaStreamUpdateCaptureDependencies(s, &mine, NULL, 1, cudaStreamSetCaptureDependencies));
    some_work(s);
    answer_edges(answer_end(s));
}

SITUATION(hand_unjoined, "a node added by hand to the graph of a capture, tied to nothing: end",
          "captured: 2 nodes")
{
    cudaStream_t s = nonblocking_stream();
    size_t n;
    unsigned long long id;
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    add_empty(answer_graph_of_capture(s, &n, &id), NULL);
    answer_end(s);
}

SITUATION(hand_destroyed,
          "the last captured node destroyed during the capture; then more work; end",
          "cudaGraphDestroyNode: IllegalState", "node_count: 2", "captured: 3 nodes",
          "edges: 0>1 1>2")
{
    cudaStream_t s = nonblocking_stream();
    size_t n;
    unsigned long long id;
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    some_work(s);
    cudaGraph_t g = answer_graph_of_capture(s, &n, &id);
    answer(cudaGraphDestroyNode(nth_node(g, 0)));
    answer_text("%zu", node_count(g));
    some_work(s);
    answer_edges(answer_end(s));
}

SITUATION(
    graph_in_use,
    "during a capture, of its graph: instantiate, clone, destroy, cudaGraphGetNodes count; end",
    "node_count: 1", "status: active", "captured: 1 nodes")
{
    cudaStream_t s = nonblocking_stream();
    size_t n;
    unsigned long long id;
    cudaGraph_t copy = NULL;
    cudaGraphExec_t x = NULL;
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    cudaGraph_t g = answer_graph_of_capture(s, &n, &id);
    answer_text("%zu", node_count(g));
    answer(cudaGraphInstantiate(&x, g, 0));
    answer(cudaGraphClone(&copy, g));
    answer_status(s);
    answer_end(s);
}
