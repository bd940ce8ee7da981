/*
 * adapter.c: lab 04 between the judge's buffers and the submission. The scenario's number
 * "part" says what it is about: 0 the replay, 1 to 8 one of the captures, 9 the prediction.
 */
#include <stdbool.h>
#include <stdlib.h>

#include "common/check.h"
#include "kernels/kernels.h"
#include "labs/lab04_serial_capture/lab.h"
#include "subject/batches.h"
#include "subject/bench.h"
#include "subject/graph.h"
#include "subject/host_node.h"
#include "subject/interpose.h"

enum { REPLAY = 0, PREDICTION = 9 };

static int part;

/* ---- the replay ------------------------------------------------------------------------------ */

static struct lab04 lab;

static int setup_replay(struct subject *s)
{
    lab = (struct lab04){.n = (int)subject_number(s, "n"),
                         .a = subject_buffer(s, "a"),
                         .b = subject_buffer(s, "b"),
                         .c = subject_buffer(s, "c")};
    return subject_captured(s, "lab04_setup", lab04_setup(&lab));
}

static int run_replay(struct subject *s)
{
    cudaError_t e = lab04_replay(&lab);
    int failed = e ? subject_captured(s, "lab04_replay", e) : 0;
    bench_pending(s);
    return failed;
}

/* ---- the captures ---------------------------------------------------------------------------- */

static struct lab04_parts parts;

/* What the capture called: a graph does not tell its streams. */
static struct {
    int begins, ends;
    int early_records; /* of events, before any capture began */
    int stray_records; /* … later, in a stream that did not capture */
    int other_waits;   /* that the other stream was given */
    int origin_waits;
    bool both_streams; /* both were in the capture when it ended … */
    bool copied;       /* … and the other one's last operation was a copy */
} called;

static bool is_captured(cudaStream_t stream)
{
    enum cudaStreamCaptureStatus status;
    return cudaStreamIsCapturing(stream, &status) == cudaSuccess &&
           status == cudaStreamCaptureStatusActive;
}

static bool copied_last(cudaStream_t stream)
{
    enum cudaStreamCaptureStatus status;
    enum cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
    const cudaGraphNode_t *last;
    size_t n;
    cudaError_t e = cudaStreamGetCaptureInfo(stream, &status, NULL, NULL, &last, NULL, &n);
    if (e == cudaSuccess && n == 1)
        e = cudaGraphNodeGetType(last[0], &type);
    return e == cudaSuccess && type == cudaGraphNodeTypeMemcpy;
}

/* The submission calls these, which call the runtime's. */
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    FIND_REAL(cudaStreamBeginCapture);
    called.begins++;
    return real(stream, mode);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    FIND_REAL(cudaStreamEndCapture);
    called.both_streams = parts.other && is_captured(parts.origin) && is_captured(parts.other);
    called.copied = called.both_streams && copied_last(parts.other);
    cudaError_t e = real(stream, graph);
    called.ends += e == cudaSuccess;
    return e;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    FIND_REAL(cudaEventRecord);
    if (called.begins == 0)
        called.early_records++;
    else if (!stream || !is_captured(stream))
        called.stray_records++;
    return real(event, stream);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    FIND_REAL(cudaStreamWaitEvent);
    called.other_waits += stream == parts.other;
    called.origin_waits += stream == parts.origin;
    return real(stream, event, flags);
}

typedef cudaError_t capture_function(struct lab04_parts *p, cudaGraph_t *graph);

static const struct {
    capture_function *call;
    const char *name, *replay;
} captures[] = {{NULL, NULL, NULL},
#define CAPTURE(number)                                                                            \
    {                                                                                              \
        lab04_capture_##number, "lab04_capture_" #number, "the replay of capture " #number         \
    }
                CAPTURE(1),         CAPTURE(2), CAPTURE(3), CAPTURE(4),
                CAPTURE(5),         CAPTURE(6), CAPTURE(7), CAPTURE(8)};

static cudaError_t returned;
static cudaGraph_t captured;
static cudaGraphExec_t replayed;
static int replays;

static cudaError_t parts_create(struct subject *s)
{
    replays = 0;
    captured = NULL;
    replayed = NULL;
    parts = (struct lab04_parts){.n = subject_buffer_bytes(s, "in") / sizeof(float),
                                 .in = subject_buffer(s, "in"),
                                 .out = subject_buffer(s, "out"),
                                 .replays = &replays};
    TRY(cudaMalloc((void **)&parts.x, parts.n * sizeof(float)));
    TRY(cudaMalloc((void **)&parts.y, parts.n * sizeof(float)));
    TRY(cudaStreamCreate(&parts.origin));
    TRY(cudaStreamCreate(&parts.other));
    TRY(cudaEventCreateWithFlags(&parts.fork, cudaEventDisableTiming));
    return cudaEventCreateWithFlags(&parts.join, cudaEventDisableTiming);
}

static cudaError_t parts_destroy(void)
{
    TRY(cudaGraphExecDestroy(replayed));
    TRY(cudaGraphDestroy(captured));
    TRY(cudaEventDestroy(parts.join));
    TRY(cudaEventDestroy(parts.fork));
    TRY(cudaStreamDestroy(parts.other));
    TRY(cudaStreamDestroy(parts.origin));
    TRY(cudaFree(parts.y));
    return cudaFree(parts.x);
}

/* What the capture called goes first: a capture that failed is explained by it, and fails in its
 * run. */
