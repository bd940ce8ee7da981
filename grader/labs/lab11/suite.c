/*
 * suite.c: the suite of lab 11, from top to bottom what a submission must do.
 */
#include <math.h>

#include "decoder.h"
#include "expected_tokens.h"
#include "judge/judge.h"
#include "query/graph.h"
#include "query/trace.h"

JUDGE_LAB(.name = "lab11", .title = "a language model's decoder, a graph for each batch size",
          .endless = "does the WHILE node end? launch_decode_advance sets the value of the handle "
                     "that it is given");

/* ---- scenarios ------------------------------------------------------------------------------- */

enum { LAYERS = 2, HEADS = 1, POSITIONS = 16, PROMPT = 6, STEPS = 5, KERNELS = 3 + 5 * LAYERS };

/* sizes_: the rows of the batches, two decimal digits each. buckets_: 1, 2, 4, … rows. */
#define NUMBERS(sizes_, batches_, rows_, buckets_, how_, stops_, slots_, cache_)                   \
    {"layers", LAYERS}, {"heads", HEADS}, {"positions", POSITIONS}, {"prompt", PROMPT},            \
        {"shortest", 1}, {"steps", STEPS}, {"sizes", sizes_}, {"batches", batches_},               \
        {"max_rows", rows_}, {"buckets", buckets_}, {"how", how_}, {"stops", stops_},              \
        {"slots", slots_},                                                                         \
    {                                                                                              \
        "cache_is_checked", cache_                                                                 \
    }
#define BUFFERS(batches_, rows_, prompt_, steps_)                                                  \
    {"lengths", JUDGE_INPUT, (size_t)(batches_) * (rows_)},                                        \
        {"slots", JUDGE_INPUT, (size_t)(batches_) * (rows_)},                                      \
        {"prompts", JUDGE_INPUT, (size_t)(batches_) * (rows_) * (prompt_)},                        \
        {"stop", JUDGE_INPUT, 1},                                                                  \
    {                                                                                              \
        "tokens", JUDGE_OUTPUT, (size_t)(batches_) * (rows_) * (steps_)                            \
    }
#define CACHED(slots_) ((size_t)LAYERS * ((slots_) + 1) * HEADS * POSITIONS * DECODE_HEAD_SIZE)

#define DECODER(words_, sizes_, batches_, rows_, buckets_, how_, stops_)                           \
    VERIFIED(words_, sizes_, batches_, rows_, buckets_, how_, stops_, lab11_verify_tokens)
#define VERIFIED(words_, sizes_, batches_, rows_, buckets_, how_, stops_, verify_)                 \
    {                                                                                              \
        .name = words_,                                                                            \
        .numbers = {NUMBERS(sizes_, batches_, rows_, buckets_, how_, stops_,                       \
                            (batches_) * (rows_) + 3, 0)},                                         \
        .buffers = {BUFFERS(batches_, rows_, PROMPT, STEPS)}, .fill = lab11_fill,                  \
        .verify = verify_                                                                          \
    }

static size_t called(const struct trace *t, const char *name, double from_us, double to_us)
{
    return trace_api_calls(t, name, from_us, to_us);
}

/* ---- tokens ---------------------------------------------------------------------------------- */

static const struct judge_scenario by_stream =
    DECODER("1 and 3 sequences with stream launches", 103, 2, 4, 3, LAB11_STREAM, 0);
static const struct judge_scenario stopping =
    DECODER("3 sequences with stream launches, one stops early", 3, 1, 4, 3, LAB11_STREAM, 1);

/* Tokens are looked at afterwards: a missing wait or a row without values has a cause to name. */
static const struct judge_scenario ordered =
    VERIFIED("2 and 3 sequences with stream launches", 203, 2, 4, 3, LAB11_STREAM, 0, NULL);

