/*
 * situations_capture_work.c: what captured work becomes; events and allocations in captures.
 */
#include <stdint.h>
#include <string.h>

#include "situations_graphs.h"
#include "situations_kernels.h"

static cudaStream_t apart(void)
{
    return new_stream(cudaStreamNonBlocking);
}

SITUATION(alloc_types, "captured cudaMallocAsync, a memset of it and cudaFreeAsync: types, edges; "
                       "size of the node; a second launch")
{
    cudaStream_t s = apart();
    void *p;
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    answer(cudaMallocAsync(&p, 1000, s));
    answer(cudaMemsetAsync(p, 1, 1000, s));
    answer(cudaFreeAsync(p, s));
    cudaGraph_t g = answer_end(s);
    answer_types(g);
    struct cudaMemAllocNodeParams a;
    answer(cudaGraphMemAllocNodeGetParams(nth_node(g, 0), &a));
    answer_text("%zu %s", a.bytesize, a.dptr == p ? "same" : "other");
    cudaGraphExec_t x = new_exec(g);
    answer_run(x);
    answer_run(x);
}

SITUATION(free_outside, "captured cudaFreeAsync of memory that cudaMallocAsync gave outside; of "
                        "memory of cudaMalloc; status")
{
    cudaStream_t s = apart();
    void *p, *q = device_bytes(64);
    MUST(cudaMallocAsync(&p, 64, s));
    MUST(cudaStreamSynchronize(s));
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaFreeAsync(p, s));
    answer_status(s);
    answer(cudaFreeAsync(q, s));
    answer_status(s);
    answer_end(s);
}

SITUATION(alloc_not_freed, "captured cudaMallocAsync without a free: launch, then cudaFreeAsync of "
                           "the memory outside, launch again; then without free")
{
    cudaStream_t s = apart();
    void *p;
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    MUST(cudaMallocAsync(&p, 64, s));
    cudaGraphExec_t x = new_exec(answer_end(s));
    answer_run(x);
    answer(cudaMemset(p, 3, 64));
    answer(cudaFreeAsync(p, s));
    answer(cudaStreamSynchronize(s));
    answer_run(x);
    answer_run(x);
}

SITUATION(alloc_used_outside, "memory of a captured cudaMallocAsync before any launch: cudaMemset, "
                              "cudaFree, cudaPointerGetAttributes type")
{
    cudaStream_t s = apart();
    struct cudaPointerAttributes a;
    void *p;
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    MUST(cudaMallocAsync(&p, 64, s));
    cudaGraph_t g = answer_end(s);
    answer(cudaFree(p));
    answer(cudaPointerGetAttributes(&a, p));
    answer_text("%d", (int)a.type);
    answer(cudaGraphDestroy(g));
}

SITUATION(event_kinds, "in a capture: record, external record, wait, external wait of an event "
                       "recorded outside: types, edges")
{
    cudaStream_t s = apart();
    cudaEvent_t e = new_event(0), f = new_event(0);
    MUST(cudaEventRecord(f, s));
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    answer(cudaEventRecordWithFlags(e, s, cudaEventRecordExternal));
    answer(cudaStreamWaitEvent(s, f, cudaEventWaitExternal));
    some_work(s);
    cudaGraph_t g = answer_end(s);
    answer_types(g);
    answer_edges(g);
    answer_run(new_exec(g));
    answer(cudaEventQuery(e));
}

SITUATION(external_then_wait, "an event externally recorded in a capture: a plain wait on it in "
                              "the same capture; query of it during the capture")
{
    cudaStream_t s = apart(), t = apart();
    cudaEvent_t e = new_event(0);
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    answer(cudaEventRecordWithFlags(e, s, cudaEventRecordExternal));
    answer(cudaEventQuery(e));
    answer_status(s);
    answer(cudaStreamWaitEvent(t, e, 0));
    answer_status(t);
    answer_end(s);
}

SITUATION(elapsed_captured, "cudaEventElapsedTime of events recorded in a capture, during it; "
                            "status; after it; after they were recorded outside")
{
    cudaStream_t s = apart();
    cudaEvent_t a = new_event(0), b = new_event(0);
    float ms;
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    answer(cudaEventRecord(a, s));
    answer(cudaEventRecord(b, s));
    answer(cudaEventElapsedTime(&ms, a, b));
    answer_status(s);
    answer_end(s);
    answer(cudaEventElapsedTime(&ms, a, b));
    MUST(cudaEventRecord(a, s));
    MUST(cudaEventRecord(b, s));
    MUST(cudaStreamSynchronize(s));
    answer(cudaEventElapsedTime(&ms, a, b));
}

