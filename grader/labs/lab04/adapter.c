/* adapter.c: lab 04 between the judge's buffers and the submission. The scenario's number `part`
 * says what it is about. */
#include <stdbool.h>

#include "common/check.h"
#include "exchange.h"
#include "kernels/kernels.h"
#include "labs/lab04/causes.h"
#include "labs/lab04_serial_capture/lab.h"
#include "labs/stages.h"
#include "subject/bench.h"
#include "subject/graph.h"
#include "subject/host_node.h"
#include "subject/calls.h"

static int part;

/* ---- the replay ------------------------------------------------------------------------------ */

static struct lab04 *lab;

static int n_instantiated; /* in this run */

static int setup_replay(struct subject *s)
{
    lab = subject_alone(s, sizeof *lab);
    *lab = (struct lab04){.n = subject_numbers(s)->n,
                          .a = subject_buffer(s, "a"),
                          .b = subject_buffer(s, "b"),
                          .c = subject_buffer(s, "c")};
    subject_given(s, lab, graph);
    return subject_captured(s, "lab04_setup", lab04_setup(lab));
}

static int run_replay(struct subject *s)
{
    n_instantiated = 0;
    cudaError_t e = lab04_replay(lab);
    int failed = e ? subject_captured(s, "lab04_replay", e) : 0;
    subject_value(s, instantiations, n_instantiated);
    bench_pending(s);
    return failed;
}

/* ---- the captures ---------------------------------------------------------------------------- */

static struct lab04_parts parts;

/* What the capture called: a graph does not tell its streams. */
static struct {
    int begins, ends;
    int origin_begins;          /* begins in the origin */
    int stray_records;          /* of events, in a stream that did not capture, or before it */
    int other_waits;            /* for events, of the other stream */
    int origin_waits;           /* for events, of the origin */
    int host_waits;             /* of the host, and queries, during the capture */
    cudaGraphNode_t waited_for; /* the other stream's last node after its last wait */
    bool other_works;           /* it enqueued an operation of its own */
    bool kernel_elsewhere;      /* it waited for the kernel */
    bool both_streams;          /* both had work in the capture when it ended */
    bool other_copies_back;     /* as its last operation */
    bool fills_x;               /* a copy in the graph writes x */
    size_t n_nodes;             /* of the graph */
} called;

static bool is_captured(cudaStream_t stream)
{
    enum cudaStreamCaptureStatus status;
    return cudaStreamIsCapturing(stream, &status) == cudaSuccess &&
           status == cudaStreamCaptureStatusActive;
}

static bool is_a(cudaGraphNode_t node, enum cudaGraphNodeType type)
{
    enum cudaGraphNodeType found;
    return node && cudaGraphNodeGetType(node, &found) == cudaSuccess && found == type;
}

/* Of what the other stream has in the capture. NULL: nothing. */
static cudaGraphNode_t last_of_other(bool *has_kernel)
{
    enum cudaStreamCaptureStatus status;
    const cudaGraphNode_t *last;
    size_t n = 0;
    *has_kernel = false;
    if (!is_captured(parts.other) ||
        cudaStreamGetCaptureInfo(parts.other, &status, NULL, NULL, &last, NULL, &n) != cudaSuccess)
        return NULL;
    for (size_t i = 0; i < n; i++)
        *has_kernel |= is_a(last[i], cudaGraphNodeTypeKernel);
    return n ? last[0] : NULL;
}

static bool copies_to(cudaGraphNode_t node, const float *to)
{
    struct cudaMemcpy3DParms p;
    return is_a(node, cudaGraphNodeTypeMemcpy) &&
           cudaGraphMemcpyNodeGetParams(node, &p) == cudaSuccess && p.dstPtr.ptr == to;
}

static void note_nodes(cudaGraph_t graph)
{
    cudaGraphNode_t nodes[16];
    called.n_nodes = sizeof nodes / sizeof nodes[0];
    if (cudaGraphGetNodes(graph, nodes, &called.n_nodes) != cudaSuccess)
        called.n_nodes = 0;
    for (size_t i = 0; i < called.n_nodes; i++)
        called.fills_x |= copies_to(nodes[i], parts.x);
}

