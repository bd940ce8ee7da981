// memory_used.cu: the device's account of its memory: allocations of all kinds, variables, and
// memory of graphs.
#include "../check.cuh"
#include "simgpu.h"

enum { MB = 1 << 20 };

__device__ char variable[3 * MB];

static int64_t before;

static void expect(int64_t now, int64_t most, const char *what)
{
    const int64_t n = simgpu_memory_now() - before, m = simgpu_memory_most(1) - before;
    if (n == now && m == most)
        return;
    printf("%s: %lld and at most %lld bytes, not %lld and %lld\n", what, (long long)n, (long long)m,
           (long long)now, (long long)most);
    exit(1);
}

static void allocations()
{
    void *a, *b, *c;
    OK(cudaMalloc(&a, 5 * MB));
    OK(cudaMallocManaged(&b, 2 * MB));
    OK(cudaMallocHost(&c, 9 * MB));
    expect(7 * MB, 7 * MB, "allocated");
    OK(cudaFree(a));
    expect(2 * MB, 7 * MB, "freed");
    OK(cudaFree(b));
    OK(cudaFreeHost(c));
    expect(0, 2 * MB, "all freed");
}

// In the stream of the free its memory is used again; in another one the free may not be done.
static void pools()
{
    cudaStream_t s, other;
    void *a;
    OK(cudaStreamCreate(&s));
    OK(cudaStreamCreate(&other));
    for (int i = 0; i < 3; i++) {
        OK(cudaMallocAsync(&a, MB, s));
        OK(cudaMemsetAsync(a, 0, MB, s));
        OK(cudaFreeAsync(a, s));
    }
    OK(cudaDeviceSynchronize());
    expect(0, MB, "one stream");
    OK(cudaMallocAsync(&a, MB, s));
    OK(cudaMemsetAsync(a, 0, MB, s));
    OK(cudaFreeAsync(a, s));
    OK(cudaMallocAsync(&a, MB, other));
    OK(cudaFreeAsync(a, other));
    OK(cudaDeviceSynchronize());
    expect(0, 2 * MB, "two streams");
    OK(cudaStreamDestroy(s));
    OK(cudaStreamDestroy(other));
}

static void graphs()
{
    cudaStream_t s;
    cudaGraph_t g;
    cudaGraphExec_t x;
    void *a, *b;
    OK(cudaStreamCreate(&s));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    OK(cudaMallocAsync(&a, MB, s));
    OK(cudaMallocAsync(&b, 2 * MB, s));
    OK(cudaFreeAsync(a, s));
    OK(cudaFreeAsync(b, s));
    OK(cudaStreamEndCapture(s, &g));
    OK(cudaGraphInstantiate(&x, g, 0));
    expect(0, 0, "not launched");
    OK(cudaGraphLaunch(x, s));
    OK(cudaGraphLaunch(x, s));
    OK(cudaStreamSynchronize(s));
    unsigned long long reserved;
    OK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &reserved));
    if (reserved < 3 * MB)
        exit(1);
    expect((int64_t)reserved, (int64_t)reserved, "launched twice");
    OK(cudaDeviceGraphMemTrim(0));
    expect(0, (int64_t)reserved, "trimmed");
    OK(cudaGraphExecDestroy(x));
    OK(cudaGraphDestroy(g));
    OK(cudaStreamDestroy(s));
}

int main()
{
    before = sizeof variable;
    expect(0, 0, "a variable");
    allocations();
    pools();
    graphs();
    puts("passed");
}
