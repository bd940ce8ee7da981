/*
 * situations_combined.c: combinations of calls that each have their situations elsewhere.
 */
#include <stdint.h>

#include "situations_graphs.h"
#include "situations_kernels.h"

static cudaStream_t other_stream(void)
{
    return new_stream(cudaStreamNonBlocking);
}

SITUATION(more_self_wait,
          "a captured stream waits for an event recorded in itself; a memset more: edges")
{
    cudaStream_t s = other_stream();
    cudaEvent_t e = new_event(0);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaEventRecord(e, s));
    answer(cudaStreamWaitEvent(s, e, 0));
    some_work(s);
    answer(cudaStreamWaitEvent(s, e, 0));
    some_work(s);
    answer_edges(answer_end(s));
}

SITUATION(more_event_again, "an event recorded twice in a capture, a fork after each: edges")
{
    cudaStream_t s = other_stream(), t = other_stream();
    cudaEvent_t e = new_event(0);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaEventRecord(e, s));
    answer(cudaStreamWaitEvent(t, e, 0));
    some_work(s);
    answer(cudaEventRecord(e, s));
    answer(cudaStreamWaitEvent(t, e, 0));
    some_work(t);
    order_streams(t, s);
    some_work(s);
    answer_edges(answer_end(s));
}

SITUATION(more_event_destroyed, "an event of a fork destroyed before the wait; after it; end")
{
    cudaStream_t s = other_stream(), t = other_stream();
    cudaEvent_t e = new_event(0);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaEventRecord(e, s));
    answer(cudaStreamWaitEvent(t, e, 0));
    answer(cudaEventDestroy(e));
    some_work(t);
    order_streams(t, s);
    some_work(s);
    answer_edges(answer_end(s));
}

SITUATION(more_recorded_outside,
          "an event recorded outside, then in a capture, then outside again: query after each")
{
    cudaStream_t s = other_stream(), t = other_stream();
    cudaEvent_t e = new_event(0);
    answer(cudaEventRecord(e, t));
    answer(cudaStreamSynchronize(t));
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    answer(cudaEventQuery(e));
    answer(cudaEventRecord(e, s));
    answer(cudaEventRecord(e, t));
    answer(cudaStreamSynchronize(t));
    answer(cudaEventQuery(e));
    answer_end(s);
}

SITUATION(more_end_forked_invalid,
          "an invalidated capture ended on a forked stream; on its origin; status of both")
{
    cudaStream_t s = other_stream(), t = other_stream();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    answer(cudaDeviceSynchronize());
    answer_end(t);
    answer_status(t);
    answer_end(s);
    answer_status(s);
    answer_status(t);
}

SITUATION(more_begin_forked, "a stream that was forked begins a capture of its own after the end")
{
    cudaStream_t s = other_stream(), t = other_stream();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    order_streams(t, s);
    answer_end(s);
    begin_capture(t, cudaStreamCaptureModeGlobal);
    answer_end(t);
}

SITUATION(more_two_captures,
          "an unsafe call ends two captures of one thread; a third, Relaxed, goes on")
{
    cudaStream_t s = other_stream(), t = other_stream(), u = other_stream();
    void *p;
    begin_capture(s, cudaStreamCaptureModeGlobal);
    begin_capture(t, cudaStreamCaptureModeThreadLocal);
    begin_capture(u, cudaStreamCaptureModeRelaxed);
    answer(cudaMalloc(&p, SMALL));
    answer_status(s);
    answer_status(t);
    answer_status(u);
    answer_end(u);
    answer_end(s);
    answer_end(t);
}

SITUATION(
    more_sync_event_other,
    "cudaEventSynchronize of an event recorded outside, in a Relaxed capture; cudaStreamQuery")
{
    cudaStream_t s = other_stream(), t = other_stream();
    cudaEvent_t e = new_event(0);
    MUST(cudaEventRecord(e, t));
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    answer(cudaEventSynchronize(e));
    answer(cudaStreamSynchronize(t));
    answer(cudaStreamQuery(t));
    answer_status(s);
    answer_end(s);
}

SITUATION(more_record_bad, "in an invalidated capture: record of NULL; wait for NULL; a copy of "
                           "kind 99; of 0 bytes; a NULL host function; EventRecord external")
{
    cudaStream_t s = other_stream();
    char *p = device_bytes(SMALL);
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    answer(cudaDeviceSynchronize());
    answer(cudaEventRecord(NULL, s));
    answer(cudaStreamWaitEvent(s, NULL, 0));
    answer(cudaMemcpyAsync(p, p, 8, (enum cudaMemcpyKind)99, s));
    answer(cudaMemcpyAsync(p, p, 0, cudaMemcpyDefault, s));
    answer(cudaLaunchHostFunc(s, NULL, NULL));
    answer(cudaEventRecordWithFlags(new_event(0), s, cudaEventRecordExternal));
    answer(cudaStreamUpdateCaptureDependencies(s, NULL, NULL, 0, 0));
    answer_end(s);
}

