/*
 * suite.c: the suite of lab 04, from top to bottom what a submission must do.
 */
#include <driver_types.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "query/graph.h"
#include "judge/judge.h"
#include "expected_captures.h"
#include "labs/products.h"
#include "prediction.h"
#include "query/trace.h"

JUDGE_LAB(.name = "lab04", .title = "capture, instantiate, replay");

/* ---- part one: the replay -------------------------------------------------------------------- */

/* The buffers are those of one batch; every run is the next one. n_batches is for the floor. */
#define REPLAY(words_, n_, batches_, ...)                                                          \
    {                                                                                              \
        .name = words_, .numbers = {{"part", 0}, {"n", n_}, {"n_batches", batches_}},              \
        .buffers = {{"a", JUDGE_INPUT, (size_t)(n_) * (n_), .pinned = true},                       \
                    {"b", JUDGE_INPUT, (size_t)(n_) * (n_), .pinned = true},                       \
                    {"c", JUDGE_OUTPUT, (size_t)(n_) * (n_), .pinned = true,                       \
                     .made_by = "matmul"}},                                                        \
        .verify = products_verify, __VA_ARGS__                                                     \
    }

enum { BATCHES = 10, MIDDLE = 512 };

/* Of about n x n, replayed so often in a run; values are computed up to n = 128. */
static const struct judge_scenario *batch(long n, int replays)
{
    static struct judge_scenario made[2];
    static int used;
    const long size = products_size(n);
    struct judge_scenario *s = &made[used++ % 2];
    *s = (struct judge_scenario)REPLAY("a batch", size, BATCHES, .model_only = n > 128,
                                       .repeats = replays);
    return s;
}

static const struct judge_mistake no_final_wait = {
    "no_final_wait",
    "lab04_replay returned while the device was still working: "
    "nobody waited for the graph, so c cannot be read yet",
    "launching a graph returns at once, as launching a kernel "
    "does: cudaStreamSynchronize behind it, of the stream that "
    "it was launched in",
    "results complete"};

JUDGE_CHECK(lab04, results, 10, "every replay multiplies what is in a and b by then")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, batch(64, 1));
    for (int i = 0; i < 4; i++)
        judge_run_to_end(j, &no_final_wait);
    judge_prepare(j, batch(96, 1));
    judge_run_to_end(j, &no_final_wait);
    judge_run_to_end(j, &no_final_wait);
}

/* The copies in, by where they read from. */
static void judge_copies_in(const struct judge *j, const struct dag *g)
{
    const double n = (double)judge_number(j, "n"), bytes = 2 * n * n * sizeof(float);
    double copied = 0;
    for (size_t i = 0; i < g->n_nodes; i++) {
        const struct dag_node *n = &g->nodes[i];
        if (!dag_is(n, "h2d", NULL))
            continue;
        judge_next("copy from lab->a and lab->b themselves: the caller changes what is there, not "
                   "where it is");
        judge_expect(strcmp(n->buffer, "a") == 0 || strcmp(n->buffer, "b") == 0,
                     "a copy in the graph reads host memory that is neither a nor b: a graph keeps "
                     "the address, and at every launch reads whatever is there then (a local "
                     "variable that is gone? a batch that is over?)");
        copied += (double)n->bytes;
    }
    judge_next("n x n floats are n x n x sizeof(float) bytes");
    judge_expect(dag_count(g, "h2d", NULL) < 2 || copied >= bytes,
                 "the graph copies %.0f bytes in; a and b have %.0f", copied, bytes);
    judge_next("put the copies between cudaStreamBeginCapture and cudaStreamEndCapture, in the "
               "stream that captures");
    judge_expect(copied >= bytes,
                 "the graph does not copy all of a and b: what was copied outside the capture (in "
                 "front of it, or by a call that does not name its stream) is the first batch, and "
                 "stays it");
}

