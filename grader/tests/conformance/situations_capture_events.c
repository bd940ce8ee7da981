/*
 * situations_capture_events.c: forks, joins, and everything else that events do in a capture.
 */
#include "situations_graphs.h"

static cudaStream_t other_stream(void)
{
    return new_stream(cudaStreamNonBlocking);
}

/* ---- forks and joins ------------------------------------------------------------------------- */

SITUATION(fork_status, "a fork: status of the forked stream before the wait; after it; capture "
                       "begun there; end of its capture; status of both; end of the origin's")
{
    cudaStream_t s = other_stream(), t = other_stream();
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaEventRecord(e, s));
    answer_status(t);
    answer(cudaStreamWaitEvent(t, e, 0));
    answer_status(t);
    answer(cudaStreamBeginCapture(t, cudaStreamCaptureModeGlobal));
    answer_end(t);
    answer_status(s);
    answer_status(t);
    answer_end(s);
    answer_status(t);
}

SITUATION(fork_join, "a fork with work, joined, and work after: shape, edges")
{
    cudaStream_t s = other_stream(), t = other_stream();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    some_work(t);
    some_work(s);
    order_streams(t, s);
    some_work(s);
    cudaGraph_t g = answer_end(s);
    answer_shape(g);
    answer_edges(g);
    answer_status(t);
}

SITUATION(fork_four, "four streams forked from one, 3 memsets each, joined, one memset after: "
                     "shape")
{
    cudaStream_t s = other_stream(), t[4];
    prepare_work();
    for (int i = 0; i < 4; i++)
        t[i] = other_stream();
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    for (int i = 0; i < 4; i++) {
        order_streams(s, t[i]);
        for (int k = 0; k < 3; k++)
            some_work(t[i]);
    }
    for (int i = 0; i < 4; i++)
        order_streams(t[i], s);
    some_work(s);
    answer_shape(answer_end(s));
}

SITUATION(fork_no_join, "a fork with work and no join: end; status of both; the streams work again")
{
    cudaStream_t s = other_stream(), t = other_stream();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    some_work(t);
    answer_end(s);
    answer_status(s);
    answer_status(t);
    some_work(s);
    some_work(t);
    answer(cudaDeviceSynchronize());
}

SITUATION(fork_no_work, "a fork without work and no join: end; status of the forked stream")
{
    cudaStream_t s = other_stream(), t = other_stream();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    answer_end(s);
    answer_status(t);
}

SITUATION(fork_no_work_then_more, "a fork without work, then more work in the origin, no join: end")
{
    cudaStream_t s = other_stream(), t = other_stream();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    some_work(s);
    answer_end(s);
}

SITUATION(fork_at_start, "a fork before any work; work in both; joined: shape")
{
    cudaStream_t s = other_stream(), t = other_stream();
    prepare_work();
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    order_streams(s, t);
    some_work(s);
    some_work(t);
    order_streams(t, s);
    answer_shape(answer_end(s));
}

SITUATION(fork_only_work_there, "a fork before any work; work only in the forked stream; not "
                                "joined: end; the same joined: shape")
{
    cudaStream_t s = other_stream(), t = other_stream();
    prepare_work();
    for (int joined = 0; joined < 2; joined++) {
        MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
        order_streams(s, t);
        some_work(t);
        if (joined)
            order_streams(t, s);
        cudaGraph_t g = answer_end(s);
        if (joined)
            answer_shape(g);
    }
}

SITUATION(fork_joined_early, "a join, then further work in the forked stream: end")
{
    cudaStream_t s = other_stream(), t = other_stream();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    some_work(t);
    order_streams(t, s);
    some_work(t);
    answer_end(s);
}

SITUATION(fork_joined_elsewhere, "a fork of a fork; the second joined into the first; the first "
                                 "not joined: end; the first joined: shape")
{
    cudaStream_t s = other_stream(), t = other_stream(), u = other_stream();
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
            answer_shape(g);
    }
}

SITUATION(fork_of_fork_joined, "a fork of a fork joined straight into the origin, the middle one "
                               "idle since: end")
{
    cudaStream_t s = other_stream(), t = other_stream(), u = other_stream();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    some_work(t);
    order_streams(t, u);
    some_work(u);
    order_streams(u, s);
    cudaGraph_t g = answer_end(s);
    answer_edges(g);
}

SITUATION(join_twice, "a join by the same event twice; the next node's edges")
{
    cudaStream_t s = other_stream(), t = other_stream();
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    some_work(t);
    MUST(cudaEventRecord(e, t));
    answer(cudaStreamWaitEvent(s, e, 0));
    answer(cudaStreamWaitEvent(s, e, 0));
    some_work(s);
    answer_edges(answer_end(s));
}

