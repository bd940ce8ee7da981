/* probe_queue.c: device time between operations when the host has queued them all beforehand, and
 * how many fit. */
#include "probe.h"

#include <stdio.h>

static void nothing(void *unused)
{
    (void)unused;
}

static void spin_50(void *unused)
{
    (void)unused;
    clock_host_work(50);
}

static void kernels(int n, void *arg)
{
    (void)arg;
    for (int i = 0; i < n; i++)
        OK(launch_empty(1, T.s[0]));
}

static void copy_one(int to_device, size_t bytes, int i, cudaStream_t s)
{
    size_t at = bytes >= (4 << 20) ? 0 : ((size_t)i * bytes) % (32 << 20);
    if (to_device)
        OK(cudaMemcpyAsync(T.dev + at, T.pinned + at, bytes, cudaMemcpyHostToDevice, s));
    else
        OK(cudaMemcpyAsync(T.pinned + at, T.dev + at, bytes, cudaMemcpyDeviceToHost, s));
}

struct copies {
    int to_device;
    size_t bytes;
    int streams;
};

static void copies(int n, void *arg)
{
    struct copies *c = arg;
    if (c->streams > 1)
        fork_streams(c->streams);
    for (int i = 0; i < n; i++)
        copy_one(c->to_device, c->bytes, i, T.s[i % c->streams]);
    if (c->streams > 1)
        join_streams(c->streams);
}

static void kernel_h2d(int n, void *arg)
{
    for (int i = 0; i < n; i++) {
        OK(launch_empty(1, T.s[0]));
        copy_one(1, *(size_t *)arg, i, T.s[0]);
    }
}

static void kernel_d2h(int n, void *arg)
{
    for (int i = 0; i < n; i++) {
        OK(launch_empty(1, T.s[0]));
        copy_one(0, *(size_t *)arg, i, T.s[0]);
    }
}

static void h2d_d2h(int n, void *arg)
{
    for (int i = 0; i < n; i++) {
        copy_one(1, *(size_t *)arg, i, T.s[0]);
        copy_one(0, *(size_t *)arg, i, T.s[0]);
    }
}

static void kernel_memset(int n, void *arg)
{
    for (int i = 0; i < n; i++) {
        OK(launch_empty(1, T.s[0]));
        OK(cudaMemsetAsync(T.dev, 0, *(size_t *)arg, T.s[0]));
    }
}

static void memsets(int n, void *arg)
{
    for (int i = 0; i < n; i++)
        OK(cudaMemsetAsync(T.dev, 0, *(size_t *)arg, T.s[0]));
}

static void h2d_memset(int n, void *arg)
{
    for (int i = 0; i < n; i++) {
        copy_one(1, *(size_t *)arg, i, T.s[0]);
        OK(cudaMemsetAsync(T.dev, 0, *(size_t *)arg, T.s[0]));
    }
}

static void d2ds(int n, void *arg)
{
    for (int i = 0; i < n; i++)
        OK(cudaMemcpyAsync(T.dev2, T.dev, *(size_t *)arg, cudaMemcpyDeviceToDevice, T.s[0]));
}

static void kernel_d2d(int n, void *arg)
{
    for (int i = 0; i < n; i++) {
        OK(launch_empty(1, T.s[0]));
        OK(cudaMemcpyAsync(T.dev2, T.dev, *(size_t *)arg, cudaMemcpyDeviceToDevice, T.s[0]));
    }
}

static void records(int n, void *arg)
{
    cudaEvent_t *e = arg;
    for (int i = 0; i < n; i++)
        OK(cudaEventRecord(e[i % 16], T.s[0]));
}

static void kernel_record(int n, void *arg)
{
    for (int i = 0; i < n; i++) {
        OK(launch_empty(1, T.s[0]));
        records(1, arg);
    }
}

/* Each hop: kernel, record, wait in the other stream. */
static void ping_pong(int n, void *arg)
{
    (void)arg;
    for (int i = 0; i < 2 * (n / 2); i++) {
        OK(launch_empty(1, T.s[i % 2]));
        OK(cudaEventRecord(T.ev[i % 32], T.s[i % 2]));
        OK(cudaStreamWaitEvent(T.s[(i + 1) % 2], T.ev[i % 32], 0));
    }
}

