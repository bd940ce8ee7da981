/*
 * capture_begin_end.c: beginning and ending captures, and their status.
 */
#include "../graphs.h"
#include "../situation_kernels.h"

SITUATION(capture_legacy, "cudaStreamBeginCapture of 0 in each mode; of cudaStreamLegacy",
          "cudaStreamBeginCapture(0, capture_modes[i]): StreamCaptureUnsupported",
          "cudaStreamBeginCapture(0, capture_modes[i]) #2: StreamCaptureUnsupported",
          "cudaStreamBeginCapture(0, capture_modes[i]) #3: StreamCaptureUnsupported",
          "cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeRelaxed): "
          "StreamCaptureUnsupported",
          "cudaGetLastError: StreamCaptureUnsupported")
{
    for (int i = 0; i < 3; i++)
        answer(cudaStreamBeginCapture(0, capture_modes[i]));
    answer(cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeRelaxed));
    answer(cudaGetLastError());
}

SITUATION(capture_bad_mode, "cudaStreamBeginCapture with mode 3; -1; status",
          "cudaStreamBeginCapture(3): InvalidValue",
          "cudaStreamBeginCapture((enum cudaStreamCaptureMode) - 1): InvalidValue", "status: none")
{
    cudaStream_t s = nonblocking_stream();
    answer(cudaStreamBeginCapture(s, (enum cudaStreamCaptureMode)3));
    answer(cudaStreamBeginCapture(s, (enum cudaStreamCaptureMode) - 1));
    answer_status(s);
}

SITUATION(capture_twice, "cudaStreamBeginCapture of a stream that captures; status; end",
          "cudaStreamBeginCapture: IllegalState", "status: active", "captured: 1 nodes")
{
    cudaStream_t s = nonblocking_stream();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    answer_status(s);
    answer_end(s);
}

SITUATION(capture_end_twice, "cudaStreamEndCapture twice; of a stream that never captured; of 0",
          "captured(s): 1 nodes", "cudaStreamEndCapture(s) #2: IllegalState",
          "captured(s) #2: NULL", "cudaStreamEndCapture(nonblocking_stream()): IllegalState",
          "captured(nonblocking_stream()): NULL", "cudaStreamEndCapture(0): IllegalState",
          "captured(0): NULL")
{
    cudaStream_t s = nonblocking_stream();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer_end(s);
    answer_end(s);
    answer_end(nonblocking_stream());
    answer_end(0);
}

SITUATION(capture_end_null, "cudaStreamEndCapture with no place for the graph; status; end again",
          "status: none", "cudaStreamEndCapture: IllegalState", "captured: NULL")
{
    cudaStream_t s = nonblocking_stream();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaStreamEndCapture(s, NULL));
    answer_status(s);
    answer_end(s);
}

SITUATION(capture_status_of,
          "cudaStreamIsCapturing: NULL result; of another stream; of 0 while a "
          "non-blocking stream captures; end",
          "cudaStreamIsCapturing: InvalidValue", "status(nonblocking_stream()): none",
          "status(0): none", "status(s): active", "captured: 1 nodes")
{
    cudaStream_t s = nonblocking_stream();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaStreamIsCapturing(s, NULL));
    answer_status(nonblocking_stream());
    answer_status(0);
    answer_status(s);
    answer_end(s);
}

SITUATION(capture_status_legacy,
          "cudaStreamIsCapturing of 0 and of cudaStreamPerThread while a "
          "blocking stream captures; status of it; end",
          "status(0): StreamCaptureImplicit", "status(cudaStreamPerThread): none",
          "status(s): active", "captured: 1 nodes")
{
    cudaStream_t s = new_stream(0);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer_status(0);
    answer_status(cudaStreamPerThread);
    answer_status(s);
    answer_end(s);
}

SITUATION(capture_nothing, "a capture of nothing: shape; instantiate; launch", "captured: 0 nodes",
          "shape: 0 nodes, 0 edges, 0 roots")
{
    cudaStream_t s = nonblocking_stream();
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    cudaGraph_t g = answer_end(s);
    answer_shape(g);
    answer_run(new_exec(g));
}

SITUATION(capture_two, "two captures of one thread at once, in Global mode, ended crosswise",
          "status(s): active", "status(t): active", "captured(s): 1 nodes", "status(t) #2: active",
          "captured(t): 2 nodes")
{
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    begin_capture(t, cudaStreamCaptureModeGlobal);
    some_work(t);
    answer_status(s);
    answer_status(t);
    answer_end(s);
    answer_status(t);
    answer_end(t);
}

SITUATION(capture_destroy_stream, "cudaStreamDestroy of a stream that captures; status; end",
          SUCCEEDS)
{
    cudaStream_t s = nonblocking_stream();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaStreamDestroy(s));
}

