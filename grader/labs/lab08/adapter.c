/* adapter.c: lab 08 between the judge's buffers and the submission, which builds graphs; the
 * adapter instantiates them with the submission's function, launches and destroys them. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/check.h"
#include "common/clock.h"
#include "graphs.h"
#include "exchange.h"
#include "labs/lab08/causes.h"
#include "kernels/kernels.h"
#include "labs/lab08_explicit_graph/lab.h"
#include "subject/bench.h"
#include "subject/graph.h"
#include "subject/host_node.h"

enum { DELAY_US = 50 };

static struct task {
    enum lab08_task task;
    int n, launches, upload, priority;
    int rows, repeats, major; /* of lab08_early; compute capability of its code */
    size_t bytes;             /* n floats */
    const float *in;          /* the judge's: launches x n */
    float *out;               /* the same; `summary` has the mean after the values */
    float *own_in, *own_out;  /* pinned, n floats */
    float *x, *u, *sum;       /* device memory */
    float *weights;           /* device memory: rows x n */
    double mean;
    cudaStream_t stream, before, after; /* where the graph is launched; who records ready; who waits
                                           for done */
    cudaEvent_t ready, done;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    int now;           /* the launch that is going on */
    bool library_runs; /* it was called in a stream that did not capture */
} task;

/* ---- what the submission is given ------------------------------------------------------------ */

/* The host node's data; and how often it was given back. */
static struct owned {
    void *data;
    volatile int taken, given, other; /* other: `give` was called with other data */
} owned;

static void *take(size_t bytes)
{
    owned.data = calloc(1, bytes);
    owned.taken++;
    return owned.data;
}

/* Not freed: a host function that still uses it is to be told so, not to crash. */
static void give(void *data)
{
    owned.given += data == owned.data;
    owned.other += data != owned.data;
}

/* The library: x += weight * produce(x), by way of memory of its own. The order of two weights
   matters. */
static cudaError_t library(float *x, float weight, int n, cudaStream_t stream)
{
    enum cudaStreamCaptureStatus status;
    TRY(launch_produce(task.u, x, 1, n, stream));
    TRY(cudaStreamIsCapturing(stream, &status));
    task.library_runs |= status == cudaStreamCaptureStatusNone;
    return launch_saxpy(x, task.u, weight, n, stream);
}

static const char *const functions[] = {"lab08_branches", "lab08_temporary", "lab08_library",
                                        "lab08_summary",  "lab08_early",     "lab08_branches",
                                        "the grader"};

static cudaError_t build_branches(struct subject *s, cudaGraph_t *graph)
{
    const struct numbers *numbers = subject_numbers(s);
    struct lab08_branches *b = subject_alone(s, sizeof *b);
    *b = (struct lab08_branches){.n = task.n,
                                 .steps = numbers->steps,
                                 .strength = (float)numbers->strength,
                                 .in = task.own_in,
                                 .out = task.own_out,
                                 .x = task.x,
                                 .u = task.u,
                                 .sum = task.sum,
                                 .ready = task.ready,
                                 .done = task.done,
                                 .priority = task.priority};
    return lab08_branches(b, graph);
}

static cudaError_t build_library(struct subject *s, cudaGraph_t *graph)
{
    const struct numbers *numbers = subject_numbers(s);
    struct lab08_library *l = subject_alone(s, sizeof *l);
    *l = (struct lab08_library){.n = task.n,
                                .in = task.own_in,
                                .out = task.own_out,
                                .x = task.x,
                                .weight = {(float)numbers->weight[0], (float)numbers->weight[1]},
                                .stream = task.before,
                                .library = library};
    cudaError_t e = lab08_library(l, graph);
    if (task.library_runs)
        subject_note(s, LAB08_LIBRARY_LAUNCHED, NULL, NULL);
    return e;
}

