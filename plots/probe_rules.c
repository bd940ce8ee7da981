/* probe_rules.c: which calls wait for the device, and other rules that a time alone shows.
 *
 * HELD runs a call while a kernel of 3 ms holds a stream; a time near 3000 means that the call
 * waited for it. */
#include "probe.h"

#include <string.h>

#define HELD(key, stream, before, call, after)                                                     \
    do {                                                                                           \
        struct samples s_ = {0};                                                                   \
        for (int rep_ = 0; rep_ < 5; rep_++) {                                                     \
            before;                                                                                \
            OK(cudaDeviceSynchronize());                                                           \
            OK(launch_delay(3000, stream));                                                        \
            double t0_ = clock_now_us();                                                           \
            OK(call);                                                                              \
            samples_add(&s_, clock_now_us() - t0_);                                                \
            OK(cudaDeviceSynchronize());                                                           \
            after;                                                                                 \
        }                                                                                          \
        probe_row("rule.held." key, samples_median(&s_), "us",                                     \
                  "near 3000: it waited for a kernel of 3 ms in " #stream);                        \
    } while (0)

static void memory_calls(void)
{
    void *p = NULL;
    HELD("cudaMalloc", T.s[0], , cudaMalloc(&p, 1 << 20), OK(cudaFree(p)));
    HELD("cudaMalloc.64MiB", T.s[0], , cudaMalloc(&p, 64 << 20), OK(cudaFree(p)));
    HELD("cudaFree", T.s[0], OK(cudaMalloc(&p, 1 << 20)), cudaFree(p), );
    HELD("cudaFree.256", T.s[0], OK(cudaMalloc(&p, 256)), cudaFree(p), );
    HELD("cudaFree.NULL", T.s[0], , cudaFree(NULL), );
    HELD("cudaMallocHost", T.s[0], , cudaMallocHost(&p, 1 << 20), OK(cudaFreeHost(p)));
    HELD("cudaFreeHost", T.s[0], OK(cudaMallocHost(&p, 1 << 20)), cudaFreeHost(p), );
    HELD("cudaHostRegister", T.s[0], , cudaHostRegister(T.pageable, 1 << 20, 0),
         OK(cudaHostUnregister(T.pageable)));
    HELD("cudaHostUnregister", T.s[0], OK(cudaHostRegister(T.pageable, 1 << 20, 0)),
         cudaHostUnregister(T.pageable), );
    HELD("cudaMallocAsync", T.s[0], , cudaMallocAsync(&p, 1 << 20, T.s[1]),
         OK(cudaFreeAsync(p, T.s[1])));
    HELD("cudaFreeAsync", T.s[0], OK(cudaMallocAsync(&p, 1 << 20, T.s[0])),
         cudaFreeAsync(p, T.s[0]), );
    HELD("cudaFree.of_async_memory", T.s[0], OK(cudaMallocAsync(&p, 1 << 20, T.s[0])),
         cudaFree(p), );
}

static void object_calls(void)
{
    cudaStream_t s = NULL;
    cudaEvent_t e = NULL;
    HELD("cudaStreamCreate", T.s[0], , cudaStreamCreate(&s), OK(cudaStreamDestroy(s)));
    HELD("cudaStreamDestroy.idle", T.s[0], OK(cudaStreamCreate(&s)), cudaStreamDestroy(s), );
    HELD("cudaStreamDestroy.busy", s, OK(cudaStreamCreate(&s)), cudaStreamDestroy(s), );
    HELD("cudaEventCreate", T.s[0], , cudaEventCreate(&e), OK(cudaEventDestroy(e)));
    HELD("cudaEventDestroy.pending", T.s[0], OK(cudaEventCreate(&e)),
         (cudaEventRecord(e, T.s[0]), cudaEventDestroy(e)), );
    HELD("cudaStreamSynchronize.other", T.s[0], , cudaStreamSynchronize(T.s[1]), );
    HELD("cudaDeviceSynchronize", T.s[0], , cudaDeviceSynchronize(), );
}

static void copy_calls(void)
{
    HELD("cudaMemcpy.h2d.pinned", T.s[0], ,
         cudaMemcpy(T.dev, T.pinned, 4096, cudaMemcpyHostToDevice), );
    HELD("cudaMemcpy.h2d.pinned", T.blocking, ,
         cudaMemcpy(T.dev, T.pinned, 4096, cudaMemcpyHostToDevice), );
    HELD("cudaMemcpy.h2d.pageable.4096", T.blocking, ,
         cudaMemcpy(T.dev, T.pageable, 4096, cudaMemcpyHostToDevice), );
    HELD("cudaMemcpy.h2d.pageable.1MiB", T.blocking, ,
         cudaMemcpy(T.dev, T.pageable, 1 << 20, cudaMemcpyHostToDevice), );
    HELD("cudaMemcpy.d2d", T.blocking, ,
         cudaMemcpy(T.dev2, T.dev, 4096, cudaMemcpyDeviceToDevice), );
    HELD("cudaMemset", T.blocking, , cudaMemset(T.dev, 1, 4096), );
    HELD("cudaMemset", T.s[0], , cudaMemset(T.dev, 1, 4096), );
    HELD("cudaMemsetAsync.pinned_host", T.s[0], , cudaMemsetAsync(T.pinned, 1, 4096, T.s[0]), );
    HELD("cudaMemcpy.h2h.pageable", T.blocking, ,
         cudaMemcpy(T.pageable, T.pageable2, 4096, cudaMemcpyHostToHost), );
    HELD("cudaMemcpyAsync.h2h.pageable", T.s[0], ,
         cudaMemcpyAsync(T.pageable, T.pageable2, 4096, cudaMemcpyHostToHost, T.s[0]), );
    HELD("cudaMemcpyAsync.h2h.pinned", T.s[0], ,
         cudaMemcpyAsync(T.pinned, T.pinned2, 4096, cudaMemcpyHostToHost, T.s[0]), );
    HELD("cudaMemcpyAsync.d2h.pinned", T.s[0], ,
         cudaMemcpyAsync(T.pinned, T.dev, 4 << 20, cudaMemcpyDeviceToHost, T.s[0]), );
}

/* Asynchronous pageable copies behind a long kernel: does the call return before, and what did it
 * read? */
static void pageable_async(void)
{
    static const size_t sizes[] = {4,       16384,   65536,   65537,    131072,
                                   1 << 20, 2 << 20, 4 << 20, 16 << 20, 64 << 20};
    for (int i = 0; i < 10; i++) {
        size_t n = sizes[i];
        unsigned char got = 0;
        memset(T.pageable, 7, n);
        OK(cudaDeviceSynchronize());
        OK(launch_delay(3000, T.s[0]));
        double t0 = clock_now_us();
        OK(cudaMemcpyAsync(T.dev, T.pageable, n, cudaMemcpyHostToDevice, T.s[0]));
        double t1 = clock_now_us();
        memset(T.pageable, 8, n);
        OK(cudaStreamSynchronize(T.s[0]));
        OK(cudaMemcpy(&got, T.dev + n - 1, 1, cudaMemcpyDeviceToHost));
        probe_row_n("rule.pageable_async.h2d", (long)n, t1 - t0, "us",
                    "time in the call; stream held for 3 ms");
        probe_row_n("rule.pageable_async.h2d.read", (long)n, got, "byte",
                    "7: read in the call; 8: read later");
        OK(cudaDeviceSynchronize());
        OK(launch_delay(3000, T.s[0]));
        t0 = clock_now_us();
        OK(cudaMemcpyAsync(T.pageable, T.dev, n, cudaMemcpyDeviceToHost, T.s[0]));
        t1 = clock_now_us();
        OK(cudaStreamSynchronize(T.s[0]));
        probe_row_n("rule.pageable_async.d2h", (long)n, t1 - t0, "us",
                    "time in the call; stream held for 3 ms");
    }
}

/* The steps in which cudaEventElapsedTime counts. */
static void event_resolution(void)
{
    struct samples s = {0};
    double least_step = 1e9, least = 1e9;
    for (int i = 0; i < 300; i++) {
        float ms;
        OK(cudaEventRecord(T.e0, T.s[0]));
        OK(launch_empty(1 + i % 40 * 40, T.s[0]));
        OK(cudaEventRecord(T.e1, T.s[0]));
        OK(cudaStreamSynchronize(T.s[0]));
        OK(cudaEventElapsedTime(&ms, T.e0, T.e1));
        samples_add(&s, ms * 1000.0);
    }
    samples_median(&s);
    for (int i = 1; i < s.n; i++) {
        double step = s.v[i] - s.v[i - 1];
        if (step > 0.002 && step < least_step)
            least_step = step;
        if (s.v[i] > 0 && s.v[i] < least)
            least = s.v[i];
    }
    probe_row("rule.event_step", least_step, "us",
              "smallest step between two elapsed times of 300");
    probe_row("rule.event_least", least, "us", "smallest elapsed time around an empty kernel");
}

/* Streams on the host's own clock: does a blocking stream's kernel wait for the legacy stream, and
 * the like. */
static void legacy_stream(void)
{
    HELD("legacy.sync_after_blocking", T.blocking, ,
         (launch_empty(1, NULL), cudaStreamSynchronize(NULL)), );
    HELD("legacy.sync_after_nonblocking", T.s[0], ,
         (launch_empty(1, NULL), cudaStreamSynchronize(NULL)), );
    HELD("blocking.sync_after_legacy", NULL, ,
         (launch_empty(1, T.blocking), cudaStreamSynchronize(T.blocking)), );
    HELD("legacy.sync_no_work", T.blocking, , cudaStreamSynchronize(NULL), );
    HELD("legacy.record_sync", T.blocking, ,
         (cudaEventRecord(T.ev[0], NULL), cudaEventSynchronize(T.ev[0])), );
}

void probe_rules(void)
{
    memory_calls();
    object_calls();
    copy_calls();
    pageable_async();
    event_resolution();
    legacy_stream();
}
