/* stream_synchronize.c: querying and synchronizing streams and the device. */
#include "../situation.h"

SITUATION("cudaStreamQuery of a new stream; of 0; of cudaStreamPerThread; of an idle stream while "
          "another one is busy")
{
    answer(cudaStreamQuery(new_stream(0)));
    answer(cudaStreamQuery(0));
    answer(cudaStreamQuery(cudaStreamPerThread));
    cudaStream_t busy = new_stream(0), idle = new_stream(0);
    gate_shut(busy);
    answer(cudaStreamQuery(idle));
}

SITUATION("cudaStreamQuery(0) while a blocking stream is busy; a non-blocking one")
{
    cudaStream_t s = new_stream(0), n = nonblocking_stream();
    gate_shut(s);
    gives(NotReady, cudaStreamQuery(0));
    gate_open();
    MUST(cudaDeviceSynchronize());
    gate_shut(n);
    answer(cudaStreamQuery(0));
}

SITUATION("cudaStreamSynchronize(0) while a blocking stream is busy; a non-blocking one")
{
    cudaStream_t s = new_stream(0), n = nonblocking_stream();
    gate_shut(s);
    answer(cudaStreamSynchronize(0));
    call_waits();
    MUST(cudaDeviceSynchronize());
    gate_shut(n);
    answer(cudaStreamSynchronize(0));
    call_returns();
}

SITUATION(
    "cudaStreamSynchronize(cudaStreamPerThread) while a blocking stream is busy; of an idle stream")
{
    cudaStream_t s = new_stream(0);
    gate_shut(s);
    answer(cudaStreamSynchronize(cudaStreamPerThread));
    answer(cudaStreamSynchronize(new_stream(0)));
    call_returns();
}

SITUATION("cudaStreamQuery of a busy stream, then cudaGetLastError, then of an idle one")
{
    cudaStream_t s = nonblocking_stream(), idle = nonblocking_stream();
    gate_shut(s);
    gives(NotReady, cudaStreamQuery(s));
    answer(cudaGetLastError());
    answer(cudaStreamQuery(idle));
    gate_open();
    answer(cudaStreamSynchronize(s));
    answer(cudaStreamQuery(s));
}

SITUATION("cudaDeviceSynchronize waits for a non-blocking stream, and for cudaStreamPerThread")
{
    cudaStream_t s = nonblocking_stream();
    gate_shut(s);
    answer(cudaDeviceSynchronize());
    call_waits();
    gate_shut(cudaStreamPerThread);
    answer(cudaDeviceSynchronize());
    call_waits();
}
