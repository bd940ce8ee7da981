/* capture_threads.c: captures and threads: who may end one, whose calls it refuses, and
 * cudaThreadExchangeStreamCaptureMode. */
#include "../graphs.h"

static cudaStream_t s, t;

static cudaError_t result;

static cudaGraph_t graph;

static void *made;

static void end_in_thread(void *unused)
{
    (void)unused;
    graph = NULL;
    result = cudaStreamEndCapture(s, &graph);
}

static void end_elsewhere(enum cudaStreamCaptureMode mode)
{
    s = nonblocking_stream();
    begin_capture(s, mode);
    in_thread(end_in_thread, NULL);
    answer_error(NULL, "in the thread", result);
    answer_text(graph ? "graph" : "NULL");
    answer_status(s);
    answer_end(s);
}

ROW(end_elsewhere(cudaStreamCaptureModeGlobal),
    "cudaStreamEndCapture in another thread, Global; end again",
    "in the thread: StreamCaptureWrongThread", "graph: NULL", "status: none",
    "cudaStreamEndCapture: IllegalState", "captured: NULL")
ROW(end_elsewhere(cudaStreamCaptureModeThreadLocal),
    "cudaStreamEndCapture in another thread, ThreadLocal; end again",
    "in the thread: StreamCaptureWrongThread", "graph: NULL", "status: none",
    "cudaStreamEndCapture: IllegalState", "captured: NULL")
ROW(end_elsewhere(cudaStreamCaptureModeRelaxed),
    "cudaStreamEndCapture in another thread, Relaxed; end again", "graph: graph", "status: none",
    "cudaStreamEndCapture: IllegalState", "captured: NULL")

static void memset_in_s(void *unused)
{
    (void)unused;
    result = cudaMemsetAsync(made, 0, SMALL, s);
}

SITUATION("a memset in the captured stream from another thread, three modes; end")
{
    for (int i = 0; i < 3; i++) {
        made = device_bytes(SMALL);
        s = nonblocking_stream();
        begin_capture(s, capture_modes[i]);
        in_thread(memset_in_s, NULL);
        answer_error(NULL, "in the thread", result);
        captured("2 nodes", s);
    }
}

static void capture_there(void *mode)
{
    t = nonblocking_stream();
    result = cudaStreamBeginCapture(t, *(const enum cudaStreamCaptureMode *)mode);
    some_work(t);
}

SITUATION("a thread that ends leaves its capture open, three modes: status; a further memset; end",
          "cudaStreamEndCapture: StreamCaptureWrongThread; StreamCaptureWrongThread; Success",
          "captured: NULL; NULL; 2 nodes")
{
    some_work(0);
    for (int i = 0; i < 3; i++) {
        in_thread(capture_there, (void *)&capture_modes[i]);
        answer_error(NULL, "in the thread", result);
        status_is("active", t);
        some_work(t);
        answer_end(t);
    }
}

static void capture_and_end(void *mode)
{
    capture_there(mode);
    result = cudaStreamEndCapture(t, &graph);
}

SITUATION(
    "another thread captures and ends while this one's capture is open, each pair of equal modes")
{
    some_work(0);
    for (int i = 0; i < 3; i++) {
        s = nonblocking_stream();
        begin_capture(s, capture_modes[i]);
        in_thread(capture_and_end, (void *)&capture_modes[i]);
        answer_error(NULL, "in the thread", result);
        captured("1 nodes", s);
    }
}

static void malloc_there(void *unused)
{
    (void)unused;
    result = cudaMalloc(&made, SMALL);
}

SITUATION("cudaMalloc in a third thread while this one captures ThreadLocal in one stream and "
          "Global in another: which captures it breaks")
{
    s = nonblocking_stream();
    t = nonblocking_stream();
    begin_capture(s, cudaStreamCaptureModeThreadLocal);
    begin_capture(t, cudaStreamCaptureModeGlobal);
    in_thread(malloc_there, NULL);
    answer_error("StreamCaptureUnsupported", "in the thread", result);
    status_is("active", s);
    status_is("invalidated", t);
    captured("1 nodes", s);
    end_gives(StreamCaptureInvalidated, "NULL", t);
}

SITUATION("cudaThreadExchangeStreamCaptureMode: the first mode; after setting ThreadLocal, "
          "Relaxed; mode 3")
{
    enum cudaStreamCaptureMode mode = cudaStreamCaptureModeThreadLocal;
    answer(cudaThreadExchangeStreamCaptureMode(&mode));
    shows("was 0", "was %d", (int)mode);
    mode = cudaStreamCaptureModeRelaxed;
    answer(cudaThreadExchangeStreamCaptureMode(&mode));
    shows("was 1", "was %d", (int)mode);
    mode = cudaStreamCaptureModeGlobal;
    answer(cudaThreadExchangeStreamCaptureMode(&mode));
    shows("was 2", "was %d", (int)mode);
    mode = (enum cudaStreamCaptureMode)3;
    answer(cudaThreadExchangeStreamCaptureMode(&mode));
}

