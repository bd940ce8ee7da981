/* context_calls.c: calls of every kind, see context_calls.h. */
#include "context_calls.h"

#include <string.h>

#include "situation_kernels.h"

struct fixture fixture;

void fixture_prepare(void)
{
    fixture.memory = device_bytes(256);
    fixture.pinned = pinned_bytes(256);
    fixture.stream = nonblocking_stream();
    fixture.event = new_event(0);
    fixture.graph = new_graph();
    fixture.other = new_graph();
    fixture.kernel = add_store(fixture.graph, NULL, fixture.memory, 1);
    fixture.empty = add_empty(fixture.graph, fixture.kernel);
    fixture.memset = add_memset(fixture.graph, fixture.kernel, fixture.memory, 1);
    fixture.host = add_letter(fixture.graph, NULL, 'a');
    fixture.exec = new_exec(fixture.graph);
    MUST(cudaUserObjectCreate(&fixture.object, NULL, write_letter, 3,
                              cudaUserObjectNoDestructorSync));
}

void answer_add_nodes(void)
{
    cudaGraphNode_t n;
    struct cudaKernelNodeParams k = store_params(fixture.memory, 2);
    struct cudaMemsetParams m = memset_params(fixture.memory, 1, 8);
    struct cudaHostNodeParams h = letter_params('b');
    answer(cudaGraphAddEmptyNode(&n, fixture.graph, NULL, 0));
    answer(cudaGraphAddKernelNode(&n, fixture.graph, NULL, 0, &k));
    answer(cudaGraphAddMemsetNode(&n, fixture.graph, NULL, 0, &m));
    answer(cudaGraphAddMemcpyNode1D(&n, fixture.graph, NULL, 0, fixture.memory, fixture.pinned, 8,
                                    cudaMemcpyDefault));
    answer(cudaGraphAddHostNode(&n, fixture.graph, NULL, 0, &h));
    answer(cudaGraphAddEventRecordNode(&n, fixture.graph, NULL, 0, fixture.event));
    answer(cudaGraphAddEventWaitNode(&n, fixture.graph, NULL, 0, fixture.event));
    answer(cudaGraphAddChildGraphNode(&n, fixture.graph, NULL, 0, fixture.other));
    answer(cudaGetLastError());
}

void answer_add_other_nodes(void)
{
    cudaGraphNode_t n;
    cudaGraphConditionalHandle c;
    struct cudaMemAllocNodeParams a = alloc_params(64);
    struct cudaGraphNodeParams p = {.type = cudaGraphNodeTypeEmpty};
    answer(cudaGraphAddMemAllocNode(&n, fixture.other, NULL, 0, &a));
    answer(cudaGraphAddMemFreeNode(&n, fixture.other, NULL, 0, fixture.memory));
    answer(cudaGraphConditionalHandleCreate(&c, fixture.graph, 0, 0));
    answer(cudaGraphAddNode(&n, fixture.graph, NULL, NULL, 0, &p));
    answer(cudaGraphAddMemcpyNodeToSymbol(&n, fixture.graph, NULL, 0, situation_numbers(),
                                          fixture.pinned, 4, 0, cudaMemcpyHostToDevice));
}

void answer_graph_calls(void)
{
    cudaGraphNode_t nodes[8], found;
    size_t n = 8;
    enum cudaGraphNodeType type;
    cudaGraph_t g;
    answer(cudaGraphGetNodes(fixture.graph, nodes, &n));
    answer(cudaGraphGetRootNodes(fixture.graph, NULL, &n));
    answer(cudaGraphGetEdges(fixture.graph, NULL, NULL, NULL, &n));
    answer(cudaGraphNodeGetType(fixture.kernel, &type));
    answer(cudaGraphNodeGetDependencies(fixture.empty, NULL, NULL, &n));
    answer(cudaGraphAddDependencies(fixture.graph, &fixture.empty, &fixture.memset, NULL, 1));
    answer(cudaGraphRemoveDependencies(fixture.graph, &fixture.empty, &fixture.memset, NULL, 1));
    answer(cudaGraphClone(&g, fixture.graph));
    answer(cudaGraphNodeFindInClone(&found, fixture.kernel, g));
    answer(cudaGraphDebugDotPrint(fixture.graph, "/dev/null", 0));
    answer(cudaGraphDestroyNode(fixture.empty));
    answer(cudaGraphGetNodes(NULL, NULL, &n));
    answer(cudaGetLastError());
}

void answer_set_nodes(void)
{
    struct cudaKernelNodeParams k;
    struct cudaMemsetParams m;
    struct cudaHostNodeParams h;
    cudaLaunchAttributeValue v = {0};
    answer(cudaGraphKernelNodeGetParams(fixture.kernel, &k));
    k = store_params(fixture.memory, 3);
    answer(cudaGraphKernelNodeSetParams(fixture.kernel, &k));
    answer(cudaGraphMemsetNodeGetParams(fixture.memset, &m));
    m = memset_params(fixture.memory, 2, 8);
    answer(cudaGraphMemsetNodeSetParams(fixture.memset, &m));
    answer(cudaGraphHostNodeGetParams(fixture.host, &h));
    answer(cudaGraphHostNodeSetParams(fixture.host, &h));
    answer(cudaGraphKernelNodeGetAttribute(fixture.kernel, cudaLaunchAttributePriority, &v));
    answer(cudaGraphKernelNodeSetAttribute(fixture.kernel, cudaLaunchAttributePriority, &v));
}

