/* capture_events.c: events recorded and waited for in a capture. */
#include "../graphs.h"

SITUATION("a stream waits for its own captured event, newest and older; edges of the next node; "
          "for a never recorded event; edges; end")
{
    cudaEvent_t e = new_event(cudaEventDisableTiming), old = new_event(cudaEventDisableTiming);
    cudaStream_t s = capturing(cudaStreamCaptureModeGlobal);
    MUST(cudaEventRecord(old, s));
    some_work(s);
    MUST(cudaEventRecord(e, s));
    answer(cudaStreamWaitEvent(s, e, 0));
    answer(cudaStreamWaitEvent(s, old, 0));
    some_work(s);
    edges_are("0>1 0>2 1>2", captured("3 nodes", s));
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaStreamWaitEvent(s, new_event(0), 0));
    some_work(s);
    edges_are("0>1", captured("2 nodes", s));
}

SITUATION("an event recorded in the origin, then in the forked stream; who waits for it follows "
          "the later: edges")
{
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    cudaStream_t t = nonblocking_stream(), s = capturing(cudaStreamCaptureModeGlobal);
    MUST(cudaEventRecord(e, s));
    MUST(cudaStreamWaitEvent(t, e, 0));
    some_work(t);
    MUST(cudaEventRecord(e, t));
    MUST(cudaStreamWaitEvent(s, e, 0));
    some_work(s);
    edges_are("0>1 0>2 1>2", captured("3 nodes", s));
}

SITUATION("a wait that would join two captures; status of both; end of both")
{
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    cudaStream_t t = nonblocking_stream(), s = capturing(cudaStreamCaptureModeGlobal);
    begin_capture(t, cudaStreamCaptureModeGlobal);
    MUST(cudaEventRecord(e, s));
    gives(StreamCaptureMerge, cudaStreamWaitEvent(t, e, 0));
    status_is("invalidated", s);
    status_is("invalidated", t);
    end_gives(StreamCaptureInvalidated, "NULL", s);
    end_gives(StreamCaptureInvalidated, "NULL", t);
}

SITUATION("a captured stream waits for an event recorded in another stream during the capture; its "
          "own from before; one recorded in 0 during the capture; Relaxed")
{
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    cudaStream_t t = nonblocking_stream(), s = capturing(cudaStreamCaptureModeRelaxed);
    MUST(cudaEventRecord(e, t));
    gives(StreamCaptureIsolation, cudaStreamWaitEvent(s, e, 0));
    is_invalidated(s);
    MUST(cudaEventRecord(e, s));
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    gives(StreamCaptureIsolation, cudaStreamWaitEvent(s, e, 0));
    end_gives(StreamCaptureInvalidated, "NULL", s);
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    answer(cudaEventRecord(e, 0));
    gives(StreamCaptureIsolation, cudaStreamWaitEvent(s, e, 0));
    end_gives(StreamCaptureInvalidated, "NULL", s);
}

SITUATION("cudaEventQuery of a captured event; status; end; query after it; cudaEventSynchronize "
          "after it; cudaEventSynchronize of a captured event, Relaxed; status; end; "
          "cudaStreamWaitEvent for it after that, outside")
{
    cudaEvent_t e = new_event(0);
    cudaStream_t s = capturing(cudaStreamCaptureModeGlobal);
    MUST(cudaEventRecord(e, s));
    gives(CapturedEvent, cudaEventQuery(e));
    is_invalidated(s);
    gives(InvalidValue, cudaEventQuery(e));
    gives(InvalidValue, cudaEventSynchronize(e));
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    MUST(cudaEventRecord(e, s));
    gives(CapturedEvent, cudaEventSynchronize(e));
    is_invalidated(s);
    gives(InvalidValue, cudaStreamWaitEvent(nonblocking_stream(), e, 0));
}

SITUATION("after a good capture, of an event recorded in it: query; synchronize; wait in a stream; "
          "in a new capture; elapsed time; record again and query")
{
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
    cudaEvent_t e = new_event(0), before = new_event(0);
    float ms;
    MUST(cudaEventRecord(before, s));
    MUST(cudaStreamSynchronize(s));
    begin_capture(s, cudaStreamCaptureModeGlobal);
    MUST(cudaEventRecord(e, s));
    captured("1 nodes", s);
    gives(InvalidValue, cudaEventQuery(e));
    gives(InvalidValue, cudaEventSynchronize(e));
    gives(InvalidValue, cudaStreamWaitEvent(t, e, 0));
    begin_capture(t, cudaStreamCaptureModeGlobal);
    gives(InvalidValue, cudaStreamWaitEvent(t, e, 0));
    end_gives(StreamCaptureInvalidated, "NULL", t);
    gives(InvalidValue, cudaEventElapsedTime(&ms, before, e));
    answer(cudaEventRecord(e, s));
    answer(cudaEventSynchronize(e));
    answer(cudaEventQuery(e));
}

SITUATION(
    "a captured event recorded in a stream outside: query; then waited for in the capture; status")
{
    cudaEvent_t e = new_event(0);
    cudaStream_t t = nonblocking_stream(), s = capturing(cudaStreamCaptureModeRelaxed);
    MUST(cudaEventRecord(e, s));
    answer(cudaEventRecord(e, t));
    MUST(cudaStreamSynchronize(t));
    answer(cudaEventQuery(e));
    gives(StreamCaptureIsolation, cudaStreamWaitEvent(s, e, 0));
    is_invalidated(s);
}

SITUATION("an event recorded outside, then in a capture: waited for in a stream outside forks it")
{
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
    cudaEvent_t e = new_event(0);
    MUST(cudaEventRecord(e, t));
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaEventRecord(e, s));
    answer(cudaStreamWaitEvent(t, e, 0));
    status_is("active", t);
    captured("1 nodes", s);
    status_is("none", t);
}

SITUATION("an event of an invalidated capture waited for in a stream outside; in another capture; "
          "status of both")
{
    cudaEvent_t e = new_event(0);
    cudaStream_t t = nonblocking_stream(), u = nonblocking_stream(),
                 s = capturing(cudaStreamCaptureModeRelaxed);
    MUST(cudaEventRecord(e, s));
    gives(StreamCaptureUnsupported, cudaDeviceSynchronize());
    gives(InvalidValue, cudaStreamWaitEvent(t, e, 0));
    status_is("none", t);
    begin_capture(u, cudaStreamCaptureModeRelaxed);
    gives(InvalidValue, cudaStreamWaitEvent(u, e, 0));
    is_invalidated(u);
    end_gives(StreamCaptureInvalidated, "NULL", s);
}

SITUATION("an event of a fork destroyed before the wait; after it; end")
{
    cudaEvent_t e = new_event(0);
    cudaStream_t t = nonblocking_stream(), s = capturing(cudaStreamCaptureModeGlobal);
    answer(cudaEventRecord(e, s));
    answer(cudaStreamWaitEvent(t, e, 0));
    answer(cudaEventDestroy(e));
    some_work(t);
    order_streams(t, s);
    some_work(s);
    edges_are("0>1 0>2 1>2", captured("3 nodes", s));
}