/* There and back: a kernel in stream 0, a copy in stream 1. */
static void kernel_copy_hops(int n, void *arg)
{
    for (int i = 0; i < n; i++) {
        OK(launch_empty(1, T.s[0]));
        OK(cudaEventRecord(T.ev[i % 16], T.s[0]));
        OK(cudaStreamWaitEvent(T.s[1], T.ev[i % 16], 0));
        copy_one(*(int *)arg, 4, i, T.s[1]);
        OK(cudaEventRecord(T.ev[16 + i % 16], T.s[1]));
        OK(cudaStreamWaitEvent(T.s[0], T.ev[16 + i % 16], 0));
    }
}

static void copy_copy_hops(int n, void *arg)
{
    (void)arg;
    for (int i = 0; i < 2 * (n / 2); i++) {
        copy_one(i % 2, 4, i, T.s[i % 2]);
        OK(cudaEventRecord(T.ev[i % 32], T.s[i % 2]));
        OK(cudaStreamWaitEvent(T.s[(i + 1) % 2], T.ev[i % 32], 0));
    }
}

/* Waits for events that are done already. */
static void done_waits(int n, void *arg)
{
    (void)arg;
    for (int i = 0; i < n; i++) {
        OK(launch_empty(1, T.s[0]));
        OK(cudaStreamWaitEvent(T.s[0], T.ev[33], 0));
    }
}

static void host_funcs(int n, void *arg)
{
    for (int i = 0; i < n; i++) {
        if (*(int *)arg)
            OK(launch_empty(1, T.s[0]));
        OK(cudaLaunchHostFunc(T.s[0], nothing, NULL));
    }
}

static void host_funcs_2_streams(int n, void *arg)
{
    (void)arg;
    fork_streams(2);
    for (int i = 0; i < n; i++)
        OK(cudaLaunchHostFunc(T.s[i % 2], spin_50, NULL));
    join_streams(2);
}

static void each(const char *key, enqueue_fn fn, int count, void *arg, double host_us,
                 const char *note)
{
    probe_row(key, queued_each_us(fn, count, arg, host_us), "us", note);
}

static void copy_rows(void)
{
    static const size_t sizes[] = {4, 4096, 65536, 262144, 1 << 20, 4 << 20};
    for (int to_device = 1; to_device >= 0; to_device--)
        for (int streams = 1; streams <= 4; streams *= 2)
            for (int i = 0; i < 6; i++) {
                struct copies c = {to_device, sizes[i], streams};
                char key[80];
                snprintf(key, sizeof key, "queue.%s.%d_streams.%zu", to_device ? "h2d" : "d2h",
                         streams, sizes[i]);
                each(key, copies, sizes[i] > 1 << 20 ? 12 : 60, &c, 4,
                     "copies back to back; per copy");
            }
}

static void mixed_rows(void)
{
    static const size_t sizes[] = {4, 256, 1024, 4096, 16384, 65536, 262144};
    char key[80];
    for (int i = 0; i < 7; i++) {
        size_t n = sizes[i];
        static const struct {
            const char *name;
            enqueue_fn fn;
        } pairs[] = {{"kernel_h2d", kernel_h2d}, {"kernel_d2h", kernel_d2h},
                     {"h2d_d2h", h2d_d2h},       {"kernel_memset", kernel_memset},
                     {"kernel_d2d", kernel_d2d}, {"h2d_memset", h2d_memset}};
        for (int p = 0; p < 6; p++) {
            snprintf(key, sizeof key, "queue.%s.%zu", pairs[p].name, n);
            each(key, pairs[p].fn, 50, &n, 8, "in turn in one stream; per pair");
        }
        snprintf(key, sizeof key, "queue.memset.%zu", n);
        each(key, memsets, 80, &n, 4, "back to back");
        snprintf(key, sizeof key, "queue.d2d.%zu", n);
        each(key, d2ds, 80, &n, 4, "back to back");
    }
}

