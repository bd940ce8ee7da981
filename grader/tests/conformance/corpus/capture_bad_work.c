/*
 * capture_bad_work.c: operations that are mistaken: what a capture says of them, and what becomes
 * of it.
 */
#include "../graphs.h"
#include "../situation_kernels.h"
#include "../launches.h"

SITUATION(capture_bad_copy,
          "in a capture: a copy with kind 99; past the end; from NULL; status "
          "after each; end",
          "cudaMemcpyAsync(h, SMALL, 99): InvalidMemcpyDirection", "status: active",
          "cudaMemcpyAsync(h, 2 * SMALL, cudaMemcpyHostToDevice): InvalidValue",
          "status #2: active", "cudaMemcpyAsync(NULL, SMALL, cudaMemcpyHostToDevice): InvalidValue",
          "status #3: active", "captured: 1 nodes")
{
    cudaStream_t s = nonblocking_stream();
    char *p = device_bytes(SMALL), *h = pinned_bytes(2 * SMALL);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaMemcpyAsync(p, h, SMALL, (enum cudaMemcpyKind)99, s));
    answer_status(s);
    answer(cudaMemcpyAsync(p, h, 2 * SMALL, cudaMemcpyHostToDevice, s));
    answer_status(s);
    answer(cudaMemcpyAsync(p, NULL, SMALL, cudaMemcpyHostToDevice, s));
    answer_status(s);
    answer_end(s);
}

SITUATION(capture_bad_memset,
          "in a capture: a memset past the end; of NULL; of host memory; "
          "status after each; end",
          "status: active", "status #2: active", "status #3: active", "captured: 4 nodes")
{
    cudaStream_t s = nonblocking_stream();
    char *p = device_bytes(SMALL);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaMemsetAsync(p, 0, 2 * SMALL, s));
    answer_status(s);
    answer(cudaMemsetAsync(NULL, 0, SMALL, s));
    answer_status(s);
    answer(cudaMemsetAsync(pageable_bytes(SMALL), 0, SMALL, s));
    answer_status(s);
    answer_end(s);
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

SITUATION(capture_bad_kernel,
          "in a capture: a launch with a block of 2048 threads; with a grid of "
          "0; with 1 GiB of shared memory; status and end of each",
          "cudaLaunchKernel: InvalidValue", "status: invalidated",
          "cudaStreamEndCapture: StreamCaptureInvalidated", "captured: NULL",
          "cudaLaunchKernel #2: InvalidValue", "status #2: invalidated",
          "cudaStreamEndCapture #2: StreamCaptureInvalidated", "captured #2: NULL",
          "cudaLaunchKernel #3: InvalidValue", "status #3: invalidated",
          "cudaStreamEndCapture #3: StreamCaptureInvalidated", "captured #3: NULL")
{
    launch_captured(situation_store(), 1, 2048, 0, true);
    launch_captured(situation_store(), 0, 1, 0, true);
    launch_captured(situation_store(), 1, 1, 1 << 30, true);
}

SITUATION(capture_no_kernel,
          "in a capture: a launch of no kernel; of NULL; of a kernel with "
          "parameters without them; status and end of each",
          "cudaLaunchKernel: InvalidResourceHandle", "status: active", "captured: 1 nodes",
          "cudaLaunchKernel #2: InvalidDeviceFunction", "status #2: active", "captured #2: 1 nodes",
          "cudaLaunchKernel #3: InvalidValue", "status #3: active", "captured #3: 1 nodes")
{
    launch_captured(not_a_kernel(), 1, 1, 0, true);
    launch_captured(NULL, 1, 1, 0, true);
    launch_captured(situation_store(), 1, 1, 0, false);
}

