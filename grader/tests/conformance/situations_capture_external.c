/*
 * situations_capture_external.c: events that a capture keeps as nodes, and event nodes of graphs.
 */
#include "situations_graphs.h"

static cudaStream_t other_stream(void)
{
    return new_stream(cudaStreamNonBlocking);
}

SITUATION(external_outside, "outside a capture: record with cudaEventRecordExternal; with flags 2; "
                            "wait with cudaEventWaitExternal; with flags 2; in 0")
{
    cudaStream_t s = other_stream();
    cudaEvent_t e = new_event(0);
    answer(cudaEventRecordWithFlags(e, s, cudaEventRecordExternal));
    answer(cudaEventRecordWithFlags(e, s, 2));
    answer(cudaStreamWaitEvent(s, e, cudaEventWaitExternal));
    answer(cudaStreamWaitEvent(s, e, 2));
    answer(cudaEventRecordWithFlags(e, 0, cudaEventRecordExternal));
    answer(cudaStreamWaitEvent(0, e, cudaEventWaitExternal));
}

SITUATION(external_nodes, "in a capture: record without flags, external record, external wait, "
                          "flags 2 of both: types, edges")
{
    cudaStream_t s = other_stream();
    cudaEvent_t a = new_event(0), b = new_event(0);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaEventRecord(a, s));
    answer(cudaEventRecordWithFlags(b, s, cudaEventRecordExternal));
    answer(cudaStreamWaitEvent(s, a, cudaEventWaitExternal));
    answer(cudaEventRecordWithFlags(b, s, 2));
    answer(cudaStreamWaitEvent(s, b, 2));
    answer_status(s);
    cudaGraph_t g = answer_end(s);
    answer_types(g);
    answer_edges(g);
}

SITUATION(external_record_query, "an event recorded externally in a capture: query in the capture; "
                                 "after it; after instantiate; after launch; status of capture")
{
    cudaStream_t s = other_stream();
    cudaEvent_t e = new_event(0);
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    MUST(cudaEventRecordWithFlags(e, s, cudaEventRecordExternal));
    answer(cudaEventQuery(e));
    answer_status(s);
    cudaGraph_t g = answer_end(s);
    answer(cudaEventQuery(e));
    cudaGraphExec_t x = new_exec(g);
    answer(cudaEventQuery(e));
    answer_run(x);
    answer(cudaEventQuery(e));
}

SITUATION(external_wait_joins_nothing, "an external wait in a capture for an event recorded "
                                       "outside; for a never recorded one; end; launch")
{
    cudaStream_t s = other_stream(), t = other_stream();
    cudaEvent_t e = new_event(0);
    MUST(cudaEventRecord(e, t));
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaStreamWaitEvent(s, e, cudaEventWaitExternal));
    answer(cudaStreamWaitEvent(s, new_event(0), cudaEventWaitExternal));
    cudaGraph_t g = answer_end(s);
    answer_types(g);
    answer_run(new_exec(g));
}

SITUATION(external_wait_waits, "a launched graph waits at an event wait node for a stream's event; "
                               "recorded anew, at the next launch too")
{
    cudaStream_t s = other_stream(), t = other_stream();
    cudaEvent_t e = new_event(0);
    cudaGraph_t g = new_graph();
    add_letter(g, add_wait(g, NULL, e), 'g');
    cudaGraphExec_t x = new_exec(g);
    answer_run(x);
    for (int i = 0; i < 2; i++) {
        gate_shut(t);
        log_letter(t, 't');
        MUST(cudaEventRecord(e, t));
        answer(cudaGraphLaunch(x, s));
        gate_open_later(100);
        answer(cudaStreamSynchronize(s));
    }
    answer_text("'%s'", log_text());
}

SITUATION(external_record_is_waited_for,
          "a stream waits for an event that a launched graph records")
{
    cudaStream_t s = other_stream(), t = other_stream();
    cudaEvent_t e = new_event(0);
    cudaGraph_t g = new_graph();
    struct cudaHostNodeParams gate = {stand_at_gate, NULL};
    cudaGraphNode_t n;
    gate_reset();
    MUST(cudaGraphAddHostNode(&n, g, NULL, 0, &gate));
    add_record(g, add_letter(g, n, 'g'), e);
    cudaGraphExec_t x = new_exec(g);
    answer(cudaGraphLaunch(x, s));
    answer(cudaEventQuery(e));
    answer(cudaStreamWaitEvent(t, e, 0));
    log_letter(t, 't');
    gate_open_later(100);
    answer(cudaStreamSynchronize(t));
    answer_text("'%s'", log_text());
    answer(cudaEventQuery(e));
}

SITUATION(external_times, "elapsed time between two event record nodes around work: not negative; "
                          "with an event without timing; of events that the graph has not yet "
                          "recorded")
{
    cudaEvent_t a = new_event(0), b = new_event(0), c = new_event(cudaEventDisableTiming);
    cudaGraph_t g = new_graph();
    void *p = device_bytes(SMALL);
    float ms = -1;
    add_record(g, add_record(g, add_memset(g, add_record(g, NULL, a), p, 1), b), c);
    cudaGraphExec_t x = new_exec(g);
    answer(cudaEventElapsedTime(&ms, a, b));
    answer_run(x);
    answer(cudaEventElapsedTime(&ms, a, b));
    answer_text(ms >= 0 ? "not negative" : "negative");
    answer(cudaEventElapsedTime(&ms, a, c));
}

SITUATION(event_node_bad, "event record node of event NULL; wait node of NULL")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    answer(cudaGraphAddEventRecordNode(&n, g, NULL, 0, NULL));
    answer(cudaGraphAddEventWaitNode(&n, g, NULL, 0, NULL));
}

SITUATION(event_node_get_set, "get the event of a record node; of a wait node; set another; get; "
                              "of a node of the other kind; NULL result; set NULL")
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

SITUATION(event_node_destroyed, "an event destroyed after its record node was made: get it; "
                                "instantiate")
{
    cudaEvent_t a = new_event(0), got = NULL;
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = add_record(g, NULL, a);
    MUST(cudaEventDestroy(a));
    answer(cudaGraphEventRecordNodeGetEvent(n, &got));
    answer_text(got == a ? "same" : "differs");
    new_exec(g);
}

SITUATION(event_node_destroyed_exec, "an event destroyed after a graph with its record node was "
                                     "instantiated: launch")
{
    cudaEvent_t a = new_event(0);
    cudaGraph_t g = new_graph();
    add_record(g, NULL, a);
    cudaGraphExec_t x = new_exec(g);
    MUST(cudaEventDestroy(a));
    answer_run(x);
}

SITUATION(event_node_exec_set, "set another event in an exec's record node and wait node; launch; "
                               "which event happened; NULL; a node of the other kind")
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

SITUATION(event_node_many, "one event recorded by two nodes of a graph; recorded and waited for in "
                           "one graph: run")
{
    cudaEvent_t a = new_event(0);
    cudaGraph_t g = new_graph(), h = new_graph();
    add_record(g, add_record(g, NULL, a), a);
    add_wait(h, add_record(h, NULL, a), a);
    answer_run(new_exec(g));
    answer_run(new_exec(h));
    answer(cudaEventQuery(a));
}