SITUATION(wait_own_event, "a stream waits for its own captured event, newest and older; edges of "
                          "the next node")
{
    cudaStream_t s = other_stream();
    cudaEvent_t e = new_event(cudaEventDisableTiming), old = new_event(cudaEventDisableTiming);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    MUST(cudaEventRecord(old, s));
    some_work(s);
    MUST(cudaEventRecord(e, s));
    answer(cudaStreamWaitEvent(s, e, 0));
    answer(cudaStreamWaitEvent(s, old, 0));
    some_work(s);
    answer_edges(answer_end(s));
}

SITUATION(fork_from_older, "a fork by an event recorded before the origin's latest work: edges")
{
    cudaStream_t s = other_stream(), t = other_stream();
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    MUST(cudaEventRecord(e, s));
    some_work(s);
    some_work(s);
    MUST(cudaStreamWaitEvent(t, e, 0));
    some_work(t);
    order_streams(t, s);
    some_work(s);
    answer_edges(answer_end(s));
}

SITUATION(event_again, "an event recorded in the origin, then in the forked stream; who waits for "
                       "it follows the later: edges")
{
    cudaStream_t s = other_stream(), t = other_stream();
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    MUST(cudaEventRecord(e, s));
    MUST(cudaStreamWaitEvent(t, e, 0));
    some_work(t);
    MUST(cudaEventRecord(e, t));
    MUST(cudaStreamWaitEvent(s, e, 0));
    some_work(s);
    answer_edges(answer_end(s));
}

SITUATION(fork_into_blocking, "a fork from a non-blocking stream into a blocking one; work in 0 "
                              "then; status; end")
{
    cudaStream_t s = other_stream(), t = new_stream(0);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    answer(cudaMemsetAsync(NULL, 0, 0, 0));
    answer_status(s);
    answer_end(s);
}

SITUATION(fork_into_legacy, "a captured event waited for in 0; status; end")
{
    cudaStream_t s = other_stream();
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    MUST(cudaEventRecord(e, s));
    answer(cudaStreamWaitEvent(0, e, 0));
    answer_status(s);
    answer_end(s);
}

SITUATION(fork_into_per_thread, "a captured event waited for in cudaStreamPerThread; status of it; "
                                "work; joined; end")
{
    cudaStream_t s = other_stream();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    order_streams(s, cudaStreamPerThread);
    answer_status(cudaStreamPerThread);
    some_work(cudaStreamPerThread);
    order_streams(cudaStreamPerThread, s);
    answer_end(s);
}

SITUATION(fork_into_busy, "a fork into a stream that has work pending from before; runs; end")
{
    cudaStream_t s = other_stream(), t = other_stream();
    gate_shut(t);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    some_work(t);
    order_streams(t, s);
    cudaGraph_t g = answer_end(s);
    answer_run(new_exec(g));
    answer_text("%s", gate_waited());
    gate_open();
}

/* ---- two captures, and the world outside ----------------------------------------------------- */

SITUATION(capture_merge, "a wait that would join two captures; status of both; end of both")
{
    cudaStream_t s = other_stream(), t = other_stream();
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    begin_capture(t, cudaStreamCaptureModeGlobal);
    MUST(cudaEventRecord(e, s));
    answer(cudaStreamWaitEvent(t, e, 0));
    answer_status(s);
    answer_status(t);
    answer_end(s);
    answer_end(t);
}

SITUATION(capture_isolation, "a captured stream waits for an event recorded before the capture; "
                             "status; end")
{
    cudaStream_t s = other_stream(), t = other_stream();
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    MUST(cudaEventRecord(e, t));
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaStreamWaitEvent(s, e, 0));
    answer_status(s);
    answer_end(s);
}

SITUATION(capture_isolation_during, "a captured stream waits for an event recorded in another "
                                    "stream during the capture; its own from before; Relaxed")
{
    cudaStream_t s = other_stream(), t = other_stream();
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    MUST(cudaEventRecord(e, t));
    answer(cudaStreamWaitEvent(s, e, 0));
    answer_status(s);
    answer_end(s);
    MUST(cudaEventRecord(e, s));
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    answer(cudaStreamWaitEvent(s, e, 0));
    answer_end(s);
}

SITUATION(capture_new_event, "a captured stream waits for a never recorded event; edges; end")
{
    cudaStream_t s = other_stream();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaStreamWaitEvent(s, new_event(0), 0));
    some_work(s);
    answer_edges(answer_end(s));
}

SITUATION(event_query_captured, "cudaEventQuery of a captured event; status; end; query after it; "
                                "cudaEventSynchronize after it")
{
    cudaStream_t s = other_stream();
    cudaEvent_t e = new_event(0);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    MUST(cudaEventRecord(e, s));
    answer(cudaEventQuery(e));
    answer_status(s);
    answer_end(s);
    answer(cudaEventQuery(e));
    answer(cudaEventSynchronize(e));
}