JUDGE_CHECK(lab11, tokens, 15, "with stream launches, every token is right")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &ordered);
    if (judge_device_is_simulated()) {
        judge_run(j);
        judge_next("rows: lab11_begin fills them and copies them to the device. Kernels: "
                   "DECODE_AFTER for the first one of a step; the others may be "
                   "DECODE_WEIGHTS_FIRST");
        judge_expect_no_findings(j);
        judge_forget();
    }
    judge_prepare(j, &by_stream);
    judge_run(j);
    judge_next("lab11_read: cudaStreamSynchronize after the copy");
    judge_expect(
        judge_value(j, "unwaited_stream") < 0,
        "lab11_read returned, and the host had not waited for the copy of the tokens: they "
        "are there by luck");
    judge_forget();
    judge_run(j);
    judge_prepare(j, &stopping);
    judge_run(j);
}

/* ---- graphs ---------------------------------------------------------------------------------- */

/* For checks that look at graphs. */
static void expect_graphs(const struct judge *j)
{
    judge_next("step 4: create_graph keeps the graph of each bucket in lab->graphs");
    judge_expect(judge_value(j, "graphs") > 0, "no bucket has a graph yet");
    judge_forget();
}

static const struct judge_scenario equal_sizes =
    DECODER("1, 2 and 4 sequences with graph launches", 10204, 3, 4, 3, LAB11_GRAPH, 0);
static const struct judge_scenario one_of_four =
    DECODER("4 sequences with graph launches", 4, 1, 4, 3, LAB11_GRAPH, 0);

/* The steps of the last batch lie between the marks of the adapter. */
static void steps_interval(const struct trace *t, double *from_us, double *to_us)
{
    const struct trace_row *last = trace_last(t, "sm", "empty"), *first = NULL;
    for (size_t i = 0; i < t->n_rows; i++)
        if (trace_is(&t->rows[i], "sm", "empty") && &t->rows[i] != last)
            first = &t->rows[i];
    if (!first)
        judge_inconclusive("the trace does not show where the steps begin and end");
    *from_us = first->end_us;
    *to_us = last->start_us;
}

static size_t kernels_between(const struct trace *t, double from_us, double to_us, bool in_graph)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n_rows; i++) {
        const struct trace_row *row = &t->rows[i];
        n += trace_is(row, "sm", NULL) && row->start_us >= from_us && row->end_us <= to_us &&
             (row->node >= 0) == in_graph;
    }
    return n;
}

/* What lab11_setup should have made. */
static void expect_nothing_made(const struct trace *t, double from_us, double to_us)
{
    static const struct {
        const char *call, *words;
    } refused[] = {
        {"cudaGraphInstantiate*", "a graph is instantiated while decoding: that takes longer than "
                                  "the step"},
        {"cudaStreamBeginCapture*", "a step is captured while decoding: the graph that exists "
                                    "serves every step"},
        {"cudaGraphExecUpdate", "an executable graph is updated while decoding: all that changes "
                                "is in device memory"},
        {"cudaGraphExecKernelNodeSetParams", "a node is updated while decoding: all that changes "
                                             "is in device memory"},
        {"cudaMalloc*", "memory is allocated while decoding"},
        {"cudaFree*", "memory is freed while decoding"},
    };
    judge_next("make and allocate all of it in lab11_setup; the same graph serves every step");
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        judge_expect(called(t, refused[i].call, from_us, to_us) == 0, "%s", refused[i].words);
}

static void expect_graph_launches(struct judge *j, const char *next)
{
    const struct trace *t = judge_trace(j);
    double from_us, to_us;
    judge_show_timeline(j);
    steps_interval(t, &from_us, &to_us);
    expect_nothing_made(t, from_us, to_us);
    const size_t launches = called(t, "cudaGraphLaunch", from_us, to_us),
                 outside = kernels_between(t, from_us, to_us, false);
    judge_actual("%zu graph launches, %zu kernels outside of graphs", launches, outside);
    judge_expected("%d graph launches, one for each step, and nothing else", STEPS);
    judge_next("%s", next);
    judge_expect(launches > 0, "lab11_decode launches no graph");
    judge_expect(outside == 0, "some kernels of a step are launched beside its graph");
    judge_expect(launches == STEPS, "a step is not one graph launch");
    judge_forget();
}

