/* pageable.c: copies between host and device from pinned and from pageable memory, by size: the
 * rate, and how long the call keeps the host. Pinned, also in both directions at once. */
#include "bench.h"

#include <string.h>

enum { MOST = 64 << 20 };

struct copy {
    char *to, *from;
    enum cudaMemcpyKind kind;
};

static size_t bytes;
static cudaStream_t there, back;
static char *dev, *dev2, *pinned, *pinned2, *pageable;

/* GB/s until done, and the part of that time in which the call had not returned. */
static void copy(void *which, double *v)
{
    const struct copy *c = which;
    double t0 = clock_now_us();
    CHECK(cudaMemcpyAsync(c->to, c->from, bytes, c->kind, there));
    double call_us = bench_since(t0);
    CHECK(cudaStreamSynchronize(there));
    double all_us = bench_since(t0);
    v[0] = (double)bytes / all_us * 1e-3;
    v[1] = call_us / all_us * 100;
}

/* GB/s in each direction. */
static void both(void *unused, double *v)
{
    (void)unused;
    double t0 = clock_now_us();
    CHECK(cudaMemcpyAsync(dev, pinned, bytes, cudaMemcpyHostToDevice, there));
    CHECK(cudaMemcpyAsync(pinned2, dev2, bytes, cudaMemcpyDeviceToHost, back));
    CHECK(cudaStreamSynchronize(there));
    CHECK(cudaStreamSynchronize(back));
    v[0] = (double)bytes / bench_since(t0) * 1e-3;
}

int main(int argc, char **argv)
{
    const size_t step = bench_quick() ? 64 : 4;
    const int points = bench_quick() ? 3 : 8;
    bench_begin(argc, argv, "pageable",
                "copies from pinned and pageable memory: rate, and how long the call takes",
                "bytes", points);
    CHECK(cudaStreamCreateWithFlags(&there, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&back, cudaStreamNonBlocking));
    CHECK(cudaMalloc((void **)&dev, MOST));
    CHECK(cudaMalloc((void **)&dev2, MOST));
    CHECK(cudaMallocHost((void **)&pinned, MOST));
    CHECK(cudaMallocHost((void **)&pinned2, MOST));
    pageable = malloc(MOST);
    if (!pageable) {
        fprintf(stderr, "pageable: no host memory for %d bytes\n", MOST);
        return 1;
    }
    memset(pinned, 1, MOST);
    memset(pageable, 1, MOST);
    CHECK(cudaMemset(dev2, 1, MOST));
    struct copy pinned_h2d = {dev, pinned, cudaMemcpyHostToDevice},
                pinned_d2h = {pinned2, dev2, cudaMemcpyDeviceToHost},
                pageable_h2d = {dev, pageable, cudaMemcpyHostToDevice},
                pageable_d2h = {pageable, dev2, cudaMemcpyDeviceToHost};
    const struct bench_variant variants[] = {
        {{"pinned.h2d", "pinned.h2d.call:%"}, copy, &pinned_h2d},
        {{"pinned.d2h", "pinned.d2h.call:%"}, copy, &pinned_d2h},
        {{"pageable.h2d", "pageable.h2d.call:%"}, copy, &pageable_h2d},
        {{"pageable.d2h", "pageable.d2h.call:%"}, copy, &pageable_d2h},
        {{"pinned.both"}, both, NULL},
    };
    for (bytes = 4096; bytes <= MOST; bytes *= step)
        bench_point((double)bytes, "GB/s", variants, 5);
    return bench_end();
}
