/*
 * situations_capture_threads.c: captures and threads: who may end one, whom it forbids what, and
 * cudaThreadExchangeStreamCaptureMode.
 */
#include "situations_graphs.h"

static const enum cudaStreamCaptureMode modes[] = {
    cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed};

static cudaStream_t s, t;
static cudaError_t result;
static cudaGraph_t graph;
static void *made;

static void end_capture(void *unused)
{
    (void)unused;
    graph = NULL;
    result = cudaStreamEndCapture(s, &graph);
}

static void end_elsewhere(enum cudaStreamCaptureMode mode)
{
    s = new_stream(cudaStreamNonBlocking);
    begin_capture(s, mode);
    in_thread(end_capture, NULL);
    answer(result);
    answer_text(graph ? "graph" : "NULL");
    answer_status(s);
    answer_end(s);
}

SITUATION(thread_end_global, "cudaStreamEndCapture in another thread, Global; end again")
{
    end_elsewhere(cudaStreamCaptureModeGlobal);
}

SITUATION(thread_end_local, "cudaStreamEndCapture in another thread, ThreadLocal; end again")
{
    end_elsewhere(cudaStreamCaptureModeThreadLocal);
}

SITUATION(thread_end_relaxed, "cudaStreamEndCapture in another thread, Relaxed; end again")
{
    end_elsewhere(cudaStreamCaptureModeRelaxed);
}

static void memset_in_s(void *unused)
{
    (void)unused;
    result = cudaMemsetAsync(made, 0, SMALL, s);
}

SITUATION(thread_work, "a memset in the captured stream from another thread, three modes; end")
{
    for (int i = 0; i < 3; i++) {
        made = device_bytes(SMALL);
        s = new_stream(cudaStreamNonBlocking);
        begin_capture(s, modes[i]);
        in_thread(memset_in_s, NULL);
        answer(result);
        answer_end(s);
    }
}

static void capture_there(void *mode)
{
    t = new_stream(cudaStreamNonBlocking);
    result = cudaStreamBeginCapture(t, *(const enum cudaStreamCaptureMode *)mode);
    some_work(t);
}

SITUATION(thread_captures_after_end, "a thread that ends leaves its capture open, three modes: "
                                     "status; a further memset; end")
{
    some_work(0);
    for (int i = 0; i < 3; i++) {
        in_thread(capture_there, (void *)&modes[i]);
        answer(result);
        answer_status(t);
        some_work(t);
        answer_end(t);
    }
}

static void capture_and_end(void *mode)
{
    capture_there(mode);
    result = cudaStreamEndCapture(t, &graph);
}

SITUATION(thread_both, "another thread captures and ends while this one's capture is open, each "
                       "pair of equal modes")
{
    some_work(0);
    for (int i = 0; i < 3; i++) {
        s = new_stream(cudaStreamNonBlocking);
        begin_capture(s, modes[i]);
        in_thread(capture_and_end, (void *)&modes[i]);
        answer(result);
        answer_end(s);
    }
}

static void malloc_there(void *unused)
{
    (void)unused;
    result = cudaMalloc(&made, SMALL);
}

SITUATION(thread_two_captures_malloc, "cudaMalloc in a third thread while this one captures "
                                      "ThreadLocal in one stream and Global in another: which "
                                      "captures it breaks")
{
    s = new_stream(cudaStreamNonBlocking);
    t = new_stream(cudaStreamNonBlocking);
    begin_capture(s, cudaStreamCaptureModeThreadLocal);
    begin_capture(t, cudaStreamCaptureModeGlobal);
    in_thread(malloc_there, NULL);
    answer(result);
    answer_status(s);
    answer_status(t);
    answer_end(s);
    answer_end(t);
}

SITUATION(thread_malloc_modes, "cudaMalloc while this thread captures Relaxed in one stream and "
                               "ThreadLocal in another: which captures it breaks")
{
    s = new_stream(cudaStreamNonBlocking);
    t = new_stream(cudaStreamNonBlocking);
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    begin_capture(t, cudaStreamCaptureModeThreadLocal);
    answer(cudaMalloc(&made, SMALL));
    answer_status(s);
    answer_status(t);
    answer_end(s);
    answer_end(t);
}

/* ---- cudaThreadExchangeStreamCaptureMode ----------------------------------------------------- */

