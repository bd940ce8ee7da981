/*
 * event_elapsed.c: cudaEventElapsedTime.
 */
#include "../situation.h"

SITUATION(event_elapsed_unrecorded,
          "cudaEventElapsedTime: neither recorded; only the start; only the end",
          "cudaEventElapsedTime(neither, to): InvalidResourceHandle",
          "cudaEventElapsedTime(from, to): InvalidResourceHandle",
          "cudaEventElapsedTime(neither, from): InvalidResourceHandle")
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
          "cudaEventElapsedTime: start without timing; end without timing; get last error",
          "cudaEventElapsedTime(untimed, timed): InvalidResourceHandle",
          "cudaEventElapsedTime(timed, untimed): InvalidResourceHandle",
          "cudaGetLastError: InvalidResourceHandle")
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
          "cudaEventElapsedTime: end not yet reached; start not yet reached",
          "cudaEventElapsedTime(done, pending): NotReady",
          "cudaEventElapsedTime(pending, done): NotReady")
{
    cudaStream_t s = new_stream(0), idle = nonblocking_stream();
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

SITUATION(event_elapsed_null, "cudaEventElapsedTime: NULL result; NULL start; NULL end",
          "cudaEventElapsedTime(NULL, e, e): InvalidValue",
          "cudaEventElapsedTime(&ms, NULL, e): InvalidResourceHandle",
          "cudaEventElapsedTime(&ms, e, NULL): InvalidResourceHandle")
{
    cudaEvent_t e = new_event(0);
    float ms = -1;
    MUST(cudaEventRecord(e, 0));
    MUST(cudaDeviceSynchronize());
    answer(cudaEventElapsedTime(NULL, e, e));
    answer(cudaEventElapsedTime(&ms, NULL, e));
    answer(cudaEventElapsedTime(&ms, e, NULL));
}

SITUATION(event_elapsed_destroyed, "cudaEventElapsedTime to a destroyed event", CRASHES_ON_GPU,
          "cudaEventElapsedTime: InvalidResourceHandle")
{
    cudaEvent_t e = new_event(0);
    float ms = -1;
    MUST(cudaEventRecord(e, 0));
    MUST(cudaDeviceSynchronize());
    answer(cudaEventElapsedTime(&ms, e, destroyed_event()));
}

SITUATION(event_elapsed_untimed_pending,
          "cudaEventElapsedTime to an event without timing that is not yet reached",
          "cudaEventElapsedTime: InvalidResourceHandle")
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

SITUATION(event_elapsed_same, "cudaEventElapsedTime of an event and itself", "ms: 0")
{
    cudaEvent_t e = new_event(0);
    float ms = -1;
    MUST(cudaEventRecord(e, 0));
    MUST(cudaDeviceSynchronize());
    answer(cudaEventElapsedTime(&ms, e, e));
    answer_text("%g", (double)ms);
}

SITUATION(event_elapsed_sign,
          "cudaEventElapsedTime over a memset of 64 MiB; with start and end exchanged",
          "ms > 0: positive", "back == -ms: the negative")
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

SITUATION(event_elapsed_streams, "cudaEventElapsedTime between events of two streams",
          "ms >= 0: not negative")
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

SITUATION(elapsed_same, "cudaEventElapsedTime of an event with itself; swapped start and end: sign",
          "ms == 0: 0", "ms > 0: positive", "ms < 0: negative")
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

SITUATION(elapsed_null, "cudaEventElapsedTime with NULL out, NULL start, NULL end",
          "cudaEventElapsedTime(&ms, NULL, a): InvalidResourceHandle",
          "cudaEventElapsedTime(&ms, a, NULL): InvalidResourceHandle",
          "cudaEventElapsedTime(NULL, a, a): InvalidValue")
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
          "cudaEventElapsedTime: start recorded, end never; start disable-timing, end pending",
          "cudaEventElapsedTime(a, never): InvalidResourceHandle",
          "cudaEventElapsedTime(never, pending): InvalidResourceHandle",
          "cudaEventElapsedTime(no, pending): InvalidResourceHandle",
          "cudaEventElapsedTime(a, pending): NotReady",
          "cudaPeekAtLastError: InvalidResourceHandle")
{
    cudaStream_t s = nonblocking_stream();
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
    "cudaEventElapsedTime after the end event was recorded again and is pending; after it is done",
    "cudaEventElapsedTime #2: NotReady", "cudaEventQuery: NotReady")
{
    cudaStream_t s = nonblocking_stream();
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
