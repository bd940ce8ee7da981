/* probe.c: measures what a device profile states (common/simgpu/profiles), call by call and
 * operation by operation.
 *
 *     probe FOLDER [PART ...]     writes FOLDER/probe.csv, graphs.csv, conditions.csv, devices.csv
 *                                 (of two devices), properties.txt, attributes.csv
 *
 * PART is any of those in the table in main; all without one. Streams are in probe.csv, graphs in
 * graphs.csv. `make build/gpu/probe DEVICE=gpu` builds it where nvcc is, `make build/sim/probe
 * DEVICE=sim` for the simulated device; compare.awk then tells how good the profile is. */
#include "probe.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/sort.h"

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

double samples_median(struct samples *s)
{
    if (s->n == 0)
        return 0;
    sort_numbers(s->v, s->n);
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

void probe_us(double us, const char *note, const char *key, ...)
{
    char whole[128];
    va_list args;
    va_start(args, key);
    vsnprintf(whole, sizeof whole, key, args);
    va_end(args);
    probe_row(whole, us, "us", note);
}

const char *size_in_key(size_t bytes)
{
    static char text[24];
    snprintf(text, sizeof text, ".%zu", bytes);
    return bytes ? text : "";
}

void fork_streams(int n)
{
    if (n > 1)
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

double launched_us(cudaGraphExec_t x, double *host_us)
{
    double t0 = clock_now_us();
    OK(cudaGraphLaunch(x, T.s[0]));
    *host_us = clock_now_us() - t0;
    OK(cudaStreamSynchronize(T.s[0]));
    return clock_now_us() - t0;
}

static void things_make(void)
{
    for (int i = 0; i < PROBE_STREAMS; i++)
        OK(cudaStreamCreateWithFlags(&T.s[i], cudaStreamNonBlocking));
    OK(cudaStreamCreate(&T.blocking));
    OK(cudaEventCreate(&T.e0));
    OK(cudaEventCreate(&T.e1));
    for (int i = 0; i < 16; i++)
        OK(cudaEventCreate(&T.timed[i]));
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
    probe_row("clock", probe_clock_us, "us", "reading the host clock; taken off every host time");
}

static void device(void)
{
    probe_device(folder);
}

/* The folder's CSV file of this name from now on; a new one starts with a header. */
static int open_csv(const char *name)
{
    static const char *current;
    static char started[256];
    char path[4096];
    if (current && strcmp(current, name) == 0)
        return 0;
    if (csv)
        fclose(csv);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int again = strstr(started, name) != NULL;
    csv = fopen(path, again ? "a" : "w");
    if (!csv) {
        perror(path);
        return -1;
    }
    current = name;
    if (again)
        return 0;
    snprintf(started + strlen(started), sizeof started - strlen(started), "%s ", name);
    header();
    return 0;
}

static const struct part {
    const char *name, *csv;
    void (*run)(void);
    int devices; /* that it takes */
} parts[] = {
    {"device", "probe.csv", device, 1},
    {"host", "probe.csv", probe_host, 1},
    {"hostcopies", "probe.csv", probe_host_copies, 1},
    {"queue", "probe.csv", probe_queue, 1},
    {"depth", "probe.csv", probe_depth, 1},
    {"kernels", "probe.csv", probe_kernels, 1},
    {"copies", "probe.csv", probe_copies, 1},
    {"rules", "probe.csv", probe_rules, 1},
    {"pipes", "probe.csv", probe_pipes, 1},
    {"build", "graphs.csv", probe_build, 1},
    {"launch", "graphs.csv", probe_launch, 1},
    {"update", "graphs.csv", probe_update, 1},
    {"inside", "graphs.csv", probe_inside, 1},
    {"graphpipes", "graphs.csv", probe_graph_pipes, 1},
    {"condition", "conditions.csv", probe_condition, 1},
    {"devices", "devices.csv", probe_devices, 2},
};
enum { N_PARTS = sizeof parts / sizeof parts[0] };

static int usage(void)
{
    fprintf(stderr, "usage: probe FOLDER [PART ...]\n  parts:");
    for (int i = 0; i < N_PARTS; i++)
        fprintf(stderr, " %s", parts[i].name);
    fprintf(stderr, "\n");
    return 2;
}

static int is_part(const char *name)
{
    for (int i = 0; i < N_PARTS; i++)
        if (strcmp(parts[i].name, name) == 0)
            return 1;
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 2 || argv[1][0] == '-')
        return usage();
    for (int i = 2; i < argc; i++)
        if (!is_part(argv[i]))
            return usage();
    int n_devices = 0;
    folder = argv[1];
    OK(cudaGetDeviceCount(&n_devices));
    things_make();
    warm_up();
    for (int p = 0; p < N_PARTS; p++) {
        int wanted = argc == 2;
        for (int i = 2; i < argc; i++)
            wanted |= strcmp(argv[i], parts[p].name) == 0;
        if (!wanted || parts[p].devices > n_devices)
            continue;
        if (open_csv(parts[p].csv) != 0)
            return 1;
        double t0 = clock_now_us();
        parts[p].run();
        fprintf(stderr, "probe: %s took %.1f s\n", parts[p].name, (clock_now_us() - t0) * 1e-6);
    }
    if (csv)
        fclose(csv);
    return 0;
}
