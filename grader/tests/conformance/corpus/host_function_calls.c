/* host_function_calls.c: which calls work in a host function. */
#include "../context_calls.h"

static void CUDART_CB run_there(void *f)
{
    (*(void (**)(void))f)();
}

static void in_host_function(void (*f)(void))
{
    cudaStream_t s = nonblocking_stream();
    fixture_prepare();
    MUST(cudaLaunchHostFunc(s, run_there, &f));
    MUST(cudaStreamSynchronize(s));
}

ROW(in_host_function(answer_add_nodes), "in a host function: " ADD_NODES,
    "cudaGraphAddEmptyNode: NotPermitted", "cudaGraphAddKernelNode: NotPermitted",
    "cudaGraphAddMemsetNode: NotPermitted", "cudaGraphAddMemcpyNode1D: NotPermitted",
    "cudaGraphAddHostNode: NotPermitted", "cudaGraphAddEventRecordNode: NotPermitted",
    "cudaGraphAddEventWaitNode: NotPermitted", "cudaGraphAddChildGraphNode: NotPermitted",
    "cudaGetLastError: NotPermitted")
ROW(in_host_function(answer_add_other_nodes), "in a host function: " ADD_OTHER_NODES,
    "cudaGraphAddMemAllocNode: NotPermitted", "cudaGraphAddMemFreeNode: NotPermitted",
    "cudaGraphConditionalHandleCreate: NotPermitted", "cudaGraphAddNode: NotPermitted",
    "cudaGraphAddMemcpyNodeToSymbol: NotPermitted")
ROW(in_host_function(answer_graph_calls), "in a host function: " GRAPH_CALLS,
    "cudaGraphGetNodes(fixture.graph, nodes): NotPermitted", "cudaGraphGetRootNodes: NotPermitted",
    "cudaGraphGetEdges: NotPermitted", "cudaGraphNodeGetType: NotPermitted",
    "cudaGraphNodeGetDependencies: NotPermitted", "cudaGraphAddDependencies: NotPermitted",
    "cudaGraphRemoveDependencies: NotPermitted", "cudaGraphClone: NotPermitted",
    "cudaGraphNodeFindInClone: NotPermitted", "cudaGraphDebugDotPrint: NotPermitted",
    "cudaGraphDestroyNode: NotPermitted", "cudaGraphGetNodes(NULL, NULL): NotPermitted",
    "cudaGetLastError: NotPermitted")
ROW(in_host_function(answer_set_nodes), "in a host function: " SET_NODES,
    "cudaGraphKernelNodeGetParams: NotPermitted", "cudaGraphKernelNodeSetParams: NotPermitted",
    "cudaGraphMemsetNodeGetParams: NotPermitted", "cudaGraphMemsetNodeSetParams: NotPermitted",
    "cudaGraphHostNodeGetParams: NotPermitted", "cudaGraphHostNodeSetParams: NotPermitted",
    "cudaGraphKernelNodeGetAttribute: NotPermitted",
    "cudaGraphKernelNodeSetAttribute: NotPermitted")
ROW(in_host_function(answer_exec_calls), "in a host function: " EXEC_CALLS,
    "cudaGraphExecUpdate: NotPermitted", "cudaGraphExecKernelNodeSetParams: NotPermitted",
    "cudaGraphExecHostNodeSetParams: NotPermitted", "cudaGraphNodeGetEnabled: InvalidValue",
    "cudaGraphNodeSetEnabled: InvalidValue", "cudaGraphExecGetFlags: NotPermitted",
    "cudaGraphUpload: NotPermitted", "cudaGraphLaunch: NotPermitted",
    "cudaGraphInstantiate: NotPermitted", "cudaGraphExecDestroy: NotPermitted")
ROW(in_host_function(answer_stream_calls), "in a host function: " STREAM_CALLS,
    "cudaStreamIsCapturing: NotPermitted", "cudaStreamGetCaptureInfo: NotPermitted",
    "cudaStreamGetFlags: NotPermitted", "cudaStreamGetPriority: NotPermitted",
    "cudaStreamGetId: NotPermitted", "cudaStreamGetAttribute: NotPermitted",
    "cudaStreamBeginCapture: NotPermitted", "cudaStreamEndCapture: NotPermitted",
    "cudaThreadExchangeStreamCaptureMode: NotPermitted")
ROW(in_host_function(answer_event_calls), "in a host function: " EVENT_CALLS,
    "cudaEventCreate: NotPermitted", "cudaEventElapsedTime: InvalidResourceHandle",
    "cudaStreamWaitEvent: NotPermitted", "cudaEventRecord: NotPermitted",
    "cudaEventQuery(NULL): InvalidResourceHandle", "cudaEventDestroy(NULL): NotPermitted",
    "cudaEventDestroy(fixture.event): NotPermitted")
ROW(in_host_function(answer_memory_calls), "in a host function: " MEMORY_CALLS,
    "cudaPointerGetAttributes: NotPermitted", "cudaMemGetInfo: NotPermitted",
    "cudaHostGetFlags: NotPermitted", "cudaHostGetDevicePointer: NotPermitted",
    "cudaMallocAsync: NotPermitted", "cudaMemcpy: NotPermitted", "cudaMemset: NotPermitted",
    "cudaDeviceGetDefaultMemPool: NotPermitted", "cudaDeviceGetGraphMemAttribute: NotPermitted",
    "cudaDeviceGraphMemTrim: NotPermitted", "cudaMalloc: NotPermitted")
ROW(in_host_function(answer_other_calls), "in a host function: " OTHER_CALLS,
    "cudaFuncGetAttributes: NotPermitted",
    "cudaOccupancyMaxActiveBlocksPerMultiprocessor: NotPermitted",
    "cudaGetSymbolAddress: NotPermitted", "cudaGetSymbolSize: NotPermitted",
    "cudaDeviceGetLimit: NotPermitted", "cudaDeviceGetStreamPriorityRange: NotPermitted",
    "cudaDeviceCanAccessPeer: NotPermitted", "cudaLaunchHostFunc: NotPermitted")

static void ask_devices(void)
{
    int n;
    struct cudaDeviceProp p;
    answer(cudaPeekAtLastError());
    answer(cudaGetDeviceCount(&n));
    gives(NotPermitted, cudaGetDevice(&n));
    gives(NotPermitted, cudaSetDevice(0));
    gives(NotPermitted, cudaDeviceGetAttribute(&n, cudaDevAttrWarpSize, 0));
    answer(cudaGetDeviceProperties(&p, 0));
    answer(cudaDriverGetVersion(&n));
    answer(cudaRuntimeGetVersion(&n));
    gives(InvalidValue, cudaGetDevice(NULL));
    gives(InvalidValue, cudaPeekAtLastError());
}

ROW(in_host_function(ask_devices),
    "in a host function: peek, device count, device, set device, attribute, properties, driver and "
    "runtime version, device with NULL; peek")
ROW(in_host_function(answer_bad_handles), "in a host function: " BAD_HANDLES,
    "cudaGraphCreate(&g): NotPermitted", "cudaGraphCreate(NULL): NotPermitted",
    "cudaGraphDestroy: NotPermitted", "cudaGraphExecDestroy: NotPermitted",
    "cudaGraphLaunch: NotPermitted", "cudaGraphInstantiate: NotPermitted",
    "cudaEventSynchronize: InvalidResourceHandle", "cudaStreamWaitEvent: NotPermitted",
    "cudaStreamDestroy: NotPermitted", "cudaMalloc: InvalidValue", "cudaFree: NotPermitted",
    "cudaMemcpyAsync: NotPermitted")
