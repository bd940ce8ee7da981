/*
 * situations_error_calls.c: errors, devices, limits and functions.
 */
#include <stdint.h>
#include <string.h>

#include "situations_graphs.h"
#include "situations_kernels.h"

SITUATION(last_error_thread, "an error in another thread: cudaGetLastError here; there")
{
    void *p;
    answer(cudaMalloc(&p, 1ull << 50));
    answer(cudaPeekAtLastError());
    answer(cudaMemset(NULL, 1, 4));
    answer(cudaPeekAtLastError());
    answer(cudaMemGetInfo(NULL, NULL));
    answer(cudaGetLastError());
    answer(cudaGetLastError());
}

static void bad_call(void *p)
{
    answer(cudaMemset(p, 1, 4));
    answer(cudaPeekAtLastError());
}

SITUATION(other_threads_error,
          "a failing call in another thread: that thread's last error, this thread's")
{
    MUST(cudaFree(NULL));
    in_thread(bad_call, NULL);
    answer(cudaGetLastError());
}

SITUATION(not_ready_kept,
          "cudaErrorNotReady of cudaStreamQuery after an invalid value: which is the last error")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    gate_shut(s);
    answer(cudaMemset(NULL, 1, 4));
    answer(cudaStreamQuery(s));
    answer(cudaGetLastError());
    gate_open();
}

SITUATION(names, "cudaGetErrorName and cudaGetErrorString of 0, 1, 900, 901, 98, 12345; of -1")
{
    static const int codes[] = {0, 1, 900, 901, 98, 12345, -1};
    for (int i = 0; i < 7; i++)
        answer_text("%s: %s", cudaGetErrorName((cudaError_t)codes[i]),
                    cudaGetErrorString((cudaError_t)codes[i]));
}

SITUATION(device_calls,
          "cudaGetDevice with NULL; cudaGetDeviceCount with NULL; cudaGetDeviceProperties of 99; "
          "cudaDeviceGetAttribute of 9999; of device -1; cudaSetDevice(0)")
{
    struct cudaDeviceProp p;
    int v;
    answer(cudaGetDevice(NULL));
    answer(cudaGetDeviceCount(NULL));
    answer(cudaGetDeviceProperties(&p, 99));
    answer(cudaDeviceGetAttribute(&v, (enum cudaDeviceAttr)9999, 0));
    answer(cudaDeviceGetAttribute(&v, cudaDevAttrWarpSize, -1));
    answer(cudaDeviceGetAttribute(NULL, cudaDevAttrWarpSize, 0));
    answer(cudaSetDevice(0));
    answer(cudaGetLastError());
}

SITUATION(attributes,
          "device attributes: warp size, max threads a block, async engines, concurrent kernels, "
          "unified addressing, stream priorities, memory pools, can map host memory")
{
    static const enum cudaDeviceAttr list[] = {cudaDevAttrWarpSize,
                                               cudaDevAttrMaxThreadsPerBlock,
                                               cudaDevAttrAsyncEngineCount,
                                               cudaDevAttrConcurrentKernels,
                                               cudaDevAttrUnifiedAddressing,
                                               cudaDevAttrStreamPrioritiesSupported,
                                               cudaDevAttrMemoryPoolsSupported,
                                               cudaDevAttrCanMapHostMemory};
    for (int i = 0; i < 8; i++) {
        int v = -1;
        MUST(cudaDeviceGetAttribute(&v, list[i], 0));
        answer_text("%d", v);
    }
}