SITUATION(event_sync_captured, "cudaEventSynchronize of a captured event, Relaxed; status; end; "
                               "cudaStreamWaitEvent for it after that, outside")
{
    cudaStream_t s = other_stream();
    cudaEvent_t e = new_event(0);
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    MUST(cudaEventRecord(e, s));
    answer(cudaEventSynchronize(e));
    answer_status(s);
    answer_end(s);
    answer(cudaStreamWaitEvent(other_stream(), e, 0));
}

SITUATION(event_after_capture, "after a good capture, of an event recorded in it: query; "
                               "synchronise; wait in a stream; in a new capture; elapsed time; "
                               "record again and query")
{
    cudaStream_t s = other_stream(), t = other_stream();
    cudaEvent_t e = new_event(0), before = new_event(0);
    float ms;
    MUST(cudaEventRecord(before, s));
    MUST(cudaStreamSynchronize(s));
    begin_capture(s, cudaStreamCaptureModeGlobal);
    MUST(cudaEventRecord(e, s));
    answer_end(s);
    answer(cudaEventQuery(e));
    answer(cudaEventSynchronize(e));
    answer(cudaStreamWaitEvent(t, e, 0));
    begin_capture(t, cudaStreamCaptureModeGlobal);
    answer(cudaStreamWaitEvent(t, e, 0));
    answer_end(t);
    answer(cudaEventElapsedTime(&ms, before, e));
    answer(cudaEventRecord(e, s));
    answer(cudaEventSynchronize(e));
    answer(cudaEventQuery(e));
}

SITUATION(event_elapsed_captured, "cudaEventElapsedTime of two captured events during the capture; "
                                  "status; end; after it")
{
    cudaStream_t s = other_stream();
    cudaEvent_t a = new_event(0), b = new_event(0);
    float ms;
    begin_capture(s, cudaStreamCaptureModeGlobal);
    MUST(cudaEventRecord(a, s));
    some_work(s);
    MUST(cudaEventRecord(b, s));
    answer(cudaEventElapsedTime(&ms, a, b));
    answer_status(s);
    answer_end(s);
    answer(cudaEventElapsedTime(&ms, a, b));
}

SITUATION(event_destroy_captured, "cudaEventDestroy of a captured event; of one that another "
                                  "stream was forked by; join; end")
{
    cudaStream_t s = other_stream(), t = other_stream();
    cudaEvent_t e = new_event(0), fork = new_event(0);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    MUST(cudaEventRecord(e, s));
    answer(cudaEventDestroy(e));
    MUST(cudaEventRecord(fork, s));
    MUST(cudaStreamWaitEvent(t, fork, 0));
    answer(cudaEventDestroy(fork));
    some_work(t);
    order_streams(t, s);
    answer_end(s);
}

SITUATION(event_leaves_capture, "a captured event recorded in a stream outside: query; then waited "
                                "for in the capture; status")
{
    cudaStream_t s = other_stream(), t = other_stream();
    cudaEvent_t e = new_event(0);
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    MUST(cudaEventRecord(e, s));
    answer(cudaEventRecord(e, t));
    MUST(cudaStreamSynchronize(t));
    answer(cudaEventQuery(e));
    answer(cudaStreamWaitEvent(s, e, 0));
    answer_status(s);
    answer_end(s);
}

SITUATION(event_enters_capture, "an event recorded outside, then in a capture: waited for in a "
                                "stream outside forks it")
{
    cudaStream_t s = other_stream(), t = other_stream();
    cudaEvent_t e = new_event(0);
    MUST(cudaEventRecord(e, t));
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaEventRecord(e, s));
    answer(cudaStreamWaitEvent(t, e, 0));
    answer_status(t);
    answer_end(s);
    answer_status(t);
}

SITUATION(wait_for_invalidated, "an event of an invalidated capture waited for in a stream "
                                "outside; in another capture; status of both")
{
    cudaStream_t s = other_stream(), t = other_stream(), u = other_stream();
    cudaEvent_t e = new_event(0);
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    MUST(cudaEventRecord(e, s));
    answer(cudaDeviceSynchronize());
    answer(cudaStreamWaitEvent(t, e, 0));
    answer_status(t);
    begin_capture(u, cudaStreamCaptureModeRelaxed);
    answer(cudaStreamWaitEvent(u, e, 0));
    answer_status(u);
    answer_end(u);
    answer_end(s);
}

SITUATION(event_record_legacy, "an event recorded in 0 while a non-blocking stream captures, "
                               "waited for in the capture")
{
    cudaStream_t s = other_stream();
    cudaEvent_t e = new_event(0);
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    answer(cudaEventRecord(e, 0));
    answer(cudaStreamWaitEvent(s, e, 0));
    answer_end(s);
}
