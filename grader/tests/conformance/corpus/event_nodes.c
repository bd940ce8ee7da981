/*
 * event_nodes.c: event record and event wait nodes.
 */
#include "../graphs.h"

SITUATION(event_node_bad, "event record node of event NULL; wait node of NULL",
          "cudaGraphAddEventRecordNode: InvalidValue", "cudaGraphAddEventWaitNode: InvalidValue")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    answer(cudaGraphAddEventRecordNode(&n, g, NULL, 0, NULL));
    answer(cudaGraphAddEventWaitNode(&n, g, NULL, 0, NULL));
}

SITUATION(event_node_get_set,
          "get the event of a record node; of a wait node; set another; get; "
          "of a node of the other kind; NULL result; set NULL",
          "got == a: same", "got == a #2: same", "got == b: new",
          "cudaGraphEventRecordNodeGetEvent(wait, &got): InvalidValue",
          "cudaGraphEventWaitNodeSetEvent(record): InvalidValue",
          "cudaGraphEventRecordNodeGetEvent(record, NULL): InvalidValue",
          "cudaGraphEventRecordNodeSetEvent(NULL): InvalidValue")
{
    cudaEvent_t a = new_event(0), b = new_event(0), got = NULL;
    cudaGraph_t g = new_graph();
    cudaGraphNode_t record = add_record(g, NULL, a), wait = add_wait(g, NULL, a);
    answer(cudaGraphEventRecordNodeGetEvent(record, &got));
    answer_text(got == a ? "same" : "differs");
    answer(cudaGraphEventWaitNodeGetEvent(wait, &got));
    answer_text(got == a ? "same" : "differs");
    answer(cudaGraphEventRecordNodeSetEvent(record, b));
    answer(cudaGraphEventWaitNodeSetEvent(wait, b));
    answer(cudaGraphEventRecordNodeGetEvent(record, &got));
    answer_text(got == b ? "new" : "old");
    answer(cudaGraphEventRecordNodeGetEvent(wait, &got));
    answer(cudaGraphEventWaitNodeSetEvent(record, b));
    answer(cudaGraphEventRecordNodeGetEvent(record, NULL));
    answer(cudaGraphEventRecordNodeSetEvent(record, NULL));
}

SITUATION(event_node_destroyed,
          "an event destroyed after its record node was made: get it; "
          "instantiate",
          CRASHES_ON_GPU, "got == a: same")
{
    cudaEvent_t a = new_event(0), got = NULL;
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = add_record(g, NULL, a);
    MUST(cudaEventDestroy(a));
    answer(cudaGraphEventRecordNodeGetEvent(n, &got));
    answer_text(got == a ? "same" : "differs");
    new_exec(g);
}

SITUATION(event_node_destroyed_exec,
          "an event destroyed after a graph with its record node was "
          "instantiated: launch",
          CRASHES_ON_GPU, SUCCEEDS)
{
    cudaEvent_t a = new_event(0);
    cudaGraph_t g = new_graph();
    add_record(g, NULL, a);
    cudaGraphExec_t x = new_exec(g);
    MUST(cudaEventDestroy(a));
    answer_run(x);
}

SITUATION(event_node_exec_set,
          "set another event in an exec's record node and wait node; launch; "
          "which event happened; NULL; a node of the other kind",
          "cudaEventElapsedTime(a, a): InvalidResourceHandle",
          "cudaGraphExecEventRecordNodeSetEvent(record, NULL): InvalidValue",
          "cudaGraphExecEventRecordNodeSetEvent(wait, b): InvalidValue")
{
    cudaEvent_t a = new_event(0), b = new_event(0);
    cudaGraph_t g = new_graph();
    cudaGraphNode_t record = add_record(g, NULL, a), wait = add_wait(g, record, b);
    cudaGraphExec_t x = new_exec(g);
    float ms;
    answer(cudaGraphExecEventRecordNodeSetEvent(x, record, b));
    answer(cudaGraphExecEventWaitNodeSetEvent(x, wait, a));
    answer_run(x);
    answer(cudaEventElapsedTime(&ms, a, a));
    answer(cudaEventElapsedTime(&ms, b, b));
    answer(cudaGraphExecEventRecordNodeSetEvent(x, record, NULL));
    answer(cudaGraphExecEventRecordNodeSetEvent(x, wait, b));
}

