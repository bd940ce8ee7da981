/*
 * stream_destroy.c: destroying streams, and calls with a destroyed one.
 */
#include <stdint.h>

#include "../situation.h"

SITUATION(stream_destroy_default, "cudaStreamDestroy(0); cudaStreamLegacy; cudaStreamPerThread",
          "cudaStreamDestroy(0): InvalidResourceHandle",
          "cudaStreamDestroy(cudaStreamLegacy): InvalidResourceHandle",
          "cudaStreamDestroy(cudaStreamPerThread): InvalidResourceHandle")
{
    answer(cudaStreamDestroy(0));
    answer(cudaStreamDestroy(cudaStreamLegacy));
    answer(cudaStreamDestroy(cudaStreamPerThread));
}

SITUATION(stream_destroy_twice, "cudaStreamDestroy twice", CRASHES_ON_GPU,
          "cudaStreamDestroy: InvalidResourceHandle")
{
    answer(cudaStreamDestroy(destroyed_stream()));
}

SITUATION(stream_query_destroyed, "cudaStreamQuery of a destroyed stream", CRASHES_ON_GPU,
          "cudaStreamQuery: InvalidResourceHandle")
{
    answer(cudaStreamQuery(destroyed_stream()));
}

SITUATION(stream_sync_destroyed, "cudaStreamSynchronize of a destroyed stream", CRASHES_ON_GPU,
          "cudaStreamSynchronize: InvalidResourceHandle")
{
    answer(cudaStreamSynchronize(destroyed_stream()));
}

SITUATION(stream_flags_destroyed, "cudaStreamGetFlags of a destroyed stream", CRASHES_ON_GPU,
          "cudaStreamGetFlags: InvalidResourceHandle")
{
    unsigned f = 99;
    answer(cudaStreamGetFlags(destroyed_stream(), &f));
}

SITUATION(stream_memset_destroyed, "cudaMemsetAsync in a destroyed stream", CRASHES_ON_GPU,
          "cudaMemsetAsync: InvalidResourceHandle")
{
    void *p = device_bytes(64);
    answer(cudaMemsetAsync(p, 0, 64, destroyed_stream()));
}

SITUATION(stream_memcpy_destroyed, "cudaMemcpyAsync in a destroyed stream", CRASHES_ON_GPU,
          "cudaMemcpyAsync: InvalidResourceHandle")
{
    void *p = device_bytes(64);
    answer(cudaMemcpyAsync(p, pinned_bytes(64), 64, cudaMemcpyHostToDevice, destroyed_stream()));
}

SITUATION(stream_record_destroyed, "cudaEventRecord in a destroyed stream", CRASHES_ON_GPU,
          "cudaEventRecord: InvalidResourceHandle")
{
    answer(cudaEventRecord(new_event(0), destroyed_stream()));
}

SITUATION(stream_wait_destroyed, "cudaStreamWaitEvent of a destroyed stream", CRASHES_ON_GPU,
          "cudaStreamWaitEvent: InvalidResourceHandle")
{
    answer(cudaStreamWaitEvent(destroyed_stream(), new_event(0), 0));
}

SITUATION(stream_host_destroyed, "cudaLaunchHostFunc in a destroyed stream", CRASHES_ON_GPU,
          "cudaLaunchHostFunc: InvalidResourceHandle")
{
    cudaStream_t s = destroyed_stream();
    answer(cudaLaunchHostFunc(s, (cudaHostFn_t)(uintptr_t)host_log, NULL));
}

SITUATION(stream_destroy_busy,
          "cudaStreamDestroy of a busy stream: it returns or waits; is the "
          "work done after cudaDeviceSynchronize?",
          "the call: returns", "host_log: 'A'")
{
    cudaStream_t s = new_stream(0);
    gate_shut(s);
    log_letter(s, 'A');
    answer(cudaStreamDestroy(s));
    answer_waited();
    answer(cudaDeviceSynchronize());
    answer_text("'%s'", host_log());
}

SITUATION(
    destroy_special,
    "cudaStreamDestroy of NULL, cudaStreamLegacy, cudaStreamPerThread; work on each afterwards",
    "cudaStreamDestroy(NULL): InvalidResourceHandle",
    "cudaStreamDestroy(cudaStreamLegacy): InvalidResourceHandle",
    "cudaStreamDestroy(cudaStreamPerThread): InvalidResourceHandle")
{
    answer(cudaStreamDestroy(NULL));
    answer(cudaStreamDestroy(cudaStreamLegacy));
    answer(cudaStreamDestroy(cudaStreamPerThread));
    char *p = device_bytes(64);
    answer(cudaMemsetAsync(p, 1, 64, NULL));
    answer(cudaMemsetAsync(p, 1, 64, cudaStreamPerThread));
    answer(cudaDeviceSynchronize());
}

SITUATION(destroy_pending, "cudaStreamDestroy with work pending: returns; the work is still done",
          "the call: returns", "host_log: 'x'")
{
    cudaStream_t s = nonblocking_stream();
    gate_shut(s);
    log_letter(s, 'x');
    answer(cudaStreamDestroy(s));
    answer_waited();
    gate_open();
    answer(cudaDeviceSynchronize());
    answer_text("'%s'", host_log());
}
