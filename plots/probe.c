/*
 * probe.c: measures what a device profile states (common/simgpu/profiles), call by call and
 * operation by operation.
 *
 *     probe FOLDER [PART ...]     writes FOLDER/probe.csv, properties.txt and attributes.csv
 *
 * PART is any of device, host, hostcopies, queue, depth, kernels, copies, rules, pipes; all without
 * one. To build it, from the root of the repository:
 *
 *     nvcc -arch=native -O2 -D_GNU_SOURCE -Icommon -Icommon/simgpu -Ikernels -o build/probe \
 *         plots/probe*.c plots/probe*.cu kernels/*.cu common/clock.c
 *
 * The same program runs on the simulated device; compare.awk then tells how good the profile is.
 */
#include "probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct samples probe_samples;
double probe_clock_us;
struct probe_things T;

static FILE *csv;
static const char *folder;

void samples_add(struct samples *s, double v)
{
    if (s->n < (int)(sizeof s->v / sizeof s->v[0]))
        s->v[s->n++] = v;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double samples_median(struct samples *s)
{
    if (s->n == 0)
        return 0;
    qsort(s->v, (size_t)s->n, sizeof s->v[0], by_value);
    return s->n % 2 ? s->v[s->n / 2] : (s->v[s->n / 2 - 1] + s->v[s->n / 2]) / 2;
}

void probe_fail(const char *call, const char *file, int line, cudaError_t e)
{
    fprintf(stderr, "probe: %s:%d: %s gave %s (%s); the rows before it are in the CSV\n", file,
            line, call, cudaGetErrorName(e), cudaGetErrorString(e));
    if (csv)
        fclose(csv);
    exit(1);
}

void probe_row(const char *key, double value, const char *unit, const char *note)
{
    fprintf(csv, "%s,%.4f,%s,%s\n", key, value, unit, note);
    fflush(csv);
}

void probe_row_n(const char *key, long n, double value, const char *unit, const char *note)
{
    char whole[128];
    snprintf(whole, sizeof whole, "%s.%ld", key, n);
    probe_row(whole, value, unit, note);
}

void fork_streams(int n)
{
    OK(cudaEventRecord(T.ev[62], T.s[0]));
    for (int i = 1; i < n; i++)
        OK(cudaStreamWaitEvent(T.s[i], T.ev[62], 0));
}

void join_streams(int n)
{
    for (int i = 1; i < n; i++) {
        OK(cudaEventRecord(T.ev[40 + i], T.s[i]));
        OK(cudaStreamWaitEvent(T.s[0], T.ev[40 + i], 0));
    }
}

double queued_us(enqueue_fn fn, int count, void *arg, double hold_us, int reps)
{
    struct samples s = {0};
    for (int rep = -1; rep < reps; rep++) {
        float ms = 0;
        OK(launch_delay((float)hold_us, T.s[0]));
        OK(cudaEventRecord(T.e0, T.s[0]));
        fn(count, arg);
        OK(cudaEventRecord(T.e1, T.s[0]));
        OK(cudaStreamSynchronize(T.s[0]));
        OK(cudaEventElapsedTime(&ms, T.e0, T.e1));
        if (rep >= 0)
            samples_add(&s, ms * 1000.0);
    }
    return samples_median(&s);
}

double queued_each_us(enqueue_fn fn, int count, void *arg, double host_us_each)
{
    double few = queued_us(fn, count, arg, 100 + 2 * host_us_each * count, 15);
    double many = queued_us(fn, 3 * count, arg, 100 + 6 * host_us_each * count, 15);
    return (many - few) / (2.0 * count);
}

static void things_make(void)
{
    for (int i = 0; i < PROBE_STREAMS; i++)
        OK(cudaStreamCreateWithFlags(&T.s[i], cudaStreamNonBlocking));
    OK(cudaStreamCreate(&T.blocking));
    OK(cudaEventCreate(&T.e0));
    OK(cudaEventCreate(&T.e1));
    for (int i = 0; i < 64; i++)
        OK(cudaEventCreateWithFlags(&T.ev[i], cudaEventDisableTiming));
    OK(cudaMallocHost((void **)&T.pinned, PROBE_BYTES));
    OK(cudaMallocHost((void **)&T.pinned2, PROBE_BYTES));
    OK(cudaMalloc((void **)&T.dev, PROBE_BYTES));
    OK(cudaMalloc((void **)&T.dev2, PROBE_BYTES));
    T.pageable = malloc(PROBE_BYTES);
    T.pageable2 = malloc(PROBE_BYTES);
    if (!T.pageable || !T.pageable2) {
        fprintf(stderr, "probe: no host memory for two buffers of %d bytes\n", PROBE_BYTES);
        exit(1);
    }
    memset(T.pinned, 1, PROBE_BYTES);
    memset(T.pinned2, 2, PROBE_BYTES);
    memset(T.pageable, 3, PROBE_BYTES);
    memset(T.pageable2, 4, PROBE_BYTES);
    OK(cudaMemcpy(T.dev, T.pinned, PROBE_BYTES, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(T.dev2, T.pinned2, PROBE_BYTES, cudaMemcpyHostToDevice));
}

/* Clocks of a device that idled are low: half a second of work first. */
static void warm_up(void)
{
    struct samples s = {0};
    for (int i = 0; i < 1000; i++) {
        double t0 = clock_now_us();
        double t1 = clock_now_us();
        samples_add(&s, t1 - t0);
    }
    probe_clock_us = samples_median(&s);
    for (int i = 0; i < (clock_is_virtual() ? 1 : 400); i++) {
        OK(launch_matmul((float *)T.dev2, (float *)T.dev, (float *)T.dev,
                         clock_is_virtual() ? 64 : 2048, T.s[0]));
        OK(cudaMemcpyAsync(T.dev, T.pinned, 1 << 20, cudaMemcpyHostToDevice, T.s[1]));
        OK(launch_empty(1, T.s[2]));
    }
    OK(cudaDeviceSynchronize());
}

static void header(void)
{
    struct cudaDeviceProp p;
    int driver = 0, runtime = 0;
    char day[32];
    time_t now = time(NULL);
    OK(cudaGetDeviceProperties(&p, 0));
    OK(cudaDriverGetVersion(&driver));
    OK(cudaRuntimeGetVersion(&runtime));
    strftime(day, sizeof day, "%Y-%m-%d", gmtime(&now));
    fprintf(csv, "# device %s, compute %d.%d, CUDA driver API %d, runtime %d, %s, %s\n", p.name,
            p.major, p.minor, driver, runtime, clock_is_virtual() ? "simulated: virtual time" : day,
            getenv("PROBE_HEADER") ? getenv("PROBE_HEADER") : "no further words");
    fprintf(csv, "key,value,unit,note\n");
}

static void device(void)
{
    probe_device(folder);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } parts[] = {
        {"device", device},       {"host", probe_host},   {"hostcopies", probe_host_copies},
        {"queue", probe_queue},   {"depth", probe_depth}, {"kernels", probe_kernels},
        {"copies", probe_copies}, {"rules", probe_rules}, {"pipes", probe_pipes},
    };
    char path[4096];

    if (argc < 2 || argv[1][0] == '-') {
        fprintf(stderr, "usage: probe FOLDER [PART ...]\n  parts: device host hostcopies queue "
                        "depth kernels copies rules pipes\n");
        return 2;
    }
    folder = argv[1];
    snprintf(path, sizeof path, "%s/probe.csv", folder);
    csv = fopen(path, "w");
    if (!csv) {
        perror(path);
        return 1;
    }
    header();
    things_make();
    warm_up();
    probe_row("clock", probe_clock_us, "us", "reading the host clock; taken off every host time");
    for (size_t p = 0; p < sizeof parts / sizeof parts[0]; p++) {
        int wanted = argc == 2;
        for (int i = 2; i < argc; i++)
            wanted |= strcmp(argv[i], parts[p].name) == 0;
        if (!wanted)
            continue;
        double t0 = clock_now_us();
        parts[p].run();
        fprintf(stderr, "probe: %s took %.1f s\n", parts[p].name, (clock_now_us() - t0) * 1e-6);
    }
    fclose(csv);
    return 0;
}
