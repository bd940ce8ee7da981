/*
 * situations_lost_context.c: which calls still work after a kernel's fault, and which inside a host
 * function.
 */
#include <stdint.h>
#include <string.h>

#include "situations_graphs.h"
#include "situations_kernels.h"

static struct things {
    cudaGraph_t graph, other;
    cudaGraphNode_t kernel, empty, memset, host, alloc;
    cudaGraphExec_t exec;
    cudaStream_t stream, capturing;
    cudaEvent_t event;
    int *memory;
    void *pinned, *allocated;
    cudaUserObject_t object;
} t;

static void prepare(void)
{
    t.memory = device_bytes(256);
    t.pinned = pinned_bytes(256);
    t.stream = new_stream(cudaStreamNonBlocking);
    t.event = new_event(0);
    t.graph = new_graph();
    t.other = new_graph();
    t.kernel = add_store(t.graph, NULL, t.memory, 1);
    t.empty = add_empty(t.graph, t.kernel);
    t.memset = add_memset(t.graph, t.kernel, t.memory, 1);
    t.host = add_letter(t.graph, NULL, 'a');
    t.exec = new_exec(t.graph);
    MUST(cudaUserObjectCreate(&t.object, NULL, write_letter, 3, cudaUserObjectNoDestructorSync));
}

/* Everything is there, and then a kernel has ended the context. */
static void lose_context(void)
{
    int *p = (int *)(uintptr_t)16, value = 1;
    void *args[] = {&p, &value};
    prepare();
    MUST(cudaLaunchKernel(situation_store(), (dim3){1, 1, 1}, (dim3){1, 1, 1}, args, 0, t.stream));
    if (cudaStreamSynchronize(t.stream) != cudaErrorIllegalAddress)
        answer_text("no fault");
    cudaGetLastError();
}

static void make_nodes(void)
{
    cudaGraphNode_t n;
    struct cudaKernelNodeParams k = store_params(t.memory, 2);
    struct cudaMemsetParams m = memset_params(t.memory, 1, 8);
    struct cudaHostNodeParams h = letter_params('b');
    answer(cudaGraphAddEmptyNode(&n, t.graph, NULL, 0));
    answer(cudaGraphAddKernelNode(&n, t.graph, NULL, 0, &k));
    answer(cudaGraphAddMemsetNode(&n, t.graph, NULL, 0, &m));
    answer(
        cudaGraphAddMemcpyNode1D(&n, t.graph, NULL, 0, t.memory, t.pinned, 8, cudaMemcpyDefault));
    answer(cudaGraphAddHostNode(&n, t.graph, NULL, 0, &h));
    answer(cudaGraphAddEventRecordNode(&n, t.graph, NULL, 0, t.event));
    answer(cudaGraphAddEventWaitNode(&n, t.graph, NULL, 0, t.event));
    answer(cudaGraphAddChildGraphNode(&n, t.graph, NULL, 0, t.other));
    answer(cudaGetLastError());
}

static void make_other_nodes(void)
{
    cudaGraphNode_t n;
    cudaGraphConditionalHandle c;
    struct cudaMemAllocNodeParams a = alloc_params(64);
    struct cudaGraphNodeParams p = {.type = cudaGraphNodeTypeEmpty};
    answer(cudaGraphAddMemAllocNode(&n, t.other, NULL, 0, &a));
    answer(cudaGraphAddMemFreeNode(&n, t.other, NULL, 0, t.memory));
    answer(cudaGraphConditionalHandleCreate(&c, t.graph, 0, 0));
    answer(cudaGraphAddNode(&n, t.graph, NULL, NULL, 0, &p));
    answer(cudaGraphAddMemcpyNodeToSymbol(&n, t.graph, NULL, 0, situation_numbers(), t.pinned, 4, 0,
                                          cudaMemcpyHostToDevice));
}

