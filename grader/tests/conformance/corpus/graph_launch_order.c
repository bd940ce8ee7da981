/* graph_launch_order.c: what a launched graph waits for, and what waits for it. */
#include "../conditional.h"

/* A graph that waits at the gate and then writes the letter. */
static cudaGraph_t gated(char letter)
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = add_gate(g);
    add_letter(g, n, letter);
    return g;
}

SITUATION("two execs of one graph in two streams, the first blocked: does the second wait")
{
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
    void *p = device_bytes(SMALL);
    cudaGraph_t g = gated('g'), h = new_graph();
    add_memset(h, NULL, p, 1);
    cudaGraphExec_t x = new_exec(g), y = new_exec(h);
    answer(cudaGraphLaunch(x, s));
    answer(cudaGraphLaunch(y, t));
    shows("done", "%s", done_soon(t));
    gate_open();
    answer(cudaDeviceSynchronize());
}

SITUATION("all roots of a launched graph wait for the work before it in the stream; what comes "
          "after waits for all of its ends")
{
    cudaStream_t s = nonblocking_stream();
    int *p = device_bytes(SMALL);
    cudaGraph_t g = letters_graph("a");
    add_memset(g, NULL, p, 3);
    cudaGraphExec_t x = new_exec(g);
    gate_shut(s);
    answer(cudaGraphLaunch(x, s));
    shows("'' 0", "'%s' %d", host_log(), device_byte(p));
    gate_open();
    answer(cudaStreamSynchronize(s));
    shows("'a' 3", "'%s' %d", host_log(), device_byte(p));
}

SITUATION("cudaStreamQuery while a launched graph runs; cudaEventQuery of an event after it; both "
          "when it is done")
{
    cudaStream_t s = nonblocking_stream();
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    answer(cudaGraphLaunch(new_exec(gated('g')), s));
    MUST(cudaEventRecord(e, s));
    gives(NotReady, cudaStreamQuery(s));
    gives(NotReady, cudaEventQuery(e));
    gate_open();
    answer(cudaStreamSynchronize(s));
    answer(cudaStreamQuery(s));
    answer(cudaEventQuery(e));
}

SITUATION("cudaGraphLaunch, and a second one of the same exec, while it runs: wait or return; "
          "cudaGraphUpload of it")
{
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
    cudaGraphExec_t x = new_exec(gated('g'));
    answer(cudaGraphLaunch(x, s));
    call_returns();
    answer(cudaGraphLaunch(x, s));
    call_returns();
    answer(cudaGraphUpload(x, t));
    call_returns();
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

ROW(legacy_order(new_stream(0)), "work in 0 after a graph launched in a blocking stream",
    "done_soon: waits")
ROW(legacy_order(nonblocking_stream()), "work in 0 after a graph launched in a non-blocking stream",
    "done_soon: done")

SITUATION("a graph captured from a blocking stream, launched in a non-blocking one, does not wait "
          "for work in 0")
{
    cudaStream_t a = new_stream(0), s = nonblocking_stream();
    begin_capture(a, cudaStreamCaptureModeGlobal);
    cudaGraphExec_t x = new_exec(captured("1 nodes", a));
    gate_shut(0);
    answer(cudaGraphLaunch(x, s));
    shows("done", "%s", done_soon(s));
    gate_open();
    answer(cudaDeviceSynchronize());
}

SITUATION("the stream of a launch destroyed while the graph runs; device synchronized: it ran")
{
    cudaStream_t s = nonblocking_stream();
    answer(cudaGraphLaunch(new_exec(gated('g')), s));
    answer(cudaStreamDestroy(s));
    answer(cudaDeviceSynchronize());
    shows("'g'", "'%s'", host_log());
}

SITUATION("an empty graph launched in a stream blocked: done only after it")
{
    cudaStream_t s = nonblocking_stream();
    cudaGraphExec_t x = new_exec(new_graph());
    gate_shut(s);
    answer(cudaGraphLaunch(x, s));
    shows("waits", "%s", done_soon(s));
    gate_open();
    answer(cudaStreamSynchronize(s));
    answer(cudaStreamQuery(s));
}

SITUATION("an exec with UseNodePriority, kernels of priorities 0 and -5: run")
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
    shows("1 2", "%d %d", device_int(p), device_int(q));
}

static cudaGraphExec_t gate_graph(void)
{
    cudaGraph_t g = new_graph();
    add_gate(g);
    return new_exec(g);
}

SITUATION("a graph that waits is launched in NULL: work of a blocking stream waits? of a "
          "non-blocking one?")
{
    cudaGraphExec_t x = gate_graph();
    cudaStream_t s = new_stream(0), t = nonblocking_stream();
    answer(cudaGraphLaunch(x, NULL));
    some_work(t);
    shows("done", "%s", done_soon(t));
    some_work(s);
    shows("waits", "%s", done_soon(s));
    gate_open();
    answer(cudaDeviceSynchronize());
}

SITUATION("one exec that waits, launched in two streams: is the second stream's later work done "
          "before the gate opens; destroyed in between")
{
    cudaGraphExec_t x = gate_graph();
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
    answer(cudaGraphLaunch(x, s));
    answer(cudaGraphLaunch(x, t));
    shows("waits", "%s", done_soon(t));
    answer(cudaGraphExecDestroy(x));
    gate_open();
    answer(cudaDeviceSynchronize());
}

SITUATION("a graph with a branch that waits and a memset beside it: is the memset done while the "
          "branch waits")
{
    cudaGraph_t g = new_graph();
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    add_gate(g);
    add_record(g, add_memset(g, NULL, device_bytes(64), 1), e);
    cudaGraphExec_t x = new_exec(g);
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
    answer(cudaGraphLaunch(x, s));
    answer(cudaStreamWaitEvent(t, e, 0));
    some_work(t);
    shows("done", "%s", done_soon(t));
    gives(NotReady, cudaStreamQuery(s));
    gate_open();
    answer(cudaDeviceSynchronize());
}