SITUATION(capture_destroy_forked,
          "cudaStreamDestroy of a forked stream, not joined, its work "
          "done by then; end",
          "status: active", "captured: 1 nodes")
{
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    answer(cudaStreamDestroy(t));
    answer_status(s);
    answer_end(s);
}

SITUATION(capture_destroy_forked_work,
          "cudaStreamDestroy of a forked stream with work, not "
          "joined; of one that was joined; end",
          "status: active", "status #2: active", "cudaStreamEndCapture: StreamCaptureUnjoined",
          "captured: NULL")
{
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream(), u = nonblocking_stream();
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

SITUATION(capture_after_invalid,
          "in an invalidated capture: a memset; a kernel; a host function; "
          "an event record; begin; is capturing; end; then a memset",
          "cudaStreamSynchronize: StreamCaptureUnsupported",
          "cudaMemsetAsync: StreamCaptureInvalidated", "cudaLaunchKernel: StreamCaptureInvalidated",
          "cudaLaunchHostFunc: StreamCaptureInvalidated",
          "cudaEventRecord: StreamCaptureInvalidated", "cudaStreamBeginCapture: IllegalState",
          "status: invalidated", "cudaStreamEndCapture: StreamCaptureInvalidated", "captured: NULL",
          "status #2: none")
{
    cudaStream_t s = nonblocking_stream();
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

SITUATION(capture_again, "after an invalidated capture: begin, memset, end, instantiate, run",
          "cudaDeviceSynchronize: StreamCaptureUnsupported",
          "cudaStreamEndCapture: StreamCaptureInvalidated", "captured: NULL",
          "cudaGetLastError: StreamCaptureInvalidated", "captured #2: 1 nodes")
{
    cudaStream_t s = nonblocking_stream();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaDeviceSynchronize());
    answer_end(s);
    answer(cudaGetLastError());
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer_run(new_exec(answer_end(s)));
}

SITUATION(capture_left_open,
          "a capture that is never ended; the stream destroyed; device "
          "synchronized",
          SUCCEEDS)
{
    cudaStream_t s = nonblocking_stream();
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    answer(cudaStreamDestroy(s));
    answer(cudaDeviceSynchronize());
    some_work(0);
    answer(cudaDeviceSynchronize());
}

SITUATION(capture_reset,
          "cudaDeviceReset while a stream captures, Global and Relaxed: its error; "
          "then a malloc",
          SUCCEEDS)
{
    static const enum cudaStreamCaptureMode which[] = {cudaStreamCaptureModeGlobal,
                                                       cudaStreamCaptureModeRelaxed};
    for (int i = 0; i < 2; i++) {
        void *p;
        MUST(cudaStreamBeginCapture(nonblocking_stream(), which[i]));
        answer(cudaDeviceReset());
        answer(cudaMalloc(&p, 64));
    }
}

SITUATION(bad_mode, "cudaStreamBeginCapture with mode 3; with mode -1; status after",
          "cudaStreamBeginCapture(3): InvalidValue",
          "cudaStreamBeginCapture((enum cudaStreamCaptureMode) - 1): InvalidValue", "status: none")
{
    cudaStream_t s = nonblocking_stream();
    answer(cudaStreamBeginCapture(s, (enum cudaStreamCaptureMode)3));
    answer(cudaStreamBeginCapture(s, (enum cudaStreamCaptureMode) - 1));
    answer_status(s);
}

SITUATION(null_out,
          "cudaStreamEndCapture with a NULL out; status after; cudaStreamIsCapturing "
          "with a NULL out; of NULL; of cudaStreamLegacy",
          "status(s): none", "cudaStreamIsCapturing: InvalidValue", "status(NULL): none",
          "status(cudaStreamLegacy): none")
{
    cudaStream_t s = nonblocking_stream();
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    answer(cudaStreamEndCapture(s, NULL));
    answer_status(s);
    answer(cudaStreamIsCapturing(s, NULL));
    answer_status(NULL);
    answer_status(cudaStreamLegacy);
}

SITUATION(
    legacy_asked,
    "cudaStreamIsCapturing of NULL while a blocking stream captures; is the capture still good?",
    "status(NULL): StreamCaptureImplicit", "status(s): active", "captured: 1 nodes")
{
    cudaStream_t s = new_stream(0);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer_status(NULL);
    answer_status(s);
    answer_end(s);
}

SITUATION(empty_capture, "an empty capture: nodes; instantiate; launch", "captured: 0 nodes")
{
    cudaStream_t s = nonblocking_stream();
    answer(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    cudaGraph_t g = answer_end(s);
    answer_run(new_exec(g));
}

SITUATION(destroy_capturing,
          "cudaStreamDestroy of the capture's origin; of a fork; end of the origin after that",
          "status: active", "cudaStreamEndCapture: StreamCaptureUnjoined", "captured: NULL")
{
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream(), u = nonblocking_stream();
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    answer(cudaStreamDestroy(s));
    begin_capture(t, cudaStreamCaptureModeRelaxed);
    order_streams(t, u);
    some_work(u);
    answer(cudaStreamDestroy(u));
    answer_status(t);
    answer_end(t);
}

SITUATION(reset, "cudaDeviceReset during a Relaxed capture; status and end after", SUCCEEDS)
{
    cudaStream_t s = nonblocking_stream();
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    answer(cudaDeviceReset());
}

SITUATION(begin_in_host,
          "a capture begun in a stream with a pending wait for another stream; its "
          "graph has no dependency on it; launch",
          "captured: 1 nodes", "done_soon: waits")
{
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
    cudaEvent_t e = new_event(0);
    gate_shut(t);
    MUST(cudaEventRecord(e, t));
    MUST(cudaStreamWaitEvent(s, e, 0));
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    cudaGraph_t g = answer_end(s);
    answer_text("%s", done_soon(s));
    gate_open();
    answer(cudaStreamSynchronize(s));
    answer_run(new_exec(g));
}

SITUATION(two_threads_begin,
          "two captures at once in one thread, Global both; work in turn; both ended; nodes",
          "captured(s): 3 nodes", "captured(t): 2 nodes")
{
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    begin_capture(t, cudaStreamCaptureModeGlobal);
    some_work(s);
    some_work(t);
    some_work(s);
    answer_end(s);
    answer_end(t);
}

SITUATION(stream_capture_none,
          "cudaStreamIsCapturing of a stream; of 0; of cudaStreamPerThread; NULL result",
          "status: 0", "status #2: 0", "cudaStreamIsCapturing(0, NULL): InvalidValue")
{
    enum cudaStreamCaptureStatus status = (enum cudaStreamCaptureStatus)99;
    answer(cudaStreamIsCapturing(new_stream(0), &status));
    answer_text("%d", (int)status);
    answer(cudaStreamIsCapturing(0, &status));
    answer(cudaStreamIsCapturing(cudaStreamPerThread, &status));
    answer_text("%d", (int)status);
    answer(cudaStreamIsCapturing(0, NULL));
}

static cudaError_t capture_info(cudaStream_t s, enum cudaStreamCaptureStatus *status,
                                unsigned long long *id)
{
    return cudaStreamGetCaptureInfo(s, status, id, NULL, NULL, NULL, NULL);
}

SITUATION(stream_capture_info_none,
          "cudaStreamGetCaptureInfo when nothing is captured: of a stream; of 0; NULL status",
          "status: 0", "capture_info(0, NULL): InvalidValue")
{
    enum cudaStreamCaptureStatus status = (enum cudaStreamCaptureStatus)99;
    unsigned long long id = 99;
    answer(capture_info(new_stream(0), &status, &id));
    answer_text("%d", (int)status);
    answer(capture_info(0, &status, &id));
    answer(capture_info(0, NULL, &id));
}

SITUATION(stream_end_capture_none, "cudaStreamEndCapture with no capture; of 0; NULL graph",
          "cudaStreamEndCapture(s, &g): IllegalState", "cudaStreamEndCapture(0, &g): IllegalState",
          "cudaStreamEndCapture(s, NULL): IllegalState")
{
    cudaGraph_t g = NULL;
    cudaStream_t s = new_stream(0);
    answer(cudaStreamEndCapture(s, &g));
    answer(cudaStreamEndCapture(0, &g));
    answer(cudaStreamEndCapture(s, NULL));
}

SITUATION(begin_mode_in_capture,
          "a blocking stream captures: cudaStreamBeginCapture of the legacy "
          "stream with mode 7; with mode 0",
          "cudaStreamBeginCapture(7): InvalidValue",
          "cudaStreamBeginCapture(cudaStreamCaptureModeGlobal): StreamCaptureImplicit",
          "cudaStreamEndCapture: StreamCaptureInvalidated")
{
    cudaStream_t s = new_stream(0);
    cudaGraph_t g = NULL;
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    answer(cudaStreamBeginCapture(0, (enum cudaStreamCaptureMode)7));
    answer(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal));
    answer(cudaStreamEndCapture(s, &g));
}

SITUATION(capture_errors_kept,
          "get last error after cudaMalloc in a capture; after its end; after "
          "the end again",
          "cudaMalloc: StreamCaptureUnsupported", "cudaGetLastError: StreamCaptureUnsupported",
          "cudaStreamEndCapture: StreamCaptureInvalidated", "captured: NULL",
          "cudaPeekAtLastError: StreamCaptureInvalidated",
          "cudaGetLastError #2: StreamCaptureInvalidated")
{
    cudaStream_t s = nonblocking_stream();
    void *p;
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaMalloc(&p, 64));
    answer(cudaGetLastError());
    answer_end(s);
    answer(cudaPeekAtLastError());
    answer(cudaGetLastError());
    answer(cudaGetLastError());
}