JUDGE_CHECK(lab11, graph, 15, "one graph serves every step of a batch")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &equal_sizes);
    judge_run(j);
    judge_run(j);
    judge_prepare(j, &one_of_four);
    judge_run(j);
    expect_graph_launches(j, "LAB11_GRAPH: cudaGraphLaunch of the bucket's executable graph, once "
                             "for each step");
    judge_graph(j);
    judge_show_graph(j, &(struct judge_shape){.nodes = "3 + 5 x layers", .width = "1"});
}

/* ---- buckets --------------------------------------------------------------------------------- */

static const struct judge_scenario between =
    DECODER("3, 5 and 7 sequences, buckets up to 8", 30507, 3, 8, 4, LAB11_GRAPH, 1);
static const struct judge_scenario three =
    DECODER("3 sequences, buckets up to 8", 3, 1, 8, 4, LAB11_GRAPH, 0);
static const struct judge_scenario too_many =
    DECODER("6 sequences, buckets up to 4", 6, 1, 6, 3, LAB11_GRAPH, 0);
static const struct judge_scenario large =
    DECODER("17 sequences, buckets up to 32", 17, 1, 33, 6, LAB11_GRAPH, 0);

JUDGE_CHECK(lab11, buckets, 15, "the smallest bucket with enough rows decodes a batch of any size")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &between);
    judge_run(j);
    judge_prepare(j, &three);
    judge_run(j);
    expect_graph_launches(j, "a batch of 3 uses the bucket of 4: the smallest with enough rows");
    judge_prepare(j, &large);
    judge_run(j);
    judge_next("lab11_setup captures a graph for each bucket and keeps it in lab->graphs");
    judge_actual("%.0f graphs", judge_value(j, "graphs"));
    judge_expected("%ld", judge_number(j, "buckets"));
    judge_expect(judge_value(j, "graphs") == (double)judge_number(j, "buckets"),
                 "some buckets have no graph of their own");
    judge_forget();
    judge_prepare(j, &too_many);
    judge_next("if no bucket has enough rows: stream launches, with n_rows = batch->n");
    judge_run(j);
}

/* ---- rows without a sequence ----------------------------------------------------------------- */

enum { PAD_ROWS = 8, PAD_BATCHES = 3, PAD_SLOTS = PAD_ROWS * PAD_BATCHES + 3 };

static void verify_both(struct judge *j)
{
    lab11_verify_tokens(j);
    judge_next("rows from batch->n on: token 0, position 0, length 1, slot n_slots; in every "
               "batch, up to the bucket's size");
    lab11_verify_cache(j);
}

static const struct judge_scenario shrinking = {
    .name = "8, then 5, then 3 sequences, one of which stops early",
    .numbers = {NUMBERS(80503, PAD_BATCHES, PAD_ROWS, 4, LAB11_GRAPH, 1, PAD_SLOTS, 1)},
    .buffers = {BUFFERS(PAD_BATCHES, PAD_ROWS, PROMPT, STEPS),
                {"keys", JUDGE_OUTPUT, CACHED(PAD_SLOTS)},
                {"values", JUDGE_OUTPUT, CACHED(PAD_SLOTS)}},
    .fill = lab11_fill,
    .verify = verify_both};

JUDGE_CHECK(lab11, padding, 10, "rows without a sequence write to nobody's cache")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &shrinking);
    judge_run(j);
    expect_graphs(j); /* without them no row is left over */
    judge_run(j);
}

/* ---- while decoding -------------------------------------------------------------------------- */

