/* stream_destroy.c: destroying streams, and calls with a destroyed one. */
#include "../situation.h"

SITUATION("cudaStreamDestroy(0); cudaStreamLegacy; cudaStreamPerThread")
{
    gives(InvalidResourceHandle, cudaStreamDestroy(0));
    gives(InvalidResourceHandle, cudaStreamDestroy(cudaStreamLegacy));
    gives(InvalidResourceHandle, cudaStreamDestroy(cudaStreamPerThread));
}

SITUATION("calls with a destroyed stream: destroy, query, synchronize, flags, memset, copy, "
          "record, wait, host function",
          CRASHES_ON_GPU)
{
    cudaStream_t s = destroyed_stream();
    void *p = device_bytes(64);
    gives(InvalidResourceHandle, cudaStreamDestroy(s));
    gives(InvalidResourceHandle, cudaStreamQuery(s));
    gives(InvalidResourceHandle, cudaStreamSynchronize(s));
    gives(InvalidResourceHandle, cudaStreamGetFlags(s, &(unsigned){0}));
    gives(InvalidResourceHandle, cudaMemsetAsync(p, 0, 64, s));
    gives(InvalidResourceHandle,
          cudaMemcpyAsync(p, pinned_bytes(64), 64, cudaMemcpyHostToDevice, s));
    gives(InvalidResourceHandle, cudaEventRecord(new_event(0), s));
    gives(InvalidResourceHandle, cudaStreamWaitEvent(s, new_event(0), 0));
    gives(InvalidResourceHandle, cudaLaunchHostFunc(s, (cudaHostFn_t)(uintptr_t)host_log, NULL));
}

SITUATION("cudaStreamDestroy of a busy stream: it returns or waits; is the work done after "
          "cudaDeviceSynchronize?")
{
    cudaStream_t s = new_stream(0);
    gate_shut(s);
    log_letter(s, 'A');
    answer(cudaStreamDestroy(s));
    call_returns();
    answer(cudaDeviceSynchronize());
    shows("'A'", "'%s'", host_log());
}