SITUATION(limits, "cudaDeviceGetLimit of printf FIFO, stack, malloc heap; of 99; "
                  "cudaDeviceSetLimit stack to 2048 and get; pending launch count and depth")
{
    static const int list[] = {cudaLimitPrintfFifoSize,      cudaLimitStackSize,
                               cudaLimitMallocHeapSize,      99,
                               cudaLimitDevRuntimeSyncDepth, cudaLimitDevRuntimePendingLaunchCount};
    size_t v;
    for (int i = 0; i < 6; i++) {
        v = 77;
        cudaError_t e = cudaDeviceGetLimit(&v, (enum cudaLimit)list[i]);
        answer_text("%s %zu", error_text(e), v);
    }
    answer(cudaDeviceSetLimit(cudaLimitStackSize, 2048));
    answer(cudaDeviceGetLimit(&v, cudaLimitStackSize));
    answer_text("%zu", v);
}

SITUATION(func_attributes,
          "cudaFuncGetAttributes: of a kernel, max threads; of NULL; of a host function; "
          "cudaFuncSetAttribute shared 64 KB, 1 MB, 99; then a launch with 64 KB")
{
    struct cudaFuncAttributes a;
    int *p = device_bytes(64), value = 1;
    void *args[] = {&p, &value};
    answer(cudaFuncGetAttributes(&a, situation_store()));
    answer_text("%d %zu", a.maxThreadsPerBlock, a.sharedSizeBytes);
    answer(cudaFuncGetAttributes(&a, NULL));
    answer(cudaFuncGetAttributes(&a, (const void *)(uintptr_t)write_letter));
    answer(
        cudaLaunchKernel(situation_store(), (dim3){1, 1, 1}, (dim3){1, 1, 1}, args, 64 << 10, 0));
    answer(cudaFuncSetAttribute(situation_store(), cudaFuncAttributeMaxDynamicSharedMemorySize,
                                64 << 10));
    answer(cudaFuncSetAttribute(situation_store(), cudaFuncAttributeMaxDynamicSharedMemorySize,
                                1 << 20));
    answer(cudaFuncSetAttribute(situation_store(), (enum cudaFuncAttribute)99, 1));
    answer(
        cudaLaunchKernel(situation_store(), (dim3){1, 1, 1}, (dim3){1, 1, 1}, args, 64 << 10, 0));
    answer(cudaDeviceSynchronize());
}

SITUATION(bad_pointer_kernel, "a kernel writes to address 16: launch, synchronise, last error, "
                              "cudaMalloc, cudaStreamCreate, cudaGetLastError again")
{
    int *p = (int *)(uintptr_t)16, value = 1;
    void *args[] = {&p, &value}, *q;
    cudaStream_t s;
    device_bytes(64);
    answer(cudaLaunchKernel(situation_store(), (dim3){1, 1, 1}, (dim3){1, 1, 1}, args, 0, 0));
    answer(cudaDeviceSynchronize());
    answer(cudaGetLastError());
    answer(cudaMalloc(&q, 64));
    answer(cudaStreamCreate(&s));
    answer(cudaGetLastError());
    answer(cudaGetLastError());
}

SITUATION(bad_pointer_graph, "a graph's kernel writes to address 16: launch, synchronise, another "
                             "launch, exec destroy, graph destroy, cudaGraphCreate")
{
    cudaStream_t s = new_stream(0);
    cudaGraph_t g = new_graph(), h;
    add_store(g, NULL, (int *)(uintptr_t)16, 1);
    cudaGraphExec_t x = new_exec(g);
    answer(cudaGraphLaunch(x, s));
    answer(cudaStreamSynchronize(s));
    answer(cudaGraphLaunch(x, s));
    answer(cudaStreamQuery(s));
    answer(cudaGraphExecDestroy(x));
    answer(cudaGraphDestroy(g));
    answer(cudaGraphCreate(&h, 0));
    answer(cudaStreamDestroy(s));
}

SITUATION(reset_after, "cudaDeviceReset: memory and stream from before: cudaFree, "
                       "cudaStreamSynchronize-free calls: cudaMalloc works after; cudaGetDevice")
{
    void *p = device_bytes(64), *q;
    int d = 7;
    answer(cudaDeviceReset());
    answer(cudaFree(p));
    answer(cudaMalloc(&q, 64));
    answer(cudaGetDevice(&d));
    answer_text("%d", d);
}

