/* probe_kernels.c: device time of the course's kernels, alone and beside each other. */
#include "probe.h"

#include <stdio.h>

enum job_kind { MATMUL, SAXPY, PRODUCE, CONSUME, DELAY, BLOCKS_32, BLOCKS_1024, READ, EMPTY };

/* A kernel under test: `size` and `work` mean what its launcher takes. */
struct job {
    enum job_kind kind;
    int size, work, streams;
};

static float *part(char *base, int i, size_t floats)
{
    size_t bytes = floats * sizeof(float);
    return (float *)(base + ((size_t)i * bytes) % (PROBE_BYTES - bytes + 1) / 256 * 256);
}

static void launch(const struct job *j, int i, cudaStream_t s)
{
    size_t n = (size_t)j->size;
    switch (j->kind) {
    case MATMUL:
        OK(launch_matmul(part(T.dev2, i, n * n), part(T.dev, 2 * i, n * n),
                         part(T.dev, 2 * i + 1, n * n), j->size, s));
        break;
    case SAXPY:
        OK(launch_saxpy(part(T.dev2, i, n), part(T.dev, i, n), 0.5f, j->size, s));
        break;
    case PRODUCE:
        OK(launch_produce(part(T.dev2, i, n), part(T.dev, i, n), j->work, j->size, s));
        break;
    case CONSUME:
        OK(launch_consume(part(T.dev2, i, n), part(T.dev, i, n), j->size, s));
        break;
    case DELAY:
        OK(launch_delay((float)j->work, s));
        break;
    case BLOCKS_32:
        OK(launch_blocks((float)j->work, j->size, 32, s));
        break;
    case BLOCKS_1024:
        OK(launch_blocks((float)j->work, j->size, 1024, s));
        break;
    case READ:
        OK(launch_sum(T.dev2, T.dev, PROBE_BYTES, j->size, s));
        break;
    case EMPTY:
        OK(launch_empty(j->size, s));
    }
}

static void run_jobs(int n, void *arg)
{
    const struct job *j = arg;
    fork_streams(j->streams);
    for (int i = 0; i < n; i++)
        launch(j, i % j->streams, T.s[i % j->streams]);
    join_streams(j->streams);
}

static double one_us(struct job j)
{
    return queued_us(run_jobs, 1, &j, 60, 15) - queued_us(run_jobs, 0, &j, 60, 15);
}

static double each_us(struct job j, int count)
{
    return queued_each_us(run_jobs, count, &j, 5);
}

static void row(const char *name, long size, const char *how, double us, const char *note)
{
    probe_us(us, note, "kernel.%s.%ld.%s", name, size, how);
}

static void matmuls(void)
{
    for (int n = 32; n <= 2048; n *= 2) {
        row("matmul", n, "one", one_us((struct job){MATMUL, n, 0, 1}),
            "between events; less an empty pair of events");
        for (int streams = 1; streams <= 8; streams *= 2) {
            char how[32];
            if (streams > 4 && n > 512)
                continue;
            snprintf(how, sizeof how, "%d_streams", streams);
            row("matmul", n, how, each_us((struct job){MATMUL, n, 0, streams}, n > 512 ? 6 : 40),
                "per product; back to back");
        }
    }
    row("matmul", 256, "3_streams", each_us((struct job){MATMUL, 256, 0, 3}, 39), "per product");
    row("matmul", 512, "3_streams", each_us((struct job){MATMUL, 512, 0, 3}, 39), "per product");
}

static void memory_bound(void)
{
    for (int n = 1 << 10; n <= 1 << 24; n <<= 2) {
        row("saxpy", n, "one", one_us((struct job){SAXPY, n, 0, 1}), "");
        row("saxpy", n, "1_streams", each_us((struct job){SAXPY, n, 0, 1}, 20),
            "per kernel; same data again: in L2 if it fits");
        row("consume", n, "one", one_us((struct job){CONSUME, n, 0, 1}), "");
        row("consume", n, "1_streams", each_us((struct job){CONSUME, n, 0, 1}, 20), "per kernel");
    }
    row("consume", 1 << 16, "2_streams", each_us((struct job){CONSUME, 1 << 16, 0, 2}, 40),
        "per kernel");
}

/* What a few multiprocessors draw from device memory: `n` blocks of 1024 threads read 64 MiB. */
static void reads(void)
{
    for (int n = 1; n <= 264; n = n == 128 ? 132 : n * 2) {
        double us = one_us((struct job){READ, n, 0, 1});
        probe_row_n("kernel.read_gbps", n, PROBE_BYTES / us / 1000, "GB/s",
                    "blocks of 1024 threads in the key");
    }
}