static void judge_order(const struct dag *g)
{
    const struct dag_node *kernel = NULL;
    for (size_t i = 0; i < g->n_nodes; i++)
        kernel = dag_is(&g->nodes[i], "kernel", "matmul*") ? &g->nodes[i] : kernel;
    judge_actual("the four nodes, in another order");
    judge_expected("[H2D a] -> [H2D b] -> [matmul] -> [D2H c]");
    judge_next("capture all of it in one stream, in the order of lab 01");
    for (size_t i = 0; i < g->n_nodes; i++) {
        const struct dag_node *n = &g->nodes[i];
        judge_expect(!dag_is(n, "h2d", NULL) || dag_waits(g, kernel, n),
                     "matmul does not wait for all copies in");
        judge_expect(!dag_is(n, "d2h", NULL) || dag_waits(g, n, kernel),
                     "the copy back does not wait for matmul");
    }
}

static const struct judge_shape chain = {.nodes = "4: two copies in, matmul, a copy back",
                                         .edges = "3",
                                         .roots = "1",
                                         .sinks = "1",
                                         .width = "1: one after the other",
                                         .path = "4"};

JUDGE_CHECK(lab04, graph, 10, "the graph holds one batch: copies in, matmul, copy back")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, batch(MIDDLE, 1));
    const struct dag *g = judge_graph(j);
    judge_show_graph(j, &chain);
    size_t kernels = dag_count(g, "kernel", "matmul*"), back = dag_count(g, "d2h", NULL);
    judge_actual("%zu nodes: %zu copies in, %zu matmul, %zu copies back", g->n_nodes,
                 dag_count(g, "h2d", NULL), kernels, back);
    judge_expected("copies in, 1 matmul, 1 copy back");
    judge_next("enqueue_batch comes between cudaStreamBeginCapture and cudaStreamEndCapture");
    judge_expect(g->n_nodes > 0, "the graph is empty: between begin and end the capturing stream "
                                 "was given nothing");
    judge_next("every call between begin and end must name the capturing stream");
    judge_expect(kernels > 0, "matmul is not in the graph: it was launched in a stream that was "
                              "not capturing (0, the legacy stream?), ran once, and no replay will "
                              "run it");
    judge_expect(back > 0, "no copy back is in the graph: it was made in a stream that was not "
                           "capturing, or outside the capture");
    judge_next("one batch; the caller comes back for the next");
    judge_expect(kernels == 1 && back == 1, "the graph holds more than one batch");
    judge_copies_in(j, g);
    judge_order(g);
    judge_expect(g->n_nodes == kernels + back + dag_count(g, "h2d", NULL),
                 "there is more in the graph than one batch's copies and its kernel");
}

/* What else a replay may not be. */
static void judge_calls(const struct trace *t, size_t replays)
{
    size_t launches = trace_api_calls(t, "cudaGraphLaunch*", -1, INFINITY);
    size_t direct = trace_api_calls(t, "cudaLaunchKernel*", -1, INFINITY) +
                    trace_api_calls(t, "cudaMemcpy*", -1, INFINITY) +
                    trace_api_calls(t, "cudaMemset*", -1, INFINITY),
           captures = trace_api_calls(t, "cudaStreamBeginCapture*", -1, INFINITY),
           instantiations = trace_api_calls(t, "cudaGraphInstantiate*", -1, INFINITY);
    judge_measured((double)launches, (double)replays, "launches");
    judge_actual("in one replay: %zu captures, %zu instantiations, %zu launches of a graph, %zu "
                 "other copies, memsets and kernels",
                 captures, instantiations, launches, direct);
    judge_expected("1 launch of a graph, and nothing else");
    judge_next(
        "begin, end and instantiate belong into lab04_setup; lab04_replay launches and waits");
    judge_expect(captures == 0,
                 "lab04_replay captures the batch anew: that costs as much as queueing it, and the "
                 "graph was made to be used again");
    judge_expect(instantiations == 0,
                 "lab04_replay instantiates the graph anew: that is the dear part, and once is "
                 "enough");
    judge_next("nothing in the graph is other than it was: launch it as it is");
    judge_expect(
        trace_api_calls(t, "cudaGraphExec*", -1, INFINITY) == 0 &&
            trace_api_calls(t, "cudaGraphUpload*", -1, INFINITY) == 0,
        "lab04_replay changes the executable graph, or uploads it again, in front of the launch");
    judge_next("cudaGraphLaunch(state->exec, state->stream)");
    judge_expect(launches > 0 || direct > 0, "lab04_replay launches nothing");
    judge_expect(launches > 0, "lab04_replay launches no graph: it queues the batch as lab 01 did");
    judge_expect(launches == replays, "lab04_replay launches %zu graphs, where one holds the batch",
                 (launches + replays - 1) / replays);
    judge_expect(direct == 0,
                 "lab04_replay queues copies, kernels or memsets beside the graph's own");
}

