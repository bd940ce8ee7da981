/* event_record.c: recording, querying and synchronizing events. */
#include "../situation.h"

SITUATION("an event never recorded: query; synchronize; a stream waits for it; recorded with flags "
          "0; 99; in 0; in cudaStreamLegacy; in cudaStreamPerThread")
{
    cudaEvent_t e = new_event(0);
    answer(cudaEventQuery(e));
    answer(cudaEventSynchronize(e));
    answer(cudaStreamWaitEvent(new_stream(0), e, 0));
    answer(cudaEventRecordWithFlags(e, 0, 0));
    gives(InvalidValue, cudaEventRecordWithFlags(e, 0, 99));
    answer(cudaEventRecord(e, 0));
    answer(cudaEventRecord(e, cudaStreamLegacy));
    answer(cudaEventRecord(e, cudaStreamPerThread));
}

SITUATION("cudaEventQuery of a pending event; is it the last error afterwards?")
{
    cudaStream_t s = nonblocking_stream();
    cudaEvent_t e = new_event(0);
    gate_shut(s);
    MUST(cudaEventRecord(e, s));
    gives(NotReady, cudaEventQuery(e));
    answer(cudaPeekAtLastError());
    gate_open();
    answer(cudaEventSynchronize(e));
    answer(cudaGetLastError());
}

SITUATION("cudaEventRecord of an event in two streams in turn: the query follows the last record")
{
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
    cudaEvent_t e = new_event(0);
    gate_shut(s);
    answer(cudaEventRecord(e, s));
    gives(NotReady, cudaEventQuery(e));
    answer(cudaEventRecord(e, t));
    answer(cudaEventSynchronize(e));
    answer(cudaEventQuery(e));
}

SITUATION("an event whose stream was destroyed before it was done: query, synchronize, elapsed")
{
    cudaStream_t s = nonblocking_stream();
    cudaEvent_t a = new_event(0), b = new_event(0);
    float ms;
    gate_shut(s);
    MUST(cudaEventRecord(a, s));
    MUST(cudaEventRecord(b, s));
    answer(cudaStreamDestroy(s));
    gives(NotReady, cudaEventQuery(a));
    gate_open();
    answer(cudaEventSynchronize(b));
    answer(cudaEventElapsedTime(&ms, a, b));
}
