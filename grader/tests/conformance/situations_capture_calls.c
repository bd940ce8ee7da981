/*
 * situations_capture_calls.c: which calls a capture forbids.
 *
 * Each situation makes one call while a stream captures, in the modes Global, ThreadLocal and
 * Relaxed: "StreamCaptureUnsupported 2 StreamCaptureInvalidated" is the call's error, the status of
 * the capture after it, and what its end then returns.
 */
#include <stdlib.h>

#include "situations_graphs.h"
#include "situations_kernels.h"

/* What the calls work with; all of it is made before the capture begins. */
static struct scene {
    cudaStream_t captured, other, blocking;
    cudaEvent_t done, event;
    char *device, *pinned, *pageable, *pool_memory;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaMemPool_t pool;
} z;

static void make_scene(unsigned flags_of_captured)
{
    int *one;
    z.captured = new_stream(flags_of_captured);
    z.other = new_stream(cudaStreamNonBlocking);
    z.blocking = new_stream(0);
    z.done = new_event(0);
    z.event = new_event(0);
    MUST(cudaEventRecord(z.done, z.other));
    z.device = device_bytes(4096);
    z.pinned = pinned_bytes(4096);
    z.pageable = pageable_bytes(4096);
    MUST(cudaMallocAsync((void **)&z.pool_memory, 4096, z.other));
    MUST(cudaMallocAsync((void **)&one, 4096, z.other));
    z.graph = captured_memsets(2);
    z.exec = new_exec(z.graph);
    MUST(cudaDeviceGetDefaultMemPool(&z.pool, 0));
    MUST(cudaDeviceSynchronize());
}

static cudaError_t (*call_to_make)(void);
static cudaError_t call_result;

static void make_call(void *unused)
{
    (void)unused;
    call_result = call_to_make();
}

static void while_capturing(cudaError_t (*call)(void), unsigned flags, bool elsewhere)
{
    static const enum cudaStreamCaptureMode modes[] = {cudaStreamCaptureModeGlobal,
                                                       cudaStreamCaptureModeThreadLocal,
                                                       cudaStreamCaptureModeRelaxed};
    call_to_make = call;
    for (int i = 0; i < 3; i++) {
        enum cudaStreamCaptureStatus status = (enum cudaStreamCaptureStatus)99;
        cudaGraph_t g = NULL;
        make_scene(flags);
        begin_capture(z.captured, modes[i]);
        if (elsewhere)
            in_thread(make_call, NULL);
        else
            make_call(NULL);
        MUST(cudaStreamIsCapturing(z.captured, &status));
        cudaError_t end = cudaStreamEndCapture(z.captured, &g);
        answer_text("%s %d %s", error_text(call_result), (int)status, error_text(end));
    }
}