JUDGE_CHECK(lab04, replayed, 10, "captured and instantiated once: a batch is one launch")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, batch(MIDDLE, 1));
    judge_run(j);
    const struct trace *t = judge_trace(j);
    judge_show_timeline(j);
    judge_calls(t, 1);
    judge_actual("lab->graph is NULL, or destroyed");
    judge_expected("the graph that was captured");
    judge_next("keep it until teardown: the grader draws it");
    if (dag_take_times(judge_graph(j), t))
        judge_show_graph(j, &chain);
}

JUDGE_CHECK(lab04, complete, 5, "lab04_replay returns when c is complete, not before")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, batch(MIDDLE, 1));
    judge_expect_done(j, &no_final_wait);
}

JUDGE_CHECK(lab04, clean, 5, "no race, no memory used that is gone, nothing left behind")
{
    judge_needs_findings();
    struct judge *j = judge_start(JUDGE_SUBMISSION, batch(MIDDLE, 1));
    judge_run(j);
    judge_run(j);
    judge_next(
        "what the graph names must stay allocated as long as it is launched, and what a node "
        "reads be written by one in front of it");
    judge_expect_no_findings(j);
}

/* What no replay can beat: its stages, of which two copies could be one. */
static double measure_alone(struct judge *reference)
{
    judge_floor(reference);
    const double stages_us = judge_value(reference, "h2d_us") +
                             judge_value(reference, "kernel_us") + judge_value(reference, "d2h_us");
    judge_run(reference); /* the first after other work takes longer */
    return 0.9 * stages_us / BATCHES;
}

static void judge_timed_calls(const struct judge *j, const struct trace *t)
{
    (void)j;
    judge_calls(t, BATCHES);
}

JUDGE_CHECK(lab04, time, 5, "as fast as the reference")
{
    const struct judge_scenario *again = batch(MIDDLE, BATCHES);
    struct judge *j = judge_start(JUDGE_SUBMISSION, again),
                 *reference = judge_start(JUDGE_REFERENCE, again);
    judge_run(j);
    judge_run(reference);
    judge_next("what does lab04_replay do besides launching the graph and waiting for it?");
    judge_expect_time(&(struct judge_race){
        .submission = j,
        .reference = reference,
        .at_most = 1.10,
        .floor_us = measure_alone,
        .look = judge_timed_calls,
        .slow = "a replay takes longer than launching the graph and waiting for it"});
}

/* ---- part two: the captures ------------------------------------------------------------------ */

JUDGE_CHECK(lab04, capture_1, 5, "capture 1 allocates as a graph can")
{
    judge_capture(&(struct capture){
        1, cudaErrorStreamCaptureUnsupported, "cudaErrorStreamCaptureUnsupported",
        "cudaMalloc inside a capture: the host does it at once, and a graph cannot do it again at "
        "each launch",
        "cudaMallocAsync and cudaFreeAsync on the capturing stream become nodes: the memory is "
        "there during each replay"});
}