JUDGE_CHECK(lab11, steady, 10, "decoding allocates, captures and instantiates nothing")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &one_of_four);
    double from_us, to_us;
    judge_run(j);
    const struct trace *t = judge_trace(j);
    steps_interval(t, &from_us, &to_us);
    expect_nothing_made(t, from_us, to_us);
    judge_expect(judge_value(j, "cache_moved") == 0,
                 "the cache is at another address than after lab11_setup: graphs keep the address "
                 "that they were captured with");
    const size_t kernels =
        kernels_between(t, from_us, to_us, true) + kernels_between(t, from_us, to_us, false);
    judge_actual("%zu kernels in %d steps", kernels, STEPS);
    judge_expected("%d: %d in a step", STEPS * KERNELS, KERNELS);
    judge_next("a step is the %d kernels that lab.h draws; prefill runs once, in lab11_begin",
               KERNELS);
    judge_expect(kernels <= (size_t)STEPS * KERNELS,
                 "a step runs more kernels than it needs: does the graph contain the prefill?");
    judge_expect(kernels == (size_t)STEPS * KERNELS, "a step lacks kernels");
}

JUDGE_CHECK(lab11, host_free, 5, "between steps the host waits for nothing and copies nothing")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &one_of_four);
    double from_us, to_us, own_us = 0;
    size_t copies = 0;
    judge_run(j);
    const struct trace *t = judge_trace(j);
    steps_interval(t, &from_us, &to_us);
    for (size_t i = 0; i < t->n_rows; i++)
        copies += t->rows[i].start_us >= from_us && t->rows[i].end_us <= to_us &&
                  (trace_is(&t->rows[i], "d2h", NULL) || trace_is(&t->rows[i], "h2d", NULL));
    /* the grader's own wait comes after the last call of lab11_decode */
    for (size_t i = 0; i < t->n_rows; i++)
        if (trace_is(&t->rows[i], "api", "cudaDeviceSynchronize") && t->rows[i].start_us < to_us)
            own_us = t->rows[i].start_us;
    const bool waits = trace_host_wait(t, from_us, own_us) != NULL;
    judge_next("advance chooses the tokens and decides on the device; lab11_read copies all of "
               "them at the end");
    judge_actual("%zu copies between host and device during %d steps", copies, STEPS);
    judge_expected("none");
    judge_expect(!waits || copies == 0,
                 "the host takes part in every step: it copies, waits and copies back before the "
                 "next step can begin");
    judge_expect(!waits, "the host waits between steps: the device is idle until the next launch");
    judge_expect(copies == 0, "tokens, positions or logits are copied between steps");
}

/* ---- scratch memory -------------------------------------------------------------------------- */

JUDGE_CHECK(lab11, pool, 5, "one piece of scratch memory serves all buckets")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &large);
    judge_run(j);
    judge_next("take the largest piece first, and release it before you take the next one");
    judge_measured(judge_value(j, "pool_floats"), judge_value(j, "most_floats"), "floats");
    judge_expect(judge_value(j, "pool_floats") <= judge_value(j, "most_floats"),
                 "the pool had to allocate more than one piece: a piece of a small bucket is too "
                 "small for the next one");
}

/* ---- programmatic edges ---------------------------------------------------------------------- */

JUDGE_CHECK(lab11, edges, 10, "kernels start before the preceding kernel ends, and wait for it")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &one_of_four);
    judge_run(j);
    expect_graphs(j);
    judge_next("DECODE_WEIGHTS_FIRST for every kernel of the step but the first");
    judge_actual("%.0f programmatic edges", judge_value(j, "programmatic"));
    judge_expected("%d of %d edges", KERNELS - 1, KERNELS - 1);
    judge_expect(judge_value(j, "programmatic") > 0,
                 "all edges of the graph are full dependencies: no kernel loads weights before the "
                 "preceding kernel has ended");
    judge_expect(judge_value(j, "programmatic") == KERNELS - 1,
                 "some kernels of the step still have full dependencies");
    judge_forget();
    if (judge_device_is_simulated())
        judge_expect_no_findings(j);
}

