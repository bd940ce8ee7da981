/*
 * adapter.c: lab 09 between the judge's buffers and the submission: the clients, the pool, the
 * library function that is captured, and the threads that use the device during a capture.
 *
 * The functions that the submission calls note for each request what they were asked for: these
 * notes are the log that the suite compares with a model of the cache.
 */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "common/clock.h"
#include "kernels/kernels.h"
#include "labs/lab09_amortise/lab.h"
#include "service.h"
#include "subject/bench.h"
#include "subject/graph.h"

enum { MAX_STREAMS = 4, MAX_BLOCKS = 256, MOST_GRAPHS = 1024, FEW = 512 };

static struct lab09 lab;
static struct task {
    int requests, streams, inputs, max_n, warm, during;
    const float *shapes, *in;
    float *out, *log;
    cudaStream_t stream[MAX_STREAMS], other; /* of the clients; of another thread */
    bool is_warm;
    double warm_us;                                     /* of work that lab09_warm left */
    int captures;                                       /* so far */
    float row[LOG_COLUMNS];                             /* of the log, of the present request */
    cudaError_t malloc_there, launch_there, wait_there; /* the first errors */
    bool malloc_here;                                   /* the capture let enqueue allocate */
    unsigned long long graphs[MOST_GRAPHS];             /* that captures of enqueue are part of */
    size_t n_graphs;
} task;

/* ---- the pool -------------------------------------------------------------------------------- */

/* One piece of device memory, four times the budget: who exceeds it is to be seen, not stopped. */
static struct pool {
    float *memory;
    int capacity, floats, n;
    struct block {
        int from, floats;
    } blocks[MAX_BLOCKS]; /* in use, by address */
} pool;

/* The first gap that is large enough. */
static float *allocate(int n)
{
    int at = 0, from = 0;
    while (at < pool.n && pool.blocks[at].from - from < n) {
        from = pool.blocks[at].from + pool.blocks[at].floats;
        at++;
    }
    if (n <= 0 || pool.n == MAX_BLOCKS || from + n > pool.capacity)
        return NULL;
    memmove(&pool.blocks[at + 1], &pool.blocks[at], (size_t)(pool.n - at) * sizeof *pool.blocks);
    pool.blocks[at] = (struct block){from, n};
    pool.n++;
    pool.floats += n;
    task.row[LOG_ALLOCATED]++;
    task.row[LOG_WORKSPACES] = fmaxf(task.row[LOG_WORKSPACES], (float)pool.n);
    task.row[LOG_FLOATS] = fmaxf(task.row[LOG_FLOATS], (float)pool.floats);
    return pool.memory + from;
}

static void release(float *workspace)
{
    for (int i = 0; i < pool.n; i++) {
        if (pool.memory + pool.blocks[i].from != workspace)
            continue;
        pool.floats -= pool.blocks[i].floats;
        pool.n--;
        memmove(&pool.blocks[i], &pool.blocks[i + 1], (size_t)(pool.n - i) * sizeof *pool.blocks);
        task.row[LOG_RELEASED]++;
        return;
    }
}

/* ---- what other threads do during a capture -------------------------------------------------- */

static void note(cudaError_t *first, cudaError_t e)
{
    if (*first == cudaSuccess)
        *first = e;
}

static void *allocate_there(void *unused)
{
    void *memory = NULL;
    note(&task.malloc_there, cudaMalloc(&memory, 4096));
    note(&task.malloc_there, cudaFree(memory));
    return unused;
}

static void *launch_there(void *unused)
{
    note(&task.launch_there, launch_empty(1, task.other));
    note(&task.launch_there, cudaStreamSynchronize(task.other));
    return unused;
}

static void *wait_there(void *unused)
{
    note(&task.wait_there, lab09_wait(&lab, task.stream[0]));
    return unused;
}

static void *synchronize_there(void *unused)
{
    cudaDeviceSynchronize();
    return unused;
}

static void in_thread(void *(*work)(void *))
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, work, NULL) == 0)
        pthread_join(thread, NULL);
}

