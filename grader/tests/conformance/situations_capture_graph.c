/*
 * situations_capture_graph.c: captures into a graph that is there already, and graph launches in a
 * capture.
 */
#include "situations_graphs.h"

static cudaStream_t other_stream(void)
{
    return new_stream(cudaStreamNonBlocking);
}

static cudaError_t begin_to(cudaStream_t s, cudaGraph_t g, cudaGraphNode_t after)
{
    prepare_work();
    return cudaStreamBeginCaptureToGraph(s, g, after ? &after : NULL, NULL, after != NULL,
                                         cudaStreamCaptureModeGlobal);
}

SITUATION(to_graph, "cudaStreamBeginCaptureToGraph into an empty graph; end gives the same graph; "
                    "again into it, after its node: edges; run")
{
    cudaStream_t s = other_stream();
    cudaGraph_t g = new_graph();
    answer(begin_to(s, g, NULL));
    some_work(s);
    answer_text(answer_end(s) == g ? "same graph" : "another graph");
    answer(begin_to(s, g, nth_node(g, 0)));
    some_work(s);
    answer_end(s);
    answer_edges(g);
    answer_run(new_exec(g));
}

SITUATION(to_graph_apart, "cudaStreamBeginCaptureToGraph after nothing, into a graph with nodes: "
                          "shape")
{
    cudaStream_t s = other_stream();
    cudaGraph_t g = captured_memsets(2);
    answer(begin_to(s, g, NULL));
    some_work(s);
    answer_end(s);
    answer_shape(g);
}

SITUATION(to_graph_two_nodes, "cudaStreamBeginCaptureToGraph after two nodes; edges")
{
    cudaStream_t s = other_stream();
    cudaGraph_t g = new_graph();
    cudaGraphNode_t after[] = {add_empty(g, NULL), add_empty(g, NULL)};
    prepare_work();
    answer(cudaStreamBeginCaptureToGraph(s, g, after, NULL, 2, cudaStreamCaptureModeGlobal));
    some_work(s);
    answer_end(s);
    answer_edges(g);
}

SITUATION(to_graph_bad, "cudaStreamBeginCaptureToGraph: graph NULL; NULL nodes with n 1; a node of "
                        "another graph; the same twice; mode 3; 0; status of the stream")
{
    cudaStream_t s = other_stream();
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = add_empty(g, NULL), other = add_empty(new_graph(), NULL);
    cudaGraphNode_t twice[] = {n, n};
    enum cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
    answer(cudaStreamBeginCaptureToGraph(s, NULL, NULL, NULL, 0, mode));
    answer_status(s);
    answer(cudaStreamBeginCaptureToGraph(s, g, NULL, NULL, 1, mode));
    answer_status(s);
    answer(cudaStreamBeginCaptureToGraph(s, g, &other, NULL, 1, mode));
    answer_status(s);
    answer(cudaStreamBeginCaptureToGraph(s, g, &n, NULL, 1, (enum cudaStreamCaptureMode)3));
    answer_status(s);
    answer(cudaStreamBeginCaptureToGraph(0, g, NULL, NULL, 0, mode));
    answer(cudaStreamBeginCaptureToGraph(s, g, twice, NULL, 2, mode));
    answer_status(s);
}

SITUATION(to_graph_data, "cudaStreamBeginCaptureToGraph with zero edge data; with a programmatic "
                         "edge from an empty node")
{
    cudaStream_t s = other_stream();
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = add_empty(g, NULL);
    cudaGraphEdgeData zero = {0}, programmatic = {.from_port = 1, .type = 1};
    enum cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
    answer(cudaStreamBeginCaptureToGraph(s, g, &n, &zero, 1, mode));
    answer_end(s);
    answer(cudaStreamBeginCaptureToGraph(s, g, &n, &programmatic, 1, mode));
    answer_end(s);
}

/* Is the handle still one? */
static void answer_alive(cudaGraph_t g)
{
    size_t n = 0;
    cudaError_t e = cudaGraphGetNodes(g, NULL, &n);
    answer_text("%s %zu", error_text(e), n);
}

SITUATION(to_graph_invalidated, "an invalidated capture into a graph: end; nodes of the graph; "
                                "destroy it")
{
    cudaStream_t s = other_stream();
    cudaGraph_t g = captured_memsets(1);
    MUST(begin_to(s, g, nth_node(g, 0)));
    some_work(s);
    answer(cudaDeviceSynchronize());
    answer_end(s);
    answer_alive(g);
    answer(cudaGraphDestroy(g));
}

SITUATION(to_graph_unjoined, "an unjoined capture into a graph: end; nodes of the graph")
{
    cudaStream_t s = other_stream(), t = other_stream();
    cudaGraph_t g = captured_memsets(1);
    MUST(begin_to(s, g, nth_node(g, 0)));
    some_work(s);
    order_streams(s, t);
    some_work(t);
    answer_end(s);
    answer_alive(g);
}

SITUATION(to_graph_stream_destroyed, "a capture into a graph whose stream is destroyed: nodes of "
                                     "the graph")
{
    cudaStream_t s = other_stream();
    cudaGraph_t g = captured_memsets(1);
    MUST(begin_to(s, g, nth_node(g, 0)));
    some_work(s);
    answer(cudaStreamDestroy(s));
    answer_alive(g);
}