static void ask_graphs(void)
{
    cudaGraphNode_t nodes[8], found;
    size_t n = 8;
    enum cudaGraphNodeType type;
    cudaGraph_t g;
    answer(cudaGraphGetNodes(t.graph, nodes, &n));
    answer(cudaGraphGetRootNodes(t.graph, NULL, &n));
    answer(cudaGraphGetEdges(t.graph, NULL, NULL, NULL, &n));
    answer(cudaGraphNodeGetType(t.kernel, &type));
    answer(cudaGraphNodeGetDependencies(t.empty, NULL, NULL, &n));
    answer(cudaGraphAddDependencies(t.graph, &t.empty, &t.memset, NULL, 1));
    answer(cudaGraphRemoveDependencies(t.graph, &t.empty, &t.memset, NULL, 1));
    answer(cudaGraphClone(&g, t.graph));
    answer(cudaGraphNodeFindInClone(&found, t.kernel, g));
    answer(cudaGraphDebugDotPrint(t.graph, "/dev/null", 0));
    answer(cudaGraphDestroyNode(t.empty));
    answer(cudaGraphGetNodes(NULL, NULL, &n));
    answer(cudaGetLastError());
}

static void set_nodes(void)
{
    struct cudaKernelNodeParams k;
    struct cudaMemsetParams m;
    struct cudaHostNodeParams h;
    cudaLaunchAttributeValue v;
    memset(&v, 0, sizeof v);
    answer(cudaGraphKernelNodeGetParams(t.kernel, &k));
    k = store_params(t.memory, 3);
    answer(cudaGraphKernelNodeSetParams(t.kernel, &k));
    answer(cudaGraphMemsetNodeGetParams(t.memset, &m));
    m = memset_params(t.memory, 2, 8);
    answer(cudaGraphMemsetNodeSetParams(t.memset, &m));
    answer(cudaGraphHostNodeGetParams(t.host, &h));
    answer(cudaGraphHostNodeSetParams(t.host, &h));
    answer(cudaGraphKernelNodeGetAttribute(t.kernel, cudaLaunchAttributePriority, &v));
    answer(cudaGraphKernelNodeSetAttribute(t.kernel, cudaLaunchAttributePriority, &v));
}

static void use_exec(void)
{
    cudaGraphExec_t x = NULL;
    cudaGraphExecUpdateResultInfo info;
    struct cudaKernelNodeParams k = store_params(t.memory, 4);
    struct cudaHostNodeParams h = letter_params('c');
    unsigned on;
    unsigned long long flags;
    answer(cudaGraphExecUpdate(t.exec, t.graph, &info));
    answer(cudaGraphExecKernelNodeSetParams(t.exec, t.kernel, &k));
    answer(cudaGraphExecHostNodeSetParams(t.exec, t.host, &h));
    answer(cudaGraphNodeGetEnabled(t.exec, t.kernel, &on));
    answer(cudaGraphNodeSetEnabled(t.exec, t.kernel, 1));
    answer(cudaGraphExecGetFlags(t.exec, &flags));
    answer(cudaGraphUpload(t.exec, t.stream));
    answer(cudaGraphLaunch(t.exec, t.stream));
    answer(cudaGraphInstantiate(&x, t.graph, 0));
    answer(cudaGraphExecDestroy(t.exec));
}

static void ask_streams(void)
{
    enum cudaStreamCaptureStatus status;
    unsigned flags;
    int priority, device;
    unsigned long long id;
    cudaStreamAttrValue v;
    cudaGraph_t g;
    answer(cudaStreamIsCapturing(t.stream, &status));
    answer(cudaStreamGetCaptureInfo(t.stream, &status, NULL, NULL, NULL, NULL, NULL));
    answer(cudaStreamGetFlags(t.stream, &flags));
    answer(cudaStreamGetPriority(t.stream, &priority));
    answer(cudaStreamGetId(t.stream, &id));
    answer(cudaStreamGetDevice(t.stream, &device));
    answer(cudaStreamGetAttribute(t.stream, cudaLaunchAttributePriority, &v));
    answer(cudaStreamBeginCapture(t.stream, cudaStreamCaptureModeRelaxed));
    answer(cudaStreamEndCapture(t.stream, &g));
    answer(cudaThreadExchangeStreamCaptureMode(&(enum cudaStreamCaptureMode){0}));
}

static void ask_events(void)
{
    float ms;
    cudaEvent_t e;
    answer(cudaEventCreate(&e));
    answer(cudaEventQuery(t.event));
    answer(cudaEventSynchronize(t.event));
    answer(cudaEventElapsedTime(&ms, t.event, t.event));
    answer(cudaStreamWaitEvent(t.stream, t.event, 0));
    answer(cudaEventRecord(NULL, t.stream));
    answer(cudaEventQuery(NULL));
    answer(cudaEventDestroy(NULL));
    answer(cudaEventDestroy(t.event));
}

