/* adapter.c: lab 06 between the judge's buffers and the submission; and the same work without
 * a graph.
 *
 * A scenario is one workload, called `calls` times in a run. in and result, which stay where they
 * are, are the adapter's own: before each call it puts the call's input into one, after it it takes
 * the call's result from the other. */
#include <string.h>

#include "adapter_params.h"
#include "common/check.h"
#include "exchange.h"
#include "kernels/kernels.h"
#include "labs/lab06/causes.h"
#include "labs/lab06_graph_update/lab.h"
#include "subject/bench.h"
#include "subject/graph.h"

static struct lab06 *lab;
static struct task {
    const struct numbers *numbers;
    size_t bytes; /* n floats */
    const float *in, *weights;
    float *out;
    float *own_in, *own_result; /* pinned */
    struct lab06_item now;
} task;

/* ---- buffers --------------------------------------------------------------------------------- */

static cudaError_t own_buffers(void)
{
    TRY(cudaMallocHost((void **)&task.own_in, task.bytes));
    TRY(cudaMallocHost((void **)&task.own_result, task.bytes));
    memset(task.own_in, 0, task.bytes);
    memset(task.own_result, 0, task.bytes);
    return cudaSuccess;
}

static int setup(struct subject *s)
{
    const struct numbers *numbers = subject_numbers(s);
    task = (struct task){.numbers = numbers,
                         .bytes = (size_t)numbers->n * sizeof(float),
                         .in = subject_buffer(s, "in"),
                         .weights = subject_buffer(s, "weights"),
                         .out = subject_buffer(s, "out")};
    if (own_buffers() != cudaSuccess)
        return subject_failed(s, "the grader could not allocate pinned memory of its own");
    params_begin(s, numbers->n);
    lab = subject_alone(s, sizeof *lab);
    *lab = (struct lab06){.n = numbers->n,
                          .n_smooth = numbers->n_smooth,
                          .correct_steps = numbers->correct_steps,
                          .strength = (float)numbers->strength,
                          .in = task.own_in,
                          .result = task.own_result};
    subject_given(s, lab, branch_graph);
    return subject_returned(s, "lab06_setup", lab06_setup(lab));
}

static int teardown(struct subject *s)
{
    int failed = subject_captured(s, "lab06_teardown", lab06_teardown(lab));
    cudaFreeHost(task.own_result);
    cudaFreeHost(task.own_in);
    return failed;
}

/* ---- a run ----------------------------------------------------------------------------------- */

static int steps_of(int call)
{
    const struct numbers *n = task.numbers;
    return (int)(n->other_steps && call >= (int)n->other_from ? n->other_steps : n->n_steps);
}

/* The weights of a call lie in memory that means something else as soon as the call is over. */
static struct lab06_item item_of(int call)
{
    enum { MOST_STEPS = 256 };
    static float weights[MOST_STEPS];
    const size_t most = task.numbers->n_steps > task.numbers->other_steps
                            ? task.numbers->n_steps
                            : task.numbers->other_steps;
    const int n = steps_of(call) < MOST_STEPS ? steps_of(call) : MOST_STEPS;
    memcpy(weights, task.weights + (size_t)call * most, (size_t)n * sizeof(float));
    return (struct lab06_item){.in = task.in + (size_t)call * 2 * (size_t)lab->n,
                               .out = task.out + (size_t)call * 2 * (size_t)lab->n,
                               .weights = weights,
                               .n_steps = n};
}

/* What breaks a rule of capture is said in words. A call that is right is asked for nothing: a run
 * is timed. */
static int returned(struct subject *s, const char *call, cudaError_t error)
{
    return error ? subject_captured(s, call, error) : 0;
}

/* Only if updates can fail: no other run is timed with this question in it. */
static bool is_error_left(void)
{
    return task.numbers->other_steps && cudaPeekAtLastError() == cudaErrorGraphExecUpdateFailure;
}

/* Nobody looks at its result. */
static int run_other(struct subject *s)
{
    return task.numbers->workload == LAB06_ONE ? returned(s, "lab06_branch", lab06_branch(lab, 1))
                                               : returned(s, "lab06_one", lab06_one(lab, 0.5f));
}

static int run_item(struct subject *s, int call)
{
    task.now = item_of(call);
    subject_lineage_begin(s);
    int failed = returned(s, "lab06_all", lab06_all(lab, &task.now));
    subject_lineage_end(s);
    if (is_error_left())
        subject_note(s, LAB06_STALE_ERROR, NULL, NULL);
    return failed;
}

