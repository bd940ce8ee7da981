/*
 * documented.c: rows that were written from the Runtime API reference (CUDA 13.0). An H100
 * (driver 580.159.04) was asked on 2026-11-25, and answered the same. The rows at the end are of
 * CUDA 13.1 and 13.2, and no GPU has been asked.
 */
#include <string.h>

#include "../graphs.h"
#include "../situation_kernels.h"

SITUATION(get_kernel, "cudaGetKernel; a launch of the handle", "kernel: not NULL")
{
    cudaKernel_t kernel = NULL;
    answer(cudaGetKernel(&kernel, situation_nothing()));
    answer_fact("kernel", "%s", kernel ? "not NULL" : "NULL");
    answer(cudaLaunchKernel((const void *)kernel, (dim3){1, 1, 1}, (dim3){1, 1, 1}, NULL, 0, 0));
    answer(cudaDeviceSynchronize());
}

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
SITUATION(driver_entry_by_name, "cudaGetDriverEntryPoint of no such function", "status: 1",
          "function: NULL")
{
    void *function = NULL;
    enum cudaDriverEntryPointQueryResult status = cudaDriverEntryPointSuccess;
    answer(cudaGetDriverEntryPoint("cuNoSuch", &function, cudaEnableDefault, &status));
    answer_fact("status", "%d", (int)status);
    answer_fact("function", "%s", function ? "not NULL" : "NULL");
}

SITUATION(semaphore_nodes_set,
          "nodes of no external semaphores: set in the graph; in the exec; read back",
          "wait.numExtSems: 0")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t signals, waits;
    struct cudaExternalSemaphoreSignalNodeParams signal;
    struct cudaExternalSemaphoreWaitNodeParams wait;
    memset(&signal, 0, sizeof signal);
    memset(&wait, 0, sizeof wait);
    MUST(cudaGraphAddExternalSemaphoresSignalNode(&signals, g, NULL, 0, &signal));
    MUST(cudaGraphAddExternalSemaphoresWaitNode(&waits, g, NULL, 0, &wait));
    wait.numExtSems = 99;
    answer(cudaGraphExternalSemaphoresSignalNodeSetParams(signals, &signal));
    answer(cudaGraphExecExternalSemaphoresSignalNodeSetParams(new_exec(g), signals, &signal));
    answer(cudaGraphExternalSemaphoresWaitNodeGetParams(waits, &wait));
    answer_text("%u", wait.numExtSems);
}

SITUATION(symbol_node_set_from,
          "cudaGraphMemcpyNodeSetParamsFromSymbol: another offset; past the end; to a symbol; what "
          "arrives",
          "cudaGraphMemcpyNodeSetParamsFromSymbol(v, 65, cudaMemcpyDeviceToHost): InvalidValue",
          "cudaGraphMemcpyNodeSetParamsFromSymbol(v, 4, cudaMemcpyHostToDevice): "
          "InvalidMemcpyDirection",
          "cudaGraphMemcpyNodeSetParamsFromSymbol(NULL, 4, cudaMemcpyDeviceToHost): InvalidSymbol",
          "*back: 6")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    const void *v = situation_numbers();
    const int numbers[] = {5, 6};
    int *back = pinned_bytes(SMALL);
    MUST(cudaMemcpyToSymbol(v, numbers, sizeof numbers, 0, cudaMemcpyHostToDevice));
    MUST(cudaGraphAddMemcpyNodeFromSymbol(&n, g, NULL, 0, back, v, 4, 0, cudaMemcpyDeviceToHost));
    answer(cudaGraphMemcpyNodeSetParamsFromSymbol(n, back, v, 4, 4, cudaMemcpyDeviceToHost));
    answer(cudaGraphMemcpyNodeSetParamsFromSymbol(n, back, v, 65, 4, cudaMemcpyDeviceToHost));
    answer(cudaGraphMemcpyNodeSetParamsFromSymbol(n, back, v, 4, 4, cudaMemcpyHostToDevice));
    answer(cudaGraphMemcpyNodeSetParamsFromSymbol(n, back, NULL, 4, 4, cudaMemcpyDeviceToHost));
    answer_run(new_exec(g));
    answer_text("%d", *back);
}

