/* event_wait.c: cudaStreamWaitEvent. */
#include "../situation.h"

SITUATION("cudaEventSynchronize on an event after busy work; on one recorded before it")
{
    cudaStream_t s = new_stream(0);
    cudaEvent_t before = new_event(0), after = new_event(cudaEventBlockingSync);
    MUST(cudaEventRecord(before, s));
    gate_shut(s);
    MUST(cudaEventRecord(after, s));
    answer(cudaEventSynchronize(before));
    call_returns();
    answer(cudaEventSynchronize(after));
    call_waits();
}

SITUATION("an event is destroyed after a stream was told to wait for it: the wait stands")
{
    cudaStream_t a = nonblocking_stream(), b = nonblocking_stream();
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    gate_shut(a);
    log_letter(a, 'A');
    MUST(cudaEventRecord(e, a));
    MUST(cudaStreamWaitEvent(b, e, 0));
    answer(cudaEventDestroy(e));
    log_letter(b, 'B');
    answer(cudaStreamSynchronize(b));
    shows("'AB'", "'%s'", host_log());
}

SITUATION(
    "an event in the legacy stream after a busy blocking stream; after a busy non-blocking one")
{
    cudaStream_t s = new_stream(0), n = nonblocking_stream();
    cudaEvent_t e = new_event(0);
    gate_shut(s);
    MUST(cudaEventRecord(e, 0));
    gives(NotReady, cudaEventQuery(e));
    gate_open();
    MUST(cudaDeviceSynchronize());
    gate_shut(n);
    MUST(cudaEventRecord(e, 0));
    answer(cudaEventSynchronize(e));
    call_returns();
}

SITUATION("a stream waits for an event, the event is then recorded again after a gate: the wait is "
          "for the first record")
{
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    prepare_work();
    MUST(cudaEventRecord(e, s));
    MUST(cudaStreamWaitEvent(t, e, 0));
    gate_shut(s);
    MUST(cudaEventRecord(e, s));
    some_work(t);
    shows("done", "%s", done_soon(t));
    MUST(cudaStreamWaitEvent(t, e, 0));
    some_work(t);
    shows("waits", "%s", done_soon(t));
    gate_open();
    answer(cudaStreamSynchronize(t));
}

SITUATION("cudaStreamWaitEvent for an event that is done: query of the stream; query of the legacy "
          "stream")
{
    cudaStream_t s = nonblocking_stream(), t = new_stream(0);
    cudaEvent_t e = new_event(0);
    MUST(cudaEventRecord(e, s));
    MUST(cudaDeviceSynchronize());
    answer(cudaStreamWaitEvent(t, e, 0));
    answer(cudaStreamQuery(t));
    answer(cudaStreamWaitEvent(0, e, 0));
    answer(cudaStreamQuery(0));
    answer(cudaStreamWaitEvent(s, e, 0));
    answer(cudaStreamQuery(s));
}
