/* capture_events_outside.c: events of a capture seen from outside of it, and from inside those
 * recorded outside. */
#include "../graphs.h"

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
