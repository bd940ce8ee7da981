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

ROW(after_fault(answer_add_nodes),
    "after a kernel's fault: add an empty, kernel, memset, memcpy, host, record, wait, child node; "
    "last error",
    "cudaGraphAddKernelNode: IllegalAddress", "cudaGraphAddMemsetNode: IllegalAddress",
    "cudaGraphAddMemcpyNode1D: IllegalAddress", "cudaGetLastError: IllegalAddress")
ROW(after_fault(answer_add_other_nodes),
    "after a kernel's fault: add an alloc, a free node; a conditional handle; a generic empty "
    "node; a copy to a symbol",
    "cudaGraphAddMemFreeNode: InvalidValue", "cudaGraphConditionalHandleCreate: IllegalAddress",
    "cudaGraphAddMemcpyNodeToSymbol: IllegalAddress")
ROW(after_fault(answer_graph_calls),
    "after a kernel's fault: nodes, roots, edges, type, dependencies, add, remove an edge, clone, "
    "find, DOT, destroy a node; nodes of NULL; last error",
    "cudaGraphGetNodes(NULL, NULL): InvalidValue", "cudaGetLastError: InvalidValue")
ROW(after_fault(answer_set_nodes),
    "after a kernel's fault: parameters of a kernel, a memset, a host node: get and set each; an "
    "attribute: get and set",
    "cudaGraphKernelNodeSetParams: IllegalAddress", "cudaGraphMemsetNodeSetParams: IllegalAddress",
    "cudaGraphKernelNodeSetAttribute: IllegalAddress")
ROW(after_fault(answer_exec_calls),
    "after a kernel's fault: update, exec parameters of a kernel, of a host node, get enabled, set "
    "enabled, flags, upload, launch, instantiate, destroy",
    "cudaGraphExecKernelNodeSetParams: IllegalAddress", "cudaGraphUpload: IllegalAddress",
    "cudaGraphLaunch: IllegalAddress", "cudaGraphInstantiate: IllegalAddress")
ROW(after_fault(answer_stream_calls),
    "after a kernel's fault: is capturing, capture info, flags, priority, id, device, attribute, "
    "begin capture, end, exchange mode",
    "cudaStreamIsCapturing: IllegalAddress", "cudaStreamGetCaptureInfo: IllegalAddress",
    "cudaStreamGetFlags: IllegalAddress", "cudaStreamGetPriority: IllegalAddress",
    "cudaStreamGetId: IllegalAddress", "cudaStreamGetDevice: IllegalAddress",
    "cudaStreamGetAttribute: IllegalAddress", "cudaStreamBeginCapture: IllegalAddress",
    "cudaStreamEndCapture: IllegalAddress")
ROW(after_fault(answer_event_calls),
    "after a kernel's fault: event create, query, synchronize, elapsed time, wait; record of NULL, "
    "query of NULL, destroy of NULL; destroy",
    "cudaEventCreate: IllegalAddress", "cudaEventQuery(fixture.event): IllegalAddress",
    "cudaEventSynchronize: IllegalAddress", "cudaEventElapsedTime: IllegalAddress",
    "cudaStreamWaitEvent: IllegalAddress", "cudaEventRecord: IllegalAddress",
    "cudaEventQuery(NULL): InvalidResourceHandle", "cudaEventDestroy(NULL): InvalidResourceHandle",
    "cudaEventDestroy(fixture.event): IllegalAddress")
ROW(after_fault(answer_memory_calls),
    "after a kernel's fault: pointer attributes, memory info, host flags, device pointer, "
    "cudaMallocAsync, copy and memset of 0 bytes, pool, graph memory, trim, cudaMalloc of 0",
    "cudaMemGetInfo: IllegalAddress", "cudaHostGetFlags: IllegalAddress",
    "cudaHostGetDevicePointer: IllegalAddress", "cudaMallocAsync: IllegalAddress")
ROW(after_fault(answer_other_calls),
    "after a kernel's fault: user object create, retain by a graph, release, release by a graph; "
    "function attributes, occupancy, symbol address, size, limit, priorities, peer; host function",
    "cudaFuncGetAttributes: IllegalAddress",
    "cudaOccupancyMaxActiveBlocksPerMultiprocessor: IllegalAddress",
    "cudaGetSymbolAddress: IllegalAddress", "cudaGetSymbolSize: IllegalAddress",
    "cudaDeviceGetLimit: IllegalAddress", "cudaDeviceGetStreamPriorityRange: IllegalAddress",
    "cudaLaunchHostFunc: IllegalAddress")
ROW(after_fault(answer_bad_handles),
    "after a kernel's fault: graph create; into NULL; destroy NULL; exec destroy NULL; launch "
    "NULL; instantiate NULL; event synchronize NULL; wait NULL; stream destroy NULL; malloc into "
    "NULL; free NULL; copy NULL",
    "cudaGraphCreate(NULL): InvalidValue", "cudaGraphDestroy: InvalidValue",
    "cudaGraphExecDestroy: InvalidValue", "cudaGraphLaunch: IllegalAddress",
    "cudaGraphInstantiate: IllegalAddress", "cudaEventSynchronize: InvalidResourceHandle",
    "cudaStreamWaitEvent: IllegalAddress", "cudaStreamDestroy: InvalidResourceHandle",
    "cudaMalloc: InvalidValue", "cudaFree: IllegalAddress", "cudaMemcpyAsync: IllegalAddress")