static void others_go_on(void)
{
    if (task.during & DURING_OTHERS) {
        in_thread(allocate_there);
        in_thread(launch_there);
        in_thread(wait_there);
    }
    if (task.during & DURING_SYNC && task.captures == 1)
        in_thread(synchronize_there);
}

/* ---- the library's function ------------------------------------------------------------------ */

static cudaError_t enqueue_steps(float *workspace, const float *input, struct lab09_shape shape,
                                 cudaStream_t stream)
{
    float *half[] = {workspace, workspace + shape.n};
    for (int k = 0; k < shape.n_steps; k++)
        TRY(launch_consume(half[(k + 1) % 2], k ? half[k % 2] : input, shape.n, stream));
    return cudaSuccess;
}

/* The same by way of memory that the function allocates and frees. A graph that was captured from
 * it would use this memory after it was freed: if the capture permits that, it is noted and not
 * done. */
static cudaError_t enqueue_allocating(float *workspace, struct lab09_shape shape,
                                      cudaStream_t stream, bool captured)
{
    const size_t bytes = (size_t)shape.n * sizeof(float);
    float *input = NULL;
    cudaError_t e = cudaMalloc((void **)&input, bytes);
    TRY(e);
    if (captured) {
        task.malloc_here = true;
        TRY(cudaFree(input));
        return enqueue_steps(workspace, workspace, shape, stream);
    }
    TRY(cudaMemcpyAsync(input, workspace, bytes, cudaMemcpyDeviceToDevice, stream));
    TRY(enqueue_steps(workspace, input, shape, stream));
    return cudaFree(input); /* waits for the stream, if it does not capture */
}

/* The graph that the library's work becomes a part of. */
static void note_graph(cudaStream_t stream)
{
    enum cudaStreamCaptureStatus status;
    cudaGraph_t graph = NULL;
    if (task.n_graphs < MOST_GRAPHS &&
        cudaStreamGetCaptureInfo(stream, &status, NULL, &graph, NULL, NULL, NULL) == cudaSuccess)
        task.graphs[task.n_graphs++] = subject_graph_number(graph);
}

static cudaError_t enqueue(float *workspace, struct lab09_shape shape, cudaStream_t stream)
{
    enum cudaStreamCaptureStatus status;
    TRY(cudaStreamIsCapturing(stream, &status));
    const bool captured = status != cudaStreamCaptureStatusNone;
    task.row[captured ? LOG_CAPTURED : LOG_STREAMED]++;
    task.captures += captured;
    if (captured) {
        note_graph(stream);
        others_go_on();
    }
    if (task.during & DURING_ALLOCATES)
        return enqueue_allocating(workspace, shape, stream, captured);
    if (task.during & DURING_CHANGES && shape.n > FEW)
        TRY(cudaMemsetAsync(workspace + shape.n, 0, (size_t)shape.n * sizeof(float), stream));
    return enqueue_steps(workspace, workspace, shape, stream);
}

/* ---- set up ---------------------------------------------------------------------------------- */

static cudaError_t create(void)
{
    TRY(cudaMalloc((void **)&pool.memory, (size_t)pool.capacity * sizeof(float)));
    TRY(cudaStreamCreateWithFlags(&task.other, cudaStreamNonBlocking));
    for (int i = 0; i < task.streams; i++)
        TRY(cudaStreamCreateWithFlags(&task.stream[i], cudaStreamNonBlocking));
    return cudaSuccess;
}

