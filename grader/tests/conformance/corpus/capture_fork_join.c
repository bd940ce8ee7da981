/* capture_fork_join.c: forks and joins of captures. */
#include "../graphs.h"

SITUATION("a fork: status of the forked stream before the wait; after it; capture begun there; end "
          "of its capture; status of both; end of the origin's")
{
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    cudaStream_t t = nonblocking_stream(), s = capturing(cudaStreamCaptureModeGlobal);
    answer(cudaEventRecord(e, s));
    status_is("none", t);
    answer(cudaStreamWaitEvent(t, e, 0));
    status_is("active", t);
    gives(IllegalState, cudaStreamBeginCapture(t, cudaStreamCaptureModeGlobal));
    end_gives(StreamCaptureUnmatched, "NULL", t);
    status_is("invalidated", s);
    status_is("invalidated", t);
    end_gives(StreamCaptureInvalidated, "NULL", s);
    status_is("none", t);
}

SITUATION("four streams forked from one, 3 memsets each, joined, one memset after: shape")
{
    cudaStream_t s = nonblocking_stream(), t[4];
    prepare_work();
    for (int i = 0; i < 4; i++)
        t[i] = nonblocking_stream();
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    for (int i = 0; i < 4; i++) {
        order_streams(s, t[i]);
        for (int k = 0; k < 3; k++)
            some_work(t[i]);
    }
    for (int i = 0; i < 4; i++)
        order_streams(t[i], s);
    some_work(s);
    shape_is("13 nodes, 12 edges, 4 roots", captured("13 nodes", s));
}

SITUATION("a fork without work and no join: end; status of the forked stream; a stream that was "
          "forked begins a capture of its own after the end")
{
    cudaStream_t t = nonblocking_stream(), s = capturing(cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    captured("1 nodes", s);
    status_is("none", t);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    order_streams(t, s);
    captured("1 nodes", s);
    begin_capture(t, cudaStreamCaptureModeGlobal);
    captured("1 nodes", t);
}

SITUATION("a fork of a fork; the second joined into the first; the first not joined: end; the "
          "first joined: shape",
          "cudaStreamEndCapture: StreamCaptureUnjoined; Success", "captured: NULL; 4 nodes")
{
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream(), u = nonblocking_stream();
    for (int joined = 0; joined < 2; joined++) {
        begin_capture(s, cudaStreamCaptureModeGlobal);
        order_streams(s, t);
        some_work(t);
        order_streams(t, u);
        some_work(u);
        order_streams(u, t);
        some_work(t);
        if (joined)
            order_streams(t, s);
        cudaGraph_t g = answer_end(s);
        if (joined)
            shape_is("4 nodes, 4 edges, 1 roots", g);
    }
}

SITUATION("a fork from a non-blocking stream into a blocking one; work in 0 then; status; end; a "
          "legacy memset before and after the fork; status of both")
{
    cudaStream_t s = nonblocking_stream(), t = new_stream(0);
    char *p = device_bytes(SMALL);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    answer(cudaMemsetAsync(NULL, 0, 0, 0));
    status_is("active", s);
    captured("1 nodes", s);
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    answer(cudaMemsetAsync(p, 0, SMALL, 0));
    order_streams(s, t);
    gives(StreamCaptureImplicit, cudaMemsetAsync(p, 0, SMALL, 0));
    status_is("invalidated", s);
    status_is("invalidated", t);
    end_gives(StreamCaptureInvalidated, "NULL", s);
}

SITUATION("a captured event waited for in 0; status; end")
{
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    cudaStream_t s = capturing(cudaStreamCaptureModeGlobal);
    MUST(cudaEventRecord(e, s));
    gives(StreamCaptureImplicit, cudaStreamWaitEvent(0, e, 0));
    is_invalidated(s);
}

SITUATION("a fork of a fork is joined to the first fork after that was joined: end")
{
    cudaStream_t t = nonblocking_stream(), u = nonblocking_stream(),
                 s = capturing(cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    order_streams(t, u);
    some_work(u);
    order_streams(t, s);
    order_streams(u, t);
    end_gives(StreamCaptureUnjoined, "NULL", s);
    status_is("none", t);
    status_is("none", u);
}

SITUATION("work on a fork after it was joined: end; after an event record only")
{
    cudaStream_t t = nonblocking_stream(), s = capturing(cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    some_work(t);
    order_streams(t, s);
    MUST(cudaEventRecord(new_event(0), t));
    captured("2 nodes", s);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    some_work(t);
    order_streams(t, s);
    some_work(t);
    end_gives(StreamCaptureUnjoined, "NULL", s);
}

SITUATION("a capture's origin destroyed while a forked stream is in it: status of that; its end; a "
          "memset in it")
{
    void *p = device_bytes(SMALL);
    cudaStream_t t = nonblocking_stream(), s = capturing(cudaStreamCaptureModeRelaxed);
    order_streams(s, t);
    some_work(t);
    answer(cudaStreamDestroy(s));
    status_is("none", t);
    end_gives(IllegalState, "NULL", t);
    answer(cudaMemsetAsync(p, 0, SMALL, t));
}
