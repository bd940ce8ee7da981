/* probe.h: what the parts of the probe share: samples and their median, result rows, and the two
 * ways to measure.
 *
 * HOST_COST times single calls on the host; queued_us times operations on the device with the host
 * out of the picture. Both use clock.h and events only, so the same program measures a GPU and the
 * simulated device. */
#pragma once

#include <cuda_runtime_api.h>

#include "clock.h"
#include "kernels.h"

/* Repeated measurements of one quantity. */
struct samples {
    int n;
    double v[4096];
};

void samples_add(struct samples *s, double v);
double samples_median(struct samples *s); /* sorts them */

/* Ends the program with the call, its place and the error's name. */
void probe_fail(const char *call, const char *file, int line, cudaError_t e);
#define OK(call)                                                                                   \
    do {                                                                                           \
        cudaError_t e_ = (call);                                                                   \
        if (e_ != cudaSuccess)                                                                     \
            probe_fail(#call, __FILE__, __LINE__, e_);                                             \
    } while (0)

/* One line of the part's CSV: key,value,unit,note. */
void probe_row(const char *key, double value, const char *unit, const char *note);
/* The same with a number at the end of the key. */
void probe_row_n(const char *key, long n, double value, const char *unit, const char *note);
/* One of microseconds, whose key is given as to printf. */
void probe_us(double us, const char *note, const char *key, ...)
    __attribute__((format(printf, 3, 4)));
/* ".4096", as a part of it; nothing of 0. */
const char *size_in_key(size_t bytes);

extern struct samples probe_samples;

/* Median host time of `call`, in microseconds, over `reps` rounds of before, call, after; two more
 * warm it up. */
#define HOST_COST(out, reps, before, call, after)                                                  \
    do {                                                                                           \
        probe_samples.n = 0;                                                                       \
        for (int rep_ = -2; rep_ < (reps); rep_++) {                                               \
            before;                                                                                \
            double t0_ = clock_now_us();                                                           \
            OK(call);                                                                              \
            double t1_ = clock_now_us();                                                           \
            after;                                                                                 \
            if (rep_ >= 0)                                                                         \
                samples_add(&probe_samples, t1_ - t0_ - probe_clock_us);                           \
        }                                                                                          \
        (out) = samples_median(&probe_samples);                                                    \
    } while (0)

/* A row of it: its note, then as above, then its key, as to printf. */
#define HOST_ROW(note, reps, before, call, after, ...)                                             \
    do {                                                                                           \
        double us_;                                                                                \
        HOST_COST(us_, reps, before, call, after);                                                 \
        probe_us(us_, note, __VA_ARGS__);                                                          \
    } while (0)

/* What reading the clock itself costs, in microseconds. */
extern double probe_clock_us;

/* Eight non-blocking streams, one blocking stream, and buffers of PROBE_BYTES that all parts use.
 */
enum { PROBE_STREAMS = 8, PROBE_BYTES = 64 << 20 };
struct probe_things {
    cudaStream_t s[PROBE_STREAMS];
    cudaStream_t blocking;
    cudaEvent_t e0, e1, timed[16]; /* with timing */
    cudaEvent_t ev[64];            /* without */
    char *pinned, *pinned2, *pageable, *pageable2;
    char *dev, *dev2;
};
extern struct probe_things T;

/* Puts `count` operations of one sort on T.s[0] (and perhaps others, forked and joined by the
 * function itself). */
typedef void (*enqueue_fn)(int count, void *arg);

/* Device time between events around `count` operations that are queued behind a delay kernel of
 * `hold_us`, so long that the host has finished by then; the median of `reps` rounds. */
double queued_us(enqueue_fn fn, int count, void *arg, double hold_us, int reps);

/* Device time an operation, by the difference between 3 x count and count of them. */
double queued_each_us(enqueue_fn fn, int count, void *arg, double host_us_each);

/* Launches the graph in T.s[0] and synchronizes: the host's time until this is done, and in the
 * launching call. Both hold readings of the clock: two and one. */
double launched_us(cudaGraphExec_t x, double *host_us);

/* Lets `n` streams T.s[1..n-1] start after T.s[0], and T.s[0] go on after all of them. */
void fork_streams(int n);
void join_streams(int n);

/* probe_build.c: a graph of `nodes` nodes in `width` chains side by side: node i is of the kind
 * kinds[i % strlen(kinds)] and follows node i - width. Kinds:
 *   k empty kernel    d kernel of 10 us   s kernel that stores the time in TIMESTAMP(i)
 *   u copy to the device   w copy back   c copy inside the device   m memset, all of `bytes`
 *   f host function   r event record   e empty   g child graph of one empty kernel
 * ends: FORM_OPEN one more kernel before all chains, FORM_CLOSE one after them (timestamps 1023 and
 * 1022 if kinds has an s), FORM_EMPTY empty nodes instead of these. */
enum { FORM_OPEN = 1, FORM_CLOSE = 2, FORM_CLOSED = 3, FORM_EMPTY = 4 };
struct form {
    const char *kinds;
    int nodes, width;
    size_t bytes;
    int ends;
};
/* What enqueue() gives to T.s[i % streams], n times: operations of these kinds, of k u w c m f r,
 * and t for a record with timing, `bytes` each. */
struct sequence {
    const char *kinds;
    size_t bytes;
    int streams;
};
void enqueue(int n, void *sequence);
cudaGraph_t form_graph(const struct form *f);
cudaGraphExec_t form_exec(const struct form *f);
void form_begin(void); /* makes what the nodes are made from */
void form_end(void);
#define TIMESTAMP(i) ((unsigned long long *)T.dev2 + (i)) /* nanoseconds; i below 1024 */
/* Timestamp i of the last run, in microseconds. */
double timestamp_us(int i);

/* What capturing the enqueue function's work over streams T.s[0..streams-1] gives. */
cudaGraphExec_t captured(enqueue_fn fn, int count, void *arg, int streams);

/* The parts. */
void probe_host(void);
void probe_host_copies(void);
void probe_queue(void);
void probe_depth(void);
void probe_kernels(void);
void probe_copies(void);
void probe_rules(void);
void probe_pipes(void);
void probe_build(void);
void probe_launch(void);
void probe_update(void);
void probe_inside(void);
void probe_graph_pipes(void);
void probe_condition(void);
void probe_devices(void);
void probe_device(const char *folder);

#ifdef __cplusplus
extern "C" {
#endif
/* probe_blocks.cu: `blocks` blocks of `threads` threads that each last `us` microseconds. */
cudaError_t launch_blocks(float us, int blocks, int threads, cudaStream_t stream);
/* Writes `value` to *flag, which is pinned host memory, as soon as it runs. */
cudaError_t launch_signal(unsigned *flag, unsigned value, cudaStream_t stream);
/* Stores the device's clock, in nanoseconds, in *slot, which is device memory. */
cudaError_t launch_timestamp(unsigned long long *slot, cudaStream_t stream);
/* Reads `bytes` of src with `blocks` blocks of 1024 threads; out takes one sum a thread. */
cudaError_t launch_sum(void *out, const void *src, unsigned long bytes, int blocks,
                       cudaStream_t stream);
#ifdef __cplusplus
}
#endif