void probe_queue(void)
{
    int with_kernel = 1, alone = 0, h2d = 1, d2h = 0;
    cudaEvent_t timed[16];
    for (int i = 0; i < 16; i++)
        OK(cudaEventCreate(&timed[i]));
    OK(cudaEventRecord(T.ev[33], T.s[7]));
    OK(cudaDeviceSynchronize());
    probe_row("queue.events_only", queued_us(kernels, 0, NULL, 50, 30), "us",
              "between two records with nothing between");
    probe_row("queue.one_kernel", queued_us(kernels, 1, NULL, 50, 30), "us",
              "between events around one empty kernel");
    each("queue.kernel", kernels, 150, NULL, 4, "empty kernels back to back");
    each("queue.record", records, 150, T.ev, 3, "records back to back; timing disabled");
    each("queue.record_timing", records, 150, timed, 3, "records back to back; with timing");
    each("queue.kernel_record", kernel_record, 100, T.ev, 7, "kernel and record in turn; per pair");
    each("queue.kernel_record_timing", kernel_record, 100, timed, 7, "the same with timing");
    each("queue.kernel_wait_done", done_waits, 100, NULL, 7,
         "kernel and a wait for a done event; per pair");
    each("queue.ping_pong", ping_pong, 100, NULL, 10,
         "kernel; record; wait in the other stream: per hop");
    each("queue.kernel_h2d_hops", kernel_copy_hops, 50, &h2d, 20,
         "there and back over two streams: per round");
    each("queue.kernel_d2h_hops", kernel_copy_hops, 50, &d2h, 20,
         "there and back over two streams: per round");
    each("queue.h2d_d2h_hops", copy_copy_hops, 60, NULL, 10, "per hop");
    each("queue.host_func", host_funcs, 40, &alone, 8, "host functions back to back");
    each("queue.kernel_host_func", host_funcs, 40, &with_kernel, 12,
         "kernel and host function in turn; per pair");
    each("queue.host_func_50us_2_streams", host_funcs_2_streams, 10, NULL, 8,
         "host functions of 50 us over two streams: 50 each is one worker, 25 two");
    mixed_rows();
    copy_rows();
    for (int i = 0; i < 16; i++)
        OK(cudaEventDestroy(timed[i]));
}

/* One more operation of the sort under test, on stream s. */
typedef void (*one_fn)(cudaStream_t s);

static void one_kernel(cudaStream_t s)
{
    OK(launch_empty(1, s));
}

static void one_copy(cudaStream_t s)
{
    OK(cudaMemcpyAsync(T.dev, T.pinned, 4, cudaMemcpyHostToDevice, s));
}

static void one_record(cudaStream_t s)
{
    OK(cudaEventRecord(T.ev[0], s));
}

static void one_host_func(cudaStream_t s)
{
    OK(cudaLaunchHostFunc(s, nothing, NULL));
}

/* How many calls return at once while `streams` streams are held by a kernel of 150 ms. */
static long depth(one_fn fn, int streams, long limit)
{
    long n = 0;
    for (int i = 0; i < streams; i++)
        OK(launch_delay(150000, T.s[i]));
    for (; n < limit; n++) {
        double t0 = clock_now_us();
        fn(T.s[n % streams]);
        if (clock_now_us() - t0 > 5000)
            break;
    }
    OK(cudaDeviceSynchronize());
    return n;
}

void probe_depth(void)
{
    probe_row("depth.kernel", (double)depth(one_kernel, 1, 20000), "operations",
              "before a launch waits; 20000: never");
    probe_row("depth.kernel.2_streams", (double)depth(one_kernel, 2, 20000), "operations",
              "over both");
    probe_row("depth.kernel.8_streams", (double)depth(one_kernel, 8, 20000), "operations",
              "over all");
    probe_row("depth.h2d_4", (double)depth(one_copy, 1, 20000), "operations", "");
    probe_row("depth.h2d_4.8_streams", (double)depth(one_copy, 8, 20000), "operations", "over all");
    probe_row("depth.record", (double)depth(one_record, 1, 20000), "operations", "");
    probe_row("depth.host_func", (double)depth(one_host_func, 1, 4000), "operations",
              "4000: never");
}
