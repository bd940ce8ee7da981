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

static void copy_one(int to_device, int i, cudaStream_t s)
{
    if (to_device)
        OK(cudaMemcpyAsync(T.dev + 4 * i, T.pinned + 4 * i, 4, cudaMemcpyHostToDevice, s));
    else
        OK(cudaMemcpyAsync(T.pinned + 4 * i, T.dev + 4 * i, 4, cudaMemcpyDeviceToHost, s));
}

static void forked(int n, void *sequence)
{
    const int streams = ((struct sequence *)sequence)->streams;
    fork_streams(streams);
    enqueue(n, sequence);
    join_streams(streams);
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
        copy_one(*(int *)arg, i, T.s[1]);
        OK(cudaEventRecord(T.ev[16 + i % 16], T.s[1]));
        OK(cudaStreamWaitEvent(T.s[0], T.ev[16 + i % 16], 0));
    }
}

static void copy_copy_hops(int n, void *arg)
{
    (void)arg;
    for (int i = 0; i < 2 * (n / 2); i++) {
        copy_one(i % 2, i, T.s[i % 2]);
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
                struct sequence c = {to_device ? "u" : "w", sizes[i], streams};
                char key[80];
                snprintf(key, sizeof key, "queue.%s.%d_streams.%zu", to_device ? "h2d" : "d2h",
                         streams, sizes[i]);
                each(key, forked, sizes[i] > 1 << 20 ? 12 : 60, &c, 4,
                     "copies back to back; per copy");
            }
}

static void sequence(const char *key, const char *kinds, size_t bytes, int count, double host_us,
                     const char *note)
{
    each(key, enqueue, count, &(struct sequence){kinds, bytes, 1}, host_us, note);
}

static void mixed_rows(void)
{
    static const size_t sizes[] = {4, 256, 1024, 4096, 16384, 65536, 262144};
    static const struct {
        const char *name, *kinds;
    } all[] = {{"kernel_h2d", "ku"},    {"kernel_d2h", "kw"}, {"h2d_d2h", "uw"},
               {"kernel_memset", "km"}, {"kernel_d2d", "kc"}, {"h2d_memset", "um"},
               {"memset", "m"},         {"d2d", "c"}};
    char key[80];
    for (int i = 0; i < 7; i++)
        for (int p = 0; p < 8; p++) {
            const int pair = all[p].kinds[1] != 0;
            snprintf(key, sizeof key, "queue.%s.%zu", all[p].name, sizes[i]);
            sequence(key, all[p].kinds, sizes[i], pair ? 50 : 80, pair ? 8 : 4,
                     pair ? "in turn in one stream; per pair" : "back to back");
        }
}

void probe_queue(void)
{
    int h2d = 1, d2h = 0;
    OK(cudaEventRecord(T.ev[33], T.s[7]));
    OK(cudaDeviceSynchronize());
    probe_row("queue.events_only", queued_us(enqueue, 0, &(struct sequence){"k", 0, 1}, 50, 30),
              "us", "between two records with nothing between");
    probe_row("queue.one_kernel", queued_us(enqueue, 1, &(struct sequence){"k", 0, 1}, 50, 30),
              "us", "between events around one empty kernel");
    sequence("queue.kernel", "k", 0, 150, 4, "empty kernels back to back");
    sequence("queue.record", "r", 0, 150, 3, "records back to back; timing disabled");
    sequence("queue.record_timing", "t", 0, 150, 3, "records back to back; with timing");
    sequence("queue.kernel_record", "kr", 0, 100, 7, "kernel and record in turn; per pair");
    sequence("queue.kernel_record_timing", "kt", 0, 100, 7, "the same with timing");
    each("queue.kernel_wait_done", done_waits, 100, NULL, 7,
         "kernel and a wait for a done event; per pair");
    each("queue.ping_pong", ping_pong, 100, NULL, 10,
         "kernel; record; wait in the other stream: per hop");
    each("queue.kernel_h2d_hops", kernel_copy_hops, 50, &h2d, 20,
         "there and back over two streams: per round");
    each("queue.kernel_d2h_hops", kernel_copy_hops, 50, &d2h, 20,
         "there and back over two streams: per round");
    each("queue.h2d_d2h_hops", copy_copy_hops, 60, NULL, 10, "per hop");
    sequence("queue.host_func", "f", 0, 40, 8, "host functions back to back");
    sequence("queue.kernel_host_func", "kf", 0, 40, 12,
             "kernel and host function in turn; per pair");
    each("queue.host_func_50us_2_streams", host_funcs_2_streams, 10, NULL, 8,
         "host functions of 50 us over two streams: 50 each is one worker, 25 two");
    mixed_rows();
    copy_rows();
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