SITUATION(exchange_first, "cudaThreadExchangeStreamCaptureMode: the first mode; after setting "
                          "ThreadLocal, Relaxed; mode 3")
{
    enum cudaStreamCaptureMode mode = cudaStreamCaptureModeThreadLocal;
    answer(cudaThreadExchangeStreamCaptureMode(&mode));
    answer_text("was %d", (int)mode);
    mode = cudaStreamCaptureModeRelaxed;
    answer(cudaThreadExchangeStreamCaptureMode(&mode));
    answer_text("was %d", (int)mode);
    mode = cudaStreamCaptureModeGlobal;
    answer(cudaThreadExchangeStreamCaptureMode(&mode));
    answer_text("was %d", (int)mode);
    mode = (enum cudaStreamCaptureMode)3;
    answer(cudaThreadExchangeStreamCaptureMode(&mode));
}

SITUATION(exchange_null, "cudaThreadExchangeStreamCaptureMode(NULL)")
{
    answer(cudaThreadExchangeStreamCaptureMode(NULL));
}

static void malloc_under(enum cudaStreamCaptureMode mine, enum cudaStreamCaptureMode of_capture)
{
    s = new_stream(cudaStreamNonBlocking);
    begin_capture(s, of_capture);
    MUST(cudaThreadExchangeStreamCaptureMode(&mine));
    cudaError_t e = cudaMalloc(&made, SMALL);
    MUST(cudaThreadExchangeStreamCaptureMode(&mine));
    cudaGraph_t g = NULL;
    cudaError_t end = cudaStreamEndCapture(s, &g);
    answer_text("%s %s", error_text(e), error_text(end));
}

SITUATION(exchange_same_thread, "cudaMalloc with the thread's mode Global, ThreadLocal, Relaxed, "
                                "in a Global capture of it; in a ThreadLocal; in a Relaxed one")
{
    for (int c = 0; c < 3; c++)
        for (int m = 0; m < 3; m++)
            malloc_under(modes[m], modes[c]);
}

static void malloc_there_under(void *mode)
{
    enum cudaStreamCaptureMode mine = *(const enum cudaStreamCaptureMode *)mode;
    MUST(cudaThreadExchangeStreamCaptureMode(&mine));
    result = cudaMalloc(&made, SMALL);
}

SITUATION(exchange_other_thread, "cudaMalloc in a thread of mode Global, ThreadLocal, Relaxed "
                                 "while another captures Global; ThreadLocal; Relaxed")
{
    for (int c = 0; c < 3; c++)
        for (int m = 0; m < 3; m++) {
            cudaGraph_t g = NULL;
            s = new_stream(cudaStreamNonBlocking);
            begin_capture(s, modes[c]);
            in_thread(malloc_there_under, (void *)&modes[m]);
            cudaError_t end = cudaStreamEndCapture(s, &g);
            answer_text("%s %s", error_text(result), error_text(end));
        }
}

SITUATION(exchange_and_sync, "with the thread's mode Relaxed in a Global capture: synchronise the "
                             "device; a fresh one: query another stream; synchronise it; query "
                             "an event recorded before")
{
    enum cudaStreamCaptureMode mine = cudaStreamCaptureModeRelaxed;
    cudaEvent_t e = new_event(0);
    t = new_stream(cudaStreamNonBlocking);
    MUST(cudaEventRecord(e, t));
    MUST(cudaStreamSynchronize(t));
    MUST(cudaThreadExchangeStreamCaptureMode(&mine));
    s = new_stream(cudaStreamNonBlocking);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaDeviceSynchronize());
    answer_end(s);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaStreamQuery(t));
    answer(cudaStreamSynchronize(t));
    answer(cudaEventQuery(e));
    answer_end(s);
}

SITUATION(exchange_end_elsewhere, "a Global capture ended in another thread whose mode is Relaxed")
{
    enum cudaStreamCaptureMode mine = cudaStreamCaptureModeRelaxed;
    s = new_stream(cudaStreamNonBlocking);
    MUST(cudaThreadExchangeStreamCaptureMode(&mine));
    begin_capture(s, cudaStreamCaptureModeGlobal);
    in_thread(end_capture, NULL);
    answer(result);
    answer_end(s);
}

static void wait_there(void *e)
{
    result = cudaStreamWaitEvent(t, (cudaEvent_t)e, 0);
    if (result == cudaSuccess)
        some_work(t);
}

SITUATION(thread_fork, "a fork into a stream by another thread, in Global and ThreadLocal mode; "
                       "joined by this one; end")
{
    for (int i = 0; i < 2; i++) {
        cudaEvent_t e = new_event(cudaEventDisableTiming);
        s = new_stream(cudaStreamNonBlocking);
        t = new_stream(cudaStreamNonBlocking);
        begin_capture(s, modes[i]);
        MUST(cudaEventRecord(e, s));
        in_thread(wait_there, e);
        answer(result);
        order_streams(t, s);
        answer_end(s);
    }
}
