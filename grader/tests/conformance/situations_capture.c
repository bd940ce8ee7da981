/*
 * situations_capture.c: beginning and ending captures, and what becomes of the work given
 * meanwhile.
 */
#include <stdint.h>

#include "situations_graphs.h"
#include "situations_kernels.h"

static const enum cudaStreamCaptureMode modes[] = {
    cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed};

static cudaStream_t other_stream(void)
{
    return new_stream(cudaStreamNonBlocking);
}

SITUATION(capture_legacy, "cudaStreamBeginCapture of 0 in each mode; of cudaStreamLegacy")
{
    for (int i = 0; i < 3; i++)
        answer(cudaStreamBeginCapture(0, modes[i]));
    answer(cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeRelaxed));
    answer(cudaGetLastError());
}

SITUATION(capture_per_thread, "begin and end a capture of cudaStreamPerThread; a memset in it")
{
    answer(cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeGlobal));
    answer_end(cudaStreamPerThread);
    begin_capture(cudaStreamPerThread, cudaStreamCaptureModeGlobal);
    answer_end(cudaStreamPerThread);
}

SITUATION(capture_bad_mode, "cudaStreamBeginCapture with mode 3; -1; status")
{
    cudaStream_t s = other_stream();
    answer(cudaStreamBeginCapture(s, (enum cudaStreamCaptureMode)3));
    answer(cudaStreamBeginCapture(s, (enum cudaStreamCaptureMode) - 1));
    answer_status(s);
}

SITUATION(capture_twice, "cudaStreamBeginCapture of a stream that captures; status; end")
{
    cudaStream_t s = other_stream();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    answer_status(s);
    answer_end(s);
}

SITUATION(capture_end_twice, "cudaStreamEndCapture twice; of a stream that never captured; of 0")
{
    cudaStream_t s = other_stream();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer_end(s);
    answer_end(s);
    answer_end(other_stream());
    answer_end(0);
}

SITUATION(capture_end_null, "cudaStreamEndCapture with no place for the graph; status; end again")
{
    cudaStream_t s = other_stream();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaStreamEndCapture(s, NULL));
    answer_status(s);
    answer_end(s);
}

SITUATION(capture_status_of, "cudaStreamIsCapturing: NULL result; of another stream; of 0 while a "
                             "non-blocking stream captures; end")
{
    cudaStream_t s = other_stream();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaStreamIsCapturing(s, NULL));
    answer_status(other_stream());
    answer_status(0);
    answer_status(s);
    answer_end(s);
}

SITUATION(capture_status_legacy, "cudaStreamIsCapturing of 0 and of cudaStreamPerThread while a "
                                 "blocking stream captures; status of it; end")
{
    cudaStream_t s = new_stream(0);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer_status(0);
    answer_status(cudaStreamPerThread);
    answer_status(s);
    answer_end(s);
}

SITUATION(capture_nothing, "a capture of nothing: shape; instantiate; launch")
{
    cudaStream_t s = other_stream();
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    cudaGraph_t g = answer_end(s);
    answer_shape(g);
    answer_run(new_exec(g));
}

SITUATION(capture_runs_later, "captured work does not run until the graph is launched, and again "
                              "at each launch")
{
    cudaStream_t s = other_stream();
    int *p = device_bytes(SMALL);
    cudaGraph_t g;
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    MUST(cudaMemsetAsync(p, 7, SMALL, s));
    MUST(cudaStreamEndCapture(s, &g));
    MUST(cudaStreamSynchronize(s));
    answer_text("%d", device_byte(p));
    cudaGraphExec_t x = new_exec(g);
    answer_text("%d", device_byte(p));
    answer_run(x);
    answer_text("%d", device_byte(p));
    set_device_int(p, 0);
    answer_run(x);
    answer_text("%d", device_byte(p));
}

SITUATION(capture_params_once, "a kernel's parameters are read once, when it is captured")
{
    cudaStream_t s = other_stream();
    int *p = device_bytes(SMALL), value = 5;
    void *args[] = {&p, &value};
    cudaGraph_t g;
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    answer(cudaLaunchKernel(situation_store(), (dim3){1, 1, 1}, (dim3){1, 1, 1}, args, 0, s));
    value = 6;
    MUST(cudaStreamEndCapture(s, &g));
    answer_run(new_exec(g));
    answer_text("%d", device_int(p));
}