static void ask_memory(void)
{
    struct cudaPointerAttributes a;
    size_t free_bytes, total;
    unsigned flags;
    void *p;
    cudaMemPool_t pool;
    unsigned long long v;
    answer(cudaPointerGetAttributes(&a, t.memory));
    answer(cudaMemGetInfo(&free_bytes, &total));
    answer(cudaHostGetFlags(&flags, t.pinned));
    answer(cudaHostGetDevicePointer(&p, t.pinned, 0));
    answer(cudaMallocAsync(&p, 64, t.stream));
    answer(cudaMemcpy(t.memory, t.memory, 0, cudaMemcpyDefault));
    answer(cudaMemset(NULL, 0, 0));
    answer(cudaDeviceGetDefaultMemPool(&pool, 0));
    answer(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &v));
    answer(cudaDeviceGraphMemTrim(0));
    answer(cudaMalloc(&p, 0));
}

static void ask_rest(void)
{
    struct cudaFuncAttributes f;
    cudaUserObject_t o;
    int n;
    size_t bytes;
    void *p;
    answer(cudaUserObjectCreate(&o, NULL, write_letter, 1, cudaUserObjectNoDestructorSync));
    answer(cudaGraphRetainUserObject(t.graph, t.object, 1, 0));
    answer(cudaUserObjectRelease(t.object, 1));
    answer(cudaGraphReleaseUserObject(t.graph, t.object, 1));
    answer(cudaFuncGetAttributes(&f, situation_store()));
    answer(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, situation_store(), 32, 0));
    answer(cudaGetSymbolAddress(&p, situation_numbers()));
    answer(cudaGetSymbolSize(&bytes, situation_numbers()));
    answer(cudaDeviceGetLimit(&bytes, cudaLimitStackSize));
    answer(cudaDeviceGetStreamPriorityRange(&n, &n));
    answer(cudaDeviceCanAccessPeer(&n, 0, 0));
    answer(cudaLaunchHostFunc(t.stream, write_letter, NULL));
}

SITUATION(fault_nodes, "after a kernel's fault: add an empty, kernel, memset, memcpy, host, "
                       "record, wait, child node; last error")
{
    lose_context();
    make_nodes();
}

SITUATION(fault_other_nodes, "after a kernel's fault: add an alloc, a free node; a conditional "
                             "handle; a generic empty node; a copy to a symbol")
{
    lose_context();
    make_other_nodes();
}

SITUATION(fault_graphs,
          "after a kernel's fault: nodes, roots, edges, type, dependencies, add, remove an edge, "
          "clone, find, DOT, destroy a node; nodes of NULL; last error")
{
    lose_context();
    ask_graphs();
}

SITUATION(fault_set, "after a kernel's fault: parameters of a kernel, a memset, a host node: get "
                     "and set each; an attribute: get and set")
{
    lose_context();
    set_nodes();
}

SITUATION(fault_exec, "after a kernel's fault: update, exec parameters of a kernel, of a host "
                      "node, get enabled, set enabled, flags, upload, launch, instantiate, destroy")
{
    lose_context();
    use_exec();
}

SITUATION(fault_streams, "after a kernel's fault: is capturing, capture info, flags, priority, id, "
                         "device, attribute, begin capture, end, exchange mode")
{
    lose_context();
    ask_streams();
}

SITUATION(fault_events, "after a kernel's fault: event create, query, synchronise, elapsed time, "
                        "wait; record of NULL, query of NULL, destroy of NULL; destroy")
{
    lose_context();
    ask_events();
}

SITUATION(fault_memory,
          "after a kernel's fault: pointer attributes, memory info, host flags, device pointer, "
          "cudaMallocAsync, copy and memset of 0 bytes, pool, graph memory, trim, cudaMalloc of 0")
{
    lose_context();
    ask_memory();
}

SITUATION(
    fault_rest,
    "after a kernel's fault: user object create, retain by a graph, release, release by a graph; "
    "function attributes, occupancy, symbol address, size, limit, priorities, peer; host function")
{
    lose_context();
    ask_rest();
}

static void CUDART_CB run_there(void *f)
{
    (*(void (**)(void))f)();
}

