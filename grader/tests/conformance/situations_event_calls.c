/*
 * situations_event_calls.c: flags, times, waits and re-recording of events.
 */
#include <string.h>
#include <unistd.h>

#include "situations.h"

SITUATION(create_flags, "cudaEventCreateWithFlags 0..7, 8, 4 without 2, NULL out")
{
    cudaEvent_t e;
    for (unsigned f = 0; f < 9; f++)
        answer_text("%u %s", f, error_text(cudaEventCreateWithFlags(&e, f)));
    answer(cudaEventCreate(NULL));
}

SITUATION(elapsed_same, "cudaEventElapsedTime of an event with itself; swapped start and end: sign")
{
    cudaStream_t s = new_stream(0);
    cudaEvent_t a = new_event(0), b = new_event(0);
    float ms = -1;
    MUST(cudaEventRecord(a, s));
    MUST(cudaLaunchHostFunc(s, write_letter, NULL));
    some_work(s);
    MUST(cudaEventRecord(b, s));
    MUST(cudaStreamSynchronize(s));
    answer(cudaEventElapsedTime(&ms, a, a));
    answer_text("%s", ms == 0 ? "0" : "not 0");
    answer(cudaEventElapsedTime(&ms, a, b));
    answer_text("%s", ms > 0 ? "positive" : "not positive");
    answer(cudaEventElapsedTime(&ms, b, a));
    answer_text("%s", ms < 0 ? "negative" : "not negative");
}

SITUATION(elapsed_null, "cudaEventElapsedTime with NULL out, NULL start, NULL end")
{
    cudaEvent_t a = new_event(0);
    float ms;
    MUST(cudaEventRecord(a, 0));
    MUST(cudaDeviceSynchronize());
    answer(cudaEventElapsedTime(&ms, NULL, a));
    answer(cudaEventElapsedTime(&ms, a, NULL));
    answer(cudaEventElapsedTime(NULL, a, a));
}

SITUATION(elapsed_mixed,
          "cudaEventElapsedTime: start recorded, end never; start disable-timing, end pending")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    cudaEvent_t a = new_event(0), never = new_event(0), no = new_event(cudaEventDisableTiming),
                pending = new_event(0);
    float ms;
    MUST(cudaEventRecord(a, s));
    MUST(cudaEventRecord(no, s));
    MUST(cudaStreamSynchronize(s));
    gate_shut(s);
    MUST(cudaEventRecord(pending, s));
    answer(cudaEventElapsedTime(&ms, a, never));
    answer(cudaEventElapsedTime(&ms, never, pending));
    answer(cudaEventElapsedTime(&ms, no, pending));
    answer(cudaEventElapsedTime(&ms, a, pending));
    answer(cudaPeekAtLastError());
    gate_open();
    MUST(cudaStreamSynchronize(s));
    answer(cudaEventElapsedTime(&ms, a, pending));
}

SITUATION(
    elapsed_rerecorded,
    "cudaEventElapsedTime after the end event was recorded anew and is pending; after it is done")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    cudaEvent_t a = new_event(0), b = new_event(0);
    float ms;
    MUST(cudaEventRecord(a, s));
    MUST(cudaEventRecord(b, s));
    MUST(cudaStreamSynchronize(s));
    answer(cudaEventElapsedTime(&ms, a, b));
    gate_shut(s);
    MUST(cudaEventRecord(b, s));
    answer(cudaEventElapsedTime(&ms, a, b));
    answer(cudaEventQuery(b));
    gate_open();
    answer(cudaEventSynchronize(b));
    answer(cudaEventElapsedTime(&ms, a, b));
}

SITUATION(query_pending_error,
          "cudaEventQuery of a pending event; is it the last error afterwards?")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    cudaEvent_t e = new_event(0);
    gate_shut(s);
    MUST(cudaEventRecord(e, s));
    answer(cudaEventQuery(e));
    answer(cudaPeekAtLastError());
    gate_open();
    answer(cudaEventSynchronize(e));
    answer(cudaGetLastError());
}

SITUATION(null_event,
          "cudaEventRecord, Query, Synchronize, Destroy and cudaStreamWaitEvent with a NULL event")
{
    cudaStream_t s = new_stream(0);
    answer(cudaEventRecord(NULL, s));
    answer(cudaEventQuery(NULL));
    answer(cudaEventSynchronize(NULL));
    answer(cudaStreamWaitEvent(s, NULL, 0));
    answer(cudaEventDestroy(NULL));
    answer(cudaGetLastError());
}