SITUATION(capture_source_at_launch, "a captured copy from pinned memory; from pageable memory: "
                                    "the source is read at each launch")
{
    cudaStream_t s = other_stream();
    int *p = device_bytes(SMALL), *q = device_bytes(SMALL);
    int *pinned = pinned_bytes(SMALL), *pageable = pageable_bytes(SMALL);
    cudaGraph_t g;
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    answer(cudaMemcpyAsync(p, pinned, SMALL, cudaMemcpyHostToDevice, s));
    answer(cudaMemcpyAsync(q, pageable, SMALL, cudaMemcpyHostToDevice, s));
    MUST(cudaStreamEndCapture(s, &g));
    cudaGraphExec_t x = new_exec(g);
    for (int i = 1; i < 3; i++) {
        *pinned = 10 * i;
        *pageable = 10 * i + 1;
        answer_run(x);
        answer_text("%d %d", device_int(p), device_int(q));
    }
}

SITUATION(capture_to_host, "a captured copy to pinned; to pageable memory; pageable to pageable: "
                           "types, and what is there after a launch")
{
    cudaStream_t s = other_stream();
    int *p = device_bytes(SMALL);
    int *pinned = pinned_bytes(SMALL), *a = pageable_bytes(SMALL), *b = pageable_bytes(SMALL);
    cudaGraph_t g;
    set_device_int(p, 4);
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    answer(cudaMemcpyAsync(pinned, p, SMALL, cudaMemcpyDeviceToHost, s));
    answer(cudaMemcpyAsync(a, p, SMALL, cudaMemcpyDeviceToHost, s));
    answer(cudaMemcpyAsync(b, a, SMALL, cudaMemcpyHostToHost, s));
    MUST(cudaStreamEndCapture(s, &g));
    answer_types(g);
    answer_text("%d %d %d", *pinned, *a, *b);
    answer_run(new_exec(g));
    answer_text("%d %d %d", *pinned, *a, *b);
}

SITUATION(capture_two, "two captures of one thread at once, in Global mode, ended crosswise")
{
    cudaStream_t s = other_stream(), t = other_stream();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    begin_capture(t, cudaStreamCaptureModeGlobal);
    some_work(t);
    answer_status(s);
    answer_status(t);
    answer_end(s);
    answer_status(t);
    answer_end(t);
}

SITUATION(capture_destroy_stream, "cudaStreamDestroy of a stream that captures; status; end")
{
    cudaStream_t s = other_stream();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaStreamDestroy(s));
}

SITUATION(capture_destroy_forked, "cudaStreamDestroy of a forked stream, not joined, its work "
                                  "done by then; end")
{
    cudaStream_t s = other_stream(), t = other_stream();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    answer(cudaStreamDestroy(t));
    answer_status(s);
    answer_end(s);
}

SITUATION(capture_destroy_forked_work, "cudaStreamDestroy of a forked stream with work, not "
                                       "joined; of one that was joined; end")
{
    cudaStream_t s = other_stream(), t = other_stream(), u = other_stream();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    order_streams(s, u);
    some_work(u);
    order_streams(u, s);
    answer(cudaStreamDestroy(u));
    answer_status(s);
    order_streams(s, t);
    some_work(t);
    answer(cudaStreamDestroy(t));
    answer_status(s);
    answer_end(s);
}

SITUATION(capture_bad_copy, "in a capture: a copy with kind 99; past the end; from NULL; status "
                            "after each; end")
{
    cudaStream_t s = other_stream();
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

SITUATION(capture_bad_memset, "in a capture: a memset past the end; of NULL; of host memory; "
                              "status after each; end")
{
    cudaStream_t s = other_stream();
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
    cudaStream_t s = other_stream();
    int *p = device_bytes(SMALL), value = 5;
    void *args[] = {&p, &value};
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaLaunchKernel(func, (dim3){grid, 1, 1}, (dim3){block, 1, 1},
                            with_params ? args : NULL, shared, s));
    answer_status(s);
    answer_end(s);
}

SITUATION(capture_bad_kernel, "in a capture: a launch with a block of 2048 threads; with a grid of "
                              "0; with 1 GiB of shared memory; status and end of each")
{
    launch_captured(situation_store(), 1, 2048, 0, true);
    launch_captured(situation_store(), 0, 1, 0, true);
    launch_captured(situation_store(), 1, 1, 1 << 30, true);
}

SITUATION(capture_no_kernel, "in a capture: a launch of no kernel; of NULL; of a kernel with "
                             "parameters without them; status and end of each")
{
    launch_captured(modes, 1, 1, 0, true);
    launch_captured(NULL, 1, 1, 0, true);
    launch_captured(situation_store(), 1, 1, 0, false);
}

