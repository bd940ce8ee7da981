/* event_nodes.c: event record and event wait nodes. */
#include "../graphs.h"

SITUATION("event record node of event NULL; wait node of NULL")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    gives(InvalidValue, cudaGraphAddEventRecordNode(&n, g, NULL, 0, NULL));
    gives(InvalidValue, cudaGraphAddEventWaitNode(&n, g, NULL, 0, NULL));
}

SITUATION("get the event of a record node; of a wait node; set another; get; of a node of the "
          "other kind; NULL result; set NULL")
{
    cudaEvent_t a = new_event(0), b = new_event(0), got = NULL;
    cudaGraph_t g = new_graph();
    cudaGraphNode_t record = add_record(g, NULL, a), wait = add_wait(g, NULL, a);
    answer(cudaGraphEventRecordNodeGetEvent(record, &got));
    shows("same", got == a ? "same" : "differs");
    answer(cudaGraphEventWaitNodeGetEvent(wait, &got));
    shows("same", got == a ? "same" : "differs");
    answer(cudaGraphEventRecordNodeSetEvent(record, b));
    answer(cudaGraphEventWaitNodeSetEvent(wait, b));
    answer(cudaGraphEventRecordNodeGetEvent(record, &got));
    shows("new", got == b ? "new" : "old");
    gives(InvalidValue, cudaGraphEventRecordNodeGetEvent(wait, &got));
    gives(InvalidValue, cudaGraphEventWaitNodeSetEvent(record, b));
    gives(InvalidValue, cudaGraphEventRecordNodeGetEvent(record, NULL));
    gives(InvalidValue, cudaGraphEventRecordNodeSetEvent(record, NULL));
}

SITUATION("an event destroyed after its record node was made: get it; instantiate", CRASHES_ON_GPU)
{
    cudaEvent_t a = new_event(0), got = NULL;
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = add_record(g, NULL, a);
    MUST(cudaEventDestroy(a));
    answer(cudaGraphEventRecordNodeGetEvent(n, &got));
    shows("same", got == a ? "same" : "differs");
    new_exec(g);
}

SITUATION("an event destroyed after a graph with its record node was instantiated: launch",
          CRASHES_ON_GPU)
{
    cudaEvent_t a = new_event(0);
    cudaGraph_t g = new_graph();
    add_record(g, NULL, a);
    cudaGraphExec_t x = new_exec(g);
    MUST(cudaEventDestroy(a));
    answer_run(x);
}

SITUATION("set another event in an exec's record node and wait node; launch; which event happened; "
          "NULL; a node of the other kind")
{
    cudaEvent_t a = new_event(0), b = new_event(0);
    cudaGraph_t g = new_graph();
    cudaGraphNode_t record = add_record(g, NULL, a), wait = add_wait(g, record, b);
    cudaGraphExec_t x = new_exec(g);
    float ms;
    answer(cudaGraphExecEventRecordNodeSetEvent(x, record, b));
    answer(cudaGraphExecEventWaitNodeSetEvent(x, wait, a));
    answer_run(x);
    gives(InvalidResourceHandle, cudaEventElapsedTime(&ms, a, a));
    answer(cudaEventElapsedTime(&ms, b, b));
    gives(InvalidValue, cudaGraphExecEventRecordNodeSetEvent(x, record, NULL));
    gives(InvalidValue, cudaGraphExecEventRecordNodeSetEvent(x, wait, b));
}

SITUATION("one event recorded by two nodes of a graph; recorded and waited for in one graph: run")
{
    cudaEvent_t a = new_event(0);
    cudaGraph_t g = new_graph(), h = new_graph();
    add_record(g, add_record(g, NULL, a), a);
    add_wait(h, add_record(h, NULL, a), a);
    answer_run(new_exec(g));
    answer_run(new_exec(h));
    answer(cudaEventQuery(a));
}

SITUATION("an event wait node on an event after a gate: the launch waits; the event recorded again "
          "between launches")
{
    cudaGraph_t g = new_graph();
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    add_wait(g, NULL, e);
    cudaGraphExec_t x = new_exec(g);
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
    answer(cudaGraphLaunch(x, t));
    shows("done", "%s", done_soon(t));
    gate_shut(s);
    MUST(cudaEventRecord(e, s));
    answer(cudaGraphLaunch(x, t));
    shows("waits", "%s", done_soon(t));
    gate_open();
    answer(cudaStreamSynchronize(t));
}

SITUATION("an event wait node whose event was destroyed before instantiation; after it: launch",
          CRASHES_ON_GPU)
{
    cudaGraph_t g = new_graph();
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    add_record(g, NULL, e);
    cudaGraphExec_t x = new_exec(g), y = NULL;
    answer(cudaEventDestroy(e));
    answer_run(x);
    answer(cudaGraphInstantiate(&y, g, 0));
    answer_run(y);
}

SITUATION("an event record node queried as a wait node; a wait node set as a record node; the "
          "event read back; set to another and got")
{
    cudaEvent_t e = new_event(0), f = new_event(0), got = NULL;
    cudaGraph_t g = new_graph();
    cudaGraphNode_t r = add_record(g, NULL, e), w = add_wait(g, NULL, e);
    gives(InvalidValue, cudaGraphEventWaitNodeGetEvent(r, &got));
    gives(InvalidValue, cudaGraphEventRecordNodeSetEvent(w, f));
    answer(cudaGraphEventRecordNodeGetEvent(r, &got));
    shows("same", "%s", got == e ? "same" : "other");
    answer(cudaGraphEventRecordNodeSetEvent(r, f));
    answer(cudaGraphEventRecordNodeGetEvent(r, &got));
    shows("same", "%s", got == f ? "same" : "other");
}

SITUATION("cudaGraphAddEventRecordNode with a NULL event; with a disable-timing event; "
          "cudaGraphAddEventWaitNode with a never recorded event: runs")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    gives(InvalidValue, cudaGraphAddEventRecordNode(&n, g, NULL, 0, NULL));
    answer(cudaGraphAddEventRecordNode(&n, g, NULL, 0, e));
    answer(cudaGraphAddEventWaitNode(&n, g, NULL, 0, new_event(0)));
    answer_run(new_exec(g));
    answer(cudaEventQuery(e));
}

SITUATION("an event recorded by a graph: another stream waits for it after the launch; query "
          "before the launch; elapsed to a later record")
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
    shows("not negative", "%s", ms >= 0 ? "not negative" : "negative");
}