SITUATION(
    elapsed_external,
    "two event record nodes around a memset: cudaEventElapsedTime before and after the launch")
{
    cudaEvent_t a = new_event(0), b = new_event(0);
    cudaGraph_t g = new_graph();
    add_record(g, add_memset(g, add_record(g, NULL, a), device_bytes(64), 1), b);
    cudaGraphExec_t x = new_exec(g);
    float ms = -1;
    answer(cudaEventElapsedTime(&ms, a, b));
    answer_run(x);
    answer(cudaEventElapsedTime(&ms, a, b));
    answer_text("%s", ms >= 0 ? "not negative" : "negative");
}

SITUATION(
    event_of_other,
    "a stream outside waits for an event recorded in a running capture: joins it; the capture ends")
{
    cudaStream_t s = apart(), t = apart();
    cudaEvent_t e = new_event(0);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaEventRecord(e, s));
    answer(cudaStreamWaitEvent(t, e, 0));
    answer_status(t);
    answer(cudaEventRecord(e, t));
    answer(cudaStreamWaitEvent(s, e, 0));
    some_work(s);
    answer_edges(answer_end(s));
    answer_status(t);
}

SITUATION(legacy_waits_captured,
          "NULL waits for an event recorded in a capture: error; status; end")
{
    cudaStream_t s = apart();
    cudaEvent_t e = new_event(0);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaEventRecord(e, s));
    answer(cudaStreamWaitEvent(NULL, e, 0));
    answer_status(s);
    answer_end(s);
}

SITUATION(per_thread_joins, "cudaStreamPerThread joins a capture, works, is joined: nodes, edges")
{
    cudaStream_t s = apart();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    order_streams(s, cudaStreamPerThread);
    answer_status(cudaStreamPerThread);
    some_work(cudaStreamPerThread);
    order_streams(cudaStreamPerThread, s);
    answer_edges(answer_end(s));
    answer_status(cudaStreamPerThread);
}