SITUATION(more_no_edges, "cudaGraphAddDependencies of 0 edges with NULL arrays; with a NULL graph; "
                         "remove 0; remove one that is not there")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t a = add_empty(g, NULL), b = add_empty(g, NULL);
    answer(cudaGraphAddDependencies(g, NULL, NULL, NULL, 0));
    answer(cudaGraphAddDependencies(NULL, NULL, NULL, NULL, 0));
    answer(cudaGraphRemoveDependencies(g, NULL, NULL, NULL, 0));
    answer(cudaGraphRemoveDependencies(g, &a, &b, NULL, 1));
}

SITUATION(more_clone_of_clone, "cudaGraphNodeFindInClone in a clone of a clone, of the first's "
                               "node; of the second's; after the node was destroyed")
{
    cudaGraph_t g = new_graph(), h, i;
    cudaGraphNode_t a = add_empty(g, NULL), found = NULL, twice = NULL;
    MUST(cudaGraphClone(&h, g));
    MUST(cudaGraphClone(&i, h));
    answer(cudaGraphNodeFindInClone(&found, a, h));
    answer(cudaGraphNodeFindInClone(&twice, a, i));
    answer(cudaGraphNodeFindInClone(&twice, found, i));
    answer(cudaGraphDestroyNode(found));
    answer(cudaGraphNodeFindInClone(&found, a, h));
}

SITUATION(more_exec_kernel, "exec kernel node: another function; grid of 0; block of 2048; NULL "
                            "parameters; a NULL function; runs")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL);
    cudaGraphNode_t n = add_store(g, NULL, p, 3);
    cudaGraphExec_t x = new_exec(g);
    struct cudaKernelNodeParams k = store_params(p, 4);
    k.func = (void *)(uintptr_t)situation_nothing();
    answer(cudaGraphExecKernelNodeSetParams(x, n, &k));
    k = store_params(p, 5);
    k.gridDim.x = 0;
    answer(cudaGraphExecKernelNodeSetParams(x, n, &k));
    k = store_params(p, 6);
    k.blockDim.x = 2048;
    answer(cudaGraphExecKernelNodeSetParams(x, n, &k));
    k = store_params(p, 7);
    k.kernelParams = NULL;
    answer(cudaGraphExecKernelNodeSetParams(x, n, &k));
    k.func = NULL;
    answer(cudaGraphExecKernelNodeSetParams(x, n, &k));
    answer_run(x);
    answer_text("%d", device_int(p));
}

SITUATION(more_enable, "cudaGraphNodeSetEnabled of an empty; host; child; event record node; of a "
                       "kernel whose node was destroyed; get")
{
    cudaGraphNode_t n;
    unsigned on = 7;
    static const char *const kinds[] = {"empty", "host", "child", "record"};
    for (int i = 0; i < 4; i++) {
        cudaGraph_t g = graph_of_one(kinds[i], &n);
        answer(cudaGraphNodeSetEnabled(new_exec(g), n, 0));
    }
    cudaGraph_t g = graph_of_one("kernel", &n);
    cudaGraphExec_t x = new_exec(g);
    answer(cudaGraphNodeSetEnabled(x, n, 5));
    answer(cudaGraphNodeGetEnabled(x, n, &on));
    answer_text("%u", on);
}

SITUATION(more_update_removed, "an update after a node was removed from the graph; after it was "
                               "put back; from an empty graph to an empty one")
{
    cudaGraphExecUpdateResultInfo info;
    cudaGraph_t g = new_graph(), h = new_graph();
    int *p = device_bytes(SMALL);
    cudaGraphNode_t n = add_store(g, NULL, p, 1);
    cudaGraphExec_t x = new_exec(g), y = new_exec(h);
    MUST(cudaGraphDestroyNode(n));
    answer(cudaGraphExecUpdate(x, g, &info));
    answer_text("%d", (int)info.result);
    add_store(g, NULL, p, 2);
    answer(cudaGraphExecUpdate(x, g, &info));
    answer(cudaGraphExecUpdate(y, new_graph(), &info));
    answer_run(x);
    answer_text("%d", device_int(p));
}

SITUATION(more_child_cycle, "a child graph with a cycle: add; instantiate; result")
{
    cudaGraph_t g = new_graph(), child = new_graph();
    cudaGraphNode_t a = add_empty(child, NULL), b = add_empty(child, a), n;
    cudaGraphExec_t x = NULL;
    cudaGraphInstantiateParams p = {0};
    add_edge(child, b, a);
    cudaError_t e = cudaGraphAddChildGraphNode(&n, g, NULL, 0, child);
    answer(e);
    if (e != cudaSuccess)
        return;
    answer(cudaGraphInstantiateWithParams(&x, g, &p));
    answer_text("result %d %s", (int)p.result_out, p.errNode_out ? "a node" : "NULL");
}