static int setup(struct subject *s)
{
    task = (struct task){.requests = (int)subject_number(s, "requests"),
                         .streams = (int)subject_number(s, "streams"),
                         .inputs = (int)subject_number(s, "inputs"),
                         .max_n = (int)subject_number(s, "max_n"),
                         .warm = (int)subject_number(s, "warm"),
                         .during = (int)subject_number(s, "during"),
                         .shapes = subject_buffer(s, "shapes"),
                         .in = subject_buffer(s, "in"),
                         .out = subject_buffer(s, "out"),
                         .log = subject_buffer(s, "log")};
    lab = (struct lab09){.max_execs = (int)subject_number(s, "max_execs"),
                         .max_floats = (int)subject_number(s, "max_floats"),
                         .allocate = allocate,
                         .release = release,
                         .enqueue = enqueue};
    pool = (struct pool){.capacity = 4 * lab.max_floats};
    int failed = subject_own_call(s, "preparing streams and memory", create());
    return failed ? failed : subject_returned(s, "lab09_setup", lab09_setup(&lab));
}

static int teardown(struct subject *s)
{
    int failed = subject_captured(s, "lab09_teardown", lab09_teardown(&lab));
    for (int i = 0; i < task.streams; i++)
        cudaStreamDestroy(task.stream[i]);
    cudaStreamDestroy(task.other);
    cudaFree(pool.memory);
    return failed;
}

/* ---- requests -------------------------------------------------------------------------------- */

static struct lab09_shape shape_of(int request)
{
    return (struct lab09_shape){(int)task.shapes[2 * request], (int)task.shapes[2 * request + 1]};
}

/* Before the first run, if the scenario says so. */
static int warm(struct subject *s)
{
    struct lab09_shape shapes[MAX_BLOCKS];
    if (task.is_warm || task.warm == 0)
        return 0;
    for (int i = 0; i < task.warm; i++)
        shapes[i] = shape_of(i);
    task.is_warm = true;
    cudaError_t e = lab09_warm(&lab, shapes, task.warm);
    const double from_us = clock_now_us();
    if (e == cudaSuccess)
        cudaDeviceSynchronize();
    task.warm_us = clock_now_us() - from_us;
    return subject_captured(s, "lab09_warm", e);
}

static struct lab09_request request_of(int i)
{
    return (struct lab09_request){.shape = shape_of(i),
                                  .in = task.in + (size_t)(i % task.inputs * task.max_n),
                                  .out = task.out + (size_t)(i * task.max_n),
                                  .stream = task.stream[i % task.streams]};
}

static int serve_failed(struct subject *s, cudaError_t e)
{
    const bool other = e == cudaErrorNotYetImplemented || e == cudaErrorGraphExecUpdateFailure;
    if (!task.during || other)
        return subject_captured(s, "lab09_serve", e);
    int failed = subject_captured(s, "lab09_serve", cudaSuccess); /* does it still capture? */
    return failed ? failed
                  : subject_explained(s, "lab09_serve", e,
                                      "a capture that fails is no reason for the request to fail: "
                                      "serve it with stream launches. If e->exec is NULL, call "
                                      "lab->enqueue in the stream of the request");
}

static int run_request(struct subject *s, int i)
{
    float *row = task.row;
    row[LOG_CAPTURED] = row[LOG_STREAMED] = row[LOG_ALLOCATED] = row[LOG_RELEASED] = 0;
    cudaGetLastError();
    double from_us = clock_now_us();
    const struct lab09_request request = request_of(i);
    cudaError_t e = lab09_serve(&lab, &request);
    if (e != cudaSuccess)
        return serve_failed(s, e);
    if (task.warm > 0) /* then times count: one request after the other */
        e = lab09_wait(&lab, task.stream[i % task.streams]);
    row[LOG_US] = (float)(clock_now_us() - from_us);
    row[LOG_STALE] = (float)cudaGetLastError();
    memcpy(task.log + (size_t)i * LOG_COLUMNS, row, sizeof task.row);
    return e ? subject_returned(s, "lab09_wait", e) : 0;
}

/* Behind a result of n floats the judge expects zeros. */
static void clear_rest(int i)
{
    const int n = shape_of(i).n;
    memset(task.out + (size_t)(i * task.max_n + n), 0, (size_t)(task.max_n - n) * sizeof(float));
}

/* Of graphs that the library's work is no part of. */
static double other_launches(void)
{
    double launches = subject_launches();
    for (size_t i = 0; i < task.n_graphs; i++)
        launches -= subject_launches_of(task.graphs[i]);
    return launches;
}

