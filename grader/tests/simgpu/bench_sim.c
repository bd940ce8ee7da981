/* bench_sim.c: how fast the simulated device itself is, in real time on this machine.
 *
 *     make bench
 *
 * Graphs of a thousand, ten thousand and a hundred thousand kernels; one million operations over
 * eight streams (empty kernels, 4-byte copies, event records and waits); ten tiled 256 x 256 matrix
 * products. Prints seconds and the most memory used so far; it judges nothing. */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "kernels/kernels.h"

enum { STREAMS = 8, ROUNDS = 250000, WORDS = 1 << 18, N = 256, PRODUCTS = 10 };

static void check(cudaError_t e, const char *what)
{
    if (e == cudaSuccess)
        return;
    fprintf(stderr, "bench_sim: %s: %s\n", what, cudaGetErrorString(e));
    exit(1);
}

#define CHECK(call) check((call), #call)

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static long memory_mb(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return u.ru_maxrss / 1024;
}

static void one_million_operations(void)
{
    cudaStream_t streams[STREAMS];
    cudaEvent_t events[STREAMS];
    int *device, *host;
    CHECK(cudaMalloc((void **)&device, WORDS * sizeof *device));
    CHECK(cudaMallocHost((void **)&host, WORDS * sizeof *host));
    for (int i = 0; i < STREAMS; i++) {
        CHECK(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
        CHECK(cudaEventCreateWithFlags(&events[i], cudaEventDisableTiming));
    }
    double start = now_s();
    for (int i = 0; i < ROUNDS; i++) {
        int k = i % STREAMS, at = i % WORDS;
        CHECK(launch_empty(1, streams[k]));
        CHECK(cudaMemcpyAsync(device + at, host + at, sizeof *host, cudaMemcpyHostToDevice,
                              streams[k]));
        CHECK(cudaEventRecord(events[k], streams[k]));
        CHECK(cudaStreamWaitEvent(streams[(k + 1) % STREAMS], events[k], 0));
    }
    CHECK(cudaDeviceSynchronize());
    printf("%d operations over %d streams: %.3f s, %ld MB\n", 4 * ROUNDS, STREAMS, now_s() - start,
           memory_mb());
    for (int i = 0; i < STREAMS; i++) {
        CHECK(cudaStreamDestroy(streams[i]));
        CHECK(cudaEventDestroy(events[i]));
    }
    CHECK(cudaFree(device));
    CHECK(cudaFreeHost(host));
}

static void ten_products(void)
{
    float *m;
    CHECK(cudaMalloc((void **)&m, 3 * N * N * sizeof *m));
    CHECK(cudaMemset(m, 0, 3 * N * N * sizeof *m));
    CHECK(cudaDeviceSynchronize());
    double start = now_s();
    for (int i = 0; i < PRODUCTS; i++)
        CHECK(launch_matmul(m, m + N * N, m + 2 * N * N, N, 0));
    CHECK(cudaDeviceSynchronize());
    printf("%d products of %d x %d: %.3f s\n", PRODUCTS, N, N, now_s() - start);
    CHECK(cudaFree(m));
}

/* A chain of empty kernels, captured, instantiated and launched a hundred times. */
static void graph_of(int nodes)
{
    enum { LAUNCHES = 100 };
    cudaStream_t s;
    cudaGraph_t g;
    cudaGraphExec_t x;
    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    double start = now_s();
    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    for (int i = 0; i < nodes; i++)
        CHECK(launch_empty(1, s));
    CHECK(cudaStreamEndCapture(s, &g));
    CHECK(cudaGraphInstantiate(&x, g, 0));
    for (int i = 0; i < LAUNCHES; i++)
        CHECK(cudaGraphLaunch(x, s));
    CHECK(cudaStreamSynchronize(s));
    printf("a graph of %d kernels, captured, instantiated, launched %d times: %.3f s, %ld MB\n",
           nodes, LAUNCHES, now_s() - start, memory_mb());
    CHECK(cudaGraphExecDestroy(x));
    CHECK(cudaGraphDestroy(g));
    CHECK(cudaStreamDestroy(s));
}

int main(void)
{
    for (int nodes = 1000; nodes <= 100000; nodes *= 10)
        graph_of(nodes);
    one_million_operations();
    ten_products();
    return 0;
}