SITUATION(capture_bad_memset_runs, "a captured memset past the end: instantiate, run; of NULL; of "
                                   "pageable memory: instantiate")
{
    char *p = device_bytes(SMALL);
    void *bad[] = {p, NULL, pageable_bytes(SMALL)};
    for (int i = 0; i < 3; i++) {
        cudaStream_t s = other_stream();
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

SITUATION(capture_bad_memset_launch, "a captured memset of NULL, instantiated and launched")
{
    cudaStream_t s = other_stream();
    cudaGraphExec_t x = NULL;
    cudaGraph_t g = NULL;
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    MUST(cudaMemsetAsync(NULL, 0, SMALL, s));
    MUST(cudaStreamEndCapture(s, &g));
    answer(cudaGraphInstantiate(&x, g, 0));
    if (x)
        answer_run(x);
}

SITUATION(capture_bad_2d, "in a capture: a 2-D memset of NULL; with width > pitch; a 2-D copy with "
                          "width > pitch; past the end; status after each; end")
{
    cudaStream_t s = other_stream();
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

SITUATION(capture_copy_freed, "in a capture: a copy to freed memory; from it; status; end")
{
    cudaStream_t s = other_stream();
    char *p = device_bytes(SMALL), *h = pinned_bytes(SMALL);
    MUST(cudaFree(p));
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaMemcpyAsync(p, h, SMALL, cudaMemcpyHostToDevice, s));
    answer(cudaMemcpyAsync(h, p, SMALL, cudaMemcpyDeviceToHost, s));
    answer_status(s);
    answer_end(s);
}

SITUATION(capture_copy_kinds, "captured copies pinned to device as DeviceToHost and Default; "
                              "pinned to pinned as HostToHost; device to device as HostToDevice: "
                              "kinds read back")
{
    cudaStream_t s = other_stream();
    char *p = device_bytes(256), *h = pinned_bytes(256);
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    answer(cudaMemcpyAsync(p, h, SMALL, cudaMemcpyDeviceToHost, s));
    answer(cudaMemcpyAsync(p, h, SMALL, cudaMemcpyDefault, s));
    answer(cudaMemcpyAsync(h, h + 128, SMALL, cudaMemcpyHostToHost, s));
    answer(cudaMemcpyAsync(p, p + 128, SMALL, cudaMemcpyHostToDevice, s));
    answer(cudaMemcpyPeerAsync(p, 0, p + 128, 0, SMALL, s));
    cudaGraph_t g = answer_end(s);
    for (size_t i = 0; i < node_count(g); i++) {
        struct cudaMemcpy3DParms c;
        MUST(cudaGraphMemcpyNodeGetParams(nth_node(g, i), &c));
        answer_text("%d", (int)c.kind);
    }
    answer_run(new_exec(g));
}

SITUATION(capture_bad_event, "in a capture: a host function that is NULL; record of event NULL; "
                             "wait for event NULL; status after each; end of it")
{
    cudaStream_t s = other_stream();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaLaunchHostFunc(s, NULL, NULL));
    answer_status(s);
    answer(cudaEventRecord(NULL, s));
    answer_status(s);
    answer(cudaStreamWaitEvent(s, NULL, 0));
    answer_status(s);
    answer_end(s);
}

SITUATION(capture_zero_bytes, "in a capture: a copy of 0 bytes; a memset of 0 bytes; a 2-D memset "
                              "of height 0; end")
{
    cudaStream_t s = other_stream();
    char *p = device_bytes(SMALL), *h = pinned_bytes(SMALL);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaMemcpyAsync(p, h, 0, cudaMemcpyHostToDevice, s));
    answer(cudaMemsetAsync(p, 0, 0, s));
    answer(cudaMemset2DAsync(p, 8, 0, 8, 0, s));
    answer_types(answer_end(s));
}

