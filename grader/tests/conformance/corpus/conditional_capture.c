/* conditional_capture.c: captures into the body of a conditional node. */
#include "../conditional.h"

SITUATION("a capture into a body: begin, memset, end; a host function; a plain event and fork; "
          "instantiate")
{
    cudaGraph_t g = new_graph(), body, ended = NULL;
    cudaStream_t s = nonblocking_stream();
    prepare_work();
    add_conditional(g, NULL, handle_of(g, 1), IF, 1, &body);
    answer(cudaStreamBeginCaptureToGraph(s, body, NULL, NULL, 0, cudaStreamCaptureModeGlobal));
    some_work(s);
    answer(cudaStreamEndCapture(s, &ended));
    shows("the body", ended == body ? "the body" : "another graph");
    instantiate_gives("Success", "result 0, error NULL", g);
    answer(cudaStreamBeginCaptureToGraph(s, body, NULL, NULL, 0, cudaStreamCaptureModeGlobal));
    answer(cudaLaunchHostFunc(s, write_letter, NULL));
    captured("2 nodes", s);
    instantiate_gives("InvalidValue", "result 3, error other", g);
}

SITUATION("an invalidated capture into a body: end; instantiate; run", CRASHES_ON_GPU)
{
    cudaGraph_t g = new_graph(), body;
    cudaStream_t s = nonblocking_stream();
    prepare_work();
    add_conditional(g, NULL, handle_of(g, 1), IF, 1, &body);
    MUST(cudaStreamBeginCaptureToGraph(s, body, NULL, NULL, 0, cudaStreamCaptureModeGlobal));
    some_work(s);
    gives(StreamCaptureUnsupported, cudaDeviceSynchronize());
    end_gives(StreamCaptureInvalidated, "NULL", s);
    instantiate_gives("Success", "result 0, error NULL", g);
}

SITUATION(
    "a conditional node added by hand to the graph of a capture, its frontier set to it; end; run")
{
    cudaStream_t s = nonblocking_stream();
    cudaGraph_t g = NULL, body;
    int *p = device_bytes(SMALL);
    enum cudaStreamCaptureStatus status;
    const cudaGraphNode_t *nodes;
    size_t n;
    begin_capture(s, cudaStreamCaptureModeGlobal);
    MUST(cudaStreamGetCaptureInfo(s, &status, NULL, &g, &nodes, NULL, &n));
    cudaGraphNode_t c = add_conditional(g, nodes[0], handle_of(g, 1), IF, 1, &body);
    add_store(body, NULL, p, 6);
    answer(cudaStreamUpdateCaptureDependencies(s, &c, NULL, 1, cudaStreamSetCaptureDependencies));
    some_work(s);
    cudaGraph_t ended = captured("3 nodes", s);
    types_are("memset cond memset", ended);
    answer_run(new_exec(ended));
    shows("6", "%d", device_int(p));
}