SITUATION(capture_bad_memset_runs,
          "a captured memset past the end: instantiate, run; of NULL; of "
          "pageable memory: instantiate",
          "cudaGraphInstantiate: InvalidValue", "cudaGraphInstantiate #2: InvalidValue",
          "cudaGraphInstantiate #3: InvalidValue")
{
    char *p = device_bytes(SMALL);
    void *bad[] = {p, NULL, pageable_bytes(SMALL)};
    for (int i = 0; i < 3; i++) {
        cudaStream_t s = nonblocking_stream();
        cudaGraphExec_t x = NULL;
        cudaGraph_t g = NULL;
        MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
        MUST(cudaMemsetAsync(bad[i], 0, 2 * SMALL, s));
        MUST(cudaStreamEndCapture(s, &g));
        answer(cudaGraphInstantiate(&x, g, 0));
        if (x && i == 0)
            answer_run(x);
    }
}

SITUATION(capture_bad_memset_launch, "a captured memset of NULL, instantiated and launched",
          "cudaGraphInstantiate: InvalidValue")
{
    cudaStream_t s = nonblocking_stream();
    cudaGraphExec_t x = NULL;
    cudaGraph_t g = NULL;
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    MUST(cudaMemsetAsync(NULL, 0, SMALL, s));
    MUST(cudaStreamEndCapture(s, &g));
    answer(cudaGraphInstantiate(&x, g, 0));
    if (x)
        answer_run(x);
}

SITUATION(capture_bad_2d,
          "in a capture: a 2-D memset of NULL; with width > pitch; a 2-D copy with "
          "width > pitch; past the end; status after each; end",
          "status: active", "cudaMemset2DAsync(p, 8, 16): InvalidValue", "status #2: active",
          "cudaMemcpy2DAsync(8): InvalidPitchValue", "status #3: active",
          "cudaMemcpy2DAsync(64): InvalidValue", "status #4: active", "captured: 2 nodes")
{
    cudaStream_t s = nonblocking_stream();
    char *p = device_bytes(SMALL), *h = pinned_bytes(4096);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaMemset2DAsync(NULL, 64, 0, 8, 2, s));
    answer_status(s);
    answer(cudaMemset2DAsync(p, 8, 0, 16, 2, s));
    answer_status(s);
    answer(cudaMemcpy2DAsync(p, 8, h, 64, 16, 2, cudaMemcpyHostToDevice, s));
    answer_status(s);
    answer(cudaMemcpy2DAsync(p, 64, h, 64, 16, 2, cudaMemcpyHostToDevice, s));
    answer_status(s);
    answer_end(s);
}

SITUATION(capture_copy_freed, "in a capture: a copy to freed memory; from it; status; end",
          "status: active", "captured: 3 nodes")
{
    cudaStream_t s = nonblocking_stream();
    char *p = device_bytes(SMALL), *h = pinned_bytes(SMALL);
    MUST(cudaFree(p));
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaMemcpyAsync(p, h, SMALL, cudaMemcpyHostToDevice, s));
    answer(cudaMemcpyAsync(h, p, SMALL, cudaMemcpyDeviceToHost, s));
    answer_status(s);
    answer_end(s);
}

SITUATION(capture_copy_kinds,
          "captured copies pinned to device as DeviceToHost and Default; "
          "pinned to pinned as HostToHost; device to device as HostToDevice; by "
          "cudaMemcpyPeerAsync: end; nodes of the graph",
          "cudaMemcpyPeerAsync: StreamCaptureUnsupported",
          "cudaStreamEndCapture: StreamCaptureInvalidated", "captured: NULL",
          "cudaGraphGetNodes: InvalidValue")
{
    cudaStream_t s = nonblocking_stream();
    char *p = device_bytes(256), *h = pinned_bytes(256);
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    answer(cudaMemcpyAsync(p, h, SMALL, cudaMemcpyDeviceToHost, s));
    answer(cudaMemcpyAsync(p, h, SMALL, cudaMemcpyDefault, s));
    answer(cudaMemcpyAsync(h, h + 128, SMALL, cudaMemcpyHostToHost, s));
    answer(cudaMemcpyAsync(p, p + 128, SMALL, cudaMemcpyHostToDevice, s));
    answer(cudaMemcpyPeerAsync(p, 0, p + 128, 0, SMALL, s));
    cudaGraph_t g = answer_end(s);
    size_t n = 0;
    answer(cudaGraphGetNodes(g, NULL, &n));
}

