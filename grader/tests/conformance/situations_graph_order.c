/*
 * situations_graph_order.c: in which order graphs and their branches run.
 */
#include <stdint.h>
#include <string.h>

#include "situations_graphs.h"
#include "situations_kernels.h"

static cudaGraphExec_t gate_graph(void)
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    struct cudaHostNodeParams h = {stand_at_gate, NULL};
    gate_reset();
    MUST(cudaGraphAddHostNode(&n, g, NULL, 0, &h));
    return new_exec(g);
}

SITUATION(launch_legacy, "a graph that waits is launched in NULL: work of a blocking stream waits? "
                         "of a non-blocking one?")
{
    cudaGraphExec_t x = gate_graph();
    cudaStream_t s = new_stream(0), t = new_stream(cudaStreamNonBlocking);
    answer(cudaGraphLaunch(x, NULL));
    some_work(t);
    answer_text("%s", done_soon(t));
    some_work(s);
    answer_text("%s", done_soon(s));
    gate_open();
    answer(cudaDeviceSynchronize());
}

SITUATION(launch_two_execs,
          "two execs of one graph in two streams, the first waits: does the second run past it")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(64);
    add_store(g, NULL, p, 1);
    cudaGraphExec_t x = gate_graph(), y = new_exec(g);
    cudaStream_t s = new_stream(cudaStreamNonBlocking), t = new_stream(cudaStreamNonBlocking);
    answer(cudaGraphLaunch(x, s));
    answer(cudaGraphLaunch(y, t));
    answer_text("%s", done_soon(t));
    gate_open();
    answer(cudaDeviceSynchronize());
}

SITUATION(launch_same_exec, "one exec that waits, launched in two streams: is the second stream's "
                            "later work done before the gate opens; destroyed in between")
{
    cudaGraphExec_t x = gate_graph();
    cudaStream_t s = new_stream(cudaStreamNonBlocking), t = new_stream(cudaStreamNonBlocking);
    answer(cudaGraphLaunch(x, s));
    answer(cudaGraphLaunch(x, t));
    answer_text("%s", done_soon(t));
    answer(cudaGraphExecDestroy(x));
    gate_open();
    answer(cudaDeviceSynchronize());
}

SITUATION(branches, "a graph with a branch that waits and a memset beside it: is the memset done "
                    "while the branch waits")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    struct cudaHostNodeParams h = {stand_at_gate, NULL};
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    gate_reset();
    MUST(cudaGraphAddHostNode(&n, g, NULL, 0, &h));
    add_record(g, add_memset(g, NULL, device_bytes(64), 1), e);
    cudaGraphExec_t x = new_exec(g);
    cudaStream_t s = new_stream(cudaStreamNonBlocking), t = new_stream(cudaStreamNonBlocking);
    answer(cudaGraphLaunch(x, s));
    answer(cudaStreamWaitEvent(t, e, 0));
    some_work(t);
    answer_text("%s", done_soon(t));
    answer(cudaStreamQuery(s));
    gate_open();
    answer(cudaDeviceSynchronize());
}

SITUATION(wait_node_gate, "an event wait node on an event behind a gate: the launch waits; the "
                          "event recorded anew between launches")
{
    cudaGraph_t g = new_graph();
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    add_wait(g, NULL, e);
    cudaGraphExec_t x = new_exec(g);
    cudaStream_t s = new_stream(cudaStreamNonBlocking), t = new_stream(cudaStreamNonBlocking);
    answer(cudaGraphLaunch(x, t));
    answer_text("%s", done_soon(t));
    gate_shut(s);
    MUST(cudaEventRecord(e, s));
    answer(cudaGraphLaunch(x, t));
    answer_text("%s", done_soon(t));
    gate_open();
    answer(cudaStreamSynchronize(t));
}

SITUATION(wait_node_destroyed,
          "an event wait node whose event was destroyed before instantiation; after it: launch")
{
    cudaGraph_t g = new_graph();
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    add_record(g, NULL, e);
    cudaGraphExec_t x = new_exec(g), y = NULL;
    answer(cudaEventDestroy(e));
    answer_run(x);
    answer(cudaGraphInstantiate(&y, g, 0));
    if (y)
        answer_run(y);
}

SITUATION(
    launch_destroyed_stream,
    "cudaGraphLaunch into cudaStreamPerThread; into cudaStreamLegacy; the order of their stores")
{
    cudaGraph_t g = new_graph(), h = new_graph();
    int *p = device_bytes(64);
    add_store(g, NULL, p, 1);
    add_store(h, NULL, p, 2);
    cudaGraphExec_t x = new_exec(g), y = new_exec(h);
    answer(cudaGraphLaunch(x, cudaStreamPerThread));
    answer(cudaGraphLaunch(y, cudaStreamLegacy));
    answer(cudaStreamSynchronize(cudaStreamLegacy));
    answer_text("%d", device_int(p));
}
