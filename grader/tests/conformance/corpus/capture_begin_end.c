/* capture_begin_end.c: beginning and ending captures, and their status. */
#include "../graphs.h"

SITUATION("cudaStreamBeginCapture of 0 in each mode; of cudaStreamLegacy")
{
    for (int i = 0; i < 3; i++)
        gives(StreamCaptureUnsupported, cudaStreamBeginCapture(0, capture_modes[i]));
    gives(StreamCaptureUnsupported,
          cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeRelaxed));
    gives(StreamCaptureUnsupported, cudaGetLastError());
}

SITUATION("cudaStreamBeginCapture of a stream that captures; status; end; cudaStreamEndCapture "
          "with no place for the graph; status; end again; of 0; with no capture and no place")
{
    cudaStream_t s = capturing(cudaStreamCaptureModeGlobal);
    gives(IllegalState, cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    status_is("active", s);
    captured("1 nodes", s);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaStreamEndCapture(s, NULL));
    status_is("none", s);
    end_gives(IllegalState, "NULL", s);
    gives(IllegalState, cudaStreamEndCapture(0, &(cudaGraph_t){NULL}));
    gives(IllegalState, cudaStreamEndCapture(s, NULL));
}

SITUATION("cudaStreamIsCapturing: NULL result; of another stream; of 0, by both names, while a "
          "non-blocking stream "
          "captures; end")
{
    cudaStream_t s = capturing(cudaStreamCaptureModeGlobal);
    gives(InvalidValue, cudaStreamIsCapturing(s, NULL));
    status_is("none", nonblocking_stream());
    status_is("none", 0);
    status_is("none", cudaStreamLegacy);
    status_is("active", s);
    captured("1 nodes", s);
}

SITUATION("cudaStreamIsCapturing of 0 and of cudaStreamPerThread while a blocking stream captures; "
          "status of it; end")
{
    cudaStream_t s = new_stream(0);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    status_is("StreamCaptureImplicit", 0);
    status_is("none", cudaStreamPerThread);
    status_is("active", s);
    captured("1 nodes", s);
}

SITUATION("a capture of nothing: shape; instantiate; launch; cudaStreamBeginCapture with mode 3; "
          "with mode -1; status after")
{
    cudaStream_t s = nonblocking_stream();
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    cudaGraph_t g = captured("0 nodes", s);
    shape_is("0 nodes, 0 edges, 0 roots", g);
    answer_run(new_exec(g));
    gives(InvalidValue, cudaStreamBeginCapture(s, (enum cudaStreamCaptureMode)3));
    gives(InvalidValue, cudaStreamBeginCapture(s, (enum cudaStreamCaptureMode) - 1));
    status_is("none", s);
}

SITUATION("two captures of one thread at once, in Global mode, ended crosswise")
{
    cudaStream_t t = nonblocking_stream(), s = capturing(cudaStreamCaptureModeGlobal);
    begin_capture(t, cudaStreamCaptureModeGlobal);
    some_work(t);
    status_is("active", s);
    status_is("active", t);
    captured("1 nodes", s);
    status_is("active", t);
    captured("2 nodes", t);
}

SITUATION("cudaStreamDestroy of a forked stream, not joined, its work done by then; end; of one "
          "with work, not joined; of one that was joined; end")
{
    cudaStream_t t = nonblocking_stream(), s = capturing(cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    answer(cudaStreamDestroy(t));
    status_is("active", s);
    cudaStream_t u = nonblocking_stream();
    captured("1 nodes", s);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    t = nonblocking_stream();
    order_streams(s, u);
    some_work(u);
    order_streams(u, s);
    answer(cudaStreamDestroy(u));
    status_is("active", s);
    order_streams(s, t);
    some_work(t);
    answer(cudaStreamDestroy(t));
    status_is("active", s);
    end_gives(StreamCaptureUnjoined, "NULL", s);
}

SITUATION("in an invalidated capture: a memset; a kernel; a host function; an event record; begin; "
          "is capturing; end; then a memset")
{
    int *p = device_bytes(SMALL), value = 1;
    void *args[] = {&p, &value};
    cudaStream_t s = capturing(cudaStreamCaptureModeGlobal);
    gives(StreamCaptureUnsupported, cudaStreamSynchronize(s));
    gives(StreamCaptureInvalidated, cudaMemsetAsync(p, 0, SMALL, s));
    gives(StreamCaptureInvalidated, launch_one(situation_store(), args, s));
    gives(StreamCaptureInvalidated, cudaLaunchHostFunc(s, write_letter, NULL));
    gives(StreamCaptureInvalidated, cudaEventRecord(new_event(0), s));
    gives(IllegalState, cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    is_invalidated(s);
    status_is("none", s);
    answer(cudaMemsetAsync(p, 0, SMALL, s));
    answer(cudaStreamSynchronize(s));
}

SITUATION("a capture that is never ended; the stream destroyed; device synchronized")
{
    cudaStream_t s = capturing(cudaStreamCaptureModeRelaxed);
    answer(cudaStreamDestroy(s));
    answer(cudaDeviceSynchronize());
    some_work(0);
    answer(cudaDeviceSynchronize());
}

SITUATION("cudaDeviceReset while a stream captures, Global and Relaxed: its error; then a malloc")
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

SITUATION("a capture begun in a stream with a pending wait for another stream; its graph has no "
          "dependency on it; launch")
{
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
    cudaEvent_t e = new_event(0);
    gate_shut(t);
    MUST(cudaEventRecord(e, t));
    MUST(cudaStreamWaitEvent(s, e, 0));
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    cudaGraph_t g = captured("1 nodes", s);
    shows("waits", "%s", done_soon(s));
    gate_open();
    answer(cudaStreamSynchronize(s));
    answer_run(new_exec(g));
}

SITUATION("a blocking stream captures: cudaStreamBeginCapture of the legacy stream with mode 7; "
          "with mode 0")
{
    cudaStream_t s = new_stream(0);
    cudaGraph_t g = NULL;
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    gives(InvalidValue, cudaStreamBeginCapture(0, (enum cudaStreamCaptureMode)7));
    gives(StreamCaptureImplicit, cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal));
    gives(StreamCaptureInvalidated, cudaStreamEndCapture(s, &g));
}

SITUATION("get last error after cudaMalloc in a capture; after its end; after the end again")
{
    void *p;
    cudaStream_t s = capturing(cudaStreamCaptureModeGlobal);
    gives(StreamCaptureUnsupported, cudaMalloc(&p, 64));
    gives(StreamCaptureUnsupported, cudaGetLastError());
    end_gives(StreamCaptureInvalidated, "NULL", s);
    gives(StreamCaptureInvalidated, cudaPeekAtLastError());
    gives(StreamCaptureInvalidated, cudaGetLastError());
    answer(cudaGetLastError());
}
