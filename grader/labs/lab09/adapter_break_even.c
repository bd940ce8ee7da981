/* adapter_break_even.c: from which launch on does a graph pay? What lab09_break_even predicts, and
 * what is so, here and now. */
#include "common/check.h"
#include "common/clock.h"
#include "common/sort.h"
#include "exchange.h"
#include "kernels/kernels.h"
#include "measured.h"
#include "service.h"
#include "subject/bench.h"

cudaError_t enqueue_steps(float *workspace, const float *input, struct lab09_shape shape,
                          cudaStream_t stream)
{
    float *half[] = {workspace, workspace + shape.n};
    for (int k = 0; k < shape.n_steps; k++)
        TRY(launch_consume(half[(k + 1) % 2], k ? half[k % 2] : input, shape.n, stream));
    return cudaSuccess;
}

static struct pair {
    struct lab09_shape shape;
    float *device;
    cudaStream_t stream;
    cudaGraphExec_t exec;
} pair;

static cudaError_t with_streams(void *unused)
{
    (void)unused;
    TRY(enqueue_steps(pair.device, pair.device, pair.shape, pair.stream));
    return cudaStreamSynchronize(pair.stream);
}

static cudaError_t with_graph(void *unused)
{
    (void)unused;
    TRY(cudaGraphLaunch(pair.exec, pair.stream));
    return cudaStreamSynchronize(pair.stream);
}

static cudaError_t make(void)
{
    TRY(cudaStreamBeginCapture(pair.stream, cudaStreamCaptureModeThreadLocal));
    TRY(enqueue_steps(pair.device, pair.device, pair.shape, pair.stream));
    return bench_end_capture(pair.stream, &pair.exec);
}

static cudaError_t pair_create(int n_steps)
{
    enum { N = 512, BYTES = 2 * N * sizeof(float) };
    pair = (struct pair){.shape = {N, n_steps}};
    TRY(cudaMalloc((void **)&pair.device, BYTES));
    TRY(cudaMemset(pair.device, 0, BYTES));
    return cudaStreamCreateWithFlags(&pair.stream, cudaStreamNonBlocking);
}

/* The launch after which both totals first are equal, or the graph's is less; and its once_us. */
static cudaError_t race(int *launches, double *once_us)
{
    enum { MOST = 1000 };
    double from_us = clock_now_us(), us, stream_us = 0, graph_us;
    TRY(make());
    graph_us = *once_us = clock_now_us() - from_us;
    for (*launches = 0; *launches == 0 || (*launches < MOST && graph_us > stream_us); ++*launches) {
        from_us = clock_now_us();
        TRY(with_streams(NULL));
        stream_us += (us = clock_now_us()) - from_us;
        TRY(with_graph(NULL));
        graph_us += clock_now_us() - us;
    }
    return cudaGraphExecDestroy(pair.exec);
}

/* Medians of requests that alternate, as they do in a race: each way finds the caches of the host
 * as the other one left them. */
static cudaError_t alternate(double *stream_us, double *graph_us)
{
    enum { PAIRS = 41 };
    double by_stream[PAIRS], by_graph[PAIRS];
    for (int i = 0; i < PAIRS; i++) {
        double from_us = clock_now_us(), us;
        TRY(with_streams(NULL));
        by_stream[i] = (us = clock_now_us()) - from_us;
        TRY(with_graph(NULL));
        by_graph[i] = clock_now_us() - us;
    }
    sort_numbers(by_stream, PAIRS);
    sort_numbers(by_graph, PAIRS);
    *stream_us = by_stream[PAIRS / 2];
    *graph_us = by_graph[PAIRS / 2];
    return cudaSuccess;
}

/* Medians of a few races. */
static cudaError_t measure(struct lab09_times *times, double *measured)
{
    enum { RACES = 7 };
    double launches[RACES], once_us[RACES];
    TRY(with_streams(NULL));
    for (int i = 0; i < RACES; i++) {
        int n;
        TRY(race(&n, &once_us[i]));
        launches[i] = n;
    }
    sort_numbers(launches, RACES);
    sort_numbers(once_us, RACES);
    *measured = launches[RACES / 2];
    times->once_us = once_us[RACES / 2];
    TRY(make());
    TRY(alternate(&times->stream_us, &times->graph_us));
    return cudaGraphExecDestroy(pair.exec);
}

/* What the submission predicts for the i-th graph from times measured here and now; what is so. */
static int break_even(struct subject *s, int i)
{
    struct lab09_times times;
    double measured = 0;
    cudaError_t e = pair_create(lab09_kernels[i]);
    e = e ? e : measure(&times, &measured);
    e = e ? e : cudaStreamDestroy(pair.stream);
    e = e ? e : cudaFree(pair.device);
    if (e)
        return subject_own_call(s, "measuring three times", e);
    subject_value(s, predicted[i], lab09_break_even(&times));
    subject_value(s, measured[i], measured);
    return 0;
}

int floor_times(struct subject *s)
{
    int failed = 0;
    for (int i = 0; i < LAB09_GIVEN; i++)
        subject_value(s, given[i], lab09_break_even(&lab09_given[i].times));
    for (int i = 0; i < LAB09_KERNELS && !failed; i++)
        failed = break_even(s, i);
    return failed;
}