SITUATION(capture_bad_event,
          "in a capture: a host function that is NULL; record of event NULL; "
          "wait for event NULL; status after each; end of it",
          "cudaLaunchHostFunc: InvalidValue", "status: active",
          "cudaEventRecord: InvalidResourceHandle", "status #2: active",
          "cudaStreamWaitEvent: InvalidResourceHandle", "status #3: invalidated",
          "cudaStreamEndCapture: StreamCaptureInvalidated", "captured: NULL")
{
    cudaStream_t s = nonblocking_stream();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaLaunchHostFunc(s, NULL, NULL));
    answer_status(s);
    answer(cudaEventRecord(NULL, s));
    answer_status(s);
    answer(cudaStreamWaitEvent(s, NULL, 0));
    answer_status(s);
    answer_end(s);
}

SITUATION(capture_zero_bytes,
          "in a capture: a copy of 0 bytes; a memset of 0 bytes; a 2-D memset "
          "of height 0; end",
          "captured: 1 nodes", "types: memset")
{
    cudaStream_t s = nonblocking_stream();
    char *p = device_bytes(SMALL), *h = pinned_bytes(SMALL);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaMemcpyAsync(p, h, 0, cudaMemcpyHostToDevice, s));
    answer(cudaMemsetAsync(p, 0, 0, s));
    answer(cudaMemset2DAsync(p, 8, 0, 8, 0, s));
    answer_types(answer_end(s));
}

SITUATION(zero_work,
          "in a capture: cudaMemcpyAsync of 0 bytes, cudaMemsetAsync of 0 bytes, "
          "cudaMemset2DAsync of height 0: nodes",
          "captured: 0 nodes")
{
    cudaStream_t s = nonblocking_stream();
    char *p = device_bytes(64), *q = device_bytes(64);
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    answer(cudaMemcpyAsync(p, q, 0, cudaMemcpyDefault, s));
    answer(cudaMemsetAsync(p, 0, 0, s));
    answer(cudaMemset2DAsync(p, 16, 0, 8, 0, s));
    answer(cudaMemcpy2DAsync(p, 16, q, 16, 0, 2, cudaMemcpyDefault, s));
    answer_end(s);
}

SITUATION(bad_work,
          "in a capture: a copy with NULL source, a memset past the end, a kernel with a "
          "block of 2048: status and nodes",
          "cudaMemcpyAsync: InvalidValue", "status: active", "cudaLaunchKernel: InvalidValue",
          "status #2: invalidated", "cudaMemsetAsync: StreamCaptureInvalidated",
          "status #3: invalidated", "cudaStreamEndCapture: StreamCaptureInvalidated",
          "captured: NULL")
{
    cudaStream_t s = nonblocking_stream();
    char *p = device_bytes(64);
    int value = 1;
    void *args[] = {&p, &value};
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaMemcpyAsync(p, NULL, 8, cudaMemcpyDefault, s));
    answer_status(s);
    answer(cudaLaunchKernel(situation_store(), (dim3){1, 1, 1}, (dim3){2048, 1, 1}, args, 0, s));
    answer_status(s);
    answer(cudaMemsetAsync(p, 0, 3ull << 30, s));
    answer_status(s);
    answer_end(s);
}

SITUATION(peer_copy, "a captured cudaMemcpyPeerAsync from a device to itself; status; end",
          "cudaMemcpyPeerAsync: StreamCaptureUnsupported", "status: invalidated",
          "cudaStreamEndCapture: StreamCaptureInvalidated", "captured: NULL")
{
    cudaStream_t s = nonblocking_stream();
    char *p = device_bytes(64), *q = device_bytes(64);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaMemcpyPeerAsync(p, 0, q, 0, 64, s));
    answer_status(s);
    answer_end(s);
}

