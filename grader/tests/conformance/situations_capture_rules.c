/*
 * situations_capture_rules.c: what may be called in a capture, by which thread, and how captures
 * end.
 */
#include <stdint.h>
#include <string.h>

#include "situations_graphs.h"
#include "situations_kernels.h"

static cudaStream_t apart(void)
{
    return new_stream(cudaStreamNonBlocking);
}

SITUATION(bad_mode, "cudaStreamBeginCapture with mode 3; with mode -1; status after")
{
    cudaStream_t s = apart();
    answer(cudaStreamBeginCapture(s, (enum cudaStreamCaptureMode)3));
    answer(cudaStreamBeginCapture(s, (enum cudaStreamCaptureMode) - 1));
    answer_status(s);
}

SITUATION(null_out, "cudaStreamEndCapture with a NULL out; status after; cudaStreamIsCapturing "
                    "with a NULL out; of NULL; of cudaStreamLegacy")
{
    cudaStream_t s = apart();
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    answer(cudaStreamEndCapture(s, NULL));
    answer_status(s);
    answer(cudaStreamIsCapturing(s, NULL));
    answer_status(NULL);
    answer_status(cudaStreamLegacy);
}

SITUATION(
    legacy_asked,
    "cudaStreamIsCapturing of NULL while a blocking stream captures; is the capture still good?")
{
    cudaStream_t s = new_stream(0);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer_status(NULL);
    answer_status(s);
    answer_end(s);
}

SITUATION(empty_capture, "an empty capture: nodes; instantiate; launch")
{
    cudaStream_t s = apart();
    answer(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    cudaGraph_t g = answer_end(s);
    answer_run(new_exec(g));
}

SITUATION(diamond, "a diamond over two streams: types, edges, roots")
{
    cudaStream_t s = apart(), t = apart();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    some_work(t);
    some_work(s);
    order_streams(t, s);
    some_work(s);
    cudaGraph_t g = answer_end(s);
    answer_edges(g);
    answer_shape(g);
}

SITUATION(fork_chain, "a fork of a fork, joined to the origin at once: edges")
{
    cudaStream_t s = apart(), t = apart(), u = apart();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    some_work(t);
    order_streams(t, u);
    some_work(u);
    order_streams(u, s);
    some_work(s);
    answer_edges(answer_end(s));
}

SITUATION(fork_of_fork_unjoined,
          "a fork of a fork is joined to the first fork after that was joined: end")
{
    cudaStream_t s = apart(), t = apart(), u = apart();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    order_streams(t, u);
    some_work(u);
    order_streams(t, s);
    order_streams(u, t);
    answer_end(s);
    answer_status(t);
    answer_status(u);
}

SITUATION(join_then_work, "work on a fork after it was joined: end; after an event record only")
{
    cudaStream_t s = apart(), t = apart();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    some_work(t);
    order_streams(t, s);
    MUST(cudaEventRecord(new_event(0), t));
    answer_end(s);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    some_work(t);
    order_streams(t, s);
    some_work(t);
    answer_end(s);
}

SITUATION(destroy_capturing,
          "cudaStreamDestroy of the capture's origin; of a fork; end of the origin after that")
{
    cudaStream_t s = apart(), t = apart(), u = apart();
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    answer(cudaStreamDestroy(s));
    begin_capture(t, cudaStreamCaptureModeRelaxed);
    order_streams(t, u);
    some_work(u);
    answer(cudaStreamDestroy(u));
    answer_status(t);
    answer_end(t);
}

SITUATION(host_calls_relaxed,
          "in a Relaxed capture: cudaMalloc, cudaFree, cudaMallocHost, cudaEventCreate, "
          "cudaStreamCreate, cudaMemGetInfo, cudaGraphInstantiate of another graph; status")
{
    cudaStream_t s = apart(), t;
    void *p, *h;
    size_t a, b;
    cudaEvent_t e;
    cudaGraph_t g = captured_memsets(1);
    cudaGraphExec_t x;
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    answer(cudaMalloc(&p, 64));
    answer(cudaFree(p));
    answer(cudaMallocHost(&h, 64));
    answer(cudaEventCreate(&e));
    answer(cudaStreamCreate(&t));
    answer(cudaMemGetInfo(&a, &b));
    answer(cudaGraphInstantiate(&x, g, 0));
    answer_status(s);
}

SITUATION(
    host_calls_global,
    "in a Global capture: cudaEventCreate, cudaStreamCreate, cudaGraphCreate, cudaGetLastError, "
    "cudaPointerGetAttributes, cudaFuncGetAttributes, cudaGraphInstantiate; status")
{
    cudaStream_t s = apart(), t;
    cudaEvent_t e;
    cudaGraph_t g = captured_memsets(1), h;
    cudaGraphExec_t x;
    struct cudaPointerAttributes a;
    struct cudaFuncAttributes f;
    void *p = device_bytes(64);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaEventCreate(&e));
    answer(cudaStreamCreate(&t));
    answer(cudaGraphCreate(&h, 0));
    answer(cudaGetLastError());
    answer(cudaPointerGetAttributes(&a, p));
    answer(cudaFuncGetAttributes(&f, situation_store()));
    answer(cudaGraphInstantiate(&x, g, 0));
    answer_status(s);
}

SITUATION(launch_graph_in,
          "cudaGraphLaunch into a capturing stream: a child graph node; edges; runs")
{
    cudaStream_t s = apart();
    cudaGraphExec_t x = new_exec(captured_memsets(2));
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaGraphLaunch(x, s));
    answer_status(s);
    cudaGraph_t g = answer_end(s);
    if (!g)
        return;
    answer_types(g);
    answer_edges(g);
    answer_run(new_exec(g));
}

