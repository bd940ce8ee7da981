/*
 * situations_graph_launch.c: launching execs: order, streams, uploads.
 */
#include <stdint.h>

#include "situations_graphs.h"

static cudaStream_t other_stream(void)
{
    return new_stream(cudaStreamNonBlocking);
}

/* A graph that waits at the gate and then writes the letter. */
static cudaGraph_t gated(char letter)
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    struct cudaHostNodeParams gate = {stand_at_gate, NULL};
    gate_reset();
    MUST(cudaGraphAddHostNode(&n, g, NULL, 0, &gate));
    add_letter(g, n, letter);
    return g;
}

static cudaGraph_t letters(const char *text)
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = NULL;
    for (; *text; text++)
        n = add_letter(g, n, *text);
    return g;
}

SITUATION(launch_bad, "cudaGraphLaunch of NULL; get last error; a graph as an exec; in 0; upload "
                      "of NULL; upload in 0; in cudaStreamPerThread")
{
    cudaGraphExec_t x = new_exec(captured_memsets(1));
    answer(cudaGraphLaunch(NULL, 0));
    answer(cudaGetLastError());
    answer(cudaGraphLaunch((cudaGraphExec_t)captured_memsets(1), 0));
    answer(cudaGraphLaunch(x, 0));
    answer(cudaGraphUpload(NULL, 0));
    answer(cudaGraphUpload(x, 0));
    answer(cudaGraphLaunch(x, cudaStreamPerThread));
    answer(cudaDeviceSynchronize());
}

SITUATION(graph_launch_destroyed_stream, "cudaGraphLaunch in a destroyed stream")
{
    cudaGraphExec_t x = new_exec(captured_memsets(1));
    answer(cudaGraphLaunch(x, destroyed_stream()));
}

SITUATION(graph_upload_destroyed_stream, "cudaGraphUpload in a destroyed stream")
{
    cudaGraphExec_t x = new_exec(captured_memsets(1));
    answer(cudaGraphUpload(x, destroyed_stream()));
}

SITUATION(launch_in_stream_order, "stream work, a graph, stream work in one stream: order; twice")
{
    cudaStream_t s = other_stream();
    cudaGraphExec_t x = new_exec(letters("bc"));
    for (int i = 0; i < 2; i++) {
        log_letter(s, 'a');
        answer(cudaGraphLaunch(x, s));
        log_letter(s, 'd');
    }
    answer(cudaStreamSynchronize(s));
    answer_text("'%s'", log_text());
}

SITUATION(launch_two_streams, "one exec launched in two streams, the first held up: the second "
                              "waits; order")
{
    cudaStream_t s = other_stream(), t = other_stream();
    cudaGraphExec_t x = new_exec(gated('g'));
    answer(cudaGraphLaunch(x, s));
    log_letter(s, 's');
    answer(cudaGraphLaunch(x, t));
    answer_text("%s", done_soon(t));
    gate_open();
    answer(cudaDeviceSynchronize());
}

SITUATION(launch_behind_busy, "one exec launched in a stream that is held up before it, then in "
                              "a free stream: does the second wait")
{
    cudaStream_t s = other_stream(), t = other_stream();
    cudaGraphExec_t x = new_exec(letters("x"));
    gate_shut(s);
    answer(cudaGraphLaunch(x, s));
    answer(cudaGraphLaunch(x, t));
    answer_text("%s", done_soon(t));
    gate_open();
    answer(cudaDeviceSynchronize());
    answer_text("'%s'", log_text());
}

SITUATION(launch_two_execs, "two execs of one graph in two streams, the first held up: does the "
                            "second wait")
{
    cudaStream_t s = other_stream(), t = other_stream();
    void *p = device_bytes(SMALL);
    cudaGraph_t g = gated('g'), h = new_graph();
    add_memset(h, NULL, p, 1);
    cudaGraphExec_t x = new_exec(g), y = new_exec(h);
    answer(cudaGraphLaunch(x, s));
    answer(cudaGraphLaunch(y, t));
    answer_text("%s", done_soon(t));
    gate_open();
    answer(cudaDeviceSynchronize());
}

SITUATION(launch_fifty, "one exec launched 50 times in each of two streams: runs")
{
    cudaStream_t s = other_stream(), t = other_stream();
    cudaGraphExec_t x = new_exec(letters("x"));
    for (int i = 0; i < 25; i++) {
        MUST(cudaGraphLaunch(x, s));
        MUST(cudaGraphLaunch(x, t));
    }
    answer(cudaDeviceSynchronize());
    int n = 0;
    while (log_text()[n])
        n++;
    answer_text("%d", n);
}