JUDGE_CHECK(lab04, capture_2, 5, "capture 2 orders without waiting")
{
    judge_capture(&(struct capture){
        2, cudaErrorStreamCaptureUnsupported, "cudaErrorStreamCaptureUnsupported",
        "cudaDeviceSynchronize, or another wait, inside a capture: nothing runs while a stream "
        "captures, so there is "
        "nothing to wait for",
        "take it out: what is in a stream one after the other becomes nodes one after the other"});
}

JUDGE_CHECK(lab04, capture_3, 5, "capture 3 copies in the stream that captures")
{
    judge_capture(&(struct capture){
        3, cudaErrorStreamCaptureImplicit, "cudaErrorStreamCaptureImplicit",
        "cudaMemcpy is work on the legacy default stream, which waits for the stream that is "
        "capturing: a wait that no graph can hold",
        "cudaMemcpyAsync, in the capturing stream"});
}

JUDGE_CHECK(lab04, capture_4, 5, "capture 4 joins the stream that it forked")
{
    judge_capture(&(struct capture){
        4, cudaErrorStreamCaptureUnjoined, "cudaErrorStreamCaptureUnjoined",
        "the other stream was forked from the capture and never joined: nothing in the origin "
        "waits for its work, so the graph would have no end",
        "record an event in the other stream behind its last work, and let the origin wait for it "
        "before the kernel, which needs y"});
}

JUDGE_CHECK(lab04, capture_5, 5, "capture 5 forks inside the capture")
{
    judge_capture(&(struct capture){
        5, cudaErrorStreamCaptureIsolation, "cudaErrorStreamCaptureIsolation",
        "the other stream is no part of the capture: the fork was recorded before the capture "
        "began, "
        "or that stream does not wait for it. So its work ran at once, and the origin cannot wait "
        "for "
        "it",
        "begin the capture first; an event that is recorded in it takes streams that wait for it "
        "into it"});
}

JUDGE_CHECK(lab04, capture_6, 5, "capture 6 asks nothing of a capture")
{
    judge_capture(
        &(struct capture){6, cudaErrorStreamCaptureInvalidated, "cudaErrorStreamCaptureInvalidated",
                          "a question in the middle of a capture (cudaEventQuery of an event that "
                          "was recorded there, or "
                          "cudaStreamQuery): nothing runs before the launch, and the question "
                          "spoils the capture. Its own "
                          "error was not looked at, so the next call is the one that complains",
                          "take the loop out: the stream's order says that the inputs come first"});
}

JUDGE_CHECK(lab04, capture_7, 5, "capture 7 ends where it began")
{
    judge_capture(&(struct capture){
        7, cudaErrorStreamCaptureUnmatched, "cudaErrorStreamCaptureUnmatched",
        "cudaStreamEndCapture on a stream that only joined the capture: it ends on its origin, "
        "wherever the last work is",
        "join the other stream to the origin by an event, and end the capture there"});
}

JUDGE_CHECK(lab04, capture_8, 5, "capture 8 calls the host from a node")
{
    judge_capture(&(struct capture){
        8, cudaErrorStreamCaptureUnsupported, "cudaErrorStreamCaptureUnsupported",
        "cudaStreamAddCallback is older than graphs and cannot be captured",
        "cudaLaunchHostFunc becomes a node; its function takes your argument and nothing else"});
}

/* ---- part three: the prediction -------------------------------------------------------------- */

JUDGE_CHECK(lab04, prediction, 15, "you know in advance how long the replays take")
{
    static const struct judge_scenario known = REPLAY("batches of 512 x 512", MIDDLE, BATCHES,
                                                      .model_only = true),
                                       asked = REPLAY("batches of 128 x 128", 128, 2 * BATCHES,
                                                      .model_only = true);
    judge_predictions(&known, &asked);
}