static void malloc_under(enum cudaStreamCaptureMode mine, enum cudaStreamCaptureMode of_capture)
{
    s = nonblocking_stream();
    begin_capture(s, of_capture);
    MUST(cudaThreadExchangeStreamCaptureMode(&mine));
    cudaError_t e = cudaMalloc(&made, SMALL);
    MUST(cudaThreadExchangeStreamCaptureMode(&mine));
    cudaGraph_t g = NULL;
    cudaError_t end = cudaStreamEndCapture(s, &g);
    answer_fact("cudaMalloc, cudaStreamEndCapture", "%s %s", error_text(e), error_text(end));
}

SITUATION(
    "cudaMalloc with the thread's mode Global, ThreadLocal, Relaxed, in a Global capture of it; in "
    "a ThreadLocal; in a Relaxed one",
    "cudaMalloc, cudaStreamEndCapture: StreamCaptureUnsupported StreamCaptureInvalidated; "
    "StreamCaptureUnsupported StreamCaptureInvalidated; Success Success; StreamCaptureUnsupported "
    "StreamCaptureInvalidated; StreamCaptureUnsupported StreamCaptureInvalidated; Success Success; "
    "Success Success; Success Success; Success Success")
{
    for (int c = 0; c < 3; c++)
        for (int m = 0; m < 3; m++)
            malloc_under(capture_modes[m], capture_modes[c]);
}

static void malloc_there_under(void *mode)
{
    enum cudaStreamCaptureMode mine = *(const enum cudaStreamCaptureMode *)mode;
    MUST(cudaThreadExchangeStreamCaptureMode(&mine));
    result = cudaMalloc(&made, SMALL);
}

SITUATION("cudaMalloc in a thread of mode Global, ThreadLocal, Relaxed while another captures "
          "Global; ThreadLocal; Relaxed",
          "cudaMalloc, cudaStreamEndCapture: StreamCaptureUnsupported StreamCaptureInvalidated; "
          "Success Success; Success Success; Success Success; Success Success; Success Success; "
          "Success Success; Success Success; Success Success")
{
    for (int c = 0; c < 3; c++)
        for (int m = 0; m < 3; m++) {
            cudaGraph_t g = NULL;
            s = nonblocking_stream();
            begin_capture(s, capture_modes[c]);
            in_thread(malloc_there_under, (void *)&capture_modes[m]);
            cudaError_t end = cudaStreamEndCapture(s, &g);
            answer_fact("cudaMalloc, cudaStreamEndCapture", "%s %s", error_text(result),
                        error_text(end));
        }
}

SITUATION("with the thread's mode Relaxed in a Global capture: synchronize the device; a fresh "
          "one: query another stream; synchronize it; query an event recorded before")
{
    enum cudaStreamCaptureMode mine = cudaStreamCaptureModeRelaxed;
    cudaEvent_t e = new_event(0);
    t = nonblocking_stream();
    MUST(cudaEventRecord(e, t));
    MUST(cudaStreamSynchronize(t));
    MUST(cudaThreadExchangeStreamCaptureMode(&mine));
    s = nonblocking_stream();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    gives(StreamCaptureUnsupported, cudaDeviceSynchronize());
    end_gives(StreamCaptureInvalidated, "NULL", s);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaStreamQuery(t));
    answer(cudaStreamSynchronize(t));
    answer(cudaEventQuery(e));
    captured("1 nodes", s);
}

static void wait_there(void *e)
{
    result = cudaStreamWaitEvent(t, (cudaEvent_t)e, 0);
    if (result == cudaSuccess)
        some_work(t);
}

SITUATION("a fork into a stream by another thread, in Global and ThreadLocal mode; joined by this "
          "one; end")
{
    for (int i = 0; i < 2; i++) {
        cudaEvent_t e = new_event(cudaEventDisableTiming);
        s = nonblocking_stream();
        t = nonblocking_stream();
        begin_capture(s, capture_modes[i]);
        MUST(cudaEventRecord(e, s));
        in_thread(wait_there, e);
        answer_error(NULL, "in the thread", result);
        order_streams(t, s);
        captured("2 nodes", s);
    }
}

SITUATION("cudaThreadExchangeStreamCaptureMode: mode 7; NULL", CRASHES_ON_GPU)
{
    enum cudaStreamCaptureMode m = (enum cudaStreamCaptureMode)7;
    gives(InvalidValue, cudaThreadExchangeStreamCaptureMode(&m));
    shows("7", "%d", (int)m);
    gives(InvalidValue, cudaThreadExchangeStreamCaptureMode(NULL));
}

SITUATION("an unsafe call ends two captures of one thread; a third, Relaxed, goes on")
{
    void *p;
    cudaStream_t t = nonblocking_stream(), u = nonblocking_stream(),
                 s = capturing(cudaStreamCaptureModeGlobal);
    begin_capture(t, cudaStreamCaptureModeThreadLocal);
    begin_capture(u, cudaStreamCaptureModeRelaxed);
    gives(StreamCaptureUnsupported, cudaMalloc(&p, SMALL));
    status_is("invalidated", s);
    status_is("invalidated", t);
    status_is("active", u);
    captured("1 nodes", u);
    end_gives(StreamCaptureInvalidated, "NULL", s);
    end_gives(StreamCaptureInvalidated, "NULL", t);
}