static cudaError_t build_temporary(struct subject *s, int device, cudaGraph_t *graph)
{
    struct lab08_temporary *t = subject_alone(s, sizeof *t);
    *t = (struct lab08_temporary){task.n, device, task.own_in, task.own_out};
    return lab08_temporary(t, graph);
}

/* Is a graph built that is to allocate on a device that does not exist? Only the simulated device
   is asked. */
static void note_device(struct subject *s)
{
    cudaGraph_t other = NULL;
    int n_devices = 1;
    if (!clock_is_virtual() || subject_unaided(s))
        return;
    cudaError_t e = cudaGetDeviceCount(&n_devices);
    e = e ? e : build_temporary(s, n_devices, &other);
    if (!e)
        subject_note(s, LAB08_OTHER_DEVICE, NULL, NULL);
    if (other)
        cudaGraphDestroy(other);
    cudaGetLastError();
    subject_forget_errors();
}

static cudaError_t build_summary(struct subject *s, cudaGraph_t *graph)
{
    struct lab08_summary *m = subject_alone(s, sizeof *m);
    *m = (struct lab08_summary){.n = task.n,
                                .in = task.own_in,
                                .x = task.x,
                                .y = task.u,
                                .values = task.own_out,
                                .mean = &task.mean,
                                .allocate = take,
                                .destructor = give};
    return lab08_summary(m, graph);
}

static cudaError_t build_early(struct subject *s, cudaGraph_t *graph)
{
    struct lab08_early *e = subject_alone(s, sizeof *e);
    *e = (struct lab08_early){.n = task.n,
                              .steps = subject_numbers(s)->steps,
                              .rows = task.rows,
                              .x = task.x,
                              .weights = task.weights,
                              .u = task.u,
                              .out = task.sum};
    return lab08_early(e, graph);
}

static cudaError_t build(struct subject *s, cudaGraph_t *graph)
{
    switch (task.task) {
    case LAB08_TEMPORARY:
        return build_temporary(s, 0, graph);
    case LAB08_LIBRARY:
        return build_library(s, graph);
    case LAB08_SUMMARY:
        return build_summary(s, graph);
    case LAB08_EARLY:
        return build_early(s, graph);
    default:
        return build_branches(s, graph);
    }
}

static int built(struct subject *s, cudaGraph_t *graph)
{
    cudaError_t e = build(s, graph);
    subject_alone(s, 1); /* overwrites the struct, which is invalid now */
    return subject_captured(s, functions[task.task], e);
}

/* ---- setup and teardown ---------------------------------------------------------------------- */

static cudaError_t own_memory(void)
{
    int least;
    TRY(cudaMallocHost((void **)&task.own_in, task.bytes));
    TRY(cudaMallocHost((void **)&task.own_out, sizeof(float) * task.bytes));
    /* a sum of more values, up to as many as there are bytes, is another number */
    for (size_t i = (size_t)task.n; i < task.bytes; i++)
        task.own_out[i] = 1e30f;
    TRY(cudaMalloc((void **)&task.x, task.bytes));
    TRY(cudaMalloc((void **)&task.u, task.bytes));
    TRY(cudaMalloc((void **)&task.sum, task.bytes));
    memset(task.own_in, 0, task.bytes);
    TRY(cudaMemset(task.sum, 0x3e, task.bytes));
    TRY(cudaStreamCreateWithFlags(&task.stream, cudaStreamNonBlocking));
    TRY(cudaStreamCreateWithFlags(&task.before, cudaStreamNonBlocking));
    TRY(cudaStreamCreateWithFlags(&task.after, cudaStreamNonBlocking));
    TRY(cudaEventCreateWithFlags(&task.ready, cudaEventDisableTiming));
    TRY(cudaEventCreateWithFlags(&task.done, cudaEventDisableTiming));
    TRY(cudaDeviceGetStreamPriorityRange(&least, &task.priority));
    task.priority += task.priority + 1 < least; /* not the greatest one, if there is another */
    return cudaDeviceSynchronize();
}

