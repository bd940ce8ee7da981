/* bench.c: repetitions until the median is known, and the CSV of a figure. */
#include "bench.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/sort.h"
#include "grader/judge/interval.h"

enum {
    LEAST = 20,          /* repetitions of every point on a GPU */
    LEAST_SIMULATED = 4, /* where one is like the other: forwards as often as backwards */
    LEAST_QUICK = 2,
    WARM_UP = 2, /* repetitions of every variant that are not counted */
};

static const double narrow = 0.02, confidence = 0.95;

static struct {
    const char *folder, *figure;
    int points, points_done, n_rows;
    double started_s, seconds; /* real time */
    double clock_us;           /* what reading the clock takes */
    FILE *rows;                /* in memory until the end */
    char *text;
    size_t bytes;
    unsigned mhz; /* SM clock at the start */
    char what[200], x[80];
} b;

/* Values of one point: of variant v, name k, repetition r. */
static double values[BENCH_VARIANTS][BENCH_VALUES][BENCH_REPETITIONS];

static double real_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static const char *environment(const char *name, const char *otherwise)
{
    const char *value = getenv(name);
    return value && *value ? value : otherwise;
}

int bench_quick(void)
{
    return atoi(environment("BENCH_QUICK", "0"));
}

void bench_needs_results(void)
{
    unsetenv("SIMGPU_COMPUTE");
}

int bench_needs_devices(const char *figure, int least)
{
    int n = 0;
    CHECK(cudaGetDeviceCount(&n));
    if (n < least) {
        fprintf(stderr, "plots: %s is left out: it needs %d devices, and there is %d\n", figure,
                least, n);
        exit(3);
    }
    return n;
}

/* Real seconds that are left to the program. */
static double seconds_left(void)
{
    return b.started_s + b.seconds - real_s();
}

double bench_since(double t0)
{
    return clock_now_us() - t0 - b.clock_us;
}

void bench_capture(cudaStream_t stream)
{
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
}

cudaGraphExec_t bench_captured(cudaStream_t stream)
{
    cudaGraph_t graph;
    CHECK(cudaStreamEndCapture(stream, &graph));
    return bench_instantiate(graph);
}

cudaGraphExec_t bench_instantiate(cudaGraph_t graph)
{
    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphDestroy(graph));
    return exec;
}

double bench_launch_us(cudaGraphExec_t exec, cudaStream_t stream)
{
    double t0 = clock_now_us();
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    return bench_since(t0);
}

