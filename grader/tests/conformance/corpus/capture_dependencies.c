/* capture_dependencies.c: cudaStreamUpdateCaptureDependencies, and nodes added by hand to the
 * graph of a capture. */
#include "../graphs.h"

SITUATION("the frontier of the origin set to the node of a forked stream, without an event: end")
{
    struct capture_info i;
    cudaStream_t t = nonblocking_stream(), s = capturing(cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    some_work(t);
    MUST(capture_info_of(t, &i));
    cudaGraphNode_t n = i.nodes[0];
    answer(cudaStreamUpdateCaptureDependencies(s, &n, NULL, 1, cudaStreamAddCaptureDependencies));
    some_work(s);
    edges_are("0>1 0>2 1>2", captured("3 nodes", s));
}

SITUATION("cudaStreamUpdateCaptureDependencies: set to a node added by hand; the next node's "
          "edges; end; add a node; the same again; the next node's edges; end")
{
    struct capture_info i;
    cudaStream_t s = capturing(cudaStreamCaptureModeGlobal);
    MUST(capture_info_of(s, &i));
    cudaGraphNode_t n = add_empty(i.graph, i.nodes[0]);
    answer(cudaStreamUpdateCaptureDependencies(s, &n, NULL, 1, cudaStreamSetCaptureDependencies));
    some_work(s);
    cudaGraph_t g = captured("3 nodes", s);
    types_are("memset empty memset", g);
    edges_are("0>1 1>2", g);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    MUST(capture_info_of(s, &i));
    n = add_empty(i.graph, NULL);
    answer(cudaStreamUpdateCaptureDependencies(s, &n, NULL, 1, cudaStreamAddCaptureDependencies));
    answer(cudaStreamUpdateCaptureDependencies(s, &n, NULL, 1, cudaStreamAddCaptureDependencies));
    MUST(capture_info_of(s, &i));
    shows("2 in the frontier", "%zu in the frontier", i.n);
    some_work(s);
    edges_are("0>2 1>2", captured("3 nodes", s));
}

SITUATION("cudaStreamUpdateCaptureDependencies: NULL with n 1; flags 2; flags -1; a node of "
          "another graph; a NULL node; the same node twice; status; with zero edge data; with a "
          "programmatic edge from a memset; from port 1 of a memset; end")
{
    struct capture_info i;
    cudaStream_t s = capturing(cudaStreamCaptureModeGlobal);
    MUST(capture_info_of(s, &i));
    cudaGraphNode_t mine = i.nodes[0], other = add_empty(new_graph(), NULL), none = NULL;
    cudaGraphNode_t twice[] = {mine, mine};
    gives(InvalidValue, cudaStreamUpdateCaptureDependencies(s, NULL, NULL, 1, 0));
    gives(InvalidValue, cudaStreamUpdateCaptureDependencies(s, &mine, NULL, 1, 2));
    gives(InvalidValue, cudaStreamUpdateCaptureDependencies(s, &mine, NULL, 1, (unsigned)-1));
    gives(InvalidValue, cudaStreamUpdateCaptureDependencies(s, &other, NULL, 1, 1));
    gives(InvalidValue, cudaStreamUpdateCaptureDependencies(s, &none, NULL, 1, 1));
    answer(cudaStreamUpdateCaptureDependencies(s, twice, NULL, 2, 1));
    status_is("active", s);
    MUST(capture_info_of(s, &i));
    shows("1 in the frontier", "%zu in the frontier", i.n);
    cudaGraphEdgeData zero = {0}, programmatic = {.type = 1}, port = {.from_port = 1, .type = 1};
    answer(cudaStreamUpdateCaptureDependencies(s, &mine, &zero, 1, 1));
    gives(InvalidValue, cudaStreamUpdateCaptureDependencies(s, &mine, &programmatic, 1, 1));
    gives(InvalidValue, cudaStreamUpdateCaptureDependencies(s, &mine, &port, 1, 1));
    captured("1 nodes", s);
}

SITUATION("cudaStreamUpdateCaptureDependencies of a stream that does not capture; of 0; of an "
          "invalidated capture")
{
    cudaStream_t s = nonblocking_stream();
    cudaGraphNode_t n = add_empty(new_graph(), NULL);
    gives(IllegalState, cudaStreamUpdateCaptureDependencies(s, &n, NULL, 1, 0));
    gives(IllegalState, cudaStreamUpdateCaptureDependencies(0, &n, NULL, 1, 0));
    begin_capture(s, cudaStreamCaptureModeGlobal);
    gives(StreamCaptureUnsupported, cudaDeviceSynchronize());
    gives(StreamCaptureInvalidated, cudaStreamUpdateCaptureDependencies(s, NULL, NULL, 0, 0));
}

SITUATION("work replaced in the frontier is not joined any more: end; the frontier set to none: "
          "the next node's edges; end")
{
    struct capture_info i;
    cudaStream_t s = capturing(cudaStreamCaptureModeGlobal);
    MUST(capture_info_of(s, &i));
    cudaGraphNode_t first = i.nodes[0];
    some_work(s);
    answer(cudaStreamUpdateCaptureDependencies(s, &first, NULL, 1, 1));
    some_work(s);
    edges_are("0>1 0>2", captured("3 nodes", s));
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaStreamUpdateCaptureDependencies(s, NULL, NULL, 0, cudaStreamSetCaptureDependencies));
    some_work(s);
    edges_are("no edges", captured("2 nodes", s));
}

SITUATION("the frontier of a forked stream set to none, instead of a join: end")
{
    cudaStream_t t = nonblocking_stream(), s = capturing(cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    some_work(t);
    answer(cudaStreamUpdateCaptureDependencies(t, NULL, NULL, 0, 1));
    captured("2 nodes", s);
}