/* What the other stream had last in the capture, and whether that was a kernel, before a call. */
static cudaGraphNode_t had_last;
static bool had_kernel;

static void before_call(struct subject_call *call)
{
    switch (call->function) {
    case CALL_cudaStreamBeginCapture:
        called.begins++;
        called.origin_begins += call->stream == parts.origin;
        return;
    case CALL_cudaStreamEndCapture:
        if (!parts.origin)
            return;
        had_last = last_of_other(&had_kernel);
        called.other_works |= had_last != called.waited_for;
        called.both_streams = called.other_works && is_captured(parts.origin);
        return;
    case CALL_cudaEventRecord:
        called.stray_records += called.begins == 0 || !call->stream || !is_captured(call->stream);
        return;
    case CALL_cudaStreamWaitEvent:
        called.origin_waits += call->stream == parts.origin;
        if (!call->stream || call->stream != parts.other)
            return;
        called.other_waits++;
        called.other_works |= last_of_other(&had_kernel) != called.waited_for;
        return;
    case CALL_cudaStreamSynchronize:
    case CALL_cudaStreamQuery:
    case CALL_cudaEventSynchronize:
    case CALL_cudaEventQuery:
        called.host_waits += parts.origin && is_captured(parts.origin);
        return;
    default:
        return;
    }
}

