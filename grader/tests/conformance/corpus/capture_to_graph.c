/* capture_to_graph.c: cudaStreamBeginCaptureToGraph. */
#include "../graphs.h"

SITUATION("cudaStreamBeginCaptureToGraph into an empty graph; end gives the same graph; again into "
          "it, after its node: edges; run")
{
    cudaStream_t s = nonblocking_stream();
    cudaGraph_t g = new_graph();
    answer(begin_capture_to(s, g, NULL));
    some_work(s);
    shows("same graph", captured("1 nodes", s) == g ? "same graph" : "another graph");
    answer(begin_capture_to(s, g, nth_node(g, 0)));
    some_work(s);
    captured("2 nodes", s);
    edges_are("0>1", g);
    answer_run(new_exec(g));
}

SITUATION("cudaStreamBeginCaptureToGraph after two nodes; edges")
{
    cudaStream_t s = nonblocking_stream();
    cudaGraph_t g = new_graph();
    cudaGraphNode_t after[] = {add_empty(g, NULL), add_empty(g, NULL)};
    prepare_work();
    answer(cudaStreamBeginCaptureToGraph(s, g, after, NULL, 2, cudaStreamCaptureModeGlobal));
    some_work(s);
    captured("3 nodes", s);
    edges_are("0>2 1>2", g);
}

SITUATION("cudaStreamBeginCaptureToGraph with zero edge data; with a programmatic edge from an "
          "empty node; graph NULL; NULL nodes with n 1; a node of another graph; the same twice; "
          "mode 3; 0; again while it captures; status of the stream")
{
    cudaStream_t s = nonblocking_stream();
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = add_empty(g, NULL);
    cudaGraphEdgeData zero = {0}, programmatic = {.from_port = 1, .type = 1};
    enum cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
    answer(cudaStreamBeginCaptureToGraph(s, g, &n, &zero, 1, mode));
    captured("1 nodes", s);
    gives(InvalidValue, cudaStreamBeginCaptureToGraph(s, g, &n, &programmatic, 1, mode));
    end_gives(IllegalState, "NULL", s);
    cudaGraphNode_t other = add_empty(new_graph(), NULL), twice[] = {n, n};
    gives(InvalidValue, cudaStreamBeginCaptureToGraph(s, NULL, NULL, NULL, 0, mode));
    status_is("none", s);
    gives(InvalidValue, cudaStreamBeginCaptureToGraph(s, g, NULL, NULL, 1, mode));
    status_is("none", s);
    gives(InvalidValue, cudaStreamBeginCaptureToGraph(s, g, &other, NULL, 1, mode));
    status_is("none", s);
    gives(InvalidValue,
          cudaStreamBeginCaptureToGraph(s, g, &n, NULL, 1, (enum cudaStreamCaptureMode)3));
    status_is("none", s);
    gives(StreamCaptureUnsupported, cudaStreamBeginCaptureToGraph(0, g, NULL, NULL, 0, mode));
    answer(cudaStreamBeginCaptureToGraph(s, g, twice, NULL, 2, mode));
    gives(IllegalState, cudaStreamBeginCaptureToGraph(s, g, NULL, NULL, 0, mode));
    status_is("active", s);
}

/* Is the handle still one? */
static void answer_alive(cudaGraph_t g)
{
    size_t n = 0;
    cudaError_t e = cudaGraphGetNodes(g, NULL, &n);
    answer_fact("cudaGraphGetNodes", "%s %zu", error_text(e), n);
}

SITUATION("an invalidated capture into a graph: end; nodes of the graph; destroy it",
          "cudaGraphGetNodes: InvalidValue 0")
{
    cudaStream_t s = nonblocking_stream();
    cudaGraph_t g = captured_memsets(1);
    MUST(begin_capture_to(s, g, nth_node(g, 0)));
    some_work(s);
    gives(StreamCaptureUnsupported, cudaDeviceSynchronize());
    end_gives(StreamCaptureInvalidated, "NULL", s);
    answer_alive(g);
    gives(InvalidValue, cudaGraphDestroy(g));
}

SITUATION("a capture into a graph whose stream is destroyed: nodes of the graph",
          "cudaGraphGetNodes: InvalidValue 0")
{
    cudaStream_t s = nonblocking_stream();
    cudaGraph_t g = captured_memsets(1);
    MUST(begin_capture_to(s, g, nth_node(g, 0)));
    some_work(s);
    answer(cudaStreamDestroy(s));
    answer_alive(g);
}

