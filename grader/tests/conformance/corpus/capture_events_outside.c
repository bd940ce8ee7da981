/* capture_events_outside.c: events of a capture seen from outside of it, and from inside those
 * recorded outside. */
#include "../graphs.h"

SITUATION("in a capture: record, external record, wait, external wait of an event recorded "
          "outside: types, edges")
{
    cudaStream_t s = nonblocking_stream();
    cudaEvent_t e = new_event(0), f = new_event(0);
    MUST(cudaEventRecord(f, s));
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    answer(cudaEventRecordWithFlags(e, s, cudaEventRecordExternal));
    answer(cudaStreamWaitEvent(s, f, cudaEventWaitExternal));
    some_work(s);
    cudaGraph_t g = captured("4 nodes", s);
    types_are("memset record wait memset", g);
    edges_are("0>1 1>2 2>3", g);
    answer_run(new_exec(g));
    answer(cudaEventQuery(e));
}

SITUATION("an event externally recorded in a capture: a plain wait on it in the same capture; "
          "query of it during the capture")
{
    cudaEvent_t e = new_event(0);
    cudaStream_t t = nonblocking_stream(), s = capturing(cudaStreamCaptureModeRelaxed);
    answer(cudaEventRecordWithFlags(e, s, cudaEventRecordExternal));
    answer(cudaEventQuery(e));
    status_is("active", s);
    answer(cudaStreamWaitEvent(t, e, 0));
    status_is("none", t);
    captured("2 nodes", s);
}

SITUATION("cudaEventElapsedTime of events recorded in a capture, during it; status; after it; "
          "after they were recorded outside")
{
    cudaEvent_t a = new_event(0), b = new_event(0);
    float ms;
    cudaStream_t s = capturing(cudaStreamCaptureModeRelaxed);
    answer(cudaEventRecord(a, s));
    answer(cudaEventRecord(b, s));
    gives(CapturedEvent, cudaEventElapsedTime(&ms, a, b));
    status_is("active", s);
    captured("1 nodes", s);
    gives(InvalidValue, cudaEventElapsedTime(&ms, a, b));
    MUST(cudaEventRecord(a, s));
    MUST(cudaEventRecord(b, s));
    MUST(cudaStreamSynchronize(s));
    answer(cudaEventElapsedTime(&ms, a, b));
}

SITUATION(
    "two event record nodes around a memset: cudaEventElapsedTime before and after the launch")
{
    cudaEvent_t a = new_event(0), b = new_event(0);
    cudaGraph_t g = new_graph();
    add_record(g, add_memset(g, add_record(g, NULL, a), device_bytes(64), 1), b);
    cudaGraphExec_t x = new_exec(g);
    float ms = -1;
    gives(InvalidResourceHandle, cudaEventElapsedTime(&ms, a, b));
    answer_run(x);
    answer(cudaEventElapsedTime(&ms, a, b));
    shows("not negative", "%s", ms >= 0 ? "not negative" : "negative");
}

SITUATION(
    "a stream outside waits for an event recorded in a running capture: joins it; the capture ends")
{
    cudaEvent_t e = new_event(0);
    cudaStream_t t = nonblocking_stream(), s = capturing(cudaStreamCaptureModeGlobal);
    answer(cudaEventRecord(e, s));
    answer(cudaStreamWaitEvent(t, e, 0));
    status_is("active", t);
    answer(cudaEventRecord(e, t));
    answer(cudaStreamWaitEvent(s, e, 0));
    some_work(s);
    edges_are("0>1", captured("2 nodes", s));
    status_is("none", t);
}

SITUATION("after an invalidated capture was ended: cudaGetLastError; a new capture of the same "
          "stream with the events of the old: end")
{
    cudaEvent_t e = new_event(0);
    cudaStream_t t = nonblocking_stream(), s = capturing(cudaStreamCaptureModeGlobal);
    answer(cudaEventRecord(e, s));
    answer(cudaStreamWaitEvent(t, e, 0));
    gives(StreamCaptureUnsupported, cudaStreamSynchronize(t));
    end_gives(StreamCaptureInvalidated, "NULL", s);
    gives(StreamCaptureInvalidated, cudaGetLastError());
    answer(cudaGetLastError());
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaEventRecord(e, s));
    answer(cudaStreamWaitEvent(t, e, 0));
    some_work(t);
    order_streams(t, s);
    captured("2 nodes", s);
}

SITUATION("an event recorded in a capture that was invalidated and ended: cudaEventQuery, "
          "cudaEventSynchronize, cudaStreamWaitEvent of it")
{
    cudaEvent_t e = new_event(0);
    cudaStream_t t = nonblocking_stream(), s = capturing(cudaStreamCaptureModeRelaxed);
    MUST(cudaEventRecord(e, s));
    gives(StreamCaptureUnsupported, cudaDeviceSynchronize());
    end_gives(StreamCaptureInvalidated, "NULL", s);
    gives(InvalidValue, cudaEventQuery(e));
    gives(InvalidValue, cudaEventSynchronize(e));
    gives(InvalidValue, cudaStreamWaitEvent(t, e, 0));
}
