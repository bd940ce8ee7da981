/* adapter.c: lab 09 between the judge's buffers and the submission: the clients, the pool, the
 * library function that is captured, and the threads that use the device during a capture.
 *
 * The functions that the submission calls note for each request what they were asked for: these
 * notes are the log that the suite compares with a model of the cache. */
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "common/check.h"
#include "common/clock.h"
#include "exchange.h"
#include "kernels/kernels.h"
#include "labs/lab09/causes.h"
#include "measured.h"
#include "service.h"
#include "subject/bench.h"
#include "subject/graph.h"
#include "subject/calls.h"

enum { MAX_STREAMS = 4, MAX_BLOCKS = 256, MOST_GRAPHS = 1024, FEW = 512 };

static struct lab09 *lab;
static struct task {
    int requests, streams, inputs, warm, during;
    const float *shapes, *in;
    float *out, *log;
    cudaStream_t stream[MAX_STREAMS], other; /* of the clients; of another thread */
    bool is_warm;
    int unfinished;         /* other clients whose work still runs after the first lab09_wait */
    double warm_us;         /* of work that lab09_warm left */
    int uploads;            /* so far */
    bool is_warming;        /* lab09_warm runs */
    int warm_launches;      /* by lab09_warm */
    int captures;           /* so far */
    float row[LOG_COLUMNS]; /* of the log, of the present request */
    cudaError_t work_there, wait_there, legacy_there; /* the first errors of other threads */
    bool malloc_here;                                 /* the capture let enqueue allocate */
    unsigned long long graphs[MOST_GRAPHS];           /* that captures of enqueue are part of */
    size_t n_graphs;
    unsigned long long capture; /* that called enqueue last */
    struct lab09_request now;   /* the present one, and whether its work is enqueued */
    bool is_enqueued;
    bool is_refused; /* its capture did not take the library's function */
    int launches;    /* of graphs, by the present request */
    int most_launches;
    int lacking;        /* floats, of a workspace that enqueue got, at most */
    int other_shapes;   /* calls of enqueue with another shape than the request's */
    int enqueued_again; /* calls of enqueue after the first one in the same capture */
    int out_first;      /* requests whose copy out came before their launch */
    int out_read;       /* copies from a result */
    float most_copied;  /* of an input or a result by one copy, at most; 1: all of it */
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

/* The floats from there to the end of its block; 0: it is in none. */
static int room_at(const float *workspace)
{
    for (int i = 0; i < pool.n; i++) {
        const float *end = pool.memory + pool.blocks[i].from + pool.blocks[i].floats;
        if (workspace >= pool.memory + pool.blocks[i].from && workspace < end)
            return (int)(end - workspace);
    }
    return 0;
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
    note(&task.work_there, cudaMalloc(&memory, 4096));
    note(&task.work_there, cudaFree(memory));
    return unused;
}

static void *launch_there(void *unused)
{
    note(&task.work_there, launch_empty(1, task.other));
    note(&task.work_there, cudaStreamSynchronize(task.other));
    return unused;
}

static void *wait_there(void *unused)
{
    note(&task.wait_there, lab09_wait(lab, task.stream[0]));
    return unused;
}

static void *use_legacy_there(void *unused)
{
    note(&task.legacy_there, launch_empty(1, cudaStreamLegacy));
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
        in_thread(use_legacy_there);
    }
}

/* ---- the library's function ------------------------------------------------------------------ */

/* enqueue_steps by way of memory that the function allocates and frees. A graph that was
 * captured from it would use this memory after it was freed: if the capture permits that, it is
 * noted and not done. */
static cudaError_t enqueue_allocating(float *workspace, struct lab09_shape shape,
                                      cudaStream_t stream, bool captured)
{
    const size_t bytes = (size_t)shape.n * sizeof(float);
    float *input = NULL;
    cudaError_t e = cudaMalloc((void **)&input, bytes);
    task.is_refused |= e != cudaSuccess;
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
    unsigned long long capture = 0;
    if (task.n_graphs < MOST_GRAPHS && cudaStreamGetCaptureInfo(stream, &status, &capture, &graph,
                                                                NULL, NULL, NULL) == cudaSuccess)
        task.graphs[task.n_graphs++] = subject_graph_number(graph);
    task.enqueued_again += capture != 0 && capture == task.capture;
    task.capture = capture;
}

/* What the submission passed to a captured call. */
static void note_arguments(const float *workspace, struct lab09_shape shape)
{
    const struct lab09_shape own = task.now.shape;
    const int lacking = 2 * shape.n - room_at(workspace);
    task.lacking = lacking > task.lacking ? lacking : task.lacking;
    if (task.now.in && (shape.n != own.n || shape.n_steps != own.n_steps))
        task.other_shapes++;
}