static int run(struct subject *s)
{
    int failed = 0;
    for (int i = 0; i < task.requests && !failed; i++)
        failed = run_request(s, i);
    for (int i = 0; i < task.streams && !failed; i++)
        failed = subject_returned(s, "lab09_wait", lab09_wait(&lab, task.stream[i]));
    if (failed)
        return failed;
    for (int i = 0; i < task.requests; i++)
        clear_rest(i);
    subject_value(s, "other_launches", other_launches());
    subject_value(s, "warm_us", task.warm_us);
    subject_value(s, "malloc_there", task.malloc_there);
    subject_value(s, "malloc_here", task.malloc_here);
    subject_value(s, "launch_there", task.launch_there);
    subject_value(s, "wait_there", task.wait_there);
    bench_pending(s);
    return subject_captured(s, "lab09_serve", cudaSuccess);
}

/* ---- from which launch on does a graph pay? -------------------------------------------------- */

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
    cudaGraph_t graph;
    TRY(cudaStreamBeginCapture(pair.stream, cudaStreamCaptureModeThreadLocal));
    TRY(enqueue_steps(pair.device, pair.device, pair.shape, pair.stream));
    TRY(cudaStreamEndCapture(pair.stream, &graph));
    TRY(cudaGraphInstantiate(&pair.exec, graph, 0));
    TRY(cudaGraphDestroy(graph));
    TRY(cudaGraphUpload(pair.exec, pair.stream));
    return cudaStreamSynchronize(pair.stream);
}

static cudaError_t pair_create(int n_steps)
{
    enum { N = 512, BYTES = 2 * N * sizeof(float) };
    pair = (struct pair){.shape = {N, n_steps}};
    TRY(cudaMalloc((void **)&pair.device, BYTES));
    TRY(cudaMemset(pair.device, 0, BYTES));
    return cudaStreamCreateWithFlags(&pair.stream, cudaStreamNonBlocking);
}

static cudaError_t pair_destroy(void)
{
    TRY(cudaStreamDestroy(pair.stream));
    return cudaFree(pair.device);
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

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
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
    qsort(by_stream, PAIRS, sizeof *by_stream, by_size);
    qsort(by_graph, PAIRS, sizeof *by_graph, by_size);
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
    qsort(launches, RACES, sizeof *launches, by_size);
    qsort(once_us, RACES, sizeof *once_us, by_size);
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
    char predicts[] = "predicted_0", measures[] = "measured_0";
    double measured = 0;
    cudaError_t e = pair_create(lab09_kernels[i]);
    e = e ? e : measure(&times, &measured);
    e = e ? e : pair_destroy();
    if (e)
        return subject_own_call(s, "measuring three times", e);
    predicts[sizeof predicts - 2] += (char)i;
    measures[sizeof measures - 2] += (char)i;
    subject_value(s, predicts, lab09_break_even(&times));
    subject_value(s, measures, measured);
    return 0;
}

static int floor_times(struct subject *s)
{
    char name[] = "given_0";
    int failed = 0;
    for (size_t i = 0; i < sizeof lab09_given / sizeof lab09_given[0]; i++, name[6]++)
        subject_value(s, name, lab09_break_even(&lab09_given[i].times));
    for (int i = 0; i < (int)(sizeof lab09_kernels / sizeof lab09_kernels[0]) && !failed; i++)
        failed = break_even(s, i);
    return failed;
}

static void watch(struct subject *s)
{
    for (int i = 0; i < task.requests; i++) {
        const struct lab09_request request = request_of(i);
        const size_t bytes = (size_t)request.shape.n * sizeof(float);
        subject_watch(s, "in", request.in, bytes);
        subject_watch(s, "out", request.out, bytes);
    }
}

SUBJECT_LAB(.watch = watch, .name = "lab09", .setup = setup, .arm = warm, .run = run,
            .teardown = teardown, .floor = floor_times)