static void in_host_function(void (*f)(void))
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    prepare();
    MUST(cudaLaunchHostFunc(s, run_there, &f));
    MUST(cudaStreamSynchronize(s));
}

SITUATION(host_nodes, "in a host function: add an empty, kernel, memset, memcpy, host, record, "
                      "wait, child node; last error")
{
    in_host_function(make_nodes);
}

SITUATION(host_other_nodes, "in a host function: add an alloc, a free node; a conditional handle; "
                            "a generic empty node; a copy to a symbol")
{
    in_host_function(make_other_nodes);
}

SITUATION(host_graphs, "in a host function: nodes, roots, edges, type, dependencies, add, remove "
                       "an edge, clone, find, DOT, destroy a node; nodes of NULL; last error")
{
    in_host_function(ask_graphs);
}

SITUATION(host_set, "in a host function: parameters of a kernel, a memset, a host node: get and "
                    "set each; an attribute: get and set")
{
    in_host_function(set_nodes);
}

SITUATION(host_exec, "in a host function: update, exec parameters of a kernel, of a host node, get "
                     "enabled, set enabled, flags, upload, launch, instantiate, destroy")
{
    in_host_function(use_exec);
}

SITUATION(host_streams, "in a host function: is capturing, capture info, flags, priority, id, "
                        "device, attribute, begin capture, end, exchange mode")
{
    in_host_function(ask_streams);
}

SITUATION(host_events, "in a host function: event create, query, synchronise, elapsed time, wait; "
                       "record of NULL, query of NULL, destroy of NULL; destroy")
{
    in_host_function(ask_events);
}

SITUATION(host_memory,
          "in a host function: pointer attributes, memory info, host flags, device pointer, "
          "cudaMallocAsync, copy and memset of 0 bytes, pool, graph memory, trim, cudaMalloc of 0")
{
    in_host_function(ask_memory);
}

SITUATION(
    host_rest,
    "in a host function: user object create, retain by a graph, release, release by a graph; "
    "function attributes, occupancy, symbol address, size, limit, priorities, peer; host function")
{
    in_host_function(ask_rest);
}

static void ask_devices(void)
{
    int n;
    struct cudaDeviceProp p;
    answer(cudaPeekAtLastError());
    answer(cudaGetDeviceCount(&n));
    answer(cudaGetDevice(&n));
    answer(cudaSetDevice(0));
    answer(cudaDeviceGetAttribute(&n, cudaDevAttrWarpSize, 0));
    answer(cudaGetDeviceProperties(&p, 0));
    answer(cudaDriverGetVersion(&n));
    answer(cudaRuntimeGetVersion(&n));
    answer(cudaGetDevice(NULL));
    answer(cudaPeekAtLastError());
}

SITUATION(host_devices, "in a host function: peek, device count, device, set device, attribute, "
                        "properties, driver and runtime version, device with NULL; peek")
{
    in_host_function(ask_devices);
}

static void bad_handles(void)
{
    cudaGraph_t g;
    cudaGraphExec_t x;
    answer(cudaGraphCreate(&g, 0));
    answer(cudaGraphCreate(NULL, 0));
    answer(cudaGraphDestroy(NULL));
    answer(cudaGraphExecDestroy(NULL));
    answer(cudaGraphLaunch(NULL, t.stream));
    answer(cudaGraphInstantiate(&x, NULL, 0));
    answer(cudaEventSynchronize(NULL));
    answer(cudaStreamWaitEvent(t.stream, NULL, 0));
    answer(cudaStreamDestroy(NULL));
    answer(cudaMalloc(NULL, 4));
    answer(cudaFree(NULL));
    answer(cudaMemcpyAsync(NULL, NULL, 4, cudaMemcpyDefault, t.stream));
}

SITUATION(host_bad, "in a host function: graph create; into NULL; destroy NULL; exec destroy NULL; "
                    "launch NULL; instantiate NULL; event synchronise NULL; wait NULL; stream "
                    "destroy NULL; malloc into NULL; free NULL; copy NULL")
{
    in_host_function(bad_handles);
}

SITUATION(fault_bad, "after a kernel's fault: graph create; into NULL; destroy NULL; exec destroy "
                     "NULL; launch NULL; instantiate NULL; event synchronise NULL; wait NULL; "
                     "stream destroy NULL; malloc into NULL; free NULL; copy NULL")
{
    lose_context();
    bad_handles();
}
