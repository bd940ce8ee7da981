/* all_reduce.c: an all-reduce over all devices by message size: in one shot and in two, each as
 * part of a graph, and the time that the bytes of two-shot take on the link of a device. */
#include "bench.h"

enum { MOST_DEVICES = 8, MOST = 64 << 20, MORE = 4 };

static int n;
static size_t bytes;
static float *x[MOST_DEVICES],
    *parts[MOST_DEVICES]; /* parts: two sets of slots, one for each device */
static int set;
static cudaStream_t streams[MOST_DEVICES];
static cudaEvent_t sent[MOST_DEVICES];

struct graphs {
    void (*reduce)(void);
    cudaGraphExec_t once, often; /* one all-reduce, and MORE others after it */
};

/* ---- all-reduces ----------------------------------------------------------------------------- */

static void copy(int from, float *to, const float *source, size_t count)
{
    CHECK(cudaMemcpyAsync(to, source, count * sizeof *to, cudaMemcpyDeviceToDevice, streams[from]));
}

static void record_all(void)
{
    for (int d = 0; d < n; d++)
        CHECK(cudaEventRecord(sent[d], streams[d]));
}

static void wait_for_others(int d)
{
    for (int q = 0; q < n; q++)
        if (q != d)
            CHECK(cudaStreamWaitEvent(streams[d], sent[q], 0));
}

/* On device d, the slot for the message of device q. */
static float *slot(int d, int q)
{
    return parts[d] + (size_t)(set * n + q) * (MOST / sizeof(float));
}

static void add(int d, size_t first, size_t count)
{
    CHECK(cudaSetDevice(d));
    CHECK(launch_sum_parts(x[d] + first, x[d] + first, slot(d, 0) + first, MOST / sizeof(float), n,
                           (int)count, streams[d]));
}

/* Each device sends its message, or the part of it that belongs to the receiver. */
static void send_messages(size_t part)
{
    for (int d = 0; d < n; d++)
        for (int i = 1; i < n; i++) {
            const int q = (d + i) % n;
            const size_t first = (size_t)q * part;
            copy(d, slot(q, d) + first, slot(d, d) + first, part ? part : bytes / sizeof(float));
        }
    record_all();
}

/* A device that is late may still add while others send the next messages: to the other set. */
static void one_shot(void)
{
    set = 1 - set;
    send_messages(0);
    for (int d = 0; d < n; d++) {
        wait_for_others(d);
        add(d, 0, bytes / sizeof(float));
    }
}

static void two_shot(void)
{
    const size_t part = bytes / sizeof(float) / (size_t)n;
    send_messages(part);
    for (int d = 0; d < n; d++) {
        wait_for_others(d);
        add(d, (size_t)d * part, part);
    }
    for (int d = 0; d < n; d++)
        for (int i = 1; i < n; i++)
            copy(d, x[(d + i) % n] + (size_t)d * part, x[d] + (size_t)d * part, part);
    record_all();
    for (int d = 0; d < n; d++)
        wait_for_others(d);
}

/* Each device sends one large message to the next one. */
static void neighbors(void)
{
    for (int d = 0; d < n; d++)
        copy(d, slot((d + 1) % n, d), slot(d, d), bytes / sizeof(float));
    record_all();
    for (int d = 0; d < n; d++)
        wait_for_others(d);
}

/* ---- graphs ---------------------------------------------------------------------------------- */

static cudaGraphExec_t capture(void (*reduce)(void), int count)
{
    bench_capture(streams[0]);
    CHECK(cudaEventRecord(sent[0], streams[0]));
    for (int d = 1; d < n; d++)
        CHECK(cudaStreamWaitEvent(streams[d], sent[0], 0));
    for (int i = 0; i < count; i++)
        reduce();
    record_all();
    wait_for_others(0);
    CHECK(cudaSetDevice(0));
    cudaGraphExec_t exec = bench_captured(streams[0]);
    CHECK(cudaGraphUpload(exec, streams[0]));
    return exec;
}

/* One more all-reduce. */
static void run(void *graphs, double *v)
{
    const struct graphs *g = graphs;
    const double once_us = bench_launch_us(g->once, streams[0]);
    v[0] = (bench_launch_us(g->often, streams[0]) - once_us) / MORE;
}

/* The bytes that a device sends in two shots, at the rate of the largest message. */
static double limit_us(double gbps)
{
    return 2 * (n - 1.0) / n * (double)bytes / (gbps * 1e3);
}

static void create(void)
{
    int can;
    for (int d = 0; d < n; d++) {
        CHECK(cudaSetDevice(d));
        for (int q = 0; q < n; q++) {
            CHECK(cudaDeviceCanAccessPeer(&can, d, q));
            if (can)
                CHECK(cudaDeviceEnablePeerAccess(q, 0));
        }
        CHECK(cudaMalloc((void **)&x[d], MOST));
        CHECK(cudaMalloc((void **)&parts[d], (size_t)n * 2 * MOST));
        CHECK(cudaMemset(x[d], 0, MOST));
        CHECK(cudaMemset(parts[d], 0, (size_t)n * 2 * MOST));
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaStreamCreateWithFlags(&streams[d], cudaStreamNonBlocking));
        CHECK(cudaEventCreateWithFlags(&sent[d], cudaEventDisableTiming));
    }
    CHECK(cudaSetDevice(0));
}

/* GB/s of a link. */
static double rate(void)
{
    struct graphs g = {.reduce = neighbors};
    double us;
    bytes = MOST;
    g.once = capture(g.reduce, 1);
    g.often = capture(g.reduce, 1 + MORE);
    run(&g, &us);
    run(&g, &us); /* the first one warms up */
    return MOST / (us * 1e3);
}

int main(int argc, char **argv)
{
    struct graphs one = {.reduce = one_shot}, two = {.reduce = two_shot}, *both[] = {&one, &two};
    const struct bench_variant variants[] = {{{"one_shot"}, run, &one}, {{"two_shot"}, run, &two}};
    const size_t step = bench_quick() ? 64 : 4;
    n = bench_needs_devices("all_reduce", 2);
    n = n < MOST_DEVICES ? n : MOST_DEVICES;
    bench_begin(argc, argv, "all_reduce",
                "an all-reduce over all devices in one shot and in two, and the limit of the link",
                "bytes", bench_quick() ? 3 : 8);
    create();
    const double gbps = rate();
    for (size_t size = 4096; size <= MOST; size *= step) {
        bytes = size;
        for (int i = 0; i < 2; i++) {
            both[i]->once = capture(both[i]->reduce, 1);
            both[i]->often = capture(both[i]->reduce, 1 + MORE);
        }
        bench_point((double)size, "us", variants, 2);
        bench_row((double)size, "limit", limit_us(gbps), limit_us(gbps), limit_us(gbps), 1, "us");
        bench_row((double)size, "devices", n, n, n, 1, "devices");
        for (int i = 0; i < 2; i++) {
            CHECK(cudaGraphExecDestroy(both[i]->once));
            CHECK(cudaGraphExecDestroy(both[i]->often));
        }
    }
    return bench_end();
}