SITUATION(pool_import_bad,
          "cudaMemPoolImportFromShareableHandle without a handle type; with flags; "
          "cudaMemPoolImportPointer into a pool that was not imported",
          "cudaMemPoolImportFromShareableHandle(cudaMemHandleTypeNone, 0): InvalidValue",
          "cudaMemPoolImportFromShareableHandle(cudaMemHandleTypePosixFileDescriptor, 1): "
          "InvalidValue",
          "cudaMemPoolImportPointer: InvalidValue")
{
    cudaMemPool_t pool;
    struct cudaMemPoolPtrExportData data;
    void *p = NULL;
    memset(&data, 0, sizeof data);
    answer(cudaMemPoolImportFromShareableHandle(&pool, NULL, cudaMemHandleTypeNone, 0));
    answer(
        cudaMemPoolImportFromShareableHandle(&pool, NULL, cudaMemHandleTypePosixFileDescriptor, 1));
    MUST(cudaDeviceGetDefaultMemPool(&pool, 0));
    answer(cudaMemPoolImportPointer(&p, pool, &data));
}

SITUATION(
    range_attributes,
    "cudaMemRangeGetAttributes of managed memory that is read mostly: two; none; of memory of "
    "cudaMalloc",
    "read_mostly, location: 1 -2", "cudaMemRangeGetAttributes(0, p): InvalidValue",
    "cudaMemRangeGetAttributes(2, device_bytes(4096)): InvalidValue")
{
    int read_mostly = 7, location = 7;
    void *p, *values[] = {&read_mostly, &location};
    size_t sizes[] = {sizeof read_mostly, sizeof location};
    enum cudaMemRangeAttribute which[] = {cudaMemRangeAttributeReadMostly,
                                          cudaMemRangeAttributePreferredLocation};
    MUST(cudaMallocManaged(&p, 4096, cudaMemAttachGlobal));
    MUST(cudaMemAdvise(p, 4096, cudaMemAdviseSetReadMostly, device_location(0)));
    answer(cudaMemRangeGetAttributes(values, sizes, which, 2, p, 4096));
    answer_text("%d %d", read_mostly, location);
    answer(cudaMemRangeGetAttributes(values, sizes, which, 0, p, 4096));
    answer(cudaMemRangeGetAttributes(values, sizes, which, 2, device_bytes(4096), 4096));
}

/* ---- since CUDA 13.1, not asked of a GPU ----------------------------------------------------- */

#if CUDART_VERSION >= 13020

SITUATION(node_get_params,
          "cudaGraphNodeGetParams: a kernel; a memset; a while; a node that is gone; into NULL",
          "blocks: 2 1 1", "value: 7", "bodies: 1", "as the body that was made: 1",
          "cudaGraphNodeGetParams(set, NULL): InvalidValue",
          "cudaGraphNodeGetParams(gone, &p): InvalidValue")
{
    struct cudaGraphNodeParams p;
    cudaGraph_t g = new_graph();
    cudaGraphNode_t run, set, loop, gone;
    cudaGraphConditionalHandle condition;
    struct cudaKernelNodeParams k = {
        .func = (void *)(size_t)situation_nothing(), .gridDim = {2, 1, 1}, .blockDim = {1, 1, 1}};
    struct cudaMemsetParams m = {
        .dst = device_bytes(4), .value = 7, .elementSize = 4, .width = 1, .height = 1};
    MUST(cudaGraphAddKernelNode(&run, g, NULL, 0, &k));
    MUST(cudaGraphAddMemsetNode(&set, g, NULL, 0, &m));
    answer(cudaGraphNodeGetParams(run, &p));
    answer_fact("blocks", "%u %u %u", p.kernel.gridDim.x, p.kernel.gridDim.y, p.kernel.gridDim.z);
    answer(cudaGraphNodeGetParams(set, &p));
    answer_fact("value", "%u", p.memset.value);
    MUST(cudaGraphConditionalHandleCreate(&condition, g, 0, 0));
    struct cudaGraphNodeParams c = {.type = cudaGraphNodeTypeConditional};
    c.conditional.handle = condition;
    c.conditional.type = cudaGraphCondTypeWhile;
    c.conditional.size = 1;
    MUST(cudaGraphAddNode(&loop, g, NULL, NULL, 0, &c));
    answer(cudaGraphNodeGetParams(loop, &p));
    answer_fact("bodies", "%u", p.conditional.size);
    answer_fact("as the body that was made", "%d",
                p.conditional.phGraph_out[0] == c.conditional.phGraph_out[0]);
    answer(cudaGraphNodeGetParams(set, NULL));
    MUST(cudaGraphAddEmptyNode(&gone, g, NULL, 0));
    MUST(cudaGraphDestroyNode(gone));
    answer(cudaGraphNodeGetParams(gone, &p));
}

