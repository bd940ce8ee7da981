/*
 * situations_events.c: creating, recording, asking and waiting for events.
 */
#include "situations.h"

SITUATION(event_create_null, "cudaEventCreate(NULL); WithFlags(NULL)")
{
    answer(cudaEventCreate(NULL));
    answer(cudaEventCreateWithFlags(NULL, 0));
}

SITUATION(event_create_flags,
          "cudaEventCreateWithFlags: 1 (blocking); 2 (no timing); 4 (interprocess); 6; 8; 99")
{
    static const unsigned flags[] = {1, 2, 4, 6, 8, 99};
    for (int i = 0; i < 6; i++) {
        cudaEvent_t e = NULL;
        answer(cudaEventCreateWithFlags(&e, flags[i]));
    }
}

SITUATION(event_unrecorded, "an event never recorded: query; synchronise; a stream waits for it")
{
    cudaEvent_t e = new_event(0);
    answer(cudaEventQuery(e));
    answer(cudaEventSynchronize(e));
    answer(cudaStreamWaitEvent(new_stream(0), e, 0));
}

SITUATION(event_null, "NULL event: query; synchronise; record; wait; destroy")
{
    cudaStream_t s = new_stream(0);
    answer(cudaEventQuery(NULL));
    answer(cudaEventSynchronize(NULL));
    answer(cudaEventRecord(NULL, s));
    answer(cudaStreamWaitEvent(s, NULL, 0));
    answer(cudaEventDestroy(NULL));
}

SITUATION(event_query_destroyed, "cudaEventQuery of a destroyed event")
{
    answer(cudaEventQuery(destroyed_event()));
}

SITUATION(event_sync_destroyed, "cudaEventSynchronize of a destroyed event")
{
    answer(cudaEventSynchronize(destroyed_event()));
}

SITUATION(event_record_destroyed, "cudaEventRecord of a destroyed event")
{
    answer(cudaEventRecord(destroyed_event(), 0));
}

SITUATION(event_wait_destroyed, "cudaStreamWaitEvent for a destroyed event")
{
    answer(cudaStreamWaitEvent(new_stream(0), destroyed_event(), 0));
}

SITUATION(event_destroy_twice, "cudaEventDestroy twice")
{
    answer(cudaEventDestroy(destroyed_event()));
}

SITUATION(event_wait_flags, "cudaStreamWaitEvent with flags 1 (external) outside a capture; 2; 99")
{
    cudaStream_t s = new_stream(0);
    cudaEvent_t e = new_event(0);
    MUST(cudaEventRecord(e, s));
    answer(cudaStreamWaitEvent(s, e, cudaEventWaitExternal));
    answer(cudaStreamWaitEvent(s, e, 2));
    answer(cudaStreamWaitEvent(s, e, 99));
}

SITUATION(event_record_flags, "cudaEventRecordWithFlags: 0; external outside a capture; 2; 99")
{
    cudaStream_t s = new_stream(0);
    cudaEvent_t e = new_event(0);
    answer(cudaEventRecordWithFlags(e, s, 0));
    answer(cudaEventRecordWithFlags(e, s, cudaEventRecordExternal));
    answer(cudaEventRecordWithFlags(e, s, 2));
    answer(cudaEventRecordWithFlags(e, s, 99));
}

SITUATION(event_record_default, "cudaEventRecord in 0; in cudaStreamLegacy; in cudaStreamPerThread")
{
    cudaEvent_t e = new_event(0);
    answer(cudaEventRecord(e, 0));
    answer(cudaEventRecord(e, cudaStreamLegacy));
    answer(cudaEventRecord(e, cudaStreamPerThread));
}

SITUATION(event_elapsed_unrecorded,
          "cudaEventElapsedTime: neither recorded; only the start; only the end")
{
    cudaEvent_t from = new_event(0), to = new_event(0), neither = new_event(0);
    float ms = -1;
    answer(cudaEventElapsedTime(&ms, neither, to));
    MUST(cudaEventRecord(from, 0));
    MUST(cudaDeviceSynchronize());
    answer(cudaEventElapsedTime(&ms, from, to));
    answer(cudaEventElapsedTime(&ms, neither, from));
}

SITUATION(event_elapsed_no_timing,
          "cudaEventElapsedTime: start without timing; end without timing; get last error")
{
    cudaEvent_t timed = new_event(0), untimed = new_event(cudaEventDisableTiming);
    float ms = -1;
    MUST(cudaEventRecord(timed, 0));
    MUST(cudaEventRecord(untimed, 0));
    MUST(cudaDeviceSynchronize());
    answer(cudaEventElapsedTime(&ms, untimed, timed));
    answer(cudaEventElapsedTime(&ms, timed, untimed));
    answer(cudaGetLastError());
}