SITUATION(launch_branches, "a graph with two branches, one held up: the other goes on")
{
    cudaStream_t s = other_stream(), t = other_stream();
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    cudaGraph_t g = gated('g');
    add_record(g, NULL, e);
    cudaGraphExec_t x = new_exec(g);
    answer(cudaGraphLaunch(x, s));
    answer(cudaStreamWaitEvent(t, e, 0));
    answer_text("%s", done_soon(t));
    answer(cudaStreamQuery(s));
    gate_open();
    answer(cudaDeviceSynchronize());
}

SITUATION(launch_root_waits, "all roots of a launched graph wait for the work before it in the "
                             "stream; what comes after waits for all of its ends")
{
    cudaStream_t s = other_stream();
    int *p = device_bytes(SMALL);
    cudaGraph_t g = letters("a");
    add_memset(g, NULL, p, 3);
    cudaGraphExec_t x = new_exec(g);
    gate_shut(s);
    answer(cudaGraphLaunch(x, s));
    answer_text("'%s' %d", log_text(), device_byte(p));
    gate_open();
    answer(cudaStreamSynchronize(s));
    answer_text("'%s' %d", log_text(), device_byte(p));
}

SITUATION(launch_query, "cudaStreamQuery while a launched graph runs; cudaEventQuery of an event "
                        "after it; both when it is done")
{
    cudaStream_t s = other_stream();
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    cudaGraphExec_t x = new_exec(gated('g'));
    answer(cudaGraphLaunch(x, s));
    MUST(cudaEventRecord(e, s));
    answer(cudaStreamQuery(s));
    answer(cudaEventQuery(e));
    gate_open();
    answer(cudaStreamSynchronize(s));
    answer(cudaStreamQuery(s));
    answer(cudaEventQuery(e));
}

SITUATION(launch_returns, "cudaGraphLaunch, and a second one of the same exec, while it runs: wait "
                          "or return; cudaGraphUpload of it")
{
    cudaStream_t s = other_stream(), t = other_stream();
    cudaGraphExec_t x = new_exec(gated('g'));
    answer(cudaGraphLaunch(x, s));
    answer_text("%s", gate_waited());
    answer(cudaGraphLaunch(x, s));
    answer_text("%s", gate_waited());
    answer(cudaGraphUpload(x, t));
    answer_text("%s", gate_waited());
    gate_open();
    answer(cudaDeviceSynchronize());
}

static void legacy_order(cudaStream_t s)
{
    cudaGraphExec_t x = new_exec(gated('g'));
    answer(cudaGraphLaunch(x, s));
    some_work(0);
    answer_text("%s", done_soon(0));
    gate_open();
    answer(cudaDeviceSynchronize());
}

SITUATION(launch_then_legacy, "work in 0 after a graph launched in a blocking stream")
{
    legacy_order(new_stream(0));
}

SITUATION(launch_then_legacy_non_blocking, "work in 0 after a graph launched in a non-blocking "
                                           "stream")
{
    legacy_order(other_stream());
}

SITUATION(launch_in_legacy, "a graph launched in 0 after gated work in a blocking stream; work in "
                            "another blocking stream after it")
{
    cudaStream_t a = new_stream(0), b = new_stream(0);
    cudaGraphExec_t x = new_exec(letters("g"));
    gate_shut(a);
    log_letter(a, 'a');
    answer(cudaGraphLaunch(x, 0));
    log_letter(b, 'b');
    gate_open_later(100);
    answer(cudaDeviceSynchronize());
    answer_text("'%s'", log_text());
}

SITUATION(launch_captured_blocking, "a graph captured from a blocking stream, launched in a "
                                    "non-blocking one, does not wait for work in 0")
{
    cudaStream_t a = new_stream(0), s = other_stream();
    begin_capture(a, cudaStreamCaptureModeGlobal);
    cudaGraphExec_t x = new_exec(answer_end(a));
    gate_shut(0);
    answer(cudaGraphLaunch(x, s));
    answer_text("%s", done_soon(s));
    gate_open();
    answer(cudaDeviceSynchronize());
}

SITUATION(launch_origin_busy, "a graph captured from a stream that is busy now, launched in "
                              "another: does not wait for it")
{
    cudaStream_t a = other_stream(), s = other_stream();
    begin_capture(a, cudaStreamCaptureModeGlobal);
    cudaGraphExec_t x = new_exec(answer_end(a));
    gate_shut(a);
    answer(cudaGraphLaunch(x, s));
    answer_text("%s", done_soon(s));
    gate_open();
    answer(cudaDeviceSynchronize());
}

SITUATION(launch_stream_destroyed_after, "the stream of a launch destroyed while the graph runs; "
                                         "device synchronised: it ran")
{
    cudaStream_t s = other_stream();
    cudaGraphExec_t x = new_exec(gated('g'));
    answer(cudaGraphLaunch(x, s));
    answer(cudaStreamDestroy(s));
    gate_open_later(150);
    answer(cudaDeviceSynchronize());
    answer_text("'%s'", log_text());
}