/* ---- time ------------------------------------------------------------------------------------ */

enum { CONTEXT = 128, MANY_STEPS = 16, LONG_PROMPT = CONTEXT - MANY_STEPS };

enum { TIMED_BUCKETS = 6, TIMED_ROWS = 32 };

#define TIMED(words_, rows_, how_)                                                                 \
    {                                                                                              \
        .name = words_,                                                                            \
        .numbers = {{"layers", 12},                                                                \
                    {"heads", 12},                                                                 \
                    {"positions", CONTEXT},                                                        \
                    {"prompt", LONG_PROMPT},                                                       \
                    {"shortest", LONG_PROMPT},                                                     \
                    {"steps", MANY_STEPS},                                                         \
                    {"sizes", rows_},                                                              \
                    {"batches", 1},                                                                \
                    {"max_rows", TIMED_ROWS},                                                      \
                    {"buckets", TIMED_BUCKETS},                                                    \
                    {"how", how_},                                                                 \
                    {"stops", 0},                                                                  \
                    {"slots", TIMED_ROWS + 2},                                                     \
                    {"cache_is_checked", 0}},                                                      \
        .buffers = {BUFFERS(1, TIMED_ROWS, LONG_PROMPT, MANY_STEPS)}, .model_only = true,          \
        .fill = lab11_fill                                                                         \
    }
static const struct judge_scenario timed =
    TIMED("12 layers x 768, 1 sequence, context 128", 1, LAB11_GRAPH);
static const struct judge_scenario timed_stream =
    TIMED("the same with stream launches", 1, LAB11_STREAM);

JUDGE_CHECK(lab11, time, 10, "a step takes no longer than the reference's")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &timed),
                 *reference = judge_start(JUDGE_REFERENCE, &timed_stream);
    judge_run(reference);
    const double stream_us = judge_value(reference, "step_us"),
                 host_us = judge_value(reference, "host_us");
    judge_prepare(reference, &timed);
    judge_run(j);
    judge_run(reference);
    judge_floor(reference);
    const double read_us = judge_value(reference, "read_us");
    judge_next(
        "one graph launch for each step; DECODE_WEIGHTS_FIRST for all kernels but the first");
    struct judge_times times = judge_expect_time(&(struct judge_race){
        .submission = j,
        .reference = reference,
        .value = "step_us",
        .at_most = 1.10,
        .slow = "a step takes longer than it must: are weights loaded only "
                "after the wait, does something come between the steps, or has "
                "the bucket more rows than it needs?"});
    judge_note("%.1f us per step (the reference %.1f, with stream launches %.1f); reading the "
               "weights alone takes %.1f us; the host is busy for %.1f us per step, with stream "
               "launches for %.1f",
               times.time_us, times.reference_us, stream_us, read_us, judge_value(j, "host_us"),
               host_us);
}

/* ---- extra ----------------------------------------------------------------------------------- */

static const struct judge_scenario looped =
    DECODER("3 sequences in one graph launch, one stops early", 3, 1, 4, 3, LAB11_LOOP, 1);

JUDGE_CHECK(lab11, loop, 5, "extra: one launch decodes all steps of a batch")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &looped);
    double from_us, to_us;
    judge_run(j);
    judge_run(j);
    const struct trace *t = judge_trace(j);
    steps_interval(t, &from_us, &to_us);
    const size_t launches = called(t, "cudaGraphLaunch", from_us, to_us);
    judge_actual("%zu graph launches, %zu kernels outside of graphs", launches,
                 kernels_between(t, from_us, to_us, false));
    judge_expected("1 graph launch");
    judge_next("a WHILE node with a step as its body; lab11_decode launches the graph once");
    judge_expect(launches == 1 && kernels_between(t, from_us, to_us, false) == 0,
                 "LAB11_LOOP still launches every step");
}
