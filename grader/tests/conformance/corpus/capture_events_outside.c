/*
 * capture_events_outside.c: events of a capture seen from outside of it, and from inside those
 * recorded outside.
 */
#include "../graphs.h"

SITUATION(event_kinds,
          "in a capture: record, external record, wait, external wait of an event "
          "recorded outside: types, edges",
          "captured: 4 nodes", "types: memset record wait memset", "edges: 0>1 1>2 2>3")
{
    cudaStream_t s = nonblocking_stream();
    cudaEvent_t e = new_event(0), f = new_event(0);
    MUST(cudaEventRecord(f, s));
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    answer(cudaEventRecordWithFlags(e, s, cudaEventRecordExternal));
    answer(cudaStreamWaitEvent(s, f, cudaEventWaitExternal));
    some_work(s);
    cudaGraph_t g = answer_end(s);
    answer_types(g);
    answer_edges(g);
    answer_run(new_exec(g));
    answer(cudaEventQuery(e));
}

SITUATION(external_then_wait,
          "an event externally recorded in a capture: a plain wait on it in "
          "the same capture; query of it during the capture",
          "status(s): active", "status(t): none", "captured: 2 nodes")
{
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
    cudaEvent_t e = new_event(0);
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    answer(cudaEventRecordWithFlags(e, s, cudaEventRecordExternal));
    answer(cudaEventQuery(e));
    answer_status(s);
    answer(cudaStreamWaitEvent(t, e, 0));
    answer_status(t);
    answer_end(s);
}

SITUATION(elapsed_captured,
          "cudaEventElapsedTime of events recorded in a capture, during it; "
          "status; after it; after they were recorded outside",
          "cudaEventElapsedTime: CapturedEvent", "status: active", "captured: 1 nodes",
          "cudaEventElapsedTime #2: InvalidValue")
{
    cudaStream_t s = nonblocking_stream();
    cudaEvent_t a = new_event(0), b = new_event(0);
    float ms;
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    answer(cudaEventRecord(a, s));
    answer(cudaEventRecord(b, s));
    answer(cudaEventElapsedTime(&ms, a, b));
    answer_status(s);
    answer_end(s);
    answer(cudaEventElapsedTime(&ms, a, b));
    MUST(cudaEventRecord(a, s));
    MUST(cudaEventRecord(b, s));
    MUST(cudaStreamSynchronize(s));
    answer(cudaEventElapsedTime(&ms, a, b));
}

SITUATION(
    elapsed_external,
    "two event record nodes around a memset: cudaEventElapsedTime before and after the launch",
    "cudaEventElapsedTime: InvalidResourceHandle", "ms >= 0: not negative")
{
    cudaEvent_t a = new_event(0), b = new_event(0);
    cudaGraph_t g = new_graph();
    add_record(g, add_memset(g, add_record(g, NULL, a), device_bytes(64), 1), b);
    cudaGraphExec_t x = new_exec(g);
    float ms = -1;
    answer(cudaEventElapsedTime(&ms, a, b));
    answer_run(x);
    answer(cudaEventElapsedTime(&ms, a, b));
    answer_text("%s", ms >= 0 ? "not negative" : "negative");
}

SITUATION(
    event_of_other,
    "a stream outside waits for an event recorded in a running capture: joins it; the capture ends",
    "status: active", "captured: 2 nodes", "edges: 0>1", "status #2: none")
{
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
    cudaEvent_t e = new_event(0);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaEventRecord(e, s));
    answer(cudaStreamWaitEvent(t, e, 0));
    answer_status(t);
    answer(cudaEventRecord(e, t));
    answer(cudaStreamWaitEvent(s, e, 0));
    some_work(s);
    answer_edges(answer_end(s));
    answer_status(t);
}

SITUATION(legacy_waits_captured,
          "NULL waits for an event recorded in a capture: error; status; end",
          "cudaStreamWaitEvent: StreamCaptureImplicit", "status: invalidated",
          "cudaStreamEndCapture: StreamCaptureInvalidated", "captured: NULL")
{
    cudaStream_t s = nonblocking_stream();
    cudaEvent_t e = new_event(0);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaEventRecord(e, s));
    answer(cudaStreamWaitEvent(NULL, e, 0));
    answer_status(s);
    answer_end(s);
}

SITUATION(invalid_then,
          "after an invalidated capture was ended: cudaGetLastError; a new capture "
          "of the same stream with the events of the old: end",
          "cudaStreamSynchronize: StreamCaptureUnsupported",
          "cudaStreamEndCapture: StreamCaptureInvalidated", "captured: NULL",
          "cudaGetLastError: StreamCaptureInvalidated", "captured #2: 2 nodes")
{
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
    cudaEvent_t e = new_event(0);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaEventRecord(e, s));
    answer(cudaStreamWaitEvent(t, e, 0));
    answer(cudaStreamSynchronize(t));
    answer_end(s);
    answer(cudaGetLastError());
    answer(cudaGetLastError());
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaEventRecord(e, s));
    answer(cudaStreamWaitEvent(t, e, 0));
    some_work(t);
    order_streams(t, s);
    answer_end(s);
}

SITUATION(event_query_invalid,
          "an event recorded in a capture that was invalidated and ended: "
          "cudaEventQuery, cudaEventSynchronize, cudaStreamWaitEvent of it",
          "cudaDeviceSynchronize: StreamCaptureUnsupported",
          "cudaStreamEndCapture: StreamCaptureInvalidated", "captured: NULL",
          "cudaEventQuery: InvalidValue", "cudaEventSynchronize: InvalidValue",
          "cudaStreamWaitEvent: InvalidValue")
{
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
    cudaEvent_t e = new_event(0);
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    MUST(cudaEventRecord(e, s));
    answer(cudaDeviceSynchronize());
    answer_end(s);
    answer(cudaEventQuery(e));
    answer(cudaEventSynchronize(e));
    answer(cudaStreamWaitEvent(t, e, 0));
}