SITUATION(to_graph_changed_meanwhile, "the graph that is captured into: destroyed; a node of it "
                                      "destroyed; cloned; instantiated; an edge removed; a node's "
                                      "parameters set; end")
{
    cudaStream_t s = other_stream();
    cudaGraph_t g = captured_memsets(2), copy;
    cudaGraphNode_t a = nth_node(g, 0), b = nth_node(g, 1);
    cudaGraphExec_t x;
    struct cudaMemsetParams m = memset_params(device_bytes(SMALL), 2, SMALL);
    prepare_work();
    MUST(cudaStreamBeginCaptureToGraph(s, g, &b, NULL, 1, cudaStreamCaptureModeRelaxed));
    some_work(s);
    answer(cudaGraphDestroy(g));
    answer(cudaGraphDestroyNode(a));
    answer(cudaGraphClone(&copy, g));
    answer(cudaGraphInstantiate(&x, g, 0));
    answer(cudaGraphRemoveDependencies(g, &a, &b, NULL, 1));
    answer(cudaGraphMemsetNodeSetParams(a, &m));
    cudaGraph_t ended = answer_end(s);
    if (ended)
        answer_edges(ended);
}

SITUATION(to_graph_as_child, "the graph that is captured into, added as a child meanwhile; the "
                             "other way round; update of an exec by it; end")
{
    cudaStream_t s = other_stream();
    cudaGraph_t g = captured_memsets(1), h = captured_memsets(1);
    cudaGraphNode_t n;
    cudaGraphExec_t x = new_exec(g);
    cudaGraphExecUpdateResultInfo info = {0};
    prepare_work();
    MUST(cudaStreamBeginCaptureToGraph(s, g, NULL, NULL, 0, cudaStreamCaptureModeRelaxed));
    answer(cudaGraphExecUpdate(x, g, &info));
    answer_text("%d", (int)info.result);
    answer(cudaGraphAddChildGraphNode(&n, h, NULL, 0, g));
    answer(cudaGraphAddChildGraphNode(&n, g, NULL, 0, h));
    some_work(s);
    answer_end(s);
}

SITUATION(to_graph_twice_at_once, "two captures into one graph at once, both given work; a node "
                                  "added by hand meanwhile; ends; shape")
{
    cudaStream_t s = other_stream(), t = other_stream();
    cudaGraph_t g = new_graph();
    answer(begin_to(s, g, NULL));
    answer(begin_to(t, g, NULL));
    some_work(s);
    some_work(t);
    add_empty(g, NULL);
    answer_end(s);
    answer_end(t);
    answer_shape(g);
}

SITUATION(to_graph_end_null, "end with no place for the graph, of a capture into a graph: status; "
                             "what the graph holds")
{
    cudaStream_t s = other_stream();
    cudaGraph_t g = new_graph();
    MUST(begin_to(s, g, NULL));
    some_work(s);
    answer(cudaStreamEndCapture(s, NULL));
    answer_status(s);
    answer_shape(g);
}

SITUATION(to_graph_fork, "a capture into a graph with a fork, joined; not joined, without work")
{
    for (int joined = 1; joined >= 0; joined--) {
        cudaStream_t s = other_stream(), t = other_stream();
        cudaGraph_t g = new_graph();
        MUST(begin_to(s, g, NULL));
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

SITUATION(to_graph_exec, "a capture into a graph that has an exec: the exec stays as it was")
{
    cudaStream_t s = other_stream();
    int *p = device_bytes(SMALL);
    cudaGraph_t g = new_graph();
    add_memset(g, NULL, p, 1);
    cudaGraphExec_t x = new_exec(g);
    MUST(begin_to(s, g, nth_node(g, 0)));
    MUST(cudaMemsetAsync(p, 2, SMALL, s));
    answer_end(s);
    answer_run(x);
    answer_text("%d", device_byte(p));
    answer_run(new_exec(g));
    answer_text("%d", device_byte(p));
}

/* ---- a graph launched in a capture ----------------------------------------------------------- */

SITUATION(launch_in_capture, "cudaGraphLaunch in a capture: status; end; the exec runs after it; "
                             "in a capture into its own graph")
{
    cudaStream_t s = other_stream();
    cudaGraph_t g = captured_memsets(1);
    cudaGraphExec_t x = new_exec(g);
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    answer(cudaGraphLaunch(x, s));
    answer_status(s);
    answer_end(s);
    answer_run(x);
    MUST(begin_to(s, g, NULL));
    answer(cudaGraphLaunch(x, s));
    answer_status(s);
}

SITUATION(launch_in_capture_alloc, "cudaGraphLaunch in a capture of an exec that allocates and "
                                   "frees; status; end of it")
{
    cudaStream_t s = other_stream();
    cudaGraph_t g = new_graph();
    void *p;
    cudaGraphNode_t n = add_alloc(g, NULL, SMALL, &p);
    add_free(g, n, p);
    cudaGraphExec_t x = new_exec(g);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaGraphLaunch(x, s));
    answer_status(s);
    answer_end(s);
}

SITUATION(upload_in_capture, "cudaGraphUpload in a capture; status; end; nodes")
{
    cudaStream_t s = other_stream();
    cudaGraphExec_t x = new_exec(captured_memsets(1));
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaGraphUpload(x, s));
    answer_status(s);
    answer_end(s);
}

SITUATION(launch_in_capture_null, "cudaGraphLaunch of NULL in a capture; status; end")
{
    cudaStream_t s = other_stream();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaGraphLaunch(NULL, s));
    answer_status(s);
    answer_end(s);
}