SITUATION(wait_flags, "cudaStreamWaitEvent with flags 0, 1 (external), 2, 99 outside a capture; "
                      "cudaEventRecordWithFlags 0, 1, 2")
{
    cudaStream_t s = new_stream(0);
    cudaEvent_t e = new_event(0);
    answer(cudaEventRecordWithFlags(e, s, 0));
    answer(cudaEventRecordWithFlags(e, s, cudaEventRecordExternal));
    answer(cudaEventRecordWithFlags(e, s, 2));
    answer(cudaStreamWaitEvent(s, e, 0));
    answer(cudaStreamWaitEvent(s, e, cudaEventWaitExternal));
    answer(cudaStreamWaitEvent(s, e, 2));
    answer(cudaStreamWaitEvent(s, e, 99));
}

SITUATION(destroy_pending,
          "cudaEventDestroy of a pending event that another stream waits for: the wait still holds")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking), t = new_stream(cudaStreamNonBlocking);
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    gate_shut(s);
    MUST(cudaEventRecord(e, s));
    MUST(cudaStreamWaitEvent(t, e, 0));
    answer(cudaEventDestroy(e));
    some_work(t);
    answer_text("%s", done_soon(t));
    gate_open();
    answer(cudaStreamSynchronize(t));
}

SITUATION(wait_takes_record, "a stream waits for an event, the event is then recorded anew behind "
                             "a gate: the wait is for the first record")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking), t = new_stream(cudaStreamNonBlocking);
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    prepare_work();
    MUST(cudaEventRecord(e, s));
    MUST(cudaStreamWaitEvent(t, e, 0));
    gate_shut(s);
    MUST(cudaEventRecord(e, s));
    some_work(t);
    answer_text("%s", done_soon(t));
    MUST(cudaStreamWaitEvent(t, e, 0));
    some_work(t);
    answer_text("%s", done_soon(t));
    gate_open();
    answer(cudaStreamSynchronize(t));
}

SITUATION(record_on_null, "an event recorded on NULL while a blocking stream is held up: query; "
                          "while a non-blocking one is: query")
{
    cudaStream_t s = new_stream(0), t = new_stream(cudaStreamNonBlocking);
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    gate_shut(s);
    answer(cudaEventRecord(e, NULL));
    answer(cudaEventQuery(e));
    gate_open();
    answer(cudaEventSynchronize(e));
    gate_shut(t);
    answer(cudaEventRecord(e, NULL));
    answer(cudaEventSynchronize(e));
    gate_open();
}

SITUATION(legacy_waits, "NULL waits for an event of a non-blocking stream behind a gate; work of a "
                        "blocking stream after that")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking), t = new_stream(0);
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    gate_shut(s);
    MUST(cudaEventRecord(e, s));
    answer(cudaStreamWaitEvent(NULL, e, 0));
    some_work(t);
    answer_text("%s", done_soon(t));
    gate_open();
    answer(cudaDeviceSynchronize());
}

SITUATION(interprocess, "cudaIpcGetEventHandle of a plain event, of an interprocess one, of NULL")
{
    cudaIpcEventHandle_t h;
    answer(cudaIpcGetEventHandle(&h, new_event(0)));
    answer(cudaIpcGetEventHandle(&h, new_event(cudaEventInterprocess | cudaEventDisableTiming)));
    answer(cudaIpcGetEventHandle(&h, NULL));
}

SITUATION(record_in_destroyed,
          "cudaEventRecord of an event in two streams in turn: the query follows the last record")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking), t = new_stream(cudaStreamNonBlocking);
    cudaEvent_t e = new_event(0);
    gate_shut(s);
    answer(cudaEventRecord(e, s));
    answer(cudaEventQuery(e));
    answer(cudaEventRecord(e, t));
    answer(cudaEventSynchronize(e));
    answer(cudaEventQuery(e));
    gate_open();
}

SITUATION(sync_after_destroyed_stream,
          "an event whose stream was destroyed before it was done: query, synchronise, elapsed")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    cudaEvent_t a = new_event(0), b = new_event(0);
    float ms;
    gate_shut(s);
    MUST(cudaEventRecord(a, s));
    MUST(cudaEventRecord(b, s));
    answer(cudaStreamDestroy(s));
    answer(cudaEventQuery(a));
    gate_open();
    answer(cudaEventSynchronize(b));
    answer(cudaEventElapsedTime(&ms, a, b));
}