SITUATION(event_elapsed_not_ready,
          "cudaEventElapsedTime: end not yet reached; start not yet reached")
{
    cudaStream_t s = new_stream(0), idle = new_stream(cudaStreamNonBlocking);
    cudaEvent_t done = new_event(0), pending = new_event(0);
    float ms = -1;
    MUST(cudaEventRecord(done, idle));
    MUST(cudaStreamSynchronize(idle));
    gate_shut(s);
    MUST(cudaEventRecord(pending, s));
    answer(cudaEventElapsedTime(&ms, done, pending));
    answer(cudaEventElapsedTime(&ms, pending, done));
    gate_open();
    MUST(cudaStreamSynchronize(s));
    answer(cudaEventElapsedTime(&ms, done, pending));
}

SITUATION(event_elapsed_null, "cudaEventElapsedTime: NULL result; NULL start; NULL end")
{
    cudaEvent_t e = new_event(0);
    float ms = -1;
    MUST(cudaEventRecord(e, 0));
    MUST(cudaDeviceSynchronize());
    answer(cudaEventElapsedTime(NULL, e, e));
    answer(cudaEventElapsedTime(&ms, NULL, e));
    answer(cudaEventElapsedTime(&ms, e, NULL));
}

SITUATION(event_elapsed_destroyed, "cudaEventElapsedTime to a destroyed event")
{
    cudaEvent_t e = new_event(0);
    float ms = -1;
    MUST(cudaEventRecord(e, 0));
    MUST(cudaDeviceSynchronize());
    answer(cudaEventElapsedTime(&ms, e, destroyed_event()));
}

SITUATION(event_elapsed_untimed_pending,
          "cudaEventElapsedTime to an event without timing that is not yet reached")
{
    cudaStream_t s = new_stream(0);
    cudaEvent_t from = new_event(0), to = new_event(cudaEventDisableTiming);
    float ms = -1;
    MUST(cudaEventRecord(from, s));
    gate_shut(s);
    MUST(cudaEventRecord(to, s));
    answer(cudaEventElapsedTime(&ms, from, to));
    gate_open();
    MUST(cudaStreamSynchronize(s));
}

SITUATION(
    event_outlives_stream,
    "an event recorded behind busy work in a stream that is then destroyed: query, synchronise")
{
    cudaStream_t s = new_stream(0);
    cudaEvent_t e = new_event(0);
    gate_shut(s);
    MUST(cudaEventRecord(e, s));
    MUST(cudaStreamDestroy(s));
    answer(cudaEventQuery(e));
    gate_open();
    answer(cudaEventSynchronize(e));
    answer(cudaEventQuery(e));
}

SITUATION(event_elapsed_same, "cudaEventElapsedTime of an event and itself")
{
    cudaEvent_t e = new_event(0);
    float ms = -1;
    MUST(cudaEventRecord(e, 0));
    MUST(cudaDeviceSynchronize());
    answer(cudaEventElapsedTime(&ms, e, e));
    answer_text("%g", (double)ms);
}

SITUATION(event_elapsed_sign,
          "cudaEventElapsedTime over a memset of 64 MiB; with start and end exchanged")
{
    void *p = device_bytes(64 << 20);
    cudaEvent_t from = new_event(0), to = new_event(0);
    float ms = 0, back = 0;
    MUST(cudaEventRecord(from, 0));
    MUST(cudaMemsetAsync(p, 1, 64 << 20, 0));
    MUST(cudaEventRecord(to, 0));
    MUST(cudaDeviceSynchronize());
    answer(cudaEventElapsedTime(&ms, from, to));
    answer_text(ms > 0 ? "positive" : "not positive");
    answer(cudaEventElapsedTime(&back, to, from));
    answer_text(back == -ms ? "the negative" : "not the negative");
}

SITUATION(event_elapsed_streams, "cudaEventElapsedTime between events of two streams")
{
    cudaStream_t a = new_stream(0), b = new_stream(0);
    cudaEvent_t from = new_event(0), to = new_event(0);
    float ms = -1;
    MUST(cudaEventRecord(from, a));
    MUST(cudaStreamWaitEvent(b, from, 0));
    MUST(cudaEventRecord(to, b));
    MUST(cudaDeviceSynchronize());
    answer(cudaEventElapsedTime(&ms, from, to));
    answer_text(ms >= 0 ? "not negative" : "negative");
}

SITUATION(event_query_pending, "cudaEventQuery before and after the work in front of it is done")
{
    cudaStream_t s = new_stream(0);
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    gate_shut(s);
    MUST(cudaEventRecord(e, s));
    answer(cudaEventQuery(e));
    gate_open();
    answer(cudaEventSynchronize(e));
    answer(cudaEventQuery(e));
}

SITUATION(event_sync_waits,
          "cudaEventSynchronize on an event behind busy work; on one recorded before it")
{
    cudaStream_t s = new_stream(0);
    cudaEvent_t before = new_event(0), after = new_event(cudaEventBlockingSync);
    MUST(cudaEventRecord(before, s));
    gate_shut(s);
    MUST(cudaEventRecord(after, s));
    gate_open_later(100);
    answer(cudaEventSynchronize(before));
    answer_text("%s", gate_waited());
    answer(cudaEventSynchronize(after));
    answer_text("%s", gate_waited());
}