static cudaError_t enqueue(float *workspace, struct lab09_shape shape, cudaStream_t stream)
{
    enum cudaStreamCaptureStatus status;
    TRY(cudaStreamIsCapturing(stream, &status));
    const bool captured = status != cudaStreamCaptureStatusNone;
    if (captured)
        note_arguments(workspace, shape);
    task.is_enqueued = task.is_enqueued || !captured;
    task.row[captured ? LOG_CAPTURED : LOG_STREAMED]++;
    task.captures += captured;
    if (captured) {
        note_graph(stream);
        others_go_on();
    }
    const bool is_full = task.captures > lab->max_execs;
    if (captured && (task.during & DURING_REFUSES || (task.during & DURING_EVICTIONS && is_full))) {
        task.is_refused = cudaSetDevice(-1) != cudaSuccess; /* leaves an error */
        return cudaErrorNotSupported;
    }
    if (task.during & DURING_ALLOCATES)
        return enqueue_allocating(workspace, shape, stream, captured);
    if (task.during & DURING_CHANGES && shape.n > FEW)
        TRY(cudaMemsetAsync(workspace + shape.n, 0, (size_t)shape.n * sizeof(float), stream));
    TRY(enqueue_steps(workspace, workspace, shape, stream));
    if (captured && task.during & DURING_SYNC && task.captures == 1) {
        in_thread(synchronize_there);
        task.is_refused = true;
    }
    return cudaSuccess;
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
    const struct numbers *numbers = subject_numbers(s);
    task = (struct task){.requests = (int)numbers->requests,
                         .streams = (int)numbers->streams,
                         .inputs = (int)numbers->inputs,
                         .warm = numbers->warm,
                         .during = numbers->during,
                         .shapes = subject_buffer(s, "shapes"),
                         .in = subject_buffer(s, "in"),
                         .out = subject_buffer(s, "out"),
                         .log = subject_buffer(s, "log")};
    lab = subject_alone(s, sizeof *lab);
    *lab = (struct lab09){.max_execs = (int)numbers->max_execs,
                          .max_floats = (int)numbers->max_floats,
                          .allocate = allocate,
                          .release = release,
                          .enqueue = enqueue};
    pool = (struct pool){.capacity = 4 * lab->max_floats};
    int failed = subject_own_call(s, "preparing streams and memory", create());
    subject_given(s, lab, state);
    return failed ? failed : subject_returned(s, "lab09_setup", lab09_setup(lab));
}