SITUATION(device_flags, "cudaGetDeviceFlags at first; cudaSetDeviceFlags of blocking sync and get; "
                        "of 99; of spin and yield at once")
{
    unsigned f = 77;
    answer(cudaGetDeviceFlags(&f));
    answer_text("%u", f);
    answer(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
    answer(cudaGetDeviceFlags(&f));
    answer_text("%u", f);
    answer(cudaSetDeviceFlags(99));
    answer(cudaSetDeviceFlags(cudaDeviceScheduleSpin | cudaDeviceScheduleYield));
    answer(cudaGetLastError());
}

SITUATION(occupancy, "cudaOccupancyMaxActiveBlocksPerMultiprocessor of block 32, 1024, 2048, 0; "
                     "with 200 KB; of NULL")
{
    int n = 77;
    static const int sizes[] = {32, 1024, 2048, 0};
    for (int i = 0; i < 4; i++) {
        n = 77;
        cudaError_t e =
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, situation_store(), sizes[i], 0);
        answer_text("%s %d", error_text(e), n);
    }
    n = 77;
    answer(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, situation_store(), 32, 200 << 10));
    answer_text("%d", n);
    answer(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, NULL, 32, 0));
}

SITUATION(cooperative, "cudaLaunchCooperativeKernel of one block; of 100000 blocks of 1024; in a "
                       "capture: node's attribute")
{
    int *p = device_bytes(64), value = 8;
    void *args[] = {&p, &value};
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    cudaLaunchAttributeValue v = {0};
    answer(cudaLaunchCooperativeKernel(situation_store(), (dim3){1, 1, 1}, (dim3){1, 1, 1}, args, 0,
                                       s));
    answer(cudaLaunchCooperativeKernel(situation_store(), (dim3){100000, 1, 1}, (dim3){1024, 1, 1},
                                       args, 0, s));
    answer(cudaGetLastError());
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    answer(cudaLaunchCooperativeKernel(situation_store(), (dim3){1, 1, 1}, (dim3){1, 1, 1}, args, 0,
                                       s));
    cudaGraph_t g = answer_end(s);
    answer(cudaGraphKernelNodeGetAttribute(nth_node(g, 0), cudaLaunchAttributeCooperative, &v));
    answer_text("%d", v.cooperative);
}

SITUATION(launch_ex,
          "cudaLaunchKernelExC with a priority attribute; with a bad attribute 99; with NULL "
          "config; with programmatic serialisation in a capture: edge port and type")
{
    int *p = device_bytes(64), value = 8;
    void *args[] = {&p, &value};
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    cudaLaunchAttribute a = {.id = cudaLaunchAttributePriority, .val = {.priority = -1}};
    cudaLaunchConfig_t c = {
        .gridDim = {1, 1, 1}, .blockDim = {1, 1, 1}, .stream = s, .attrs = &a, .numAttrs = 1};
    answer(cudaLaunchKernelExC(&c, situation_store(), args));
    a.id = (cudaLaunchAttributeID)99;
    answer(cudaLaunchKernelExC(&c, situation_store(), args));
    answer(cudaLaunchKernelExC(NULL, situation_store(), args));
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    c.numAttrs = 0;
    answer(cudaLaunchKernelExC(&c, situation_store(), args));
    a = (cudaLaunchAttribute){.id = cudaLaunchAttributeProgrammaticStreamSerialization,
                              .val = {.programmaticStreamSerializationAllowed = 1}};
    c.numAttrs = 1;
    answer(cudaLaunchKernelExC(&c, situation_store(), args));
    cudaGraph_t g = answer_end(s);
    cudaGraphNode_t from[2], to[2];
    cudaGraphEdgeData d[2];
    size_t n = 2;
    answer(cudaGraphGetEdges(g, from, to, d, &n));
    answer_text("%zu edges, port %d type %d", n, d[0].from_port, d[0].type);
}