static int setup(struct subject *s)
{
    const struct numbers *numbers = subject_numbers(s);
    task = (struct task){.task = numbers->task,
                         .n = (int)numbers->n,
                         .launches = (int)numbers->launches,
                         .upload = numbers->upload,
                         .rows = (int)numbers->rows,
                         .repeats = numbers->repeats,
                         .bytes = (size_t)numbers->n * sizeof(float),
                         .in = subject_buffer(s, "in"),
                         .out = subject_buffer(s, "out")};
    cudaError_t e = own_memory();
    if (e == cudaSuccess && task.task == LAB08_EARLY) {
        task.major = kernel_capability();
        e = cudaMalloc((void **)&task.weights, (size_t)task.rows * task.bytes);
    }
    const bool own_graph = task.task >= LAB08_DRAW;
    if (e == cudaSuccess && own_graph)
        e = task.task == LAB08_UNUSED ? unused_build(&task.graph) : cycle_build(&task.graph);
    if (e)
        return subject_failed(s, "the grader could not set up the lab: %s", cudaGetErrorName(e));
    if (own_graph)
        return 0;
    return built(s, &task.graph);
}

static int teardown(struct subject *s)
{
    (void)s;
    if (task.exec)
        cudaGraphExecDestroy(task.exec);
    cudaGraphDestroy(task.graph);
    cudaEventDestroy(task.done);
    cudaEventDestroy(task.ready);
    cudaStreamDestroy(task.after);
    cudaStreamDestroy(task.before);
    cudaStreamDestroy(task.stream);
    cudaFree(task.weights);
    cudaFree(task.sum);
    cudaFree(task.u);
    cudaFree(task.x);
    cudaFreeHost(task.own_out);
    cudaFreeHost(task.own_in);
    return 0;
}

/* ---- launches -------------------------------------------------------------------------------- */

static int instantiate(struct subject *s, cudaGraph_t graph, cudaGraphExec_t *exec)
{
    cudaGraphNode_t node = NULL;
    cudaError_t e = lab08_instantiate(graph, exec, &node);
    if (e == cudaErrorInvalidValue && has_strange_flags())
        subject_note(s, LAB08_WRONG_FLAGS, NULL, NULL);
    if (!e && was_destroyed(graph)) {
        subject_note(s, LAB08_GRAPH_DESTROYED_TOO, NULL, NULL);
        return subject_failed(s, "lab08_instantiate destroyed the graph");
    }
    return subject_returned(s, "lab08_instantiate", e);
}

static void CUDART_CB fill(void *unused)
{
    (void)unused;
    memcpy(task.own_in, task.in + (size_t)task.now * (size_t)task.n, task.bytes);
}

static void CUDART_CB fetch(void *unused)
{
    (void)unused;
    memcpy(task.out + (size_t)task.now * (size_t)task.n, task.own_out, task.bytes);
}

/* Nothing but the two events orders the graph with the streams before and after it. */
static cudaError_t launch_between(cudaGraphExec_t exec)
{
    TRY(launch_delay(DELAY_US, task.before));
    TRY(cudaLaunchHostFunc(task.before, fill, NULL));
    TRY(cudaEventRecord(task.ready, task.before));
    TRY(cudaGraphLaunch(exec, task.stream));
    TRY(cudaStreamWaitEvent(task.after, task.done, 0));
    TRY(cudaLaunchHostFunc(task.after, fetch, NULL));
    TRY(cudaStreamSynchronize(task.after));
    TRY(cudaStreamSynchronize(task.before));
    return cudaStreamSynchronize(task.stream);
}

static cudaError_t launch_alone(cudaGraphExec_t exec)
{
    fill(NULL);
    TRY(cudaGraphLaunch(exec, task.stream));
    TRY(cudaStreamSynchronize(task.stream));
    fetch(NULL);
    return cudaSuccess;
}

