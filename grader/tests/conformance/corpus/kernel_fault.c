/*
 * kernel_fault.c: a kernel's fault, and the calls after it.
 */
#include <stdint.h>

#include "../graphs.h"
#include "../situation_kernels.h"

/* The launch is fine; the fault comes when it runs. */
static cudaError_t launch_fault(cudaStream_t s)
{
    int *p = NULL, value = 1;
    void *params[] = {&p, &value};
    return cudaLaunchKernel(situation_store(), (dim3){1, 1, 1}, (dim3){1, 1, 1}, params, 0, s);
}

SITUATION(fault_seen,
          "a kernel writes to NULL: launch, synchronize, get last error twice, malloc, "
          "free of NULL, peek",
          "cudaDeviceSynchronize: IllegalAddress", "cudaGetLastError: IllegalAddress",
          "cudaMalloc: IllegalAddress", "cudaFree: IllegalAddress",
          "cudaPeekAtLastError: IllegalAddress")
{
    void *p = NULL;
    answer(launch_fault(0));
    answer(cudaDeviceSynchronize());
    answer(cudaGetLastError());
    answer(cudaGetLastError());
    answer(cudaMalloc(&p, 64));
    answer(cudaFree(NULL));
    answer(cudaPeekAtLastError());
}

SITUATION(fault_calls,
          "after a kernel's fault: stream create, query, sync, destroy; event create, "
          "record, query; memcpy; memset; launch",
          "cudaStreamSynchronize: IllegalAddress", "cudaStreamCreate: IllegalAddress",
          "cudaStreamQuery: IllegalAddress", "cudaStreamSynchronize #2: IllegalAddress",
          "cudaEventCreate: IllegalAddress", "cudaEventRecord: IllegalAddress",
          "cudaEventQuery: IllegalAddress", "cudaMemcpy: IllegalAddress",
          "cudaMemsetAsync: IllegalAddress", "launch_fault: IllegalAddress",
          "cudaStreamDestroy: IllegalAddress")
{
    char *m = device_bytes(64), h[64];
    cudaStream_t s = new_stream(0), t = NULL;
    cudaEvent_t e = new_event(0), f = NULL;
    MUST(launch_fault(s));
    answer(cudaStreamSynchronize(s));
    answer(cudaStreamCreate(&t));
    answer(cudaStreamQuery(s));
    answer(cudaStreamSynchronize(s));
    answer(cudaEventCreate(&f));
    answer(cudaEventRecord(e, s));
    answer(cudaEventQuery(e));
    answer(cudaMemcpy(h, m, 64, cudaMemcpyDeviceToHost));
    answer(cudaMemsetAsync(m, 0, 64, s));
    answer(launch_fault(s));
    answer(cudaStreamDestroy(s));
}

SITUATION(fault_queries,
          "after a kernel's fault: get device, device count, set device, attribute, "
          "properties, driver version, free, free host, pinned malloc",
          "cudaDeviceSynchronize: IllegalAddress", "cudaFree: IllegalAddress",
          "cudaFreeHost: IllegalAddress", "cudaMallocHost: IllegalAddress")
{
    void *m = device_bytes(64), *h = pinned_bytes(64), *g = NULL;
    struct cudaDeviceProp prop;
    int v = 0;
    MUST(launch_fault(0));
    answer(cudaDeviceSynchronize());
    answer(cudaGetDevice(&v));
    answer(cudaGetDeviceCount(&v));
    answer(cudaSetDevice(0));
    answer(cudaDeviceGetAttribute(&v, cudaDevAttrWarpSize, 0));
    answer(cudaGetDeviceProperties(&prop, 0));
    answer(cudaDriverGetVersion(&v));
    answer(cudaFree(m));
    answer(cudaFreeHost(h));
    answer(cudaMallocHost(&g, 64));
}

SITUATION(fault_reset, "after a kernel's fault: cudaDeviceReset",
          "cudaDeviceSynchronize: IllegalAddress")
{
    MUST(launch_fault(0));
    answer(cudaDeviceSynchronize());
    answer(cudaDeviceReset());
}

static int runs;

static void CUDART_CB count(void *unused)
{
    (void)unused;
    runs++;
}

SITUATION(fault_callback, "a host function after a kernel's fault: accepted or refused, runs",
          "e == cudaSuccess: accepted", "cudaStreamSynchronize: IllegalAddress", "runs: 0 runs")
{
    cudaStream_t s = new_stream(0);
    MUST(launch_fault(s));
    cudaError_t e = cudaLaunchHostFunc(s, count, NULL);
    answer_text(e == cudaSuccess ? "accepted" : "refused");
    answer(cudaStreamSynchronize(s));
    answer_text("%d runs", runs);
}

SITUATION(bad_pointer_kernel,
          "a kernel writes to address 16: launch, synchronize, last error, "
          "cudaMalloc, cudaStreamCreate, cudaGetLastError again",
          "cudaDeviceSynchronize: IllegalAddress", "cudaGetLastError: IllegalAddress",
          "cudaMalloc: IllegalAddress", "cudaStreamCreate: IllegalAddress",
          "cudaGetLastError #2: IllegalAddress")
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

SITUATION(bad_pointer_graph,
          "a graph's kernel writes to address 16: launch, synchronize, another "
          "launch, exec destroy, graph destroy, cudaGraphCreate",
          "cudaStreamSynchronize: IllegalAddress", "cudaGraphLaunch #2: IllegalAddress",
          "cudaStreamQuery: IllegalAddress", "cudaStreamDestroy: IllegalAddress")
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
