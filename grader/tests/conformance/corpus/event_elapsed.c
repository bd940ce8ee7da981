/* event_elapsed.c: cudaEventElapsedTime. */
#include "../situation.h"

SITUATION("cudaEventElapsedTime: neither recorded; only the start; only the end")
{
    cudaEvent_t from = new_event(0), to = new_event(0), neither = new_event(0);
    float ms = -1;
    gives(InvalidResourceHandle, cudaEventElapsedTime(&ms, neither, to));
    MUST(cudaEventRecord(from, 0));
    MUST(cudaDeviceSynchronize());
    gives(InvalidResourceHandle, cudaEventElapsedTime(&ms, from, to));
    gives(InvalidResourceHandle, cudaEventElapsedTime(&ms, neither, from));
}

SITUATION("cudaEventElapsedTime: start without timing; end without timing; get last error")
{
    cudaEvent_t timed = new_event(0), untimed = new_event(cudaEventDisableTiming);
    float ms = -1;
    MUST(cudaEventRecord(timed, 0));
    MUST(cudaEventRecord(untimed, 0));
    MUST(cudaDeviceSynchronize());
    gives(InvalidResourceHandle, cudaEventElapsedTime(&ms, untimed, timed));
    gives(InvalidResourceHandle, cudaEventElapsedTime(&ms, timed, untimed));
    gives(InvalidResourceHandle, cudaGetLastError());
}

SITUATION("cudaEventElapsedTime: end not yet reached; start not yet reached")
{
    cudaStream_t s = new_stream(0), idle = nonblocking_stream();
    cudaEvent_t done = new_event(0), pending = new_event(0);
    float ms = -1;
    MUST(cudaEventRecord(done, idle));
    MUST(cudaStreamSynchronize(idle));
    gate_shut(s);
    MUST(cudaEventRecord(pending, s));
    gives(NotReady, cudaEventElapsedTime(&ms, done, pending));
    gives(NotReady, cudaEventElapsedTime(&ms, pending, done));
    gate_open();
    MUST(cudaStreamSynchronize(s));
    answer(cudaEventElapsedTime(&ms, done, pending));
}

SITUATION("cudaEventElapsedTime: NULL result; NULL start; NULL end")
{
    cudaEvent_t e = new_event(0);
    float ms = -1;
    MUST(cudaEventRecord(e, 0));
    MUST(cudaDeviceSynchronize());
    gives(InvalidValue, cudaEventElapsedTime(NULL, e, e));
    gives(InvalidResourceHandle, cudaEventElapsedTime(&ms, NULL, e));
    gives(InvalidResourceHandle, cudaEventElapsedTime(&ms, e, NULL));
}

SITUATION("cudaEventElapsedTime to an event without timing that is not yet reached")
{
    cudaStream_t s = new_stream(0);
    cudaEvent_t from = new_event(0), to = new_event(cudaEventDisableTiming);
    float ms = -1;
    MUST(cudaEventRecord(from, s));
    gate_shut(s);
    MUST(cudaEventRecord(to, s));
    gives(InvalidResourceHandle, cudaEventElapsedTime(&ms, from, to));
}

SITUATION("cudaEventElapsedTime of an event and itself")
{
    cudaEvent_t e = new_event(0);
    float ms = -1;
    MUST(cudaEventRecord(e, 0));
    MUST(cudaDeviceSynchronize());
    answer(cudaEventElapsedTime(&ms, e, e));
    shows("0", "%g", (double)ms);
}

SITUATION("cudaEventElapsedTime over a memset of 64 MiB; with start and end exchanged")
{
    void *p = device_bytes(64 << 20);
    cudaEvent_t from = new_event(0), to = new_event(0);
    float ms = 0, back = 0;
    MUST(cudaEventRecord(from, 0));
    MUST(cudaMemsetAsync(p, 1, 64 << 20, 0));
    MUST(cudaEventRecord(to, 0));
    MUST(cudaDeviceSynchronize());
    answer(cudaEventElapsedTime(&ms, from, to));
    shows("positive", ms > 0 ? "positive" : "not positive");
    answer(cudaEventElapsedTime(&back, to, from));
    shows("the negative", back == -ms ? "the negative" : "not the negative");
}