SITUATION(more_set_bad, "set parameters to bad ones: a NULL event; a destroyed event; a NULL host "
                        "function; memset of 0 bytes; element size 3; pitch below width")
{
    cudaGraphNode_t n;
    char *p = device_bytes(256);
    graph_of_one("record", &n);
    answer(cudaGraphEventRecordNodeSetEvent(n, NULL));
    graph_of_one("host", &n);
    answer(cudaGraphHostNodeSetParams(n, &(struct cudaHostNodeParams){NULL, NULL}));
    graph_of_one("memset", &n);
    struct cudaMemsetParams m = memset_params(p, 1, 0);
    answer(cudaGraphMemsetNodeSetParams(n, &m));
    m = memset_params(p, 1, 64);
    m.elementSize = 3;
    answer(cudaGraphMemsetNodeSetParams(n, &m));
    m = (struct cudaMemsetParams){.dst = p, .elementSize = 1, .width = 16, .height = 2, .pitch = 8};
    answer(cudaGraphMemsetNodeSetParams(n, &m));
}

SITUATION(more_dot,
          "cudaGraphDebugDotPrint with a NULL path; to a place that is none; of a NULL graph")
{
    cudaGraph_t g = captured_memsets(1);
    answer(cudaGraphDebugDotPrint(g, "/nonexistent/dir/g.dot", 0));
    answer(cudaGraphDebugDotPrint(NULL, "/tmp/g.dot", 0));
}

SITUATION(
    more_launch_many,
    "one exec launched in two streams at once: order kept; destroyed while it runs; synchronise")
{
    cudaStream_t s = other_stream(), t = other_stream();
    cudaGraph_t g = new_graph();
    add_letter(g, add_letter(g, NULL, 'a'), 'b');
    cudaGraphExec_t x = new_exec(g);
    answer(cudaGraphLaunch(x, s));
    answer(cudaGraphLaunch(x, t));
    answer(cudaGraphExecDestroy(x));
    answer(cudaDeviceSynchronize());
    answer_text("'%s'", log_text());
}

SITUATION(more_capture_graph_in_use, "cudaStreamBeginCaptureToGraph of a graph with an exec; end; "
                                     "launch of the exec; update to the graph")
{
    cudaStream_t s = other_stream();
    cudaGraph_t g = captured_memsets(1), same;
    cudaGraphExec_t x = new_exec(g);
    cudaGraphExecUpdateResultInfo info;
    cudaGraphNode_t last = nth_node(g, 0);
    prepare_work();
    answer(cudaStreamBeginCaptureToGraph(s, g, &last, NULL, 1, cudaStreamCaptureModeRelaxed));
    some_work(s);
    answer(cudaStreamEndCapture(s, &same));
    answer_run(x);
    answer(cudaGraphExecUpdate(x, g, &info));
    answer_text("%d", (int)info.result);
}

SITUATION(more_per_thread, "a capture of cudaStreamPerThread: cudaMemcpy; legacy launch; end")
{
    char *p = device_bytes(SMALL), *h = pinned_bytes(SMALL);
    begin_capture(cudaStreamPerThread, cudaStreamCaptureModeRelaxed);
    answer(cudaMemcpy(p, h, SMALL, cudaMemcpyHostToDevice));
    answer_status(cudaStreamPerThread);
    answer_end(cudaStreamPerThread);
}

SITUATION(
    more_forked_blocking,
    "a non-blocking stream captures and forks a blocking one: a legacy memset; status of both")
{
    cudaStream_t s = other_stream(), t = new_stream(0);
    char *p = device_bytes(SMALL);
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    answer(cudaMemsetAsync(p, 0, SMALL, 0));
    order_streams(s, t);
    answer(cudaMemsetAsync(p, 0, SMALL, 0));
    answer_status(s);
    answer_status(t);
    answer_end(s);
}

SITUATION(
    more_user_object_capture,
    "an exec made of a clone of a graph with a user object; all destroyed in order: destructors")
{
    cudaGraph_t g = captured_memsets(1), h;
    cudaUserObject_t o;
    MUST(cudaUserObjectCreate(&o, (void *)'a', write_letter, 1, cudaUserObjectNoDestructorSync));
    answer(cudaGraphRetainUserObject(g, o, 1, cudaGraphUserObjectMove));
    answer(cudaGraphClone(&h, g));
    cudaGraphExec_t x = new_exec(h);
    answer(cudaGraphDestroy(g));
    answer(cudaGraphDestroy(h));
    answer_text("'%s'", log_text());
    answer(cudaGraphExecDestroy(x));
}
