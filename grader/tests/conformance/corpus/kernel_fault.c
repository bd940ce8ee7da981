/* kernel_fault.c: a kernel's fault, and the calls after it. */
#include "../graphs.h"

/* The launch is fine; the fault comes when it runs. */
static cudaError_t launch_fault(cudaStream_t s)
{
    int *p = NULL, value = 1;
    void *params[] = {&p, &value};
    return launch_one(situation_store(), params, s);
}

SITUATION("a kernel writes to NULL: launch, synchronize, get last error twice, malloc, free of "
          "NULL, peek")
{
    void *p = NULL;
    answer(launch_fault(0));
    gives(IllegalAddress, cudaDeviceSynchronize());
    gives(IllegalAddress, cudaGetLastError());
    answer(cudaGetLastError());
    gives(IllegalAddress, cudaMalloc(&p, 64));
    gives(IllegalAddress, cudaFree(NULL));
    gives(IllegalAddress, cudaPeekAtLastError());
}

SITUATION("after a kernel's fault: stream create, query, sync, destroy; event create, record, "
          "query; memcpy; memset; launch; get device, device count, set device, attribute, "
          "properties, driver version, free, free host, pinned malloc; cudaDeviceReset")
{
    char *m = device_bytes(64), h[64];
    void *pinned = pinned_bytes(64);
    struct cudaDeviceProp prop;
    int v = 0;
    cudaStream_t s = new_stream(0), t = NULL;
    cudaEvent_t e = new_event(0), f = NULL;
    MUST(launch_fault(s));
    gives(IllegalAddress, cudaStreamSynchronize(s));
    gives(IllegalAddress, cudaStreamCreate(&t));
    gives(IllegalAddress, cudaStreamQuery(s));
    gives(IllegalAddress, cudaStreamSynchronize(s));
    gives(IllegalAddress, cudaEventCreate(&f));
    gives(IllegalAddress, cudaEventRecord(e, s));
    gives(IllegalAddress, cudaEventQuery(e));
    gives(IllegalAddress, cudaMemcpy(h, m, 64, cudaMemcpyDeviceToHost));
    gives(IllegalAddress, cudaMemsetAsync(m, 0, 64, s));
    gives(IllegalAddress, launch_fault(s));
    gives(IllegalAddress, cudaStreamDestroy(s));
    answer(cudaGetDevice(&v));
    answer(cudaGetDeviceCount(&v));
    answer(cudaSetDevice(0));
    answer(cudaDeviceGetAttribute(&v, cudaDevAttrWarpSize, 0));
    answer(cudaGetDeviceProperties(&prop, 0));
    answer(cudaDriverGetVersion(&v));
    gives(IllegalAddress, cudaFree(m));
    gives(IllegalAddress, cudaFreeHost(pinned));
    gives(IllegalAddress, cudaMallocHost(&pinned, 64));
    answer(cudaDeviceReset());
}

static int runs;

static void CUDART_CB count(void *unused)
{
    (void)unused;
    runs++;
}

SITUATION("a host function after a kernel's fault: accepted or refused, runs")
{
    cudaStream_t s = new_stream(0);
    MUST(launch_fault(s));
    cudaError_t e = cudaLaunchHostFunc(s, count, NULL);
    shows("accepted", e == cudaSuccess ? "accepted" : "refused");
    gives(IllegalAddress, cudaStreamSynchronize(s));
    shows("0 runs", "%d runs", runs);
}

SITUATION("a graph's kernel writes to address 16: launch, synchronize, another launch, exec "
          "destroy, graph destroy, cudaGraphCreate")
{
    cudaStream_t s = new_stream(0);
    cudaGraph_t g = new_graph(), h;
    add_store(g, NULL, (int *)(uintptr_t)16, 1);
    cudaGraphExec_t x = new_exec(g);
    answer(cudaGraphLaunch(x, s));
    gives(IllegalAddress, cudaStreamSynchronize(s));
    gives(IllegalAddress, cudaGraphLaunch(x, s));
    gives(IllegalAddress, cudaStreamQuery(s));
    answer(cudaGraphExecDestroy(x));
    answer(cudaGraphDestroy(g));
    answer(cudaGraphCreate(&h, 0));
    gives(IllegalAddress, cudaStreamDestroy(s));
}
