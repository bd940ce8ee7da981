/* stream_destroy.c: destroying streams, and calls with a destroyed one. */
#include "../situation.h"

SITUATION("cudaStreamDestroy(0); cudaStreamLegacy; cudaStreamPerThread")
{
    gives(InvalidResourceHandle, cudaStreamDestroy(0));
    gives(InvalidResourceHandle, cudaStreamDestroy(cudaStreamLegacy));
    gives(InvalidResourceHandle, cudaStreamDestroy(cudaStreamPerThread));
}

ROW(gives(InvalidResourceHandle, cudaStreamDestroy(destroyed_stream())), "cudaStreamDestroy twice",
    CRASHES_ON_GPU)
ROW(gives(InvalidResourceHandle, cudaStreamQuery(destroyed_stream())),
    "cudaStreamQuery of a destroyed stream", CRASHES_ON_GPU)
ROW(gives(InvalidResourceHandle, cudaStreamSynchronize(destroyed_stream())),
    "cudaStreamSynchronize of a destroyed stream", CRASHES_ON_GPU)

ROW(gives(InvalidResourceHandle, cudaStreamGetFlags(destroyed_stream(), &(unsigned){0})),
    "cudaStreamGetFlags of a destroyed stream", CRASHES_ON_GPU)
ROW(gives(InvalidResourceHandle, cudaMemsetAsync(device_bytes(64), 0, 64, destroyed_stream())),
    "cudaMemsetAsync in a destroyed stream", CRASHES_ON_GPU)

SITUATION("cudaMemcpyAsync in a destroyed stream", CRASHES_ON_GPU)
{
    void *p = device_bytes(64);
    gives(InvalidResourceHandle,
          cudaMemcpyAsync(p, pinned_bytes(64), 64, cudaMemcpyHostToDevice, destroyed_stream()));
}

ROW(gives(InvalidResourceHandle, cudaEventRecord(new_event(0), destroyed_stream())),
    "cudaEventRecord in a destroyed stream", CRASHES_ON_GPU)
ROW(gives(InvalidResourceHandle, cudaStreamWaitEvent(destroyed_stream(), new_event(0), 0)),
    "cudaStreamWaitEvent of a destroyed stream", CRASHES_ON_GPU)

SITUATION("cudaLaunchHostFunc in a destroyed stream", CRASHES_ON_GPU)
{
    cudaStream_t s = destroyed_stream();
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
