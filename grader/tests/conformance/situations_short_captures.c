/*
 * situations_short_captures.c: one question each about captures, as a reader would put it.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "situations_graphs.h"
#include "situations_kernels.h"

static cudaStream_t apart(void)
{
    return new_stream(cudaStreamNonBlocking);
}

static cudaError_t store(cudaStream_t s, int *p, int value)
{
    void *args[] = {&p, &value};
    return cudaLaunchKernel(situation_store(), (dim3){1, 1, 1}, (dim3){1, 1, 1}, args, 0, s);
}

SITUATION(reset, "cudaDeviceReset during a Relaxed capture; status and end after")
{
    cudaStream_t s = apart();
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    answer(cudaDeviceReset());
}

SITUATION(register_in,
          "cudaHostRegister and cudaHostUnregister in a Global capture; status; in a Relaxed one")
{
    cudaStream_t s = apart();
    void *p = aligned_alloc(4096, 4096);
    for (int i = 0; i < 2; i++) {
        begin_capture(s, i ? cudaStreamCaptureModeRelaxed : cudaStreamCaptureModeGlobal);
        answer(cudaHostRegister(p, 4096, 0));
        answer(cudaHostUnregister(p));
        answer_status(s);
        answer_end(s);
    }
}

SITUATION(pool_calls_in, "cudaMemPoolTrimTo, cudaMemPoolSetAttribute, cudaMemPoolGetAttribute, "
                         "cudaDeviceGetDefaultMemPool in a Global capture: status after each")
{
    cudaStream_t s = apart();
    cudaMemPool_t pool;
    unsigned long long v = 0;
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaDeviceGetDefaultMemPool(&pool, 0));
    answer_status(s);
    answer(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &v));
    answer_status(s);
    answer(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &v));
    answer_status(s);
    answer(cudaMemPoolTrimTo(pool, 0));
    answer_status(s);
}

SITUATION(destroy_event_in,
          "cudaEventDestroy of an event recorded in the capture, in a Global capture; "
          "cudaStreamDestroy of another stream; cudaGraphDestroy of another graph; status")
{
    cudaStream_t s = apart(), t = apart();
    cudaEvent_t e = new_event(0);
    cudaGraph_t g = captured_memsets(1);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    MUST(cudaEventRecord(e, s));
    answer(cudaEventDestroy(e));
    answer(cudaStreamDestroy(t));
    answer(cudaGraphDestroy(g));
    answer_status(s);
    answer_end(s);
}

SITUATION(exec_destroy_in, "cudaGraphExecDestroy and cudaGraphExecKernelNodeSetParams in a Global "
                           "capture: status after each")
{
    cudaStream_t s = apart();
    cudaGraph_t g = new_graph();
    int *p = device_bytes(64);
    cudaGraphNode_t n = add_store(g, NULL, p, 1);
    cudaGraphExec_t x = new_exec(g);
    struct cudaKernelNodeParams k = store_params(p, 2);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaGraphExecKernelNodeSetParams(x, n, &k));
    answer_status(s);
    answer(cudaGraphExecDestroy(x));
    answer_status(s);
    answer_end(s);
}

SITUATION(func_set_in, "cudaFuncSetAttribute and cudaFuncSetCacheConfig in a Global capture; "
                       "occupancy; cudaDeviceSetLimit; status after each")
{
    cudaStream_t s = apart();
    int n;
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(
        cudaFuncSetAttribute(situation_store(), cudaFuncAttributeMaxDynamicSharedMemorySize, 1024));
    answer_status(s);
    answer(cudaFuncSetCacheConfig(situation_store(), cudaFuncCachePreferL1));
    answer(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, situation_store(), 32, 0));
    answer_status(s);
    answer(cudaDeviceSetLimit(cudaLimitStackSize, 2048));
    answer_status(s);
}

SITUATION(attribute_in, "cudaStreamSetAttribute priority of a capturing stream, then a kernel: its "
                        "node's priority; cudaStreamCopyAttributes to it; status")
{
    cudaStream_t s = apart(), t = NULL;
    int *p = device_bytes(64);
    cudaStreamAttrValue v = {.priority = -2};
    cudaLaunchAttributeValue w = {.priority = 77};
    MUST(cudaStreamCreateWithPriority(&t, 0, -4));
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    answer(cudaStreamSetAttribute(s, cudaLaunchAttributePriority, &v));
    answer(store(s, p, 1));
    answer(cudaStreamCopyAttributes(s, t));
    answer(store(s, p, 2));
    cudaGraph_t g = answer_end(s);
    for (size_t i = 0; g && i < 2; i++) {
        answer(cudaGraphKernelNodeGetAttribute(nth_node(g, i), cudaLaunchAttributePriority, &w));
        answer_text("%d", w.priority);
    }
}

SITUATION(fork_priority, "a fork of another priority: the priority of its captured kernel")
{
    cudaStream_t s = apart(), t = NULL;
    int *p = device_bytes(64);
    cudaLaunchAttributeValue w = {.priority = 77};
    MUST(cudaStreamCreateWithPriority(&t, cudaStreamNonBlocking, -5));
    begin_capture(s, cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    answer(store(t, p, 1));
    order_streams(t, s);
    cudaGraph_t g = answer_end(s);
    answer(cudaGraphKernelNodeGetAttribute(nth_node(g, 1), cudaLaunchAttributePriority, &w));
    answer_text("%d", w.priority);
}

SITUATION(
    alloc_fork,
    "memory allocated in a fork and freed in the origin after the join: types, edges, run twice")
{
    cudaStream_t s = apart(), t = apart();
    void *p;
    begin_capture(s, cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    answer(cudaMallocAsync(&p, 64, t));
    order_streams(t, s);
    answer(cudaFreeAsync(p, s));
    cudaGraph_t g = answer_end(s);
    answer_types(g);
    answer_edges(g);
    cudaGraphExec_t x = new_exec(g);
    answer_run(x);
    answer_run(x);
}

SITUATION(alloc_unjoined, "memory allocated in a fork that is not joined: end; allocated from a "
                          "pool in a capture: end; the node's pool kept")
{
    cudaStream_t s = apart(), t = apart();
    cudaMemPool_t pool;
    void *p;
    begin_capture(s, cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    answer(cudaMallocAsync(&p, 64, t));
    answer_end(s);
    MUST(cudaDeviceGetDefaultMemPool(&pool, 0));
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaMallocFromPoolAsync(&p, 64, pool, s));
    answer_end(s);
}

SITUATION(free_twice_in, "captured: memory allocated and freed twice; freed in a second capture; "
                         "cudaFree of it in the capture")
{
    cudaStream_t s = apart();
    void *p;
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    answer(cudaMallocAsync(&p, 64, s));
    answer(cudaFreeAsync(p, s));
    answer(cudaFreeAsync(p, s));
    answer_status(s);
    answer(cudaFree(p));
    answer_status(s);
    answer_end(s);
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    answer(cudaFreeAsync(p, s));
    answer_status(s);
}

SITUATION(begin_in_host, "a capture begun in a stream with a pending wait for another stream; its "
                         "graph has no dependency on it; launch")
{
    cudaStream_t s = apart(), t = apart();
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
          "two captures at once in one thread, Global both; work in turn; both ended; nodes")
{
    cudaStream_t s = apart(), t = apart();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    begin_capture(t, cudaStreamCaptureModeGlobal);
    some_work(s);
    some_work(t);
    some_work(s);
    answer_end(s);
    answer_end(t);
}

SITUATION(event_between,
          "an event of one capture recorded anew in a second capture: a wait of the first for it")
{
    cudaStream_t s = apart(), t = apart();
    cudaEvent_t e = new_event(0);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    begin_capture(t, cudaStreamCaptureModeGlobal);
    answer(cudaEventRecord(e, s));
    answer(cudaEventRecord(e, t));
    answer(cudaStreamWaitEvent(s, e, 0));
    answer_status(s);
    answer_status(t);
    answer_end(s);
    answer_end(t);
}

SITUATION(external_wait_self, "an external wait for an event recorded plainly in the same capture; "
                              "a plain record of it afterwards; end, types")
{
    cudaStream_t s = apart();
    cudaEvent_t e = new_event(0);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaEventRecord(e, s));
    answer(cudaStreamWaitEvent(s, e, cudaEventWaitExternal));
    answer_status(s);
    answer(cudaEventRecord(e, s));
    cudaGraph_t g = answer_end(s);
    if (g)
        answer_types(g);
}

SITUATION(copy_kinds_in, "captured copies: pageable to pageable; pinned to pinned; pageable with "
                         "DeviceToDevice; of a destroyed graph's memory; types")
{
    cudaStream_t s = apart();
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

SITUATION(sync_copy_in, "cudaMemcpy between device buffers, cudaMemset and cudaMemcpyToSymbol in a "
                        "Global capture of a non-blocking stream: status after each")
{
    cudaStream_t s = apart();
    char *p = device_bytes(64), *q = device_bytes(64);
    int v = 1;
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaMemset(p, 1, 64));
    answer_status(s);
    answer(cudaMemcpy(p, q, 64, cudaMemcpyDeviceToDevice));
    answer_status(s);
    answer(cudaMemcpyToSymbol(situation_numbers(), &v, 4, 0, cudaMemcpyHostToDevice));
    answer_status(s);
    answer_end(s);
}

SITUATION(legacy_launch_in, "a kernel in NULL while a blocking stream captures in Relaxed mode; "
                            "cudaEventRecord on NULL; cudaStreamWaitEvent on NULL; status")
{
    cudaStream_t s = new_stream(0);
    int *p = device_bytes(64);
    cudaEvent_t e = new_event(0);
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    answer(store(NULL, p, 1));
    answer_status(s);
    answer_end(s);
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    answer(cudaEventRecord(e, NULL));
    answer_status(s);
    answer_end(s);
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    answer(cudaLaunchHostFunc(NULL, write_letter, NULL));
    answer_status(s);
    answer_end(s);
}

SITUATION(blocking_other, "a blocking stream captures: work in another blocking stream; in a "
                          "non-blocking one; cudaMallocAsync in another; status")
{
    cudaStream_t s = new_stream(0), t = new_stream(0), u = apart();
    void *p;
    begin_capture(s, cudaStreamCaptureModeGlobal);
    some_work(t);
    some_work(u);
    answer(cudaMallocAsync(&p, 64, t));
    answer(cudaFreeAsync(p, t));
    answer_status(s);
    answer_end(s);
    answer(cudaDeviceSynchronize());
}

SITUATION(same_graph_twice,
          "a captured graph instantiated twice, both launched in one stream: value counts")
{
    cudaStream_t s = apart();
    int *p = device_bytes(64), one = 1;
    void *args[] = {&p, &one};
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    MUST(cudaLaunchKernel(situation_plus(), (dim3){1, 1, 1}, (dim3){1, 1, 1}, args, 0, s));
    cudaGraph_t g = answer_end(s);
    cudaGraphExec_t x = new_exec(g), y = new_exec(g);
    for (int i = 0; i < 5; i++) {
        MUST(cudaGraphLaunch(x, s));
        MUST(cudaGraphLaunch(y, s));
    }
    answer(cudaStreamSynchronize(s));
    answer_text("%d", device_int(p));
}

SITUATION(update_capture, "an update from a fresh capture of the same work with other values; with "
                          "one kernel more: results, value")
{
    cudaStream_t s = apart();
    int *p = device_bytes(64);
    cudaGraph_t g[3];
    cudaGraphExecUpdateResultInfo info;
    for (int i = 0; i < 3; i++) {
        MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
        MUST(store(s, p, 10 + i));
        if (i == 2)
            MUST(store(s, p, 99));
        MUST(cudaStreamEndCapture(s, &g[i]));
    }
    cudaGraphExec_t x = new_exec(g[0]);
    answer(cudaGraphExecUpdate(x, g[1], &info));
    answer_text("%d", (int)info.result);
    answer_run(x);
    answer_text("%d", device_int(p));
    answer(cudaGraphExecUpdate(x, g[2], &info));
    answer_text("%d", (int)info.result);
    answer_run(x);
    answer_text("%d", device_int(p));
}