SITUATION(capture_every_work, "in a capture: a kernel, copies 1-D, 2-D, 3-D and device to device, "
                              "memsets 1-D, 2-D and 3-D, a host function: the types of the nodes")
{
    cudaStream_t s = other_stream();
    int *p = device_bytes(4096), value = 1;
    char *h = pinned_bytes(4096);
    void *args[] = {&p, &value};
    struct cudaMemcpy3DParms c = {.dstPtr = pitched(p, 64, 64, 8),
                                  .srcPtr = pitched(h, 64, 64, 8),
                                  .extent = extent(8, 2, 2),
                                  .kind = cudaMemcpyHostToDevice};
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    MUST(cudaLaunchKernel(situation_store(), (dim3){1, 1, 1}, (dim3){1, 1, 1}, args, 0, s));
    MUST(cudaMemcpyAsync(p, h, SMALL, cudaMemcpyHostToDevice, s));
    MUST(cudaMemcpy2DAsync(p, 64, h, 64, 8, 2, cudaMemcpyHostToDevice, s));
    MUST(cudaMemcpy3DAsync(&c, s));
    MUST(cudaMemcpyAsync(p, p + 512, SMALL, cudaMemcpyDeviceToDevice, s));
    MUST(cudaMemsetAsync(p, 0, SMALL, s));
    MUST(cudaMemset2DAsync(p, 64, 0, 8, 2, s));
    MUST(cudaMemset3DAsync(c.dstPtr, 0, c.extent, s));
    MUST(cudaLaunchHostFunc(s, write_letter, NULL));
    cudaGraph_t g = answer_end(s);
    answer_types(g);
    answer_shape(g);
    answer_run(new_exec(g));
}

SITUATION(capture_host_function, "cudaLaunchHostFunc in a capture: runs at launch, and at each")
{
    cudaStream_t s = other_stream();
    cudaGraph_t g;
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    log_letter(s, 'a');
    log_letter(s, 'b');
    MUST(cudaStreamEndCapture(s, &g));
    answer_text("'%s'", log_text());
    cudaGraphExec_t x = new_exec(g);
    answer_run(x);
    answer_run(x);
    answer_text("'%s'", log_text());
}

static void CUDART_CB callback(cudaStream_t s, cudaError_t e, void *unused)
{
    (void)s;
    (void)e;
    (void)unused;
}

SITUATION(capture_callback, "cudaStreamAddCallback in a capture; status; end")
{
    cudaStream_t s = other_stream();
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    answer(cudaStreamAddCallback(s, callback, NULL, 0));
    answer_status(s);
    answer_end(s);
}

SITUATION(capture_after_invalid, "in an invalidated capture: a memset; a kernel; a host function; "
                                 "an event record; begin; is capturing; end; then a memset")
{
    cudaStream_t s = other_stream();
    int *p = device_bytes(SMALL), value = 1;
    void *args[] = {&p, &value};
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaStreamSynchronize(s));
    answer(cudaMemsetAsync(p, 0, SMALL, s));
    answer(cudaLaunchKernel(situation_store(), (dim3){1, 1, 1}, (dim3){1, 1, 1}, args, 0, s));
    answer(cudaLaunchHostFunc(s, write_letter, NULL));
    answer(cudaEventRecord(new_event(0), s));
    answer(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    answer_status(s);
    answer_end(s);
    answer_status(s);
    answer(cudaMemsetAsync(p, 0, SMALL, s));
    answer(cudaStreamSynchronize(s));
}

SITUATION(capture_again, "after an invalidated capture: begin, memset, end, instantiate, run")
{
    cudaStream_t s = other_stream();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaDeviceSynchronize());
    answer_end(s);
    answer(cudaGetLastError());
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer_run(new_exec(answer_end(s)));
}

SITUATION(capture_left_open, "a capture that is never ended; the stream destroyed; device "
                             "synchronised")
{
    cudaStream_t s = other_stream();
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    answer(cudaStreamDestroy(s));
    answer(cudaDeviceSynchronize());
    some_work(0);
    answer(cudaDeviceSynchronize());
}

SITUATION(capture_stream_goes_on, "work before a capture, and after it, in the captured stream")
{
    cudaStream_t s = other_stream();
    log_letter(s, 'a');
    begin_capture(s, cudaStreamCaptureModeGlobal);
    log_letter(s, 'b');
    answer_end(s);
    log_letter(s, 'c');
    answer(cudaStreamSynchronize(s));
    answer_text("'%s'", log_text());
}

SITUATION(capture_pending_work, "a capture begun while the stream is busy does not wait for it")
{
    cudaStream_t s = other_stream();
    gate_shut(s);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    cudaGraph_t g = answer_end(s);
    answer_run(new_exec(g));
    answer_text("%s", gate_waited());
    gate_open();
    answer(cudaStreamSynchronize(s));
}

SITUATION(capture_reset, "cudaDeviceReset while a stream captures, Global and Relaxed: its error; "
                         "then a malloc")
{
    static const enum cudaStreamCaptureMode which[] = {cudaStreamCaptureModeGlobal,
                                                       cudaStreamCaptureModeRelaxed};
    for (int i = 0; i < 2; i++) {
        void *p;
        MUST(cudaStreamBeginCapture(other_stream(), which[i]));
        answer(cudaDeviceReset());
        answer(cudaMalloc(&p, 64));
    }
}