static int teardown(struct subject *s)
{
    int failed = subject_captured(s, "lab09_teardown", lab09_teardown(lab));
    if (!failed && pool.n > 0) {
        subject_note(s, LAB09_WORKSPACES_LEFT, NULL, NULL);
        failed = subject_failed(s,
                                "lab09_teardown returned with %d workspaces that lab->release "
                                "has not been called for",
                                pool.n);
    }
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

/* How much of the present request's input or result a copy has. */
static void note_copy(const struct subject_call *call)
{
    const float floats = (float)call->bytes / sizeof(float);
    if (task.now.in && (call->from == task.now.in || call->to == task.now.out))
        task.most_copied = fmaxf(task.most_copied, floats / (float)task.now.shape.n);
    task.out_read += task.now.in && call->from == task.now.out;
    task.out_first += task.now.in && call->to == task.now.out && !task.is_enqueued;
}

static void before_call(struct subject_call *call)
{
    task.uploads += call->function == CALL_cudaGraphUpload;
    task.warm_launches += task.is_warming && call->function == CALL_cudaGraphLaunch;
    task.is_enqueued = task.is_enqueued || call->function == CALL_cudaGraphLaunch;
    task.launches += call->function == CALL_cudaGraphLaunch;
    if (call->function == CALL_cudaMemcpyAsync || call->function == CALL_cudaMemcpy)
        note_copy(call);
}

/* At the beginning of the first run, if the scenario says so. */
static int warm(struct subject *s)
{
    struct lab09_shape shapes[MAX_BLOCKS];
    if (task.is_warm || task.warm == 0)
        return 0;
    for (int i = 0; i < task.warm; i++)
        shapes[i] = shape_of(i);
    task.is_warm = task.is_warming = true;
    cudaError_t e = lab09_warm(lab, shapes, task.warm);
    task.is_warming = false;
    const double from_us = clock_now_us();
    if (e == cudaSuccess && !subject_unaided(s))
        cudaDeviceSynchronize();
    task.warm_us = clock_now_us() - from_us;
    return subject_captured(s, "lab09_warm", e);
}

static struct lab09_request request_of(int i)
{
    return (struct lab09_request){.shape = shape_of(i),
                                  .in = task.in + (size_t)(i % task.inputs * LAB09_MAX_N),
                                  .out = task.out + (size_t)(i * LAB09_MAX_N),
                                  .stream = task.stream[i % task.streams]};
}

static int serve_failed(struct subject *s, cudaError_t e)
{
    const bool of_capture = e == cudaErrorNotSupported || (e >= cudaErrorStreamCaptureUnsupported &&
                                                           e <= cudaErrorStreamCaptureWrongThread);
    if (!task.during || !of_capture)
        return subject_captured(s, "lab09_serve", e);
    int failed = subject_captured(s, "lab09_serve", cudaSuccess); /* does it still capture? */
    if (failed)
        return failed;
    if (e != cudaErrorNotSupported)
        subject_note(s, LAB09_CAPTURE_ERROR_RETURNED, NULL, NULL);
    return subject_explained(s, "lab09_serve", e,
                             "a capture that fails is no reason for the request to fail: serve it "
                             "with stream launches. If e->exec is NULL, call lab->enqueue in the "
                             "stream of the request");
}

static int run_request(struct subject *s, int i)
{
    float *row = task.row;
    row[LOG_CAPTURED] = row[LOG_STREAMED] = row[LOG_ALLOCATED] = row[LOG_RELEASED] = 0;
    cudaGetLastError();
    double from_us = clock_now_us();
    task.now = request_of(i);
    task.is_enqueued = task.is_refused = false;
    task.launches = 0;
    const struct lab09_request request = task.now;
    cudaError_t e = lab09_serve(lab, &request);
    task.most_launches = task.launches > task.most_launches ? task.launches : task.most_launches;
    if (task.is_refused)
        subject_forget_errors();
    if (e != cudaSuccess)
        return serve_failed(s, e);
    if (task.warm > 0) /* then times count: one request after the other */
        e = lab09_wait(lab, task.stream[i % task.streams]);
    row[LOG_US] = (float)(clock_now_us() - from_us);
    row[LOG_STALE] = (float)cudaGetLastError();
    memcpy(task.log + (size_t)i * LOG_COLUMNS, row, sizeof task.row);
    return e ? subject_returned(s, "lab09_wait", e) : 0;
}

/* Of graphs that the library's work is no part of. */
static double other_launches(void)
{
    double launches = subject_launches();
    for (size_t i = 0; i < task.n_graphs; i++)
        launches -= subject_launches_of(task.graphs[i]);
    return launches;
}

/* The clients before this one whose work still runs. */
static int unfinished(int client)
{
    int n = 0;
    for (int i = 0; i < client; i++)
        n += cudaStreamQuery(task.stream[i]) == cudaErrorNotReady;
    cudaGetLastError(); /* that is no error of the submission */
    return n;
}

/* What the submission passed to copies and to enqueue, and what its captures permitted, so far. */
static void note_mistakes(struct subject *s)
{
    if (task.lacking > 0)
        subject_note(s, LAB09_WORKSPACE_TOO_SMALL,
                     "2 n floats, from the address on that lab->enqueue gets",
                     "a workspace with %d floats too few", task.lacking);
    if (task.most_copied > 1)
        subject_note(s, LAB09_COPIES_TOO_MUCH, "n floats in each copy", "a copy of %.3g n floats",
                     (double)task.most_copied);
    if (task.most_launches > 1)
        subject_note(s, LAB09_NOT_ONE_LAUNCH, "1", "%d graph launches in one request",
                     task.most_launches);
    const struct {
        bool is_made;
        int mistake;
    } others[] = {{task.out_read > 0, LAB09_OUTPUT_READ},
                  {task.out_first > 0, LAB09_COPIED_OUT_FIRST},
                  {task.other_shapes > 0, LAB09_OTHER_SHAPE},
                  {task.enqueued_again > 0, LAB09_ENQUEUED_TWICE},
                  {task.work_there != cudaSuccess, LAB09_GLOBAL_MODE},
                  {task.wait_there != cudaSuccess, LAB09_DEVICE_SYNC_IN_WAIT},
                  {task.legacy_there != cudaSuccess, LAB09_BLOCKING_STREAM}};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (others[i].is_made)
            subject_note(s, others[i].mistake, NULL, NULL);
}

static int run(struct subject *s)
{
    int failed = warm(s);
    for (int i = 0; i < task.requests && !failed; i++)
        failed = run_request(s, i);
    for (int i = task.streams - 1; i >= 0 && !failed; i--) {
        failed = subject_returned(s, "lab09_wait", lab09_wait(lab, task.stream[i]));
        if (i == task.streams - 1 && !subject_unaided(s))
            task.unfinished = unfinished(i);
    }
    if (failed)
        return failed;
    for (int i = 0; i < task.requests; i++) { /* the judge expects zeros after n floats */
        const int n = shape_of(i).n;
        memset(task.out + (size_t)(i * LAB09_MAX_N + n), 0,
               (size_t)(LAB09_MAX_N - n) * sizeof(float));
    }
    subject_value(s, other_launches, other_launches());
    subject_value(s, warm_us, task.warm_us);
    subject_value(s, uploads, task.uploads);
    subject_value(s, warm_launches, task.warm_launches);
    subject_value(s, unfinished, task.unfinished);
    subject_value(s, malloc_here, task.malloc_here);
    note_mistakes(s);
    bench_pending(s);
    return subject_captured(s, "lab09_serve", cudaSuccess);
}

/* ---- the adapter ----------------------------------------------------------------------------- */

static void watch(struct subject *s)
{
    for (int i = 0; i < task.requests; i++) {
        const struct lab09_request request = request_of(i);
        const size_t bytes = (size_t)request.shape.n * sizeof(float);
        subject_watch(s, "in", request.in, bytes);
        subject_watch(s, "out", request.out, bytes);
    }
}

SUBJECT_LAB(.watch = watch, .name = "lab09", .setup = setup, .run = run, .teardown = teardown,
            .floor = floor_times, .before_call = before_call)