static void produces(void)
{
    static const int steps[] = {1, 10, 100, 1000};
    for (int n = 1 << 10; n <= 1 << 22; n <<= 2)
        for (int i = 0; i < 4; i++) {
            char name[32];
            snprintf(name, sizeof name, "produce%d", steps[i]);
            row(name, n, "one", one_us((struct job){PRODUCE, n, steps[i], 1}), "");
            row(name, n, "1_streams", each_us((struct job){PRODUCE, n, steps[i], 1}, 10),
                "per kernel");
        }
    row("produce100", 1 << 16, "2_streams", each_us((struct job){PRODUCE, 1 << 16, 100, 2}, 40),
        "per kernel");
    row("produce100", 1 << 16, "4_streams", each_us((struct job){PRODUCE, 1 << 16, 100, 4}, 40),
        "per kernel");
}

static void delays(void)
{
    static const int us[] = {1, 2, 5, 10, 20, 50, 100, 1000};
    for (int i = 0; i < 8; i++) {
        row("delay", us[i], "one", one_us((struct job){DELAY, 1, us[i], 1}),
            "us asked for is in the key");
        row("delay", us[i], "1_streams", each_us((struct job){DELAY, 1, us[i], 1}, 10),
            "per kernel; back to back");
    }
    for (int streams = 2; streams <= 8; streams *= 2) {
        char how[32];
        snprintf(how, sizeof how, "%d_streams", streams);
        row("delay", 100, how, each_us((struct job){DELAY, 1, 100, streams}, 16), "per kernel");
        row("empty", 1, how, each_us((struct job){EMPTY, 1, 0, streams}, 80),
            "per kernel; several streams");
    }
    static const int blocks[] = {1,    32,   66,   131,  132,  133,  264, 265, 528, 1024,
                                 2112, 4096, 4224, 4225, 8448, 8449, 264, 265, 528, 132 * 16};
    for (int i = 0; i < 16; i++)
        row("blocks32", blocks[i], "one", one_us((struct job){BLOCKS_32, blocks[i], 20, 1}),
            "blocks of 32 threads and 20 us each");
    for (int i = 3; i < 11; i++)
        row("blocks1024", blocks[i], "one", one_us((struct job){BLOCKS_1024, blocks[i], 20, 1}),
            "blocks of 1024 threads; 20 us");
    for (int n = 1; n <= 65536; n *= 4)
        row("empty", n, "1_streams", each_us((struct job){EMPTY, n, 0, 1}, 40),
            "blocks in the key; back to back");
}

/* One delay kernel of 100 us in each of many streams, forked and joined: how many run at once. */
static void concurrency(void)
{
    enum { MOST = 256 };
    static cudaStream_t s[MOST];
    static cudaEvent_t e[MOST];
    for (int i = 0; i < MOST; i++) {
        OK(cudaStreamCreateWithFlags(&s[i], cudaStreamNonBlocking));
        OK(cudaEventCreateWithFlags(&e[i], cudaEventDisableTiming));
    }
    for (int n = 4; n <= MOST; n *= 2) {
        struct samples total = {0};
        for (int rep = 0; rep < 8; rep++) {
            float ms;
            OK(launch_delay(4000, T.s[0]));
            OK(cudaEventRecord(T.e0, T.s[0]));
            for (int i = 0; i < n; i++) {
                OK(cudaStreamWaitEvent(s[i], T.e0, 0));
                OK(launch_delay(100, s[i]));
                OK(cudaEventRecord(e[i], s[i]));
                OK(cudaStreamWaitEvent(T.s[0], e[i], 0));
            }
            OK(cudaEventRecord(T.e1, T.s[0]));
            OK(cudaDeviceSynchronize());
            OK(cudaEventElapsedTime(&ms, T.e0, T.e1));
            samples_add(&total, ms * 1000);
        }
        probe_row_n("kernel.delay100_each_in_own_stream", n, samples_median(&total), "us",
                    "streams in the key");
    }
    for (int i = 0; i < MOST; i++) {
        OK(cudaStreamDestroy(s[i]));
        OK(cudaEventDestroy(e[i]));
    }
}

void probe_kernels(void)
{
    matmuls();
    memory_bound();
    reads();
    produces();
    delays();
    concurrency();
}