SITUATION(launch_freed_source, "a graph launched after the device source of its copy of 64 MiB was "
                               "freed: the result of synchronising")
{
    cudaStream_t s = other_stream();
    char *p = NULL, *h = pinned_bytes(64 << 20);
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    MUST(cudaMalloc((void **)&p, 64 << 20));
    MUST(cudaGraphAddMemcpyNode1D(&n, g, NULL, 0, h, p, 64 << 20, cudaMemcpyDeviceToHost));
    cudaGraphExec_t x = new_exec(g);
    MUST(cudaFree(p));
    answer(cudaGraphLaunch(x, s));
    answer(cudaStreamSynchronize(s));
}

SITUATION(launch_freed_kernel,
          "a graph launched after the 64 MiB that its kernel writes were freed: "
          "the result of synchronising")
{
    cudaStream_t s = other_stream();
    int *p = NULL;
    cudaGraph_t g = new_graph();
    MUST(cudaMalloc((void **)&p, 64 << 20));
    add_store(g, NULL, p, 1);
    cudaGraphExec_t x = new_exec(g);
    MUST(cudaFree(p));
    answer(cudaGraphLaunch(x, s));
    answer(cudaStreamSynchronize(s));
}

SITUATION(launch_freed_pinned, "a graph launched after the pinned source of 64 MiB of its copy was "
                               "freed: the result of synchronising")
{
    cudaStream_t s = other_stream();
    char *p = NULL, *h = pinned_bytes(64 << 20);
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    MUST(cudaMalloc((void **)&p, 64 << 20));
    MUST(cudaGraphAddMemcpyNode1D(&n, g, NULL, 0, p, h, 64 << 20, cudaMemcpyHostToDevice));
    cudaGraphExec_t x = new_exec(g);
    MUST(cudaFreeHost(h));
    answer(cudaGraphLaunch(x, s));
    answer(cudaStreamSynchronize(s));
}

SITUATION(launch_freed_small, "a graph launched after the 64 bytes that it sets were freed, while "
                              "others live beside them: the result of synchronising")
{
    cudaStream_t s = other_stream();
    char *other = device_bytes(SMALL), *p = device_bytes(SMALL);
    cudaGraph_t g = new_graph();
    add_memset(g, NULL, p, 1);
    cudaGraphExec_t x = new_exec(g);
    MUST(cudaFree(p));
    answer(cudaGraphLaunch(x, s));
    answer(cudaStreamSynchronize(s));
    answer_text("%d", device_byte(other));
}

SITUATION(launch_freed_memory, "a graph launched after memory it sets was freed; the result of "
                               "synchronising")
{
    cudaStream_t s = other_stream();
    char *p = NULL;
    cudaGraph_t g = new_graph();
    MUST(cudaMalloc((void **)&p, 64 << 20));
    add_memset(g, NULL, p, 1);
    cudaGraphExec_t x = new_exec(g);
    MUST(cudaFree(p));
    answer(cudaGraphLaunch(x, s));
    answer(cudaStreamSynchronize(s));
}

SITUATION(upload_then, "cudaGraphUpload; twice; then launch; upload while work is before it in the "
                       "stream: waits or returns")
{
    cudaStream_t s = other_stream();
    cudaGraphExec_t x = new_exec(letters("a"));
    answer(cudaGraphUpload(x, s));
    answer(cudaGraphUpload(x, s));
    answer_run(x);
    gate_shut(s);
    answer(cudaGraphUpload(x, s));
    answer_text("%s", gate_waited());
    answer_text("%s", done_soon(s));
    gate_open();
    answer(cudaDeviceSynchronize());
}

SITUATION(launch_empty_order, "an empty graph launched in a stream held up: done only after it")
{
    cudaStream_t s = other_stream();
    cudaGraphExec_t x = new_exec(new_graph());
    gate_shut(s);
    answer(cudaGraphLaunch(x, s));
    answer_text("%s", done_soon(s));
    gate_open();
    answer(cudaStreamSynchronize(s));
    answer(cudaStreamQuery(s));
}

SITUATION(launch_node_priority, "an exec with UseNodePriority, kernels of priorities 0 and -5: run")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL), *q = device_bytes(SMALL);
    cudaGraphNode_t a = add_store(g, NULL, p, 1);
    cudaLaunchAttributeValue v = {.priority = -5};
    add_store(g, NULL, q, 2);
    MUST(cudaGraphKernelNodeSetAttribute(a, cudaLaunchAttributePriority, &v));
    cudaGraphExec_t x;
    answer(cudaGraphInstantiate(&x, g, cudaGraphInstantiateFlagUseNodePriority));
    answer_run(x);
    answer_text("%d %d", device_int(p), device_int(q));
}