double bench_device_us(float hold_us, void (*enqueue)(void), cudaStream_t stream)
{
    static cudaEvent_t from, to;
    float ms;
    if (!from) {
        CHECK(cudaEventCreate(&from));
        CHECK(cudaEventCreate(&to));
    }
    CHECK(launch_delay(hold_us, stream));
    CHECK(cudaEventRecord(from, stream));
    enqueue();
    CHECK(cudaEventRecord(to, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaEventElapsedTime(&ms, from, to));
    return ms * 1e3;
}

double bench_quantile(const double *sorted, int n, double part)
{
    double at = part * (n - 1);
    int below = (int)at;
    if (below + 1 >= n)
        return sorted[n - 1];
    return sorted[below] + (at - below) * (sorted[below + 1] - sorted[below]);
}

/* A device that idled has low clocks: a quarter of a second of work first. The simulated device has
 * one clock; but there, too, the kernels of a graph take longer once two streams were given
 * kernels. */
static void warm_up(void)
{
    const int n = 1024;
    const double until_s = real_s() + 0.25;
    float *m;
    double steps[101];
    for (int i = 0; i < 101; i++) {
        double t0 = clock_now_us();
        steps[i] = clock_now_us() - t0;
    }
    sort_numbers(steps, 101);
    b.clock_us = steps[50];
    CHECK(cudaFree(NULL));
    if (clock_is_virtual()) {
        for (int i = 0; i < 64; i++)
            CHECK(launch_empty(1, cudaStreamPerThread));
        CHECK(cudaStreamSynchronize(cudaStreamPerThread));
        return;
    }
    CHECK(cudaMalloc((void **)&m, 3 * sizeof *m * n * n));
    CHECK(cudaMemset(m, 0, 3 * sizeof *m * n * n));
    while (real_s() < until_s) {
        CHECK(launch_matmul(m, m + n * n, m + 2 * n * n, n, cudaStreamPerThread));
        CHECK(cudaStreamSynchronize(cudaStreamPerThread));
    }
    CHECK(cudaFree(m));
}

void bench_begin(int argc, char **argv, const char *figure, const char *what, const char *x,
                 int points)
{
    if (argc != 2 || argv[1][0] == '-') {
        fprintf(stderr, "usage: %s FOLDER     writes FOLDER/%s.csv: %s\n", argv[0], figure, what);
        exit(2);
    }
    b.folder = argv[1];
    b.figure = figure;
    b.points = points;
    b.started_s = real_s();
    b.seconds = atof(environment("BENCH_SECONDS", "15"));
    snprintf(b.what, sizeof b.what, "%s", what);
    snprintf(b.x, sizeof b.x, "%s", x);
    b.rows = open_memstream(&b.text, &b.bytes);
    if (!b.rows || b.seconds <= 0) {
        fprintf(stderr, "%s: %s\n", figure,
                b.rows ? "BENCH_SECONDS is not a time" : strerror(errno));
        exit(2);
    }
    warm_up();
    b.mhz = bench_sm_mhz();
}

void bench_row(double x, const char *variant, double median, double p5, double p95, int n,
               const char *unit)
{
    b.n_rows++;
    fprintf(b.rows, "%.10g,%s,%.4f,%.4f,%.4f,%d,%s\n", x, variant, median, p5, p95, n, unit);
}

void bench_values(double x, const char *variant, double *v, int n, const char *unit)
{
    sort_numbers(v, n);
    bench_row(x, variant, bench_quantile(v, n, 0.5), bench_quantile(v, n, 0.05),
              bench_quantile(v, n, 0.95), n, unit);
}

/* name: NAME or NAME:UNIT. */
static void named_values(double x, const char *name, double *v, int n, const char *unit)
{
    char variant[80];
    const char *colon = strchr(name, ':');
    snprintf(variant, sizeof variant, "%.*s", (int)strcspn(name, ":"), name);
    bench_values(x, variant, v, n, colon ? colon + 1 : unit);
}

/* Is the median of these n values known well enough? */
static int known(const double *v, int n)
{
    double sorted[BENCH_REPETITIONS];
    memcpy(sorted, v, (size_t)n * sizeof *v);
    struct interval i = interval_of_median(sorted, n, confidence);
    return i.high - i.low <= narrow * fabs(i.median);
}

static int all_known(const struct bench_variant *variants, int n_variants, int n)
{
    for (int v = 0; v < n_variants; v++)
        for (int k = 0; k < BENCH_VALUES && variants[v].names[k]; k++)
            if (!known(values[v][k], n))
                return 0;
    return 1;
}

static void progress(void)
{
    if (!isatty(STDERR_FILENO))
        return;
    fprintf(stderr, "\r  %-14s %3d %%, at most %.0f s left \033[K", b.figure,
            100 * b.points_done / b.points, fmax(seconds_left(), 0));
    if (b.points_done == b.points)
        fprintf(stderr, "\r\033[K");
}

/* One repetition of every variant, forwards or backwards; into repetition r, unless negative. */
static void round_of(const struct bench_variant *variants, int n, int r)
{
    for (int i = 0; i < n; i++) {
        int v = r & 1 ? n - 1 - i : i;
        double got[BENCH_VALUES] = {0};
        variants[v].run(variants[v].arg, got);
        for (int k = 0; k < BENCH_VALUES && r >= 0; k++)
            values[v][k][r] = got[k];
    }
}

void bench_point(double x, const char *unit, const struct bench_variant *variants, int n)
{
    const int least = bench_quick() ? LEAST_QUICK : clock_is_virtual() ? LEAST_SIMULATED : LEAST;
    const int few = clock_is_virtual() || bench_quick();
    int left = b.points - b.points_done, r = 0;
    double until_s = real_s() + fmax(seconds_left(), 0) / (left > 0 ? left : 1);

    progress();
    for (int w = 0; w < WARM_UP; w++)
        round_of(variants, n, -1 - w);
    while (r < BENCH_REPETITIONS) {
        round_of(variants, n, r++);
        if (r < (real_s() < until_s ? least : LEAST_SIMULATED))
            continue;
        if (few || real_s() >= until_s)
            break;
        if (r % 10 == 0 && all_known(variants, n, r))
            break;
    }
    for (int v = 0; v < n; v++)
        for (int k = 0; k < BENCH_VALUES && variants[v].names[k]; k++)
            named_values(x, variants[v].names[k], values[v][k], r, unit);
    b.points_done++;
    progress();
}

static void write_header(FILE *to)
{
    fprintf(to, "# figure: %s\n# what: %s\n# x: %s\n", b.figure, b.what, b.x);
    bench_describe(to);
    if (b.mhz)
        fprintf(to, "# clock: SM %u MHz at the start, %u MHz at the end\n", b.mhz, bench_sm_mhz());
    if (clock_is_virtual())
        fprintf(to, "# repetitions: n, all in virtual time\n");
    else
        fprintf(to,
                "# repetitions: n, until the %.0f %% interval of the median is under %.0f %% of "
                "it, or the time is up (%.0f s for the figure)\n",
                100 * confidence, 100 * narrow, b.seconds);
    fprintf(to, "# rows: %d\nx,variant,median,p5,p95,n,unit\n", b.n_rows);
}

int bench_end(void)
{
    char path[4096], fresh[4096 + 8];
    snprintf(path, sizeof path, "%s/%s.csv", b.folder, b.figure);
    snprintf(fresh, sizeof fresh, "%s.new", path);
    fclose(b.rows);
    FILE *to = fopen(fresh, "w");
    if (to)
        write_header(to);
    if (!to || fwrite(b.text, 1, b.bytes, to) != b.bytes || fclose(to) != 0 ||
        rename(fresh, path) != 0) {
        fprintf(stderr, "%s: %s cannot be written: %s\n", b.figure, path, strerror(errno));
        remove(fresh);
        return 1;
    }
    free(b.text);
    return 0;
}