/* u holds no result of an earlier launch: a kernel that reads it too early computes zeros. */
static cudaError_t launch_early(struct subject *s, cudaGraphExec_t exec)
{
    const size_t bytes = (size_t)task.rows * task.bytes;
    memcpy(task.own_in, task.in, task.bytes);
    TRY(cudaMemcpyAsync(task.x, task.own_in, task.bytes, cudaMemcpyHostToDevice, task.stream));
    TRY(cudaMemcpyAsync(task.weights, subject_buffer(s, "weights"), bytes, cudaMemcpyHostToDevice,
                        task.stream));
    for (int i = 0; i < task.repeats; i++) {
        TRY(cudaMemsetAsync(task.u, 0, task.bytes, task.stream));
        TRY(cudaGraphLaunch(exec, task.stream));
    }
    TRY(cudaMemcpyAsync(task.own_out, task.sum, task.bytes, cudaMemcpyDeviceToHost, task.stream));
    TRY(cudaStreamSynchronize(task.stream));
    memcpy(task.out, task.own_out, task.bytes);
    return cudaSuccess;
}

static int run_early(struct subject *s)
{
    note_early(s, task.graph, task.u);
    if (task.major < 9)
        return 0;
    return subject_own_call(s, "launching the graph", launch_early(s, task.exec));
}

static int launch_all(struct subject *s, cudaGraphExec_t exec)
{
    cudaError_t e = task.upload ? cudaGraphUpload(exec, task.stream) : cudaSuccess;
    for (task.now = 0; task.now < task.launches && !e; task.now++) {
        /* the judge has poisoned the output */
        memcpy(task.own_out, task.out + (size_t)task.now * (size_t)task.n, task.bytes);
        subject_lineage_begin(s);
        e = task.task == LAB08_BRANCHES ? launch_between(exec) : launch_alone(exec);
        subject_lineage_end(s);
    }
    return e ? subject_own_call(s, "launching the graph", e) : 0;
}

/* ---- summary: the life of its data ----------------------------------------------------------- */

static void note_life(struct subject *s, int given_by_build, int refused)
{
    const int look = subject_numbers(s)->look;
    if (look & LAB08_LOOK_CALLS && refused > 0)
        subject_note(s, LAB08_HOST_CALLS_CUDA, NULL, NULL);
    if (look & LAB08_LOOK_LIFE && (owned.given != 1 || given_by_build || owned.other))
        subject_note(s,
                     given_by_build ? LAB08_DATA_GIVEN_AWAY
                     : owned.other  ? LAB08_FREES_OTHER_DATA
                     : owned.given  ? LAB08_DATA_FREED_TWICE
                                    : LAB08_DATA_NEVER_FREED,
                     "one call, when the last executable graph is gone",
                     "%d calls of the destructor", owned.given);
}

/* From the graph to the last of its executable graphs. */
static int live(struct subject *s)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    owned = (struct owned){0};
    int failed = built(s, &graph);
    const int given_by_build = owned.given;
    failed = failed ? failed : instantiate(s, graph, &exec);
    if (failed)
        return failed;
    cudaError_t e = subject_watch_host_node(graph, exec);
    const struct subject_host_node *watched = subject_host_node();
    e = e ? e : cudaGraphDestroy(graph);
    if (e)
        return subject_own_call(s, "destroying the graph", e);
    /* a host node whose data may be gone is not run */
    task.mean = NAN;
    const bool is_owned = owned.taken == 1 && watched->host.userData == owned.data;
    if (!is_owned)
        subject_note(s, LAB08_OTHER_DATA, NULL, NULL);
    failed = is_owned ? launch_all(s, exec) : 0;
    task.out[(size_t)task.n * (size_t)task.launches] = (float)task.mean;
    cudaGetLastError();
    e = cudaGraphExecDestroy(exec);
    const bool has_refused = !e && cudaPeekAtLastError() != cudaSuccess; /* the destructor's call */
    for (int i = 0; i < 100 && !owned.given; i++) /* a thread of the runtime's may release it */
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    note_life(s, given_by_build, watched->refused + has_refused);
    return failed ? failed : subject_own_call(s, "destroying the executable graph", e);
}

