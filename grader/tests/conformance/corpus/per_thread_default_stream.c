/* per_thread_default_stream.c: a program built with CUDA_API_PER_THREAD_DEFAULT_STREAM: stream 0
 * is cudaStreamPerThread. */
#define CUDA_API_PER_THREAD_DEFAULT_STREAM

#include "../situation.h"

static int runs;

static void CUDART_CB count(void *unused)
{
    (void)unused;
    runs++;
}

SITUATION("built for per-thread default streams: cudaStreamGetId(0) is that of "
          "cudaStreamPerThread, not of cudaStreamLegacy")
{
    unsigned long long zero = 0, mine = 0, legacy = 0;
    answer(cudaStreamGetId(0, &zero));
    answer(cudaStreamGetId(cudaStreamPerThread, &mine));
    answer(cudaStreamGetId(cudaStreamLegacy, &legacy));
    shows("yes", zero == mine && zero != legacy ? "yes" : "no");
}

SITUATION("built for per-thread default streams: work in 0 after work in a blocking stream")
{
    gate_shut(new_stream(0));
    answer(cudaLaunchHostFunc(0, count, NULL));
    answer(cudaStreamSynchronize(0));
    call_waits();
    shows("1 run", "%d run", runs);
}

SITUATION("built for per-thread default streams: every copy and memset, while a blocking stream is "
          "busy: wait or return")
{
    unsigned char *d = device_bytes(4096), *h = pinned_bytes(4096);
    struct cudaMemcpy3DParms p = {0};
    p.dstPtr = pitched(d, 64, 64, 8);
    p.srcPtr = pitched(h, 64, 64, 8);
    p.extent = extent(8, 2, 2);
    p.kind = cudaMemcpyHostToDevice;
    gate_shut(new_stream(0));
    answer(cudaMemcpy(d, h, 64, cudaMemcpyHostToDevice));
    answer(cudaMemcpyAsync(d, h, 64, cudaMemcpyHostToDevice, 0));
    answer(cudaMemcpy2D(d, 64, h, 64, 8, 2, cudaMemcpyHostToDevice));
    answer(cudaMemcpy2DAsync(d, 64, h, 64, 8, 2, cudaMemcpyHostToDevice, 0));
    answer(cudaMemcpy3D(&p));
    answer(cudaMemcpy3DAsync(&p, 0));
    answer(cudaMemset(d, 1, 64));
    answer(cudaMemsetAsync(d, 1, 64, 0));
    answer(cudaMemset2D(d, 64, 1, 8, 2));
    answer(cudaMemset2DAsync(d, 64, 1, 8, 2, 0));
    answer(cudaMemset3D(p.dstPtr, 1, p.extent));
    answer(cudaMemset3DAsync(p.dstPtr, 1, p.extent, 0));
    answer(cudaStreamSynchronize(0));
    call_returns();
}

SITUATION("built for per-thread default streams: an event in 0 while a blocking stream is busy; a "
          "wait in 0; query of 0")
{
    cudaEvent_t e = new_event(0);
    gate_shut(new_stream(0));
    answer(cudaEventRecord(e, 0));
    answer(cudaEventSynchronize(e));
    answer(cudaStreamWaitEvent(0, e, 0));
    answer(cudaStreamSynchronize(0));
    answer(cudaStreamQuery(0));
    call_returns();
}

SITUATION("built for per-thread default streams: work in 0 after work in cudaStreamLegacy: waits "
          "or returns")
{
    gate_shut(cudaStreamLegacy);
    answer(cudaLaunchHostFunc(0, count, NULL));
    answer(cudaStreamSynchronize(0));
    call_waits();
}

SITUATION("built for per-thread default streams: cudaMallocAsync, memset and cudaFreeAsync in 0 "
          "while a blocking stream is busy")
{
    void *p = NULL;
    gate_shut(new_stream(0));
    answer(cudaMallocAsync(&p, 4096, 0));
    answer(cudaMemsetAsync(p, 0, 4096, 0));
    answer(cudaFreeAsync(p, 0));
    answer(cudaStreamSynchronize(0));
    call_returns();
}