/* CALL(id, "cudaMalloc", cudaMalloc(…)): the situations of one call */
#define CALL(id, what, call)                                                                       \
    static cudaError_t do_##id(void)                                                               \
    {                                                                                              \
        return call;                                                                               \
    }                                                                                              \
    SITUATION(call_##id, what " while a non-blocking stream captures, three modes")                \
    {                                                                                              \
        while_capturing(do_##id, cudaStreamNonBlocking, false);                                    \
    }

/* The same while a blocking stream captures, whose order the legacy stream shares. */
#define CALL_BLOCKING(id, what, call)                                                              \
    CALL(id, what, call)                                                                           \
    SITUATION(blocking_##id, what " while a blocking stream captures, three modes")                \
    {                                                                                              \
        while_capturing(do_##id, 0, false);                                                        \
    }

/* The same from another thread than the one that began the capture. */
#define CALL_ELSEWHERE(id, what, call)                                                             \
    CALL(id, what, call)                                                                           \
    SITUATION(elsewhere_##id, what " in another thread while a non-blocking stream captures, "     \
                                   "three modes")                                                  \
    {                                                                                              \
        while_capturing(do_##id, cudaStreamNonBlocking, true);                                     \
    }

static void *made;

/* ---- memory ---------------------------------------------------------------------------------- */

CALL_ELSEWHERE(malloc, "cudaMalloc", cudaMalloc(&made, 64))
CALL_ELSEWHERE(free, "cudaFree", cudaFree(z.device))
CALL(free_null, "cudaFree(NULL)", cudaFree(NULL))
CALL_ELSEWHERE(malloc_host, "cudaMallocHost", cudaMallocHost(&made, 64))
CALL_ELSEWHERE(free_host, "cudaFreeHost", cudaFreeHost(z.pinned))
CALL(host_alloc, "cudaHostAlloc", cudaHostAlloc(&made, 64, 0))
CALL(host_register, "cudaHostRegister", cudaHostRegister(z.pageable, 4096, 0))
CALL(malloc_pitch, "cudaMallocPitch", cudaMallocPitch(&made, &(size_t){0}, 64, 2))
CALL(malloc_null, "cudaMalloc with a NULL result", cudaMalloc(NULL, 64))
CALL(malloc_zero, "cudaMalloc of 0 bytes", cudaMalloc(&made, 0))
CALL(free_bad, "cudaFree of no device memory", cudaFree(z.pageable))
CALL(malloc_host_zero, "cudaMallocHost of 0 bytes", cudaMallocHost(&made, 0))
CALL(free_host_null, "cudaFreeHost(NULL)", cudaFreeHost(NULL))
CALL(malloc_pitch_zero, "cudaMallocPitch of height 0", cudaMallocPitch(&made, &(size_t){0}, 64, 0))
CALL(host_unregister, "cudaHostUnregister of memory that is not registered",
     cudaHostUnregister(z.pageable))
CALL(host_pointer, "cudaHostGetDevicePointer", cudaHostGetDevicePointer(&made, z.pinned, 0))
CALL(mem_info, "cudaMemGetInfo", cudaMemGetInfo(&(size_t){0}, &(size_t){0}))
CALL(pointer_attributes, "cudaPointerGetAttributes",
     cudaPointerGetAttributes(&(struct cudaPointerAttributes){0}, z.device))
CALL(pool_create, "cudaMemPoolCreate",
     cudaMemPoolCreate((cudaMemPool_t *)&made,
                       &(struct cudaMemPoolProps){
                           .allocType = cudaMemAllocationTypePinned,
                           .location = {.type = cudaMemLocationTypeDevice, .id = 0}}))
CALL(pool_trim, "cudaMemPoolTrimTo", cudaMemPoolTrimTo(z.pool, 0))
CALL(pool_attribute, "cudaMemPoolGetAttribute",
     cudaMemPoolGetAttribute(z.pool, cudaMemPoolAttrUsedMemCurrent, &(unsigned long long){0}))
CALL(pool_set_attribute, "cudaMemPoolSetAttribute",
     cudaMemPoolSetAttribute(z.pool, cudaMemPoolAttrReleaseThreshold, &(unsigned long long){0}))
CALL(pool_default, "cudaDeviceGetDefaultMemPool",
     cudaDeviceGetDefaultMemPool((cudaMemPool_t *)&made, 0))
CALL(pool_set, "cudaDeviceSetMemPool", cudaDeviceSetMemPool(0, z.pool))
CALL(pool_destroy, "cudaMemPoolDestroy of NULL", cudaMemPoolDestroy(NULL))
CALL(free_async_null, "cudaFreeAsync(NULL) in another stream", cudaFreeAsync(NULL, z.other))
CALL(malloc_async_zero, "cudaMallocAsync of 0 bytes in another stream",
     cudaMallocAsync(&made, 0, z.other))
CALL(graph_trim, "cudaDeviceGraphMemTrim", cudaDeviceGraphMemTrim(0))
CALL(graph_attribute, "cudaDeviceGetGraphMemAttribute",
     cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &(unsigned long long){0}))
CALL_ELSEWHERE(malloc_async, "cudaMallocAsync in another stream",
               cudaMallocAsync(&made, 64, z.other))
CALL_ELSEWHERE(free_async, "cudaFreeAsync in another stream", cudaFreeAsync(z.pool_memory, z.other))
CALL_BLOCKING(malloc_async_0, "cudaMallocAsync in 0", cudaMallocAsync(&made, 64, 0))
CALL_BLOCKING(free_async_0, "cudaFreeAsync in 0", cudaFreeAsync(z.pool_memory, 0))

/* ---- synchronising and asking ---------------------------------------------------------------- */

CALL_ELSEWHERE(device_sync, "cudaDeviceSynchronize", cudaDeviceSynchronize())
CALL_ELSEWHERE(stream_sync, "cudaStreamSynchronize of the captured stream",
               cudaStreamSynchronize(z.captured))
CALL_ELSEWHERE(stream_sync_other, "cudaStreamSynchronize of another stream",
               cudaStreamSynchronize(z.other))
CALL_BLOCKING(stream_sync_0, "cudaStreamSynchronize of 0", cudaStreamSynchronize(0))
CALL_ELSEWHERE(stream_query, "cudaStreamQuery of the captured stream", cudaStreamQuery(z.captured))
CALL_ELSEWHERE(stream_query_other, "cudaStreamQuery of another stream", cudaStreamQuery(z.other))
CALL_BLOCKING(stream_query_0, "cudaStreamQuery of 0", cudaStreamQuery(0))
CALL_ELSEWHERE(event_query, "cudaEventQuery of an event recorded before", cudaEventQuery(z.done))
CALL_ELSEWHERE(event_sync, "cudaEventSynchronize of an event recorded before",
               cudaEventSynchronize(z.done))
CALL(event_query_new, "cudaEventQuery of a never recorded event", cudaEventQuery(z.event))
CALL(event_sync_new, "cudaEventSynchronize of a never recorded event",
     cudaEventSynchronize(z.event))
CALL_BLOCKING(stream_sync_per_thread, "cudaStreamSynchronize of cudaStreamPerThread",
              cudaStreamSynchronize(cudaStreamPerThread))
CALL(stream_sync_bad, "cudaStreamQuery of another stream that is busy", cudaStreamQuery(z.blocking))
CALL(event_elapsed, "cudaEventElapsedTime of an event recorded before",
     cudaEventElapsedTime(&(float){0}, z.done, z.done))

/* ---- copies and memsets ---------------------------------------------------------------------- */

CALL_BLOCKING(memcpy, "cudaMemcpy to the device",
              cudaMemcpy(z.device, z.pinned, 64, cudaMemcpyHostToDevice))
CALL_ELSEWHERE(memcpy_d2d, "cudaMemcpy inside the device",
               cudaMemcpy(z.device, z.device + 64, 64, cudaMemcpyDeviceToDevice))
CALL(memcpy_pageable, "cudaMemcpy from the device to pageable memory",
     cudaMemcpy(z.pageable, z.device, 64, cudaMemcpyDeviceToHost))
CALL_BLOCKING(memcpy_zero, "cudaMemcpy of 0 bytes",
              cudaMemcpy(z.device, z.pinned, 0, cudaMemcpyHostToDevice))
CALL_BLOCKING(memset, "cudaMemset", cudaMemset(z.device, 0, 64))
CALL_BLOCKING(memcpy_async_0, "cudaMemcpyAsync in 0",
              cudaMemcpyAsync(z.device, z.pinned, 64, cudaMemcpyHostToDevice, 0))
CALL_BLOCKING(memset_async_0, "cudaMemsetAsync in 0", cudaMemsetAsync(z.device, 0, 64, 0))
CALL_ELSEWHERE(memset_async_captured, "cudaMemsetAsync in the captured stream",
               cudaMemsetAsync(z.device, 0, 64, z.captured))
CALL_BLOCKING(memset_async_other, "cudaMemsetAsync in another stream",
              cudaMemsetAsync(z.device, 0, 64, z.other))
CALL_BLOCKING(memset_async_blocking, "cudaMemsetAsync in another blocking stream",
              cudaMemsetAsync(z.device, 0, 64, z.blocking))
CALL(memset_async_per_thread, "cudaMemsetAsync in cudaStreamPerThread",
     cudaMemsetAsync(z.device, 0, 64, cudaStreamPerThread))
CALL_BLOCKING(memcpy_async_zero_0, "cudaMemcpyAsync of 0 bytes in 0",
              cudaMemcpyAsync(z.device, z.pinned, 0, cudaMemcpyHostToDevice, 0))
CALL_BLOCKING(memset_zero, "cudaMemset of 0 bytes", cudaMemset(z.device, 0, 0))
CALL_BLOCKING(memcpy_bad, "cudaMemcpy to NULL", cudaMemcpy(NULL, z.pinned, 64, cudaMemcpyDefault))
CALL_BLOCKING(memcpy_bad_kind, "cudaMemcpy with kind 99",
              cudaMemcpy(z.device, z.pinned, 64, (enum cudaMemcpyKind)99))
CALL_BLOCKING(memcpy_2d, "cudaMemcpy2D",
              cudaMemcpy2D(z.device, 64, z.pinned, 64, 8, 2, cudaMemcpyHostToDevice))
CALL_BLOCKING(memset_2d, "cudaMemset2D", cudaMemset2D(z.device, 64, 0, 8, 2))
CALL_BLOCKING(memcpy_to_symbol, "cudaMemcpyToSymbol",
              cudaMemcpyToSymbol(situation_numbers(), z.pinned, 8, 0, cudaMemcpyHostToDevice))
CALL_BLOCKING(memcpy_h2h, "cudaMemcpy from host to host",
              cudaMemcpy(z.pageable, z.pageable + 64, 64, cudaMemcpyHostToHost))
CALL(memcpy_async_captured_zero, "cudaMemcpyAsync of 0 bytes in the captured stream",
     cudaMemcpyAsync(z.device, z.pinned, 0, cudaMemcpyHostToDevice, z.captured))
CALL(memcpy_peer, "cudaMemcpyPeer", cudaMemcpyPeer(z.device, 0, z.device + 64, 0, 64))

/* ---- launches, events, host functions -------------------------------------------------------- */

static cudaError_t launch(cudaStream_t s)
{
    return cudaLaunchKernel(situation_nothing(), (dim3){1, 1, 1}, (dim3){1, 1, 1}, NULL, 0, s);
}

CALL_BLOCKING(launch_0, "a kernel launch in 0", launch(0))
CALL(launch_other, "a kernel launch in another stream", launch(z.other))
CALL_BLOCKING(record_0, "cudaEventRecord in 0", cudaEventRecord(z.event, 0))
CALL_BLOCKING(wait_0, "cudaStreamWaitEvent in 0 for an event recorded before",
              cudaStreamWaitEvent(0, z.done, 0))
CALL_BLOCKING(wait_new_0, "cudaStreamWaitEvent in 0 for a never recorded event",
              cudaStreamWaitEvent(0, z.event, 0))
CALL_BLOCKING(host_func_0, "cudaLaunchHostFunc in 0", cudaLaunchHostFunc(0, write_letter, NULL))
CALL_BLOCKING(launch_bad_0, "a kernel launch with a block of 2048 in 0",
              cudaLaunchKernel(situation_nothing(), (dim3){1, 1, 1}, (dim3){2048, 1, 1}, NULL, 0,
                               0))
CALL_BLOCKING(record_null_0, "cudaEventRecord of NULL in 0", cudaEventRecord(NULL, 0))
CALL_BLOCKING(wait_null_0, "cudaStreamWaitEvent for NULL in 0", cudaStreamWaitEvent(0, NULL, 0))
CALL(wait_null_captured, "cudaStreamWaitEvent for NULL in the captured stream",
     cudaStreamWaitEvent(z.captured, NULL, 0))
CALL(wait_flags_captured, "cudaStreamWaitEvent with flags 2 in the captured stream",
     cudaStreamWaitEvent(z.captured, z.event, 2))
CALL(record_flags_captured, "cudaEventRecordWithFlags with flags 2 in the captured stream",
     cudaEventRecordWithFlags(z.event, z.captured, 2))
CALL(callback_flags_captured, "cudaStreamAddCallback with flags 1 in the captured stream",
     cudaStreamAddCallback(z.captured, NULL, NULL, 1))
CALL(host_null_captured, "cudaLaunchHostFunc of NULL in the captured stream",
     cudaLaunchHostFunc(z.captured, NULL, NULL))
CALL_BLOCKING(callback_0, "cudaStreamAddCallback of NULL in 0",
              cudaStreamAddCallback(0, NULL, NULL, 0))
CALL(record_other, "cudaEventRecord in another stream", cudaEventRecord(z.event, z.other))
CALL(wait_other, "cudaStreamWaitEvent in another stream for an event recorded before",
     cudaStreamWaitEvent(z.other, z.done, 0))
CALL(host_func_other, "cudaLaunchHostFunc in another stream",
     cudaLaunchHostFunc(z.other, write_letter, NULL))

/* ---- graphs ---------------------------------------------------------------------------------- */

CALL_ELSEWHERE(instantiate, "cudaGraphInstantiate of another graph",
               cudaGraphInstantiate((cudaGraphExec_t *)&made, z.graph, 0))
CALL(graph_launch_other, "cudaGraphLaunch in another stream", cudaGraphLaunch(z.exec, z.other))
CALL_BLOCKING(graph_launch_0, "cudaGraphLaunch in 0", cudaGraphLaunch(z.exec, 0))
CALL(graph_launch_captured, "cudaGraphLaunch in the captured stream",
     cudaGraphLaunch(z.exec, z.captured))
CALL(graph_upload_other, "cudaGraphUpload in another stream", cudaGraphUpload(z.exec, z.other))
CALL(graph_upload_captured, "cudaGraphUpload in the captured stream",
     cudaGraphUpload(z.exec, z.captured))
CALL_BLOCKING(graph_upload_0, "cudaGraphUpload in 0", cudaGraphUpload(z.exec, 0))
CALL(instantiate_null, "cudaGraphInstantiate of NULL",
     cudaGraphInstantiate((cudaGraphExec_t *)&made, NULL, 0))
CALL(exec_destroy_null, "cudaGraphExecDestroy of NULL", cudaGraphExecDestroy(NULL))
CALL_ELSEWHERE(exec_destroy_there, "cudaGraphExecDestroy, asked of two threads,",
               cudaGraphExecDestroy(z.exec))
CALL(instantiate_params, "cudaGraphInstantiateWithParams",
     cudaGraphInstantiateWithParams((cudaGraphExec_t *)&made, z.graph,
                                    &(cudaGraphInstantiateParams){0}))
CALL(exec_flags, "cudaGraphExecGetFlags", cudaGraphExecGetFlags(z.exec, &(unsigned long long){0}))
CALL(add_memset_node, "cudaGraphAddMemsetNode to another graph",
     cudaGraphAddMemsetNode((cudaGraphNode_t *)&made, z.graph, NULL, 0,
                            &(struct cudaMemsetParams){
                                .dst = z.device, .elementSize = 1, .width = 64, .height = 1}))
CALL(add_copy_node, "cudaGraphAddMemcpyNode1D to another graph",
     cudaGraphAddMemcpyNode1D((cudaGraphNode_t *)&made, z.graph, NULL, 0, z.device, z.pinned, 64,
                              cudaMemcpyHostToDevice))

static cudaError_t add_alloc_node(void)
{
    struct cudaMemAllocNodeParams a = alloc_params(64);
    return cudaGraphAddMemAllocNode((cudaGraphNode_t *)&made, z.graph, NULL, 0, &a);
}

CALL(add_alloc_node, "cudaGraphAddMemAllocNode to another graph", add_alloc_node())
CALL(graph_create, "cudaGraphCreate", cudaGraphCreate((cudaGraph_t *)&made, 0))
CALL(graph_destroy, "cudaGraphDestroy of another graph", cudaGraphDestroy(z.graph))
CALL(exec_destroy, "cudaGraphExecDestroy of another exec", cudaGraphExecDestroy(z.exec))
CALL(exec_update, "cudaGraphExecUpdate of another exec",
     cudaGraphExecUpdate(z.exec, z.graph, &(cudaGraphExecUpdateResultInfo){0}))
CALL(graph_clone, "cudaGraphClone of another graph", cudaGraphClone((cudaGraph_t *)&made, z.graph))

/* ---- the rest -------------------------------------------------------------------------------- */

CALL(stream_create, "cudaStreamCreate", cudaStreamCreate((cudaStream_t *)&made))
CALL(stream_destroy, "cudaStreamDestroy of another stream", cudaStreamDestroy(z.other))
CALL(event_create, "cudaEventCreate", cudaEventCreate((cudaEvent_t *)&made))
CALL(event_destroy, "cudaEventDestroy of another event", cudaEventDestroy(z.done))
CALL_BLOCKING(stream_flags_0, "cudaStreamGetFlags of 0", cudaStreamGetFlags(0, &(unsigned){0}))
CALL_BLOCKING(stream_id_0, "cudaStreamGetId of 0", cudaStreamGetId(0, &(unsigned long long){0}))
CALL_BLOCKING(stream_device_0, "cudaStreamGetDevice of 0", cudaStreamGetDevice(0, &(int){0}))
CALL_BLOCKING(stream_attribute_0, "cudaStreamGetAttribute of 0",
              cudaStreamGetAttribute(0, cudaLaunchAttributePriority,
                                     &(cudaLaunchAttributeValue){.priority = 0}))
CALL(stream_flags_captured, "cudaStreamGetFlags of the captured stream",
     cudaStreamGetFlags(z.captured, &(unsigned){0}))
CALL(stream_set_attribute, "cudaStreamSetAttribute of the captured stream",
     cudaStreamSetAttribute(z.captured, cudaLaunchAttributePriority,
                            &(cudaLaunchAttributeValue){.priority = -1}))
CALL_BLOCKING(begin_0, "cudaStreamBeginCapture of 0",
              cudaStreamBeginCapture(0, cudaStreamCaptureModeRelaxed))
CALL_BLOCKING(end_0, "cudaStreamEndCapture of 0", cudaStreamEndCapture(0, (cudaGraph_t *)&made))
CALL_BLOCKING(update_0, "cudaStreamUpdateCaptureDependencies of 0",
              cudaStreamUpdateCaptureDependencies(0, NULL, NULL, 0, 0))
CALL_BLOCKING(destroy_0, "cudaStreamDestroy of 0", cudaStreamDestroy(0))
CALL(limit, "cudaDeviceGetLimit", cudaDeviceGetLimit(&(size_t){0}, cudaLimitPrintfFifoSize))
CALL(symbol_address, "cudaGetSymbolAddress", cudaGetSymbolAddress(&made, situation_numbers()))
CALL(user_object, "cudaUserObjectCreate",
     cudaUserObjectCreate((cudaUserObject_t *)&made, z.pageable, write_letter, 1,
                          cudaUserObjectNoDestructorSync))
CALL(set_device, "cudaSetDevice", cudaSetDevice(0))
CALL(get_device, "cudaGetDevice", cudaGetDevice(&(int){0}))
CALL(device_attribute, "cudaDeviceGetAttribute",
     cudaDeviceGetAttribute(&(int){0}, cudaDevAttrWarpSize, 0))
CALL(device_limit, "cudaDeviceSetLimit",
     cudaDeviceSetLimit(cudaLimitPrintfFifoSize, (size_t)1 << 20))
CALL(device_reset_l2, "cudaCtxResetPersistingL2Cache", cudaCtxResetPersistingL2Cache())
CALL(func_attributes, "cudaFuncGetAttributes",
     cudaFuncGetAttributes(&(struct cudaFuncAttributes){0}, situation_store()))
CALL(func_set_attribute, "cudaFuncSetAttribute",
     cudaFuncSetAttribute(situation_store(), cudaFuncAttributeMaxDynamicSharedMemorySize, 60000))
CALL(occupancy, "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
     cudaOccupancyMaxActiveBlocksPerMultiprocessor(&(int){0}, situation_store(), 64, 0))
CALL(stream_priority, "cudaStreamGetPriority of the captured stream",
     cudaStreamGetPriority(z.captured, &(int){0}))
CALL_BLOCKING(stream_priority_0, "cudaStreamGetPriority of 0", cudaStreamGetPriority(0, &(int){0}))
CALL(stream_copy_attributes, "cudaStreamCopyAttributes to the captured stream",
     cudaStreamCopyAttributes(z.captured, z.other))
CALL(last_error, "cudaGetLastError", cudaGetLastError())
CALL(attach, "cudaStreamAttachMemAsync in the captured stream",
     cudaStreamAttachMemAsync(z.captured, z.device, 0, cudaMemAttachGlobal))