void answer_exec_calls(void)
{
    cudaGraphExec_t x = NULL;
    cudaGraphExecUpdateResultInfo info;
    struct cudaKernelNodeParams k = store_params(fixture.memory, 4);
    struct cudaHostNodeParams h = letter_params('c');
    unsigned on;
    unsigned long long flags;
    answer(cudaGraphExecUpdate(fixture.exec, fixture.graph, &info));
    answer(cudaGraphExecKernelNodeSetParams(fixture.exec, fixture.kernel, &k));
    answer(cudaGraphExecHostNodeSetParams(fixture.exec, fixture.host, &h));
    answer(cudaGraphNodeGetEnabled(fixture.exec, fixture.kernel, &on));
    answer(cudaGraphNodeSetEnabled(fixture.exec, fixture.kernel, 1));
    answer(cudaGraphExecGetFlags(fixture.exec, &flags));
    answer(cudaGraphUpload(fixture.exec, fixture.stream));
    answer(cudaGraphLaunch(fixture.exec, fixture.stream));
    answer(cudaGraphInstantiate(&x, fixture.graph, 0));
    answer(cudaGraphExecDestroy(fixture.exec));
}

void answer_stream_calls(void)
{
    enum cudaStreamCaptureStatus status;
    unsigned flags;
    int priority, device;
    unsigned long long id;
    cudaStreamAttrValue v;
    cudaGraph_t g;
    answer(cudaStreamIsCapturing(fixture.stream, &status));
    answer(cudaStreamGetCaptureInfo(fixture.stream, &status, NULL, NULL, NULL, NULL, NULL));
    answer(cudaStreamGetFlags(fixture.stream, &flags));
    answer(cudaStreamGetPriority(fixture.stream, &priority));
    answer(cudaStreamGetId(fixture.stream, &id));
    answer(cudaStreamGetDevice(fixture.stream, &device));
    answer(cudaStreamGetAttribute(fixture.stream, cudaLaunchAttributePriority, &v));
    answer(cudaStreamBeginCapture(fixture.stream, cudaStreamCaptureModeRelaxed));
    answer(cudaStreamEndCapture(fixture.stream, &g));
    answer(cudaThreadExchangeStreamCaptureMode(&(enum cudaStreamCaptureMode){0}));
}

void answer_event_calls(void)
{
    float ms;
    cudaEvent_t e;
    answer(cudaEventCreate(&e));
    answer(cudaEventQuery(fixture.event));
    answer(cudaEventSynchronize(fixture.event));
    answer(cudaEventElapsedTime(&ms, fixture.event, fixture.event));
    answer(cudaStreamWaitEvent(fixture.stream, fixture.event, 0));
    answer(cudaEventRecord(NULL, fixture.stream));
    answer(cudaEventQuery(NULL));
    answer(cudaEventDestroy(NULL));
    answer(cudaEventDestroy(fixture.event));
}

void answer_memory_calls(void)
{
    struct cudaPointerAttributes a;
    size_t free_bytes, total;
    unsigned flags;
    void *p;
    cudaMemPool_t pool;
    unsigned long long v;
    answer(cudaPointerGetAttributes(&a, fixture.memory));
    answer(cudaMemGetInfo(&free_bytes, &total));
    answer(cudaHostGetFlags(&flags, fixture.pinned));
    answer(cudaHostGetDevicePointer(&p, fixture.pinned, 0));
    answer(cudaMallocAsync(&p, 64, fixture.stream));
    answer(cudaMemcpy(fixture.memory, fixture.memory, 0, cudaMemcpyDefault));
    answer(cudaMemset(NULL, 0, 0));
    answer(cudaDeviceGetDefaultMemPool(&pool, 0));
    answer(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &v));
    answer(cudaDeviceGraphMemTrim(0));
    answer(cudaMalloc(&p, 0));
}

void answer_other_calls(void)
{
    struct cudaFuncAttributes f;
    cudaUserObject_t o;
    int n;
    size_t bytes;
    void *p;
    answer(cudaUserObjectCreate(&o, NULL, write_letter, 1, cudaUserObjectNoDestructorSync));
    answer(cudaGraphRetainUserObject(fixture.graph, fixture.object, 1, 0));
    answer(cudaUserObjectRelease(fixture.object, 1));
    answer(cudaGraphReleaseUserObject(fixture.graph, fixture.object, 1));
    answer(cudaFuncGetAttributes(&f, situation_store()));
    answer(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, situation_store(), 32, 0));
    answer(cudaGetSymbolAddress(&p, situation_numbers()));
    answer(cudaGetSymbolSize(&bytes, situation_numbers()));
    answer(cudaDeviceGetLimit(&bytes, cudaLimitStackSize));
    answer(cudaDeviceGetStreamPriorityRange(&n, &n));
    answer(cudaDeviceCanAccessPeer(&n, 0, 0));
    answer(cudaLaunchHostFunc(fixture.stream, write_letter, NULL));
}

void answer_bad_handles(void)
{
    cudaGraph_t g;
    cudaGraphExec_t x;
    answer(cudaGraphCreate(&g, 0));
    answer(cudaGraphCreate(NULL, 0));
    answer(cudaGraphDestroy(NULL));
    answer(cudaGraphExecDestroy(NULL));
    answer(cudaGraphLaunch(NULL, fixture.stream));
    answer(cudaGraphInstantiate(&x, NULL, 0));
    answer(cudaEventSynchronize(NULL));
    answer(cudaStreamWaitEvent(fixture.stream, NULL, 0));
    answer(cudaStreamDestroy(NULL));
    answer(cudaMalloc(NULL, 4));
    answer(cudaFree(NULL));
    answer(cudaMemcpyAsync(NULL, NULL, 4, cudaMemcpyDefault, fixture.stream));
}