static void work_from_here(void *s)
{
    some_work(s);
    order_streams(s, s);
}

SITUATION(other_thread_works,
          "another thread puts work into a stream that captures: Relaxed, ThreadLocal; nodes",
          "captured: 2 nodes", "captured #2: 2 nodes")
{
    cudaStream_t s = nonblocking_stream();
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    in_thread(work_from_here, s);
    answer_end(s);
    begin_capture(s, cudaStreamCaptureModeThreadLocal);
    in_thread(work_from_here, s);
    answer_end(s);
}

SITUATION(end_forked_invalid,
          "an invalidated capture ended on a forked stream; on its origin; status of both",
          "cudaDeviceSynchronize: StreamCaptureUnsupported",
          "cudaStreamEndCapture(t): StreamCaptureUnmatched", "captured(t): NULL",
          "status(t): invalidated", "cudaStreamEndCapture(s): StreamCaptureInvalidated",
          "captured(s): NULL", "status(s): none", "status(t) #2: none")
{
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    answer(cudaDeviceSynchronize());
    answer_end(t);
    answer_status(t);
    answer_end(s);
    answer_status(s);
    answer_status(t);
}

SITUATION(record_bad,
          "in an invalidated capture: record of NULL; wait for NULL; a copy of "
          "kind 99; of 0 bytes; a NULL host function; EventRecord external",
          "cudaDeviceSynchronize: StreamCaptureUnsupported",
          "cudaEventRecord: StreamCaptureInvalidated",
          "cudaStreamWaitEvent: StreamCaptureInvalidated",
          "cudaMemcpyAsync(8, 99): InvalidMemcpyDirection", "cudaLaunchHostFunc: InvalidValue",
          "cudaEventRecordWithFlags: StreamCaptureInvalidated",
          "cudaStreamUpdateCaptureDependencies: StreamCaptureInvalidated",
          "cudaStreamEndCapture: StreamCaptureInvalidated", "captured: NULL")
{
    cudaStream_t s = nonblocking_stream();
    char *p = device_bytes(SMALL);
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    answer(cudaDeviceSynchronize());
    answer(cudaEventRecord(NULL, s));
    answer(cudaStreamWaitEvent(s, NULL, 0));
    answer(cudaMemcpyAsync(p, p, 8, (enum cudaMemcpyKind)99, s));
    answer(cudaMemcpyAsync(p, p, 0, cudaMemcpyDefault, s));
    answer(cudaLaunchHostFunc(s, NULL, NULL));
    answer(cudaEventRecordWithFlags(new_event(0), s, cudaEventRecordExternal));
    answer(cudaStreamUpdateCaptureDependencies(s, NULL, NULL, 0, 0));
    answer_end(s);
}

SITUATION(copy_kinds_in,
          "captured copies: pageable to pageable; pinned to pinned; pageable with "
          "DeviceToDevice; of a destroyed graph's memory; types",
          "cudaMemcpyAsync(a, b, cudaMemcpyDeviceToDevice): InvalidValue", "status: active",
          "captured: 3 nodes", "types: memset memcpy memcpy", "a[0], h[0]: 5 6")
{
    cudaStream_t s = nonblocking_stream();
    char *a = pageable_bytes(64), *b = pageable_bytes(64), *h = pinned_bytes(64),
         *i = pinned_bytes(64);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaMemcpyAsync(a, b, 64, cudaMemcpyHostToHost, s));
    answer(cudaMemcpyAsync(h, i, 64, cudaMemcpyHostToHost, s));
    answer(cudaMemcpyAsync(a, b, 64, cudaMemcpyDeviceToDevice, s));
    answer_status(s);
    cudaGraph_t g = answer_end(s);
    if (g) {
        answer_types(g);
        b[0] = 5;
        i[0] = 6;
        answer_run(new_exec(g));
        answer_text("%d %d", a[0], h[0]);
    }
}
