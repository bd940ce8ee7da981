/* adapter.c: lab 10 between the judge's buffers and the submission; and the same iteration by
 * a host that looks at every check.
 *
 * b, x and the report are the adapter's own, pinned, where they stay from setup to teardown. The
 * judge knows floats only: x goes to it in two, the nearest float and what is left. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "adapter_alone.h"
#include "adapter_values.h"
#include "common/check.h"
#include "exchange.h"
#include "kernels/kernels.h"
#include "labs/lab10_conditional/lab.h"
#include "subject/bench.h"
#include "subject/graph.h"

enum { UNTOUCHED = -77 }; /* what a report says that nobody has written */

static struct lab10 *lab;
static struct {
    int count; /* n x n */
    const float *b;
    float *high, *low;
    float *own_b; /* pinned, like lab->x and lab->report */
} task;

/* ---- buffers --------------------------------------------------------------------------------- */

static double untouched(void)
{
    return nan("10");
}

static bool is_untouched(double x)
{
    const double same = untouched();
    return memcmp(&x, &same, sizeof x) == 0;
}

static cudaError_t own_buffers(void)
{
    TRY(cudaMallocHost((void **)&task.own_b, (size_t)task.count * sizeof(float)));
    TRY(cudaMallocHost((void **)&lab->x, (size_t)task.count * sizeof(double)));
    TRY(cudaMallocHost((void **)&lab->report, sizeof *lab->report));
    memset(task.own_b, 0, (size_t)task.count * sizeof(float));
    memset(lab->x, 0, (size_t)task.count * sizeof(double));
    return cudaSuccess;
}

static int setup(struct subject *s)
{
    const struct numbers *numbers = subject_numbers(s);
    lab = subject_alone(s, sizeof *lab);
    if (alone_kernel(s))
        return 0;
    *lab = (struct lab10){.n = (int)numbers->n,
                          .sweeps = numbers->sweeps,
                          .max_iterations = numbers->max_iterations,
                          .shift = numbers->shift,
                          .tolerance = numbers->tolerance};
    task.count = lab->n * lab->n;
    task.b = subject_buffer(s, "b");
    task.high = subject_buffer(s, "x");
    task.low = subject_buffer(s, "x_rest");
    if (own_buffers() != cudaSuccess)
        return subject_failed(s, "the grader could not allocate pinned memory of its own");
    lab->b = task.own_b;
    values_begin(s);
    subject_given(s, lab, graph);
    return values_returned(s, "lab10_setup", lab10_setup(lab));
}

static int arm(struct subject *s)
{
    if (alone_kernel(s))
        return 0;
    memcpy(task.own_b, task.b, (size_t)task.count * sizeof(float));
    for (int i = 0; i < task.count; i++)
        lab->x[i] = untouched();
    memset(lab->report, 0, sizeof *lab->report);
    lab->report->iterations = lab->report->checks = lab->report->precision = UNTOUCHED;
    return 0;
}

static int run(struct subject *s)
{
    values_run_begin();
    if (alone_kernel(s))
        return alone_run(s);
    const int failed = values_returned(s, "lab10_solve", lab10_solve(lab));
    bench_pending(s);
    values_report(s);
    subject_value(s, iterations, lab->report->iterations);
    subject_value(s, checks, lab->report->checks);
    subject_value(s, precision, lab->report->precision);
    subject_value(s, change, (double)lab->report->change);
    subject_value(s, largest, (double)lab->report->largest);
    return failed;
}

/* What nobody wrote stays as the judge has poisoned it. */
static int collect(struct subject *s)
{
    for (int i = 0; i < task.count && !alone_kernel(s); i++) {
        if (is_untouched(lab->x[i]))
            continue;
        task.high[i] = (float)lab->x[i];
        task.low[i] = (float)(lab->x[i] - (double)task.high[i]);
    }
    return 0;
}

static int teardown(struct subject *s)
{
    if (alone_kernel(s))
        return 0;
    int failed = subject_returned(s, "lab10_teardown", lab10_teardown(lab));
    cudaFreeHost(lab->report);
    cudaFreeHost(lab->x);
    cudaFreeHost(task.own_b);
    return failed;
}

/* ---- the same by a host that looks ----------------------------------------------------------- */

/* In float: the scenarios that are timed want no more. */
static struct by_host {
    cudaStream_t stream;
    float *b, *x[2], *change;  /* device memory */
    float *change_on_host;     /* pinned */
    cudaGraphExec_t iteration; /* the sweeps, and the change copied to change_on_host */
    cudaGraphExec_t sweeps;    /* those of all iterations, in series */
    int iterations;            /* of the last solution */
} host;