SITUATION(event_rerecorded, "an event that was done is recorded again behind busy work: query")
{
    cudaStream_t s = new_stream(0);
    cudaEvent_t e = new_event(0);
    MUST(cudaEventRecord(e, s));
    MUST(cudaEventSynchronize(e));
    gate_shut(s);
    MUST(cudaEventRecord(e, s));
    answer(cudaEventQuery(e));
    gate_open();
    MUST(cudaStreamSynchronize(s));
    answer(cudaEventQuery(e));
}

SITUATION(
    event_rerecorded_wait,
    "a stream waits for an event; the event is recorded again elsewhere: the wait stands as it was")
{
    cudaStream_t busy = new_stream(cudaStreamNonBlocking), idle = new_stream(cudaStreamNonBlocking),
                 waiter = new_stream(cudaStreamNonBlocking);
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    MUST(cudaEventRecord(e, idle));
    MUST(cudaStreamWaitEvent(waiter, e, 0));
    gate_shut(busy);
    MUST(cudaEventRecord(e, busy));
    some_work(waiter);
    MUST(cudaStreamSynchronize(waiter));
    answer_text("%s", gate_waited());
    gate_open();
    MUST(cudaDeviceSynchronize());
}

SITUATION(event_wait_orders,
          "work behind cudaStreamWaitEvent runs after the work in front of the event")
{
    cudaStream_t a = new_stream(cudaStreamNonBlocking), b = new_stream(cudaStreamNonBlocking);
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    gate_shut(a);
    log_letter(a, 'A');
    MUST(cudaEventRecord(e, a));
    MUST(cudaStreamWaitEvent(b, e, 0));
    log_letter(b, 'B');
    gate_open_later(150);
    answer(cudaStreamSynchronize(b));
    answer_text("'%s'", log_text());
}

SITUATION(event_destroyed_wait,
          "an event is destroyed after a stream was told to wait for it: the wait stands")
{
    cudaStream_t a = new_stream(cudaStreamNonBlocking), b = new_stream(cudaStreamNonBlocking);
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    gate_shut(a);
    log_letter(a, 'A');
    MUST(cudaEventRecord(e, a));
    MUST(cudaStreamWaitEvent(b, e, 0));
    answer(cudaEventDestroy(e));
    log_letter(b, 'B');
    gate_open_later(150);
    answer(cudaStreamSynchronize(b));
    answer_text("'%s'", log_text());
}

SITUATION(event_destroy_pending, "cudaEventDestroy of an event not yet reached: returns or waits")
{
    cudaStream_t s = new_stream(0);
    cudaEvent_t e = new_event(0);
    gate_shut(s);
    MUST(cudaEventRecord(e, s));
    gate_open_later(100);
    answer(cudaEventDestroy(e));
    answer_text("%s", gate_waited());
    MUST(cudaStreamSynchronize(s));
}

SITUATION(event_no_wait_in_front,
          "work put in a stream before its cudaStreamWaitEvent does not wait")
{
    cudaStream_t a = new_stream(cudaStreamNonBlocking), b = new_stream(cudaStreamNonBlocking);
    cudaEvent_t e = new_event(cudaEventDisableTiming), early = new_event(cudaEventDisableTiming);
    gate_shut(a);
    MUST(cudaEventRecord(e, a));
    MUST(cudaEventRecord(early, b));
    MUST(cudaStreamWaitEvent(b, e, 0));
    answer(cudaEventSynchronize(early));
    answer_text("%s", gate_waited());
    answer(cudaStreamQuery(b));
    gate_open();
    MUST(cudaDeviceSynchronize());
    answer(cudaStreamQuery(b));
}

SITUATION(event_wait_own, "a stream waits for an event of its own")
{
    cudaStream_t s = new_stream(0);
    cudaEvent_t e = new_event(0);
    MUST(cudaEventRecord(e, s));
    answer(cudaStreamWaitEvent(s, e, 0));
    answer(cudaStreamSynchronize(s));
}

SITUATION(
    event_legacy_waits,
    "an event in the legacy stream behind a busy blocking stream; behind a busy non-blocking one")
{
    cudaStream_t s = new_stream(0), n = new_stream(cudaStreamNonBlocking);
    cudaEvent_t e = new_event(0);
    gate_shut(s);
    MUST(cudaEventRecord(e, 0));
    answer(cudaEventQuery(e));
    gate_open();
    MUST(cudaDeviceSynchronize());
    gate_shut(n);
    MUST(cudaEventRecord(e, 0));
    answer(cudaEventSynchronize(e));
    answer_text("%s", gate_waited());
    gate_open();
    MUST(cudaDeviceSynchronize());
}