SITUATION(event_node_many,
          "one event recorded by two nodes of a graph; recorded and waited for in "
          "one graph: run",
          SUCCEEDS)
{
    cudaEvent_t a = new_event(0);
    cudaGraph_t g = new_graph(), h = new_graph();
    add_record(g, add_record(g, NULL, a), a);
    add_wait(h, add_record(h, NULL, a), a);
    answer_run(new_exec(g));
    answer_run(new_exec(h));
    answer(cudaEventQuery(a));
}

SITUATION(wait_node_gate,
          "an event wait node on an event after a gate: the launch waits; the "
          "event recorded again between launches",
          "done_soon: done", "done_soon #2: waits")
{
    cudaGraph_t g = new_graph();
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    add_wait(g, NULL, e);
    cudaGraphExec_t x = new_exec(g);
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
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
          "an event wait node whose event was destroyed before instantiation; after it: launch",
          CRASHES_ON_GPU, SUCCEEDS)
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

SITUATION(record_as_wait,
          "an event record node queried as a wait node; a wait node set as a record "
          "node; the event read back; set to another and got",
          "cudaGraphEventWaitNodeGetEvent: InvalidValue",
          "cudaGraphEventRecordNodeSetEvent(w): InvalidValue", "got == e: same", "got == f: same")
{
    cudaEvent_t e = new_event(0), f = new_event(0), got = NULL;
    cudaGraph_t g = new_graph();
    cudaGraphNode_t r = add_record(g, NULL, e), w = add_wait(g, NULL, e);
    answer(cudaGraphEventWaitNodeGetEvent(r, &got));
    answer(cudaGraphEventRecordNodeSetEvent(w, f));
    answer(cudaGraphEventRecordNodeGetEvent(r, &got));
    answer_text("%s", got == e ? "same" : "other");
    answer(cudaGraphEventRecordNodeSetEvent(r, f));
    answer(cudaGraphEventRecordNodeGetEvent(r, &got));
    answer_text("%s", got == f ? "same" : "other");
}

SITUATION(event_node_bad_more,
          "cudaGraphAddEventRecordNode with a NULL event; with a disable-timing "
          "event; cudaGraphAddEventWaitNode with a never recorded event: runs",
          "cudaGraphAddEventRecordNode(NULL): InvalidValue")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    answer(cudaGraphAddEventRecordNode(&n, g, NULL, 0, NULL));
    answer(cudaGraphAddEventRecordNode(&n, g, NULL, 0, e));
    answer(cudaGraphAddEventWaitNode(&n, g, NULL, 0, new_event(0)));
    answer_run(new_exec(g));
    answer(cudaEventQuery(e));
}

SITUATION(event_in_graph,
          "an event recorded by a graph: another stream waits for it after the "
          "launch; query before the launch; elapsed to a later record",
          "ms >= 0: not negative")
{
    cudaGraph_t g = new_graph();
    cudaEvent_t e = new_event(0), f = new_event(0);
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
    float ms = -1;
    add_record(g, NULL, e);
    cudaGraphExec_t x = new_exec(g);
    answer(cudaEventQuery(e));
    answer(cudaGraphLaunch(x, s));
    answer(cudaStreamWaitEvent(t, e, 0));
    answer(cudaEventRecord(f, t));
    answer(cudaStreamSynchronize(t));
    answer(cudaEventElapsedTime(&ms, e, f));
    answer_text("%s", ms >= 0 ? "not negative" : "negative");
}