static void after_call(const struct subject_call *call)
{
    bool has_kernel;
    switch (call->function) {
    case CALL_cudaGraphInstantiate:
        n_instantiated++;
        return;
    case CALL_cudaStreamEndCapture:
        if (!parts.origin || call->error)
            return;
        called.ends++;
        called.other_copies_back = copies_to(had_last, parts.out);
        note_nodes(*call->captured);
        return;
    case CALL_cudaStreamWaitEvent:
        if (!call->stream || call->stream != parts.other)
            return;
        called.waited_for = last_of_other(&has_kernel);
        called.kernel_elsewhere |= has_kernel && !had_kernel;
        return;
    default:
        return;
    }
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

static cudaGraph_t captured;
static cudaGraphExec_t replayed;
static int replays, launches; /* as the host function counts them, and as they are */

static cudaError_t parts_create(struct subject *s)
{
    replays = launches = 0;
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

/* What the calls and the graph show. Of a capture that failed, some of it says why. */
static void note_capture(struct subject *s, cudaError_t e)
{
    const bool has_fork = part == 4 || part == 5 || part == 7,
               one_stream = has_fork && !called.both_streams,
               moved = !called.other_copies_back || called.kernel_elsewhere;
    const struct {
        enum lab04_cause mistake;
        bool is_seen;
    } all[] = {
        {LAB04_BEGINS_IN_OTHER_STREAM,
         one_stream && called.begins > 0 && called.origin_begins == 0},
        {LAB04_FORK_NOT_AWAITED, one_stream && called.other_waits == 0},
        {LAB04_FORK_BEFORE_CAPTURE, one_stream && called.stray_records > 0},
        {LAB04_FORK_REMOVED, one_stream && part != 7},
        {LAB04_WORK_MOVED, part == 7 && !e && (one_stream || moved)},
        {LAB04_JOINED_TOO_EARLY, part == 4 && e && called.origin_waits > 0},
        {LAB04_FREES_AFTER_END, part == 1 && e && called.ends > 0},
        {LAB04_GRAPH_MEMORY_NOT_USED, part == 1 && called.fills_x},
        {LAB04_WAIT_IN_CAPTURE, part == 2 && !e && called.host_waits > 0},
        {LAB04_QUERY_IN_CAPTURE, part == 6 && !e && called.host_waits > 0},
        {LAB04_TWO_CAPTURES, !e && called.begins > 1 && called.n_nodes < 4},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].is_seen)
            subject_note(s, all[i].mistake, NULL, NULL);
}

static int setup_capture(struct subject *s)
{
    if (parts_create(s) != cudaSuccess)
        return subject_failed(s, "the grader could not make what the captures work with");
    struct lab04_parts *own = subject_alone(s, sizeof *own);
    *own = parts;
    const cudaError_t e = captures[part].call(own, &captured);
    note_capture(s, e);
    return subject_captured(s, captures[part].name, e);
}

/* Instantiated only now, when the suite has looked at the graph: of one that names memory which is
 * gone CUDA 13.0 crashes or never comes back (H200, driver 580.159.04). */
static int run_capture(struct subject *s)
{
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
    launches++;
    if (part == 8 && replays != launches)
        subject_note(s, LAB04_COUNTS_ELSEWHERE, "the number of replays",
                     "*p->replays is %d after %d of the replays", replays, launches);
    if (subject_host_node()->refused > 0)
        subject_note(s, LAB04_HOST_CALLS_CUDA, NULL, NULL);
    return e ? subject_captured(s, captures[part].replay, e) : 0;
}

/* ---- the prediction -------------------------------------------------------------------------- */

static struct lab04_batches batches_of(const struct batch_times *t)
{
    return (struct lab04_batches){.n_batches = t->n_batches,
                                  .h2d_us = t->h2d_us,
                                  .kernel_us = t->kernel_us,
                                  .d2h_us = t->d2h_us,
                                  .overlap_us = t->overlap_us,
                                  .replays_us = t->replays_us};
}

static int run_prediction(struct subject *s)
{
    const struct numbers *numbers = subject_numbers(s);
    const struct lab04_batches known = batches_of(&numbers->known),
                               asked = batches_of(&numbers->asked);
    const struct lab04_prediction prediction = lab04_predict(&known, &asked);
    subject_value(s, replays_us, prediction.replays_us);
    subject_value(s, slowdown, prediction.slowdown);
    return 0;
}

/* ---- what it is predicted from --------------------------------------------------------------- */

enum { SETS = 4 };

static cudaError_t measure_stages(struct subject *s)
{
    struct batches b = {.n = lab->n,
                        .n_batches = subject_numbers(s)->n_batches,
                        .n_sets = SETS,
                        .a = lab->a,
                        .b = lab->b,
                        .c = lab->c};
    double overlap_us, replays_us;
    TRY(batches_create(&b));
    TRY(stages_time(s, &b));
    TRY(bench_time_us(batches_overlap, &b, &overlap_us));
    TRY(bench_time_us(batches_replay, &b, &replays_us));
    TRY(batches_destroy(&b));
    subject_value(s, overlap_us, overlap_us);
    subject_value(s, replays_us, replays_us);
    return cudaSuccess;
}

static int floor_times(struct subject *s)
{
    return subject_own_call(s, "measuring each stage alone", measure_stages(s));
}

/* ---- which of them --------------------------------------------------------------------------- */

static int setup(struct subject *s)
{
    part = subject_numbers(s)->part;
    if (part == LAB04_PREDICT)
        return 0;
    return part == LAB04_REPLAY ? setup_replay(s) : setup_capture(s);
}

static int run(struct subject *s)
{
    if (part == LAB04_PREDICT)
        return run_prediction(s);
    return part == LAB04_REPLAY ? run_replay(s) : run_capture(s);
}

static int graph(struct subject *s)
{
    return part == LAB04_REPLAY ? subject_graph(s, lab->graph, "lab->graph")
                                : subject_graph(s, captured, "the captured graph");
}

static int teardown(struct subject *s)
{
    if (part == LAB04_PREDICT)
        return 0;
    if (part == LAB04_REPLAY)
        return subject_captured(s, "lab04_teardown", lab04_teardown(lab));
    return parts_destroy() ? subject_failed(s, "the grader's own clean-up failed") : 0;
}

static const void *shown(const struct subject *s)
{
    (void)s;
    return part == LAB04_REPLAY ? lab->graph : NULL;
}

SUBJECT_LAB(.shown = shown, .name = "lab04", .setup = setup, .run = run, .teardown = teardown,
            .floor = floor_times, .graph = graph, .before_call = before_call,
            .after_call = after_call)