SITUATION(ids, "ids of two graphs, of two nodes and of an exec; the graph of a node; of NULL",
          "graphs differ: 1", "nodes differ: 1", "tools' ids differ: 1", "its own: 1",
          "cudaGraphGetId(NULL, &a): InvalidValue",
          "cudaGraphNodeGetLocalId(NULL, &a): InvalidValue",
          "cudaGraphExecGetId(NULL): InvalidValue")
{
    cudaGraph_t g = new_graph(), other = new_graph(), found = NULL;
    cudaGraphNode_t first, second;
    unsigned a = 0, b = 0;
    unsigned long long tools[2];
    MUST(cudaGraphAddEmptyNode(&first, g, NULL, 0));
    MUST(cudaGraphAddEmptyNode(&second, g, NULL, 0));
    answer(cudaGraphGetId(g, &a));
    answer(cudaGraphGetId(other, &b));
    answer_fact("graphs differ", "%d", a != b);
    answer(cudaGraphNodeGetLocalId(first, &a));
    answer(cudaGraphNodeGetLocalId(second, &b));
    answer_fact("nodes differ", "%d", a != b);
    answer(cudaGraphNodeGetToolsId(first, &tools[0]));
    answer(cudaGraphNodeGetToolsId(second, &tools[1]));
    answer_fact("tools' ids differ", "%d", tools[0] != tools[1]);
    answer(cudaGraphExecGetId(new_exec(g), &a));
    answer(cudaGraphNodeGetContainingGraph(second, &found));
    answer_fact("its own", "%d", found == g);
    answer(cudaGraphGetId(NULL, &a));
    answer(cudaGraphNodeGetLocalId(NULL, &a));
    answer(cudaGraphExecGetId(NULL, &a));
}

static void CUDART_CB add_one(void *data)
{
    ++*(int *)data;
}

SITUATION(host_function_v2,
          "cudaLaunchHostFunc_v2: what it did; in an unknown mode; of no function", "calls: 1",
          "cudaLaunchHostFunc_v2(add_one, 2): InvalidValue",
          "cudaLaunchHostFunc_v2(NULL, cudaHostTaskBlocking): InvalidValue")
{
    int calls = 0;
    answer(cudaLaunchHostFunc_v2(0, add_one, &calls, cudaHostTaskBlocking));
    MUST(cudaDeviceSynchronize());
    answer_fact("calls", "%d", calls);
    answer(cudaLaunchHostFunc_v2(0, add_one, &calls, 2));
    answer(cudaLaunchHostFunc_v2(0, NULL, &calls, cudaHostTaskBlocking));
}

SITUATION(copy_with_attributes,
          "cudaMemcpyWithAttributesAsync: what arrives; without attributes; in an unknown order",
          "arrived: 5", "cudaMemcpyWithAttributesAsync(NULL): InvalidValue",
          "cudaMemcpyWithAttributesAsync(&a) #2: InvalidValue")
{
    int five = 5, back = 0, *d = device_bytes(4);
    struct cudaMemcpyAttributes a = {.srcAccessOrder = cudaMemcpySrcAccessOrderStream};
    answer(cudaMemcpyWithAttributesAsync(d, &five, sizeof five, &a, 0));
    MUST(cudaMemcpy(&back, d, sizeof back, cudaMemcpyDeviceToHost));
    answer_fact("arrived", "%d", back);
    answer(cudaMemcpyWithAttributesAsync(d, &five, sizeof five, NULL, 0));
    a.srcAccessOrder = (enum cudaMemcpySrcAccessOrder)77;
    answer(cudaMemcpyWithAttributesAsync(d, &five, sizeof five, &a, 0));
}

/* What is set and not modeled is refused, not ignored: the answers are the simulated device's. */
SITUATION(newer_fields,
          "nodes with a context, and with a host function that is waited for by polling",
          "cudaGraphAddNode: NotSupported", "cudaGraphAddNode #2: NotSupported",
          "cudaGraphNodeSetParams: NotSupported")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    int calls = 0;
    struct cudaGraphNodeParams p = {.type = cudaGraphNodeTypeMemset};
    p.memset.dst = device_bytes(4);
    p.memset.elementSize = 4;
    p.memset.width = p.memset.height = 1;
    p.memset.ctx = (cudaExecutionContext_t)(void *)g;
    answer(cudaGraphAddNode(&n, g, NULL, NULL, 0, &p));
    memset(&p, 0, sizeof p);
    p.type = cudaGraphNodeTypeHost;
    p.host.fn = add_one;
    p.host.userData = &calls;
    p.host.syncMode = cudaHostTaskSpinWait;
    answer(cudaGraphAddNode(&n, g, NULL, NULL, 0, &p));
    p.host.syncMode = cudaHostTaskBlocking;
    MUST(cudaGraphAddNode(&n, g, NULL, NULL, 0, &p));
    p.host.syncMode = cudaHostTaskSpinWait;
    answer(cudaGraphNodeSetParams(n, &p));
}

#endif