static cudaError_t host_create(void)
{
    const size_t bytes = (size_t)task.count * sizeof(float);
    TRY(cudaStreamCreateWithFlags(&host.stream, cudaStreamNonBlocking));
    TRY(cudaMalloc((void **)&host.b, bytes));
    TRY(cudaMalloc((void **)&host.x[0], bytes));
    TRY(cudaMalloc((void **)&host.x[1], bytes));
    TRY(cudaMalloc((void **)&host.change, sizeof *host.change));
    return cudaMallocHost((void **)&host.change_on_host, sizeof *host.change_on_host);
}

static cudaError_t host_destroy(void)
{
    TRY(cudaGraphExecDestroy(host.iteration));
    TRY(cudaGraphExecDestroy(host.sweeps));
    TRY(cudaFreeHost(host.change_on_host));
    TRY(cudaFree(host.change));
    TRY(cudaFree(host.x[1]));
    TRY(cudaFree(host.x[0]));
    TRY(cudaFree(host.b));
    return cudaStreamDestroy(host.stream);
}

static cudaError_t enqueue_sweeps(int n_sweeps)
{
    for (int k = 0; k < n_sweeps; k++)
        TRY(launch_jacobi(host.x[1 - k % 2], host.x[k % 2], host.b, lab->shift, lab->n,
                          host.stream));
    return cudaSuccess;
}

/* The largest change of `count` x from number `first` on is brought to the host. */
static cudaError_t enqueue_change(int first, int count)
{
    TRY(cudaMemsetAsync(host.change, 0, sizeof *host.change, host.stream));
    TRY(launch_change(host.change, host.x[0] + first, host.x[1] + first, count, host.stream));
    return cudaMemcpyAsync(host.change_on_host, host.change, sizeof *host.change_on_host,
                           cudaMemcpyDeviceToHost, host.stream);
}

static cudaError_t enqueue_iteration(void)
{
    TRY(enqueue_sweeps(lab->sweeps));
    return enqueue_change(lab->n / 2 * lab->n, lab->n);
}

static cudaError_t enqueue_all_sweeps(void)
{
    return enqueue_sweeps(host.iterations * lab->sweeps);
}

static cudaError_t capture(cudaError_t (*queue)(void), cudaGraphExec_t *exec)
{
    TRY(cudaStreamBeginCapture(host.stream, cudaStreamCaptureModeThreadLocal));
    TRY(queue());
    return bench_end_capture(host.stream, exec);
}

/* An iteration is a graph, too; but the host reads its probe and decides. */
static cudaError_t host_solve(void *unused)
{
    (void)unused;
    TRY(cudaMemcpyAsync(host.b, task.own_b, (size_t)task.count * sizeof(float),
                        cudaMemcpyHostToDevice, host.stream));
    TRY(cudaMemsetAsync(host.x[0], 0, (size_t)task.count * sizeof(float), host.stream));
    for (host.iterations = 1;; host.iterations++) {
        TRY(cudaGraphLaunch(host.iteration, host.stream));
        TRY(cudaStreamSynchronize(host.stream));
        if (*host.change_on_host <= lab->tolerance) {
            TRY(enqueue_change(0, task.count));
            TRY(cudaStreamSynchronize(host.stream));
        }
        if (*host.change_on_host <= lab->tolerance || host.iterations == lab->max_iterations)
            return cudaSuccess;
    }
}

static cudaError_t launch_sweeps(void *unused)
{
    (void)unused;
    TRY(cudaGraphLaunch(host.sweeps, host.stream));
    return cudaStreamSynchronize(host.stream);
}

/* host_us: a solution by the host's own loop; sweeps_us: its sweeps alone, as a straight graph. */
static int floor_times(struct subject *s)
{
    double host_us = 0, sweeps_us = 0;
    cudaError_t e = host_create();
    e = e ? e : capture(enqueue_iteration, &host.iteration);
    e = e ? e : bench_time_us(host_solve, NULL, &host_us);
    e = e ? e : capture(enqueue_all_sweeps, &host.sweeps);
    e = e ? e : bench_time_us(launch_sweeps, NULL, &sweeps_us);
    e = e ? e : host_destroy();
    subject_value(s, host_us, host_us);
    subject_value(s, sweeps_us, sweeps_us);
    subject_value(s, host_iterations, host.iterations);
    return subject_own_call(s, "measuring the host's loop", e);
}

static void watch(struct subject *s)
{
    subject_watch(s, "b", task.own_b, (size_t)task.count * sizeof(float));
    subject_watch(s, "x", lab->x, (size_t)task.count * sizeof(double));
}

static const void *shown(const struct subject *s)
{
    (void)s;
    return lab->graph;
}

SUBJECT_LAB(.watch = watch, .shown = shown, .name = "lab10", .setup = setup, .arm = arm, .run = run,
            .collect = collect, .teardown = teardown, .floor = floor_times,
            .graph = subject_shown_graph, .after_call = values_after_call)
