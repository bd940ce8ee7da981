/* alloc.c: temporary memory, stream-ordered and as nodes of a graph: n times cudaMallocAsync, a
 * kernel, cudaFreeAsync. By stream twice: with a pool that gives its memory back at every
 * synchronise (as a fresh one does) and with one that keeps it. */
#include "bench.h"

#include <stdint.h>

enum { BYTES = 1 << 20, MOST = 64 };

static cudaStream_t stream;
static cudaMemPool_t pool;
static cudaGraphExec_t exec;
static int n;

static void put(void)
{
    for (int i = 0; i < n; i++) {
        void *p;
        CHECK(cudaMallocAsync(&p, BYTES, stream));
        CHECK(launch_empty(1, stream));
        CHECK(cudaFreeAsync(p, stream));
    }
}

static void by_stream(void *keep, double *v)
{
    uint64_t bytes = keep ? UINT64_MAX : 0;
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &bytes));
    CHECK(cudaStreamSynchronize(stream));
    if (keep) { /* the pool has its memory */
        put();
        CHECK(cudaStreamSynchronize(stream));
    } else {
        CHECK(cudaMemPoolTrimTo(pool, 0));
    }
    double t0 = clock_now_us();
    put();
    CHECK(cudaStreamSynchronize(stream));
    v[0] = bench_since(t0);
}

static void by_graph(void *unused, double *v)
{
    (void)unused;
    v[0] = bench_launch_us(exec, stream);
}

/* What graphs hold of the device's memory. */
static double reserved_mib(void)
{
    unsigned long long bytes = 0;
    CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &bytes));
    return (double)bytes / (1 << 20);
}

int main(int argc, char **argv)
{
    static int yes = 1;
    const struct bench_variant variants[] = {
        {{"stream"}, by_stream, NULL},
        {{"stream.kept"}, by_stream, &yes},
        {{"graph"}, by_graph, NULL},
    };
    const int step = bench_quick() ? 8 : 2, points = bench_quick() ? 3 : 7;
    bench_begin(argc, argv, "alloc",
                "n times: 1 MiB of temporary memory, an empty kernel, the memory freed",
                "allocations", points);
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
    for (n = 1; n <= MOST; n *= step) {
        bench_capture(stream);
        put();
        exec = bench_captured(stream);
        bench_point(n, "us", variants, 3);
        double mib = reserved_mib();
        bench_row(n, "graph.reserved", mib, mib, mib, 1, "MiB");
        CHECK(cudaGraphExecDestroy(exec));
        CHECK(cudaDeviceGraphMemTrim(0));
    }
    return bench_end();
}