/* ---- one run --------------------------------------------------------------------------------- */

static int run(struct subject *s)
{
    if (task.task == LAB08_SUMMARY)
        return live(s);
    if (task.task == LAB08_DRAW)
        return cycle_draw(s, task.graph);
    if (task.task >= LAB08_CYCLE)
        return cycle_instantiate(s, task.graph);
    int failed = task.exec ? 0 : instantiate(s, task.graph, &task.exec);
    if (!failed && task.task == LAB08_EARLY)
        return run_early(s);
    failed = failed ? failed : launch_all(s, task.exec);
    if (failed)
        return failed;
    if (task.task == LAB08_BRANCHES)
        note_branches(s, &(struct described){.graph = task.graph,
                                             .n = task.n,
                                             .ready = task.ready,
                                             .done = task.done,
                                             .priority = task.priority});
    if (subject_numbers(s)->look & LAB08_LOOK_DEVICE)
        note_device(s);
    return 0;
}

static int graph(struct subject *s)
{
    return subject_graph(s, task.graph, "*graph");
}

/* ---- the same with stream-ordered allocation ------------------------------------------------- */

static cudaError_t stream_ordered(void *unused)
{
    float *a, *b;
    (void)unused;
    TRY(cudaMallocAsync((void **)&a, task.bytes, task.stream));
    TRY(cudaMallocAsync((void **)&b, task.bytes, task.stream));
    TRY(cudaMemcpyAsync(a, task.own_in, task.bytes, cudaMemcpyHostToDevice, task.stream));
    TRY(launch_consume(b, a, task.n, task.stream));
    TRY(cudaMemcpyAsync(task.own_out, b, task.bytes, cudaMemcpyDeviceToHost, task.stream));
    TRY(cudaFreeAsync(a, task.stream));
    TRY(cudaFreeAsync(b, task.stream));
    return cudaStreamSynchronize(task.stream);
}

/* ---- floors ---------------------------------------------------------------------------------- */

static cudaError_t clear_early(void)
{
    TRY(cudaMemset(task.x, 0, task.bytes));
    TRY(cudaMemset(task.weights, 0, (size_t)task.rows * task.bytes));
    return cudaDeviceSynchronize();
}

/* Of the reference: early_us and ordinary_us, a launch with either edge; or stream_us, one round of
   stream-ordered allocation. */
static int floor_times(struct subject *s)
{
    double us = 0, ordinary_us = 0;
    cudaError_t e = cudaSuccess;
    if (task.task == LAB08_EARLY) {
        const struct early early = {task.graph, task.stream, task.repeats};
        e = task.major < 9 ? cudaSuccess : clear_early();
        e = e || task.major < 9 ? e : time_edges(&early, &us, &ordinary_us);
        subject_value(s, early_us, us);
        subject_value(s, ordinary_us, ordinary_us);
        return subject_own_call(s, "measuring an ordinary edge", e);
    }
    e = bench_time_us(stream_ordered, NULL, &us);
    subject_value(s, stream_us, us);
    return subject_own_call(s, "measuring stream-ordered allocation", e);
}

static void watch_launch(struct subject *s)
{
    subject_watch(s, "in", task.own_in, task.bytes);
    subject_watch(s, "out", task.own_out, task.bytes);
}

/* The graph of `summary` is gone when its executable graph is launched. */
static const void *shown(const struct subject *s)
{
    (void)s;
    return task.task == LAB08_SUMMARY ? NULL : task.graph;
}

SUBJECT_LAB(.watch = watch_launch, .in_calls = true, .shown = shown, .name = "lab08",
            .setup = setup, .run = run, .teardown = teardown, .floor = floor_times, .graph = graph,
            .before_call = describe_before_call, .after_call = describe_after_call)