static int setup_capture(struct subject *s)
{
    if (parts_create(s) != cudaSuccess)
        return subject_failed(s, "the grader could not make what the captures work with");
    returned = captures[part].call(&parts, &captured);
    subject_value(s, "returned", returned);
    subject_value(s, "begins", called.begins);
    subject_value(s, "ends", called.ends);
    subject_value(s, "early_records", called.early_records);
    subject_value(s, "stray_records", called.stray_records);
    subject_value(s, "other_waits", called.other_waits);
    subject_value(s, "origin_waits", called.origin_waits);
    subject_value(s, "both_streams", called.both_streams);
    subject_value(s, "copied_last", called.copied);
    if (returned)
        return 0;
    int failed = subject_captured(s, captures[part].name, cudaSuccess);
    if (failed || captured)
        return failed;
    return subject_failed(s, "%s returned cudaSuccess and no graph", captures[part].name);
}

/* Instantiated only now, when the suite has looked at the graph: of one that names memory which is
 * gone CUDA 13.0 crashes or never comes back (H200, driver 580.159.04). */
static int run_capture(struct subject *s)
{
    if (returned)
        return subject_captured(s, captures[part].name, returned);
    cudaError_t e = cudaSuccess;
    if (!replayed) {
        e = cudaGraphInstantiate(&replayed, captured, 0);
        e = e ? e : subject_watch_host_node(captured, replayed);
    }
    if (e)
        return subject_failed(s, "what %s captured cannot be instantiated: %s", captures[part].name,
                              cudaGetErrorName(e));
    e = cudaGraphLaunch(replayed, parts.origin);
    e = e ? e : cudaStreamSynchronize(parts.origin);
    subject_value(s, "replays", replays);
    subject_value(s, "refused", subject_host_node()->refused);
    return e ? subject_captured(s, captures[part].replay, e) : 0;
}

/* ---- the prediction -------------------------------------------------------------------------- */

static double microseconds(struct subject *s, const char *name)
{
    return (double)subject_number(s, name) / 1000;
}

static int run_prediction(struct subject *s)
{
    const struct lab04_batches known = {.n_batches = (int)subject_number(s, "known_batches"),
                                        .h2d_us = microseconds(s, "known_h2d_ns"),
                                        .kernel_us = microseconds(s, "known_kernel_ns"),
                                        .d2h_us = microseconds(s, "known_d2h_ns"),
                                        .overlap_us = microseconds(s, "known_overlap_ns"),
                                        .replays_us = microseconds(s, "known_replays_ns")},
                               asked = {.n_batches = (int)subject_number(s, "n_batches"),
                                        .h2d_us = microseconds(s, "h2d_ns"),
                                        .kernel_us = microseconds(s, "kernel_ns"),
                                        .d2h_us = microseconds(s, "d2h_ns"),
                                        .overlap_us = microseconds(s, "overlap_ns")};
    const struct lab04_prediction prediction = lab04_predict(&known, &asked);
    subject_value(s, "replays_us", prediction.replays_us);
    subject_value(s, "slowdown", prediction.slowdown);
    return 0;
}

/* ---- what it is predicted from --------------------------------------------------------------- */

enum { SETS = 4 };

static cudaError_t measure_stages(struct subject *s)
{
    struct batches b = {.n = lab.n,
                        .n_batches = (int)subject_number(s, "n_batches"),
                        .n_sets = SETS,
                        .a = lab.a,
                        .b = lab.b,
                        .c = lab.c};
    double h2d_us, kernel_us, d2h_us, overlap_us, replays_us;
    TRY(batches_create(&b));
    TRY(bench_time_us(batches_copy_in, &b, &h2d_us));
    TRY(bench_time_us(batches_multiply, &b, &kernel_us));
    TRY(bench_time_us(batches_copy_back, &b, &d2h_us));
    TRY(bench_time_us(batches_overlap, &b, &overlap_us));
    TRY(bench_time_us(batches_replay, &b, &replays_us));
    TRY(batches_destroy(&b));
    subject_value(s, "h2d_us", h2d_us);
    subject_value(s, "kernel_us", kernel_us);
    subject_value(s, "d2h_us", d2h_us);
    subject_value(s, "overlap_us", overlap_us);
    subject_value(s, "replays_us", replays_us);
    return cudaSuccess;
}

static int floor_times(struct subject *s)
{
    cudaError_t e = measure_stages(s);
    return e ? subject_failed(s, "measuring the stages: %s", cudaGetErrorName(e)) : 0;
}

/* ---- which of them --------------------------------------------------------------------------- */

static int setup(struct subject *s)
{
    part = (int)subject_number(s, "part");
    if (part == PREDICTION)
        return 0;
    return part == REPLAY ? setup_replay(s) : setup_capture(s);
}

static int run(struct subject *s)
{
    if (part == PREDICTION)
        return run_prediction(s);
    return part == REPLAY ? run_replay(s) : run_capture(s);
}

static int graph(struct subject *s)
{
    return part == REPLAY ? subject_graph(s, lab.graph, "lab->graph")
                          : subject_graph(s, captured, "the captured graph");
}

static int teardown(struct subject *s)
{
    if (part == PREDICTION)
        return 0;
    if (part == REPLAY)
        return subject_captured(s, "lab04_teardown", lab04_teardown(&lab));
    return parts_destroy() ? subject_failed(s, "the grader's own clean-up failed") : 0;
}

static const void *shown(const struct subject *s)
{
    (void)s;
    return part == REPLAY ? lab.graph : NULL;
}

SUBJECT_LAB(.shown = shown, .name = "lab04", .setup = setup, .run = run, .teardown = teardown,
            .floor = floor_times, .graph = graph)
