/*
 * documented.c: rows that were written from the Runtime API reference (CUDA 13.0). An H100
 * (driver 580.159.04) was asked on 2026-11-25, and answered the same.
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