SITUATION(busy_begin, "a capture begins in a stream with work pending; a launch of the graph; "
                      "values do not change before")
{
    cudaStream_t s = apart();
    char *p = device_bytes(64);
    gate_shut(s);
    answer(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    answer(cudaMemsetAsync(p, 9, 64, s));
    cudaGraph_t g = answer_end(s);
    gate_open();
    answer(cudaStreamSynchronize(s));
    answer_text("%d", device_byte(p));
    answer_run(new_exec(g));
    answer_text("%d", device_byte(p));
}

SITUATION(
    stack_values,
    "a captured kernel's argument and a captured pageable source changed before the launch: values")
{
    cudaStream_t s = apart();
    int *p = device_bytes(64), value = 4;
    char *q = device_bytes(64), *h = pageable_bytes(64);
    void *args[] = {&p, &value};
    memset(h, 1, 64);
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    answer(cudaLaunchKernel(situation_store(), (dim3){1, 1, 1}, (dim3){1, 1, 1}, args, 0, s));
    answer(cudaMemcpyAsync(q, h, 64, cudaMemcpyHostToDevice, s));
    cudaGraph_t g = answer_end(s);
    cudaGraphExec_t x = new_exec(g);
    value = 5;
    memset(h, 2, 64);
    answer_run(x);
    answer_text("%d %d", device_int(p), device_byte(q));
}

SITUATION(types_of_work, "captured 2-D copy, 3-D memset, 2-D memset of one row, symbol copy: types")
{
    cudaStream_t s = apart();
    char *p = device_bytes(1024), *q = device_bytes(1024);
    static int values[4];
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    answer(cudaMemcpy2DAsync(p, 32, q, 16, 8, 4, cudaMemcpyDefault, s));
    answer(cudaMemset3DAsync(pitched(p, 16, 16, 4), 1, extent(8, 2, 2), s));
    answer(cudaMemset2DAsync(p, 32, 1, 8, 1, s));
    answer(cudaMemcpyToSymbolAsync(situation_numbers(), values, 16, 0, cudaMemcpyHostToDevice, s));
    answer_types(answer_end(s));
}

SITUATION(memset_params_of,
          "the parameters of captured memsets: 1-D of 64 bytes; 2-D of 8 x 4 with pitch 32")
{
    cudaStream_t s = apart();
    char *p = device_bytes(1024);
    struct cudaMemsetParams m;
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    MUST(cudaMemsetAsync(p, 0x101, 64, s));
    MUST(cudaMemset2DAsync(p, 32, 2, 8, 4, s));
    cudaGraph_t g = answer_end(s);
    for (size_t i = 0; i < 2; i++) {
        answer(cudaGraphMemsetNodeGetParams(nth_node(g, i), &m));
        answer_text("%u %u %zux%zu pitch %zu", m.value, m.elementSize, m.width, m.height, m.pitch);
    }
}

SITUATION(copy_params_of, "the parameters of a captured cudaMemcpyAsync: kind as asked, extent, "
                          "pitches; of one with kind Default")
{
    cudaStream_t s = apart();
    char *p = device_bytes(64), *h = pinned_bytes(64);
    struct cudaMemcpy3DParms c;
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    MUST(cudaMemcpyAsync(p, h, 48, cudaMemcpyHostToDevice, s));
    MUST(cudaMemcpyAsync(h, p, 32, cudaMemcpyDefault, s));
    cudaGraph_t g = answer_end(s);
    for (size_t i = 0; i < 2; i++) {
        answer(cudaGraphMemcpyNodeGetParams(nth_node(g, i), &c));
        answer_text("kind %d, %zux%zux%zu", (int)c.kind, c.extent.width, c.extent.height,
                    c.extent.depth);
    }
}

SITUATION(kernel_params_of,
          "the parameters of a captured kernel: grid, block, shared bytes, its argument's value")
{
    cudaStream_t s = apart();
    int *p = device_bytes(64), value = 44;
    void *args[] = {&p, &value};
    struct cudaKernelNodeParams k;
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    MUST(cudaLaunchKernel(situation_store(), (dim3){3, 2, 1}, (dim3){32, 4, 1}, args, 256, s));
    value = 45;
    cudaGraph_t g = answer_end(s);
    answer(cudaGraphKernelNodeGetParams(nth_node(g, 0), &k));
    answer_text("%u %u %u, %u %u %u, %u, %d, %s", k.gridDim.x, k.gridDim.y, k.gridDim.z,
                k.blockDim.x, k.blockDim.y, k.blockDim.z, k.sharedMemBytes,
                *(int *)k.kernelParams[1], k.extra ? "extra" : "NULL");
}

SITUATION(priority_of_node, "the priority attribute of a kernel captured in a stream of priority "
                            "-3; of a node added by hand")
{
    cudaStream_t s = NULL;
    int *p = device_bytes(64), value = 44;
    void *args[] = {&p, &value};
    cudaLaunchAttributeValue v;
    MUST(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, -3));
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    MUST(cudaLaunchKernel(situation_store(), (dim3){1, 1, 1}, (dim3){1, 1, 1}, args, 0, s));
    cudaGraph_t g = answer_end(s);
    memset(&v, 0, sizeof v);
    answer(cudaGraphKernelNodeGetAttribute(nth_node(g, 0), cudaLaunchAttributePriority, &v));
    answer_text("%d", v.priority);
    v.priority = 77;
    answer(
        cudaGraphKernelNodeGetAttribute(add_store(g, NULL, p, 1), cudaLaunchAttributePriority, &v));
    answer_text("%d", v.priority);
}

SITUATION(invalid_then, "after an invalidated capture was ended: cudaGetLastError; a new capture "
                        "of the same stream with the events of the old: end")
{
    cudaStream_t s = apart(), t = apart();
    cudaEvent_t e = new_event(0);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaEventRecord(e, s));
    answer(cudaStreamWaitEvent(t, e, 0));
    answer(cudaStreamSynchronize(t));
    answer_end(s);
    answer(cudaGetLastError());
    answer(cudaGetLastError());
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaEventRecord(e, s));
    answer(cudaStreamWaitEvent(t, e, 0));
    some_work(t);
    order_streams(t, s);
    answer_end(s);
}

SITUATION(event_query_invalid, "an event recorded in a capture that was invalidated and ended: "
                               "cudaEventQuery, cudaEventSynchronize, cudaStreamWaitEvent of it")
{
    cudaStream_t s = apart(), t = apart();
    cudaEvent_t e = new_event(0);
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    MUST(cudaEventRecord(e, s));
    answer(cudaDeviceSynchronize());
    answer_end(s);
    answer(cudaEventQuery(e));
    answer(cudaEventSynchronize(e));
    answer(cudaStreamWaitEvent(t, e, 0));
}
