/* external_events.c: external records of and external waits for events in a capture. */
#include "../graphs.h"

SITUATION("outside a capture: record with cudaEventRecordExternal; with flags 2; wait with "
          "cudaEventWaitExternal; with flags 2; in 0")
{
    cudaStream_t s = nonblocking_stream();
    cudaEvent_t e = new_event(0);
    gives(IllegalState, cudaEventRecordWithFlags(e, s, cudaEventRecordExternal));
    gives(InvalidValue, cudaEventRecordWithFlags(e, s, 2));
    gives(IllegalState, cudaStreamWaitEvent(s, e, cudaEventWaitExternal));
    gives(InvalidValue, cudaStreamWaitEvent(s, e, 2));
    gives(IllegalState, cudaEventRecordWithFlags(e, 0, cudaEventRecordExternal));
    gives(IllegalState, cudaStreamWaitEvent(0, e, cudaEventWaitExternal));
}

SITUATION("in a capture: record without flags, external record, external wait, flags 2 of both: "
          "types, edges; an external wait for an event recorded plainly in the same capture; a "
          "plain record of it afterwards; end, types")
{
    cudaEvent_t a = new_event(0), b = new_event(0);
    cudaStream_t s = capturing(cudaStreamCaptureModeGlobal);
    answer(cudaEventRecord(a, s));
    answer(cudaEventRecordWithFlags(b, s, cudaEventRecordExternal));
    answer(cudaStreamWaitEvent(s, a, cudaEventWaitExternal));
    gives(InvalidValue, cudaEventRecordWithFlags(b, s, 2));
    gives(InvalidValue, cudaStreamWaitEvent(s, b, 2));
    status_is("active", s);
    cudaGraph_t g = captured("3 nodes", s);
    types_are("memset record wait", g);
    edges_are("0>1 1>2", g);
    s = capturing(cudaStreamCaptureModeGlobal);
    answer(cudaEventRecord(a, s));
    answer(cudaStreamWaitEvent(s, a, cudaEventWaitExternal));
    status_is("active", s);
    answer(cudaEventRecord(a, s));
    types_are("memset wait", captured("2 nodes", s));
}

SITUATION("an event recorded externally in a capture: query in the capture; after it; after "
          "instantiate; after launch; status of capture")
{
    cudaEvent_t e = new_event(0);
    cudaStream_t s = capturing(cudaStreamCaptureModeRelaxed);
    MUST(cudaEventRecordWithFlags(e, s, cudaEventRecordExternal));
    answer(cudaEventQuery(e));
    status_is("active", s);
    cudaGraph_t g = captured("2 nodes", s);
    answer(cudaEventQuery(e));
    cudaGraphExec_t x = new_exec(g);
    answer(cudaEventQuery(e));
    answer_run(x);
    answer(cudaEventQuery(e));
}

SITUATION("an external wait in a capture for an event recorded outside; for a never recorded one; "
          "end; launch")
{
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
    cudaEvent_t e = new_event(0);
    MUST(cudaEventRecord(e, t));
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaStreamWaitEvent(s, e, cudaEventWaitExternal));
    answer(cudaStreamWaitEvent(s, new_event(0), cudaEventWaitExternal));
    cudaGraph_t g = captured("3 nodes", s);
    types_are("memset wait wait", g);
    answer_run(new_exec(g));
}

SITUATION("a launched graph waits at an event wait node for a stream's event; recorded again, at "
          "the next launch too")
{
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
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
        answer(cudaStreamSynchronize(s));
    }
    shows("'gtgtg'", "'%s'", host_log());
}

SITUATION("a stream waits for an event that a launched graph records")
{
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
    cudaEvent_t e = new_event(0);
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = add_gate(g);
    add_record(g, add_letter(g, n, 'g'), e);
    answer(cudaGraphLaunch(new_exec(g), s));
    gives(NotReady, cudaEventQuery(e));
    answer(cudaStreamWaitEvent(t, e, 0));
    log_letter(t, 't');
    answer(cudaStreamSynchronize(t));
    shows("'gt'", "'%s'", host_log());
    answer(cudaEventQuery(e));
}

SITUATION("elapsed time between two event record nodes around work: not negative; with an event "
          "without timing; of events that the graph has not yet recorded")
{
    cudaEvent_t a = new_event(0), b = new_event(0), c = new_event(cudaEventDisableTiming);
    cudaGraph_t g = new_graph();
    void *p = device_bytes(SMALL);
    float ms = -1;
    add_record(g, add_record(g, add_memset(g, add_record(g, NULL, a), p, 1), b), c);
    cudaGraphExec_t x = new_exec(g);
    gives(InvalidResourceHandle, cudaEventElapsedTime(&ms, a, b));
    answer_run(x);
    answer(cudaEventElapsedTime(&ms, a, b));
    shows("not negative", ms >= 0 ? "not negative" : "negative");
    gives(InvalidResourceHandle, cudaEventElapsedTime(&ms, a, c));
}
