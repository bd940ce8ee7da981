/* capture_bad_work.c: operations that are mistaken: what a capture says of them, and what becomes
 * of it. */
#include "../graphs.h"

SITUATION("in a capture: a copy with kind 99; past the end; from NULL; a memset past the end; of "
          "NULL; of host memory; a 2-D memset of NULL; with width > pitch; a 2-D copy with width > "
          "pitch; past the end; status after each; end")
{
    char *p = device_bytes(SMALL), *h = pinned_bytes(2 * SMALL);
    cudaStream_t s = capturing(cudaStreamCaptureModeGlobal);
    gives(InvalidMemcpyDirection, cudaMemcpyAsync(p, h, SMALL, (enum cudaMemcpyKind)99, s));
    status_is("active", s);
    gives(InvalidValue, cudaMemcpyAsync(p, h, 2 * SMALL, cudaMemcpyHostToDevice, s));
    status_is("active", s);
    gives(InvalidValue, cudaMemcpyAsync(p, NULL, SMALL, cudaMemcpyHostToDevice, s));
    status_is("active", s);
    answer(cudaMemsetAsync(p, 0, 2 * SMALL, s));
    status_is("active", s);
    answer(cudaMemsetAsync(NULL, 0, SMALL, s));
    status_is("active", s);
    answer(cudaMemsetAsync(pageable_bytes(SMALL), 0, SMALL, s));
    status_is("active", s);
    answer(cudaMemset2DAsync(NULL, 64, 0, 8, 2, s));
    status_is("active", s);
    gives(InvalidValue, cudaMemset2DAsync(p, 8, 0, 16, 2, s));
    status_is("active", s);
    gives(InvalidPitchValue, cudaMemcpy2DAsync(p, 8, h, 64, 16, 2, cudaMemcpyHostToDevice, s));
    status_is("active", s);
    gives(InvalidValue, cudaMemcpy2DAsync(p, 64, h, 64, 16, 2, cudaMemcpyHostToDevice, s));
    status_is("active", s);
    captured("5 nodes", s);
}

static void launch_captured(const void *func, unsigned grid, unsigned block, size_t shared,
                            bool with_params)
{
    cudaStream_t s = nonblocking_stream();
    int *p = device_bytes(SMALL), value = 5;
    void *args[] = {&p, &value};
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaLaunchKernel(func, (dim3){grid, 1, 1}, (dim3){block, 1, 1},
                            with_params ? args : NULL, shared, s));
    answer_status(s);
    answer_end(s);
}

SITUATION("in a capture: a launch with a block of 2048 threads; with a grid of 0; with 1 GiB of "
          "shared memory; status and end of each",
          "cudaLaunchKernel: InvalidValue; InvalidValue; InvalidValue",
          "status: invalidated; invalidated; invalidated",
          "cudaStreamEndCapture: StreamCaptureInvalidated; StreamCaptureInvalidated; "
          "StreamCaptureInvalidated",
          "captured: NULL; NULL; NULL")
{
    launch_captured(situation_store(), 1, 2048, 0, true);
    launch_captured(situation_store(), 0, 1, 0, true);
    launch_captured(situation_store(), 1, 1, 1 << 30, true);
}

SITUATION("in a capture: a launch of no kernel; of NULL; of a kernel with parameters without them; "
          "status and end of each",
          "cudaLaunchKernel: InvalidResourceHandle; InvalidDeviceFunction; InvalidValue",
          "status: active; active; active", "captured: 1 nodes; 1 nodes; 1 nodes")
{
    launch_captured(not_a_kernel(), 1, 1, 0, true);
    launch_captured(NULL, 1, 1, 0, true);
    launch_captured(situation_store(), 1, 1, 0, false);
}

SITUATION("captured memsets past the end, of NULL, of pageable memory: instantiate")
{
    char *p = device_bytes(SMALL);
    void *bad[] = {p, NULL, pageable_bytes(SMALL)};
    for (int i = 0; i < 3; i++) {
        cudaStream_t s = nonblocking_stream();
        cudaGraphExec_t x = NULL;
        MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
        MUST(cudaMemsetAsync(bad[i], 0, 2 * SMALL, s));
        cudaGraph_t g = end_capture(s);
        gives(InvalidValue, cudaGraphInstantiate(&x, g, 0));
    }
}

SITUATION("in a capture: a copy to freed memory; from it; status; end")
{
    cudaStream_t s = nonblocking_stream();
    char *p = device_bytes(SMALL), *h = pinned_bytes(SMALL);
    MUST(cudaFree(p));
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaMemcpyAsync(p, h, SMALL, cudaMemcpyHostToDevice, s));
    answer(cudaMemcpyAsync(h, p, SMALL, cudaMemcpyDeviceToHost, s));
    status_is("active", s);
    captured("3 nodes", s);
}

