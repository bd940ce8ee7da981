/* context_fault.c: which calls still work after a kernel's fault. */
#include "../context_calls.h"

/* Everything is there, and then a kernel has ended the context. */
static void lose_context(void)
{
    int *p = (int *)(uintptr_t)16, value = 1;
    void *args[] = {&p, &value};
    fixture_prepare();
    MUST(launch_one(situation_store(), args, fixture.stream));
    if (cudaStreamSynchronize(fixture.stream) != cudaErrorIllegalAddress)
        answer_fact("fault", "no fault");
    cudaGetLastError();
}

static void after_fault(void (*calls)(void))
{
    lose_context();
    calls();
}

ROW(after_fault(answer_add_nodes), "after a kernel's fault: " ADD_NODES,
    "cudaGraphAddKernelNode: IllegalAddress", "cudaGraphAddMemsetNode: IllegalAddress",
    "cudaGraphAddMemcpyNode1D: IllegalAddress", "cudaGetLastError: IllegalAddress")
ROW(after_fault(answer_add_other_nodes), "after a kernel's fault: " ADD_OTHER_NODES,
    "cudaGraphAddMemFreeNode: InvalidValue", "cudaGraphConditionalHandleCreate: IllegalAddress",
    "cudaGraphAddMemcpyNodeToSymbol: IllegalAddress")
ROW(after_fault(answer_graph_calls), "after a kernel's fault: " GRAPH_CALLS,
    "cudaGraphGetNodes(NULL, NULL): InvalidValue", "cudaGetLastError: InvalidValue")
ROW(after_fault(answer_set_nodes), "after a kernel's fault: " SET_NODES,
    "cudaGraphKernelNodeSetParams: IllegalAddress", "cudaGraphMemsetNodeSetParams: IllegalAddress",
    "cudaGraphKernelNodeSetAttribute: IllegalAddress")
ROW(after_fault(answer_exec_calls), "after a kernel's fault: " EXEC_CALLS,
    "cudaGraphExecKernelNodeSetParams: IllegalAddress", "cudaGraphUpload: IllegalAddress",
    "cudaGraphLaunch: IllegalAddress", "cudaGraphInstantiate: IllegalAddress")
ROW(after_fault(answer_stream_calls), "after a kernel's fault: " STREAM_CALLS,
    "cudaStreamIsCapturing: IllegalAddress", "cudaStreamGetCaptureInfo: IllegalAddress",
    "cudaStreamGetFlags: IllegalAddress", "cudaStreamGetPriority: IllegalAddress",
    "cudaStreamGetId: IllegalAddress", "cudaStreamGetDevice: IllegalAddress",
    "cudaStreamGetAttribute: IllegalAddress", "cudaStreamBeginCapture: IllegalAddress",
    "cudaStreamEndCapture: IllegalAddress")
ROW(after_fault(answer_event_calls), "after a kernel's fault: " EVENT_CALLS,
    "cudaEventCreate: IllegalAddress", "cudaEventQuery(fixture.event): IllegalAddress",
    "cudaEventSynchronize: IllegalAddress", "cudaEventElapsedTime: IllegalAddress",
    "cudaStreamWaitEvent: IllegalAddress", "cudaEventRecord: IllegalAddress",
    "cudaEventQuery(NULL): InvalidResourceHandle", "cudaEventDestroy(NULL): InvalidResourceHandle",
    "cudaEventDestroy(fixture.event): IllegalAddress")
ROW(after_fault(answer_memory_calls), "after a kernel's fault: " MEMORY_CALLS,
    "cudaMemGetInfo: IllegalAddress", "cudaHostGetFlags: IllegalAddress",
    "cudaHostGetDevicePointer: IllegalAddress", "cudaMallocAsync: IllegalAddress")
ROW(after_fault(answer_other_calls), "after a kernel's fault: " OTHER_CALLS,
    "cudaFuncGetAttributes: IllegalAddress",
    "cudaOccupancyMaxActiveBlocksPerMultiprocessor: IllegalAddress",
    "cudaGetSymbolAddress: IllegalAddress", "cudaGetSymbolSize: IllegalAddress",
    "cudaDeviceGetLimit: IllegalAddress", "cudaDeviceGetStreamPriorityRange: IllegalAddress",
    "cudaLaunchHostFunc: IllegalAddress")
ROW(after_fault(answer_bad_handles), "after a kernel's fault: " BAD_HANDLES,
    "cudaGraphCreate(NULL): InvalidValue", "cudaGraphDestroy: InvalidValue",
    "cudaGraphExecDestroy: InvalidValue", "cudaGraphLaunch: IllegalAddress",
    "cudaGraphInstantiate: IllegalAddress", "cudaEventSynchronize: InvalidResourceHandle",
    "cudaStreamWaitEvent: IllegalAddress", "cudaStreamDestroy: InvalidResourceHandle",
    "cudaMalloc: InvalidValue", "cudaFree: IllegalAddress", "cudaMemcpyAsync: IllegalAddress")