SITUATION("the graph that is captured into: destroyed; a node of it destroyed; cloned; "
          "instantiated; an edge removed; a node's parameters set; end")
{
    cudaStream_t s = nonblocking_stream();
    cudaGraph_t g = captured_memsets(2), copy;
    cudaGraphNode_t a = nth_node(g, 0), b = nth_node(g, 1);
    cudaGraphExec_t x;
    struct cudaMemsetParams m = memset_params(device_bytes(SMALL), 2, SMALL);
    prepare_work();
    MUST(cudaStreamBeginCaptureToGraph(s, g, &b, NULL, 1, cudaStreamCaptureModeRelaxed));
    some_work(s);
    gives(IllegalState, cudaGraphDestroy(g));
    gives(IllegalState, cudaGraphDestroyNode(a));
    answer(cudaGraphClone(&copy, g));
    answer(cudaGraphInstantiate(&x, g, 0));
    answer(cudaGraphRemoveDependencies(g, &a, &b, NULL, 1));
    answer(cudaGraphMemsetNodeSetParams(a, &m));
    cudaGraph_t ended = captured("3 nodes", s);
    if (ended)
        edges_are("1>2", ended);
}

SITUATION("the graph that is captured into, added as a child during that; the other way around; "
          "update of an exec by it; end")
{
    cudaStream_t s = nonblocking_stream();
    cudaGraph_t g = captured_memsets(1), h = captured_memsets(1);
    cudaGraphNode_t n;
    cudaGraphExec_t x = new_exec(g);
    cudaGraphExecUpdateResultInfo info = {0};
    prepare_work();
    MUST(cudaStreamBeginCaptureToGraph(s, g, NULL, NULL, 0, cudaStreamCaptureModeRelaxed));
    answer(cudaGraphExecUpdate(x, g, &info));
    shows("0", "%d", (int)info.result);
    answer(cudaGraphAddChildGraphNode(&n, h, NULL, 0, g));
    answer(cudaGraphAddChildGraphNode(&n, g, NULL, 0, h));
    some_work(s);
    captured("3 nodes", s);
}

SITUATION("two captures into one graph at once, both given work; a node added by hand during that; "
          "ends; shape")
{
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
    cudaGraph_t g = new_graph();
    answer(begin_capture_to(s, g, NULL));
    gives(IllegalState, begin_capture_to(t, g, NULL));
    some_work(s);
    some_work(t);
    add_empty(g, NULL);
    captured("2 nodes", s);
    end_gives(IllegalState, "NULL", t);
    shape_is("2 nodes, 0 edges, 2 roots", g);
}

SITUATION(
    "end with no place for the graph, of a capture into a graph: status; what the graph holds")
{
    cudaStream_t s = nonblocking_stream();
    cudaGraph_t g = new_graph();
    MUST(begin_capture_to(s, g, NULL));
    some_work(s);
    answer(cudaStreamEndCapture(s, NULL));
    status_is("none", s);
    shape_is("1 nodes, 0 edges, 1 roots", g);
}

SITUATION("a capture into a graph with a fork, joined; not joined, without work",
          "captured: 2 nodes; 1 nodes", "cudaGraphGetNodes: Success 2; Success 1")
{
    for (int joined = 1; joined >= 0; joined--) {
        cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
        cudaGraph_t g = new_graph();
        MUST(begin_capture_to(s, g, NULL));
        some_work(s);
        order_streams(s, t);
        if (joined) {
            some_work(t);
            order_streams(t, s);
        }
        answer_end(s);
        answer_alive(g);
    }
}

SITUATION("a capture into a graph that has an exec: the exec stays as it was")
{
    cudaStream_t s = nonblocking_stream();
    int *p = device_bytes(SMALL);
    cudaGraph_t g = new_graph();
    add_memset(g, NULL, p, 1);
    cudaGraphExec_t x = new_exec(g);
    MUST(begin_capture_to(s, g, nth_node(g, 0)));
    MUST(cudaMemsetAsync(p, 2, SMALL, s));
    captured("2 nodes", s);
    answer_run(x);
    shows("1", "%d", device_byte(p));
    answer_run(new_exec(g));
    shows("2", "%d", device_byte(p));
}