SITUATION(
    upload_in,
    "cudaGraphUpload into a capturing stream; status; cudaGraphExecUpdate in a Global capture")
{
    cudaStream_t s = apart();
    cudaGraph_t g = captured_memsets(2);
    cudaGraphExec_t x = new_exec(g);
    cudaGraphExecUpdateResultInfo info;
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaGraphExecUpdate(x, g, &info));
    answer_status(s);
    answer(cudaGraphUpload(x, s));
    answer_status(s);
    answer_end(s);
}

SITUATION(launch_elsewhere, "cudaGraphLaunch in another stream, and to NULL, while a Global "
                            "capture of a non-blocking stream is active; cudaStreamQuery of it")
{
    cudaStream_t s = apart(), t = apart();
    cudaGraphExec_t x = new_exec(captured_memsets(2));
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaGraphLaunch(x, t));
    answer(cudaGraphLaunch(x, NULL));
    answer_status(s);
    answer_end(s);
}

SITUATION(zero_work, "in a capture: cudaMemcpyAsync of 0 bytes, cudaMemsetAsync of 0 bytes, "
                     "cudaMemset2DAsync of height 0: nodes")
{
    cudaStream_t s = apart();
    char *p = device_bytes(64), *q = device_bytes(64);
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    answer(cudaMemcpyAsync(p, q, 0, cudaMemcpyDefault, s));
    answer(cudaMemsetAsync(p, 0, 0, s));
    answer(cudaMemset2DAsync(p, 16, 0, 8, 0, s));
    answer(cudaMemcpy2DAsync(p, 16, q, 16, 0, 2, cudaMemcpyDefault, s));
    answer_end(s);
}

SITUATION(bad_work, "in a capture: a copy with NULL source, a memset past the end, a kernel with a "
                    "block of 2048: status and nodes")
{
    cudaStream_t s = apart();
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

SITUATION(peer_copy, "a captured cudaMemcpyPeerAsync from a device to itself; status; end")
{
    cudaStream_t s = apart();
    char *p = device_bytes(64), *q = device_bytes(64);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaMemcpyPeerAsync(p, 0, q, 0, 64, s));
    answer_status(s);
    answer_end(s);
}

SITUATION(exchange, "cudaThreadExchangeStreamCaptureMode: the first mode handed back; set to "
                    "ThreadLocal and back; mode 7; NULL")
{
    enum cudaStreamCaptureMode m = cudaStreamCaptureModeThreadLocal;
    answer(cudaThreadExchangeStreamCaptureMode(&m));
    answer_text("%d", (int)m);
    answer(cudaThreadExchangeStreamCaptureMode(&m));
    answer_text("%d", (int)m);
    m = (enum cudaStreamCaptureMode)7;
    answer(cudaThreadExchangeStreamCaptureMode(&m));
    answer_text("%d", (int)m);
    answer(cudaThreadExchangeStreamCaptureMode(NULL));
}

SITUATION(exchange_effect,
          "thread mode ThreadLocal, a Global capture of the same thread: cudaMalloc; thread mode "
          "Relaxed: cudaStreamQuery of another stream, cudaDeviceSynchronize")
{
    cudaStream_t s = apart(), t = apart();
    enum cudaStreamCaptureMode m = cudaStreamCaptureModeRelaxed;
    void *p;
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaThreadExchangeStreamCaptureMode(&m));
    answer(cudaStreamQuery(t));
    answer_status(s);
    m = cudaStreamCaptureModeThreadLocal;
    answer(cudaThreadExchangeStreamCaptureMode(&m));
    answer(cudaMalloc(&p, 64));
    answer_status(s);
    answer_end(s);
}

static void malloc_and_query(void *s)
{
    void *p;
    answer(cudaMalloc(&p, 64));
    answer(cudaStreamQuery(s));
}

SITUATION(other_thread, "another thread calls cudaMalloc and cudaStreamQuery of another stream "
                        "during a Relaxed, a ThreadLocal, a Global capture; status after each")
{
    cudaStream_t s = apart(), t = apart();
    static const enum cudaStreamCaptureMode modes[] = {cudaStreamCaptureModeRelaxed,
                                                       cudaStreamCaptureModeThreadLocal,
                                                       cudaStreamCaptureModeGlobal};
    for (int i = 0; i < 3; i++) {
        begin_capture(s, modes[i]);
        in_thread(malloc_and_query, t);
        answer_status(s);
        answer_end(s);
    }
}

static void work_from_here(void *s)
{
    some_work(s);
    order_streams(s, s);
}

SITUATION(other_thread_works,
          "another thread puts work into a stream that captures: Relaxed, ThreadLocal; nodes")
{
    cudaStream_t s = apart();
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    in_thread(work_from_here, s);
    answer_end(s);
    begin_capture(s, cudaStreamCaptureModeThreadLocal);
    in_thread(work_from_here, s);
    answer_end(s);
}

static void end_it(void *s)
{
    answer_end(s);
}

SITUATION(other_thread_ends,
          "another thread ends a ThreadLocal capture; the own thread ends it then; begins anew")
{
    cudaStream_t s = apart();
    begin_capture(s, cudaStreamCaptureModeThreadLocal);
    in_thread(end_it, s);
    answer_status(s);
    answer_end(s);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer_end(s);
}
