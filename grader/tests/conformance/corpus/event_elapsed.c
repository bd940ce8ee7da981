/* event_elapsed.c: cudaEventElapsedTime. */
#include "../situation.h"

SITUATION(
    "cudaEventElapsedTime: neither recorded; only the start; only the end; start without timing; "
    "end without timing; get last error; NULL result; NULL start; NULL end; of an event and itself")
{
    cudaEvent_t from = new_event(0), to = new_event(0), neither = new_event(0),
                untimed = new_event(cudaEventDisableTiming);
    float ms = -1;
    gives(InvalidResourceHandle, cudaEventElapsedTime(&ms, neither, to));
    MUST(cudaEventRecord(from, 0));
    MUST(cudaEventRecord(untimed, 0));
    MUST(cudaDeviceSynchronize());
    gives(InvalidResourceHandle, cudaEventElapsedTime(&ms, from, to));
    gives(InvalidResourceHandle, cudaEventElapsedTime(&ms, neither, from));
    gives(InvalidResourceHandle, cudaEventElapsedTime(&ms, untimed, from));
    gives(InvalidResourceHandle, cudaEventElapsedTime(&ms, from, untimed));
    gives(InvalidResourceHandle, cudaGetLastError());
    gives(InvalidValue, cudaEventElapsedTime(NULL, from, from));
    gives(InvalidResourceHandle, cudaEventElapsedTime(&ms, NULL, from));
    gives(InvalidResourceHandle, cudaEventElapsedTime(&ms, from, NULL));
    answer(cudaEventElapsedTime(&ms, from, from));
    shows("0", "%g", (double)ms);
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