SITUATION(
    "captured copies pinned to device as DeviceToHost and Default; pinned to pinned as HostToHost; "
    "device to device as HostToDevice; by cudaMemcpyPeerAsync: end; nodes of the graph")
{
    cudaStream_t s = nonblocking_stream();
    char *p = device_bytes(256), *h = pinned_bytes(256);
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    answer(cudaMemcpyAsync(p, h, SMALL, cudaMemcpyDeviceToHost, s));
    answer(cudaMemcpyAsync(p, h, SMALL, cudaMemcpyDefault, s));
    answer(cudaMemcpyAsync(h, h + 128, SMALL, cudaMemcpyHostToHost, s));
    answer(cudaMemcpyAsync(p, p + 128, SMALL, cudaMemcpyHostToDevice, s));
    gives(StreamCaptureUnsupported, cudaMemcpyPeerAsync(p, 0, p + 128, 0, SMALL, s));
    cudaGraph_t g = end_gives(StreamCaptureInvalidated, "NULL", s);
    size_t n = 0;
    gives(InvalidValue, cudaGraphGetNodes(g, NULL, &n));
}

SITUATION("in a capture: a host function that is NULL; record of event NULL; wait for event NULL; "
          "status after each; end of it")
{
    cudaStream_t s = capturing(cudaStreamCaptureModeGlobal);
    gives(InvalidValue, cudaLaunchHostFunc(s, NULL, NULL));
    status_is("active", s);
    gives(InvalidResourceHandle, cudaEventRecord(NULL, s));
    status_is("active", s);
    gives(InvalidResourceHandle, cudaStreamWaitEvent(s, NULL, 0));
    is_invalidated(s);
}

SITUATION("in a capture: cudaMemcpyAsync of 0 bytes, cudaMemsetAsync of 0 bytes, cudaMemset2DAsync "
          "of height 0: nodes")
{
    cudaStream_t s = nonblocking_stream();
    char *p = device_bytes(64), *q = device_bytes(64);
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    answer(cudaMemcpyAsync(p, q, 0, cudaMemcpyDefault, s));
    answer(cudaMemsetAsync(p, 0, 0, s));
    answer(cudaMemset2DAsync(p, 16, 0, 8, 0, s));
    answer(cudaMemcpy2DAsync(p, 16, q, 16, 0, 2, cudaMemcpyDefault, s));
    captured("0 nodes", s);
}

SITUATION("an invalidated capture ended on a forked stream; on its origin; status of both")
{
    cudaStream_t t = nonblocking_stream(), s = capturing(cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    gives(StreamCaptureUnsupported, cudaDeviceSynchronize());
    end_gives(StreamCaptureUnmatched, "NULL", t);
    status_is("invalidated", t);
    end_gives(StreamCaptureInvalidated, "NULL", s);
    status_is("none", s);
    status_is("none", t);
}

SITUATION("in an invalidated capture: record of NULL; wait for NULL; a copy of kind 99; of 0 "
          "bytes; a NULL host function; EventRecord external")
{
    char *p = device_bytes(SMALL);
    cudaStream_t s = capturing(cudaStreamCaptureModeRelaxed);
    gives(StreamCaptureUnsupported, cudaDeviceSynchronize());
    gives(StreamCaptureInvalidated, cudaEventRecord(NULL, s));
    gives(StreamCaptureInvalidated, cudaStreamWaitEvent(s, NULL, 0));
    gives(InvalidMemcpyDirection, cudaMemcpyAsync(p, p, 8, (enum cudaMemcpyKind)99, s));
    answer(cudaMemcpyAsync(p, p, 0, cudaMemcpyDefault, s));
    gives(InvalidValue, cudaLaunchHostFunc(s, NULL, NULL));
    gives(StreamCaptureInvalidated,
          cudaEventRecordWithFlags(new_event(0), s, cudaEventRecordExternal));
    gives(StreamCaptureInvalidated, cudaStreamUpdateCaptureDependencies(s, NULL, NULL, 0, 0));
    end_gives(StreamCaptureInvalidated, "NULL", s);
}

SITUATION("captured copies: pageable to pageable; pinned to pinned; pageable with DeviceToDevice; "
          "of a destroyed graph's memory; types")
{
    cudaStream_t s = nonblocking_stream();
    char *a = pageable_bytes(64), *b = pageable_bytes(64), *h = pinned_bytes(64),
         *i = pinned_bytes(64);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaMemcpyAsync(a, b, 64, cudaMemcpyHostToHost, s));
    answer(cudaMemcpyAsync(h, i, 64, cudaMemcpyHostToHost, s));
    gives(InvalidValue, cudaMemcpyAsync(a, b, 64, cudaMemcpyDeviceToDevice, s));
    status_is("active", s);
    cudaGraph_t g = captured("3 nodes", s);
    types_are("memset memcpy memcpy", g);
    b[0] = 5;
    i[0] = 6;
    answer_run(new_exec(g));
    shows("5 6", "%d %d", a[0], h[0]);
}