/* The call that is made now. */
static void watch(struct subject *s)
{
    const size_t item_bytes = 2 * task.bytes;
    if (task.numbers->workload == LAB06_ALL) {
        subject_watch(s, "in", task.now.in, item_bytes);
        subject_watch(s, "out", task.now.out, item_bytes);
        return;
    }
    subject_watch(s, "in", task.own_in, task.bytes);
    subject_watch(s, "out", task.own_result, task.bytes);
}

static int run_in_place(struct subject *s, int call)
{
    int failed;
    memcpy(task.own_in, task.in + (size_t)call * (size_t)lab->n, task.bytes);
    subject_lineage_begin(s);
    if (task.numbers->workload == LAB06_ONE) {
        params_expect(task.weights[call]);
        failed = returned(s, "lab06_one", lab06_one(lab, task.weights[call]));
    } else
        failed = returned(s, "lab06_branch",
                          lab06_branch(lab, task.numbers->corrected[call] * (call + 1)));
    subject_lineage_end(s);
    memcpy(task.out + (size_t)call * (size_t)lab->n, task.own_result, task.bytes);
    return failed;
}

/* At its end: is a stream still capturing? */
static int run(struct subject *s)
{
    static const char *const names[] = {"lab06_all", "lab06_one", "lab06_branch"};
    int failed = 0;
    for (int i = 0; i < (int)task.numbers->calls && !failed; i++) {
        failed = task.numbers->in_turns ? run_other(s) : 0;
        if (!failed)
            failed = task.numbers->workload == LAB06_ALL ? run_item(s, i) : run_in_place(s, i);
    }
    bench_pending(s);
    subject_value(s, weights_passed, params_passed());
    return failed ? failed : subject_captured(s, names[task.numbers->workload], cudaSuccess);
}

static int graph(struct subject *s)
{
    return subject_graph(s, lab->branch_graph, "lab->branch_graph");
}

/* ---- the same by streams --------------------------------------------------------------------- */

static struct by_stream {
    cudaStream_t stream;
    float *device, *host; /* four pieces of n floats; two */
} by_stream;

static cudaError_t by_stream_create(void)
{
    TRY(cudaMalloc((void **)&by_stream.device, 4 * task.bytes));
    TRY(cudaMemset(by_stream.device, 0, 4 * task.bytes));
    TRY(cudaMallocHost((void **)&by_stream.host, 2 * task.bytes));
    memset(by_stream.host, 0, 2 * task.bytes);
    TRY(cudaStreamCreateWithFlags(&by_stream.stream, cudaStreamNonBlocking));
    return cudaDeviceSynchronize();
}

/* One call of `all` or `one`, launched kernel by kernel. */
static cudaError_t by_stream_call(void *unused)
{
    float *p = by_stream.device, *q = p + lab->n, *x = q + lab->n;
    const size_t bytes = task.numbers->workload == LAB06_ALL ? 2 * task.bytes : task.bytes;
    cudaStream_t stream = by_stream.stream;
    (void)unused;
    TRY(cudaMemcpyAsync(task.numbers->workload == LAB06_ALL ? p : x, by_stream.host, bytes,
                        cudaMemcpyHostToDevice, stream));
    for (int k = 0; task.numbers->workload == LAB06_ALL && k < (int)task.numbers->n_steps; k++)
        TRY(launch_saxpy(k % 2 ? q : p, k % 2 ? p : q, 0.5f, lab->n, stream));
    for (int k = 0; task.numbers->workload == LAB06_ONE && k < lab->n_smooth; k++)
        TRY(launch_consume(k % 2 ? q : p, k == 0 ? x : k % 2 ? p : q, lab->n, stream));
    if (task.numbers->workload == LAB06_ONE)
        TRY(launch_saxpy(p, x, 0.5f, lab->n, stream));
    TRY(cudaMemcpyAsync(by_stream.host, p, bytes, cudaMemcpyDeviceToHost, stream));
    return cudaStreamSynchronize(stream);
}

/* stream_us: one call by streams. */
static int floor_times(struct subject *s)
{
    double us = 0;
    cudaError_t e = by_stream_create();
    e = e ? e : bench_time_us(by_stream_call, NULL, &us);
    e = e ? e : cudaStreamDestroy(by_stream.stream);
    e = e ? e : cudaFreeHost(by_stream.host);
    e = e ? e : cudaFree(by_stream.device);
    subject_value(s, stream_us, us);
    return subject_own_call(s, "measuring the same work with stream launches", e);
}

static const void *shown(const struct subject *s)
{
    (void)s;
    return task.numbers->workload == LAB06_BRANCH ? lab->branch_graph : NULL;
}

SUBJECT_LAB(.watch = watch, .in_calls = true, .shown = shown, .name = "lab06", .setup = setup,
            .run = run, .teardown = teardown, .floor = floor_times, .graph = graph,
            .before_call = params_before_call, .after_call = params_after_call)
