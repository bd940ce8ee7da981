/* suite.c: the suite of lab 11, from top to bottom what a submission must do. */
#include <math.h>
#include <string.h>

#include "decoder.h"
#include "exchange.h"
#include "expected.h"
#include "judge/judge.h"
#include "labs/lab11/causes.h"
#include "labs/lab11/mistakes.h"
#include "query/trace.h"

/* On older devices decode_launch makes ordinary edges. */
static const struct judge_need needs[] = {{"edges", .capability = 90}};

JUDGE_LAB(.name = "lab11", .needs = needs, .n_needs = 1,
          .title = "a language model's decoder, a graph for each batch size",
          .rules = &lab11_rules);

/* ---- scenarios ------------------------------------------------------------------------------- */

enum { LAYERS = 2, HEADS = 1, POSITIONS = 16, PROMPT = 6, STEPS = 5, KERNELS = 3 + 5 * LAYERS };

static void make(struct judge_scenario *s)
{
    const struct numbers *n = s->numbers;
    const size_t rows = n->batches * n->max_rows,
                 cached = (size_t)n->model.n_layers * (n->slots + 1) * (size_t)n->model.n_heads *
                          (size_t)n->model.n_positions * DECODE_HEAD_SIZE;
    const struct judge_buffer buffers[] = {
        {.name = "lengths", .direction = JUDGE_INPUT, .count = rows},
        {.name = "slots", .direction = JUDGE_INPUT, .count = rows},
        {.name = "prompts", .direction = JUDGE_INPUT, .count = rows * (size_t)n->longest},
        {.name = "stop", .direction = JUDGE_INPUT, .count = 1},
        {.name = "tokens",
         .direction = JUDGE_OUTPUT,
         .count = rows * n->steps,
         .made_by = n->stops || n->how == LAB11_WATCHED ? NULL : "decode_advance",
         .of_any_data = true}, /* the host prepares the first state of each row */
        {.name = "keys", .direction = JUDGE_OUTPUT, .count = cached},
        {.name = "values", .direction = JUDGE_OUTPUT, .count = cached}};
    memcpy(s->buffers, buffers, (n->cache_is_checked ? 7 : 5) * sizeof buffers[0]);
    s->fill = lab11_fill;
}

/* A small model, and slots to spare. */
#define SMALL(batches_, rows_)                                                                     \
    .model = {.n_layers = LAYERS, .n_heads = HEADS, .n_positions = POSITIONS}, .shortest = 1,      \
    .longest = PROMPT, .steps = STEPS, .batches = batches_, .max_rows = rows_,                     \
    .slots = (batches_) * (rows_) + 3
#define UNVERIFIED(words_, ...)                                                                    \
    {                                                                                              \
        .name = words_, .numbers = JUDGE_NUMBERS(__VA_ARGS__), .make = make                        \
    }
#define DECODER(words_, ...)                                                                       \
    {                                                                                              \
        .name = words_, .numbers = JUDGE_NUMBERS(__VA_ARGS__), .make = make,                       \
        .verify = lab11_verify_tokens                                                              \
    }

/* ---- watched --------------------------------------------------------------------------------- */

/* No step of it runs. The first batch is not the largest: rows that nobody fills show. */
#define WATCHED(...)                                                                               \
    UNVERIFIED("3, 4, 3 and 1 sequences: what lab11_begin and lab11_decode enqueue", SMALL(4, 4),  \
               .sequences = {3, 4, 3, 1}, .buckets = 3, .how = LAB11_WATCHED, .stops = true,       \
               __VA_ARGS__)
static const struct judge_scenario watched = WATCHED(.only_tokens = false),
                                   watched_tokens = WATCHED(.only_tokens = true);

/* Fails if the adapter finds this mistake. */
static void expect_watched(struct judged *j, int mistake)
{
    judge_run_next(j, &watched);
    judge_expect_not_noted(mistake);
    judge_forget();
}

/* Looks at rows and launches first, in a process of their own: streams are numbered anew. Rows that
   belong to no sequence are legal, and cost time. */
static void expect_rows_and_launches(void)
{
    struct judged *j = judge_run_first(&watched_tokens);
    judge_expect_nothing_noted();
    if (judge_value(j, rows_too_many) > 0)
        judge_note("Right, but with LAB11_STREAM the kernels also compute rows that belong to no "
                   "sequence: step.n_rows = state->n is enough there, and takes less time.");
    judge_stop(j);
    judge_forget();
}

/* Batches back to back, with nothing of the grader's between them. A GPU shows a missing order by
   its tokens only: there, after scenarios in which the adapter waits. */
static void expect_order(struct judged *j)
{
    if (judge_device_is_simulated()) {
        judge_expect_no_findings(j);
        judge_forget();
        return;
    }
    judge_try("order");
    judge_run_unaided(j, "other_stream");
}

/* ---- tokens ---------------------------------------------------------------------------------- */

static const struct judge_scenario by_stream =
    DECODER("1 and 3 sequences with stream launches", SMALL(2, 4), .sequences = {1, 3},
            .buckets = 3, .how = LAB11_STREAM);
static const struct judge_scenario stopping = DECODER(
    "3 sequences with stream launches, one stops early, in two calls of lab11_decode", SMALL(1, 4),
    .sequences = {3}, .buckets = 3, .how = LAB11_STREAM, .stops = true, .in_two_calls = true);

JUDGE_CHECK(lab11, tokens, 15, "With stream launches, every token is right.")
{
    expect_rows_and_launches();
    struct judged *j = judge_start(JUDGE_SUBMISSION, &by_stream);
    if (judge_device_is_simulated()) {
        expect_order(j);
        judge_prepare(j, &by_stream);
    }
    judge_run(j);
    judge_expect_waited(j, "read_too_early");
    judge_run(j);
    judge_expect_not_noted(LAB11_PREFILLS_MORE);
    judge_run_next(j, &stopping);
    expect_order(j);
}

/* ---- graphs ---------------------------------------------------------------------------------- */

/* For checks that look at graphs. */
static void expect_graphs(const struct judged *j)
{
    judge_expect_that(judge_value(j, graphs) > 0, "no_graphs");
}

static const struct judge_scenario equal_sizes =
    DECODER("1, 2 and 4 sequences with graph launches", SMALL(3, 4), .sequences = {1, 2, 4},
            .buckets = 3, .how = LAB11_GRAPH);
static const struct judge_scenario one_of_four =
    DECODER("4 sequences with graph launches", SMALL(1, 4), .sequences = {4}, .buckets = 3,
            .how = LAB11_GRAPH);
/* Tokens are looked at after the graph: what is wrong with that has a cause to name. */
static const struct judge_scenario four =
    UNVERIFIED("4 sequences with graph launches, buckets up to 8", SMALL(1, 8), .sequences = {4},
               .buckets = 4, .how = LAB11_GRAPH);

/* After a run with one batch. */
static void expect_launched_rows(const struct judged *j, double least)
{
    const double rows = judge_value(j, launched_rows);
    judge_actual("a graph of %.0f rows", rows);
    judge_expected("a graph of %.0f rows", least);
    judge_expect_that(rows <= least, "wrong_bucket");
    judge_expect_that(rows <= 0 || rows >= least, "rounds_down");
    judge_forget();
}

JUDGE_CHECK(lab11, graph, 15, "One graph serves every step of a batch.")
{
    struct judged *j = judge_run_first(&four);
    expect_graphs(j);
    expect_launched_rows(j, 4);
    lab11_expect_one_step(j);
    lab11_expect_graph_launches(j, "no_graph_launch");
    lab11_expect_step(j);
    judge_run_next(j, &one_of_four);
    lab11_expect_graph_launches(j, "no_bucket");
    judge_run_next(j, &equal_sizes);
    const double launches = judge_value(j, launches);
    judge_actual("%.0f graph launches", launches);
    judge_expected("%d in 3 batches of %d steps", 3 * STEPS, STEPS);
    judge_expect_that(launches < 0 || launches >= 3 * STEPS, "no_bucket");
    judge_forget();
    judge_run(j);
    expect_order(j);
}

/* ---- buckets --------------------------------------------------------------------------------- */

static const struct judge_scenario between =
    DECODER("3, 5 and 7 sequences, buckets up to 8", SMALL(3, 8), .sequences = {3, 5, 7},
            .buckets = 4, .how = LAB11_GRAPH, .stops = true);
static const struct judge_scenario three =
    UNVERIFIED("3 sequences, buckets up to 8", SMALL(1, 8), .sequences = {3}, .buckets = 4,
               .how = LAB11_GRAPH);
static const struct judge_scenario too_many =
    DECODER("6 sequences, buckets up to 4", SMALL(1, 6), .sequences = {6}, .buckets = 3,
            .how = LAB11_GRAPH);
static const struct judge_scenario large =
    DECODER("17 sequences, buckets up to 32", SMALL(1, 33), .sequences = {17}, .buckets = 6,
            .how = LAB11_GRAPH);

JUDGE_CHECK(lab11, buckets, 15, "The smallest bucket with enough rows decodes a batch of any size.")
{
    struct judged *j = judge_run_first(&three);
    judge_actual("%.0f graphs", judge_value(j, graphs));
    judge_expected("%d", judge_numbers(j)->buckets);
    judge_expect_that(judge_value(j, graphs) == judge_numbers(j)->buckets, "bucket_without_graph");
    expect_launched_rows(j, 4);
    judge_actual("kernels with %.0f rows in the graph of bucket 4", judge_value(j, kernel_rows));
    judge_expected("4 rows");
    judge_expect_that(judge_value(j, kernel_rows) <= 4, "graph_of_more_rows");
    judge_forget();
    lab11_expect_graph_launches(j, "no_bucket");
    judge_run_next(j, &between);
    judge_run_next(j, &large);
    judge_prepare(j, &too_many);
    judge_try("fallback");
    judge_run(j);
}

/* ---- rows without a sequence ----------------------------------------------------------------- */

static void verify_both(struct judged *j)
{
    lab11_verify_tokens(j);
    lab11_verify_cache(j);
}

static const struct judge_scenario shrinking = {
    .name = "8, then 5, then 3 sequences, one of which stops early",
    .numbers = JUDGE_NUMBERS(SMALL(3, 8), .sequences = {8, 5, 3}, .buckets = 4, .how = LAB11_GRAPH,
                             .stops = true, .cache_is_checked = true),
    .make = make,
    .verify = verify_both};

JUDGE_CHECK(lab11, padding, 10, "Rows without a sequence write to slot n_slots only.")
{
    struct judged *j = judge_run_first(&shrinking);
    expect_graphs(j); /* without them no row is left over */
    judge_run(j);
    expect_watched(j, LAB11_ROWS_LEFT_OVER);
}

/* ---- while decoding -------------------------------------------------------------------------- */

JUDGE_CHECK(lab11, steady, 10, "After lab11_setup, nothing is allocated, captured or uploaded.")
{
    struct judged *j = judge_run_first(&one_of_four);
    const double first_us = judge_value(j, step_us);
    judge_run(j);
    const double later_us = judge_value(j, step_us);
    const struct trace *t = judge_trace(j), *steps = lab11_steps(t);
    lab11_expect_nothing_made(steps, "while_decoding");
    judge_expect_not_noted(LAB11_CACHE_MOVED);
    lab11_expect_kernels(steps, STEPS, KERNELS);
    lab11_expect_nothing_made(t, "for_batch");
    if (!judge_device_is_simulated()) /* times differ, and what is traced is no first run */
        return;
    judge_actual("%.2f us per step in the first run", first_us);
    judge_expected("%.2f us, as in the next run", later_us);
    judge_expect_that(first_us <= 1.05 * later_us, "not_uploaded");
    judge_forget();
    const struct judge_scenario each_bucket = judge_unverified(equal_sizes, equal_sizes.numbers);
    judge_prepare(j, &each_bucket);
    lab11_expect_nothing_made(judge_trace(j), "for_batch"); /* the first batch of each bucket */
}

/* When the last wait for the device before that time began: it is the grader's own, after
   lab11_begin and after the last call of lab11_decode. */
static double own_wait_us(const struct trace *t, double before_us)
{
    double own_us = 0;
    for (size_t i = 0; i < t->n_rows; i++)
        if (trace_is(&t->rows[i], "api", "cudaDeviceSynchronize") &&
            t->rows[i].start_us < before_us)
            own_us = t->rows[i].start_us;
    return own_us;
}

/* Of the traced run of one batch. A copy that blocks the host is legal. */
static void expect_begin_returns(const struct trace *t)
{
    static const char *const waits[] = {"cudaStreamSynchronize", "cudaDeviceSynchronize",
                                        "cudaEventSynchronize"};
    const double own_us = own_wait_us(t, trace_first(t, "sm", "empty")->start_us);
    int calls = -1; /* one is the grader's, see subject_captured */
    for (size_t i = 0; i < sizeof waits / sizeof waits[0]; i++)
        calls += (int)trace_calls_between(t, waits[i], -1, own_us);
    judge_actual("%d synchronizing calls in lab11_begin", calls);
    judge_expected("none");
    judge_expect_that(calls <= 0, "begin_waits");
    judge_forget();
}

JUDGE_CHECK(lab11, host_free, 5,
            "lab11_begin does not wait; between steps, the host neither waits nor copies.")
{
    struct judged *j = judge_start(JUDGE_SUBMISSION, &one_of_four);
    judge_run(j);
    const struct trace *t = judge_trace(j), *steps = lab11_steps(t);
    const size_t copies = trace_count(steps, "d2h", NULL) + trace_count(steps, "h2d", NULL);
    if (judge_device_is_simulated())
        expect_begin_returns(t);
    const struct trace_row *wait = trace_host_wait(steps, 0, own_wait_us(steps, INFINITY));
    judge_actual("%zu copies between host and device during %d steps; %s", copies, STEPS,
                 wait ? wait->name : "no wait");
    judge_expected("no copy and no wait");
    judge_fact_number("copies", (double)copies);
    judge_expect_that(!wait, "waits");
    judge_expect_that(copies == 0, NULL);
    struct judge_scenario s = one_of_four;
    s.model_only = true;
    judge_expect_error(&s);
}

/* ---- scratch memory -------------------------------------------------------------------------- */

JUDGE_CHECK(lab11, pool, 5, "One piece of scratch memory serves all buckets.")
{
    struct judged *j = judge_run_first(&large);
    judge_measured(judge_value(j, pool_floats), judge_value(j, most_floats), "floats");
    judge_actual("%.0f floats", judge_value(j, pool_floats));
    judge_expected("%.0f floats, for %zu rows", judge_value(j, most_floats),
                   judge_numbers(j)->max_rows);
    judge_fact_number("pool_pieces", judge_value(j, pool_pieces));
    judge_expect_that(judge_value(j, pool_floats) <= judge_value(j, most_floats),
                      "small_piece_first");
    judge_forget();
    judge_expect_not_noted(LAB11_RELEASED_TWICE);
}

/* ---- programmatic edges ---------------------------------------------------------------------- */

JUDGE_CHECK(lab11, edges, 10, "Kernels start before the preceding kernel ends, and wait for it.")
{
    struct judged *j = judge_run_first(&one_of_four);
    expect_graphs(j);
    const double programmatic = judge_value(j, programmatic);
    lab11_expect_step(j);
    judge_actual("%.0f programmatic edges", programmatic);
    judge_expected("%d of %d edges", KERNELS - 1, KERNELS - 1);
    judge_expect_that(programmatic == KERNELS - 1, "full_edges");
    judge_forget();
    if (judge_device_is_simulated())
        judge_expect_no_findings(j);
}

/* ---- time ------------------------------------------------------------------------------------ */

enum { CONTEXT = 128, MANY_STEPS = 16, LONG_PROMPT = CONTEXT - MANY_STEPS };

enum { TIMED_BUCKETS = 6, TIMED_ROWS = 32 };

#define TIMED(words_, how_)                                                                        \
    {                                                                                              \
        .name = words_,                                                                            \
        .numbers =                                                                                 \
            JUDGE_NUMBERS(.model = {.n_layers = 12, .n_heads = 12, .n_positions = CONTEXT},        \
                          .batches = 1, .sequences = {1}, .max_rows = TIMED_ROWS,                  \
                          .shortest = LONG_PROMPT, .longest = LONG_PROMPT, .steps = MANY_STEPS,    \
                          .slots = TIMED_ROWS + 2, .buckets = TIMED_BUCKETS, .how = how_),         \
        .make = make, .model_only = true                                                           \
    }
static const struct judge_scenario timed =
    TIMED("12 layers x 768, 1 sequence, context 128", LAB11_GRAPH);
static const struct judge_scenario timed_stream =
    TIMED("the same with stream launches", LAB11_STREAM);

/* No step is shorter than it takes to read all weights. */
static double no_less_us(struct judged *reference)
{
    return judge_floor_value(reference, read_us);
}

JUDGE_CHECK(lab11, time, 10, "A step takes at most 1.1 times the reference's time.")
{
    struct judged *j = judge_start(JUDGE_SUBMISSION, &timed),
                  *reference = judge_start(JUDGE_REFERENCE, &timed_stream);
    judge_run(reference);
    const double stream_us = judge_value(reference, step_us),
                 host_us = judge_value(reference, host_us);
    judge_prepare(reference, &timed);
    judge_run(j);
    judge_run(reference);
    judge_floor(reference);
    const double read_us = judge_value(reference, read_us);
    judge_next("./grade lab11 --trace FILE shows the steps: what comes between the kernels?");
    struct judge_times times =
        judge_expect_time(&(struct judge_race){.submission = j,
                                               .reference = reference,
                                               .value = FIGURE(step_us),
                                               .at_most = 1.10,
                                               .floor_us = no_less_us,
                                               .same_work = true,
                                               .look = lab11_expect_whole_steps,
                                               .slow = "A step takes longer than it must."});
    judge_note("%.1f us per step (the reference %.1f, with stream launches %.1f); reading the "
               "weights alone takes %.1f us; the host is busy for %.1f us per step, with stream "
               "launches for %.1f",
               times.time_us, times.reference_us, stream_us, read_us, judge_value(j, host_us),
               host_us);
}

/* ---- extra ----------------------------------------------------------------------------------- */

static const struct judge_scenario looped =
    DECODER("3 sequences in one graph launch, one stops early", SMALL(1, 4), .sequences = {3},
            .buckets = 3, .how = LAB11_LOOP, .stops = true);
static const struct judge_scenario looped_one = {
    .name = "1 sequence in one graph launch, then another one, which stops early",
    .numbers = JUDGE_NUMBERS(SMALL(2, 4), .sequences = {1, 1}, .buckets = 3, .how = LAB11_LOOP,
                             .stops = true, .cache_is_checked = true),
    .make = make,
    .verify = verify_both};
static const struct judge_scenario looped_to_the_end =
    DECODER("1 sequence in one graph launch, it does not stop", SMALL(1, 4), .sequences = {1},
            .buckets = 3, .how = LAB11_LOOP);
static const struct judge_scenario looped_too_many = {
    .name = "6 sequences with LAB11_LOOP, buckets up to 4",
    .numbers = JUDGE_NUMBERS(SMALL(1, 6), .sequences = {6}, .buckets = 3, .how = LAB11_LOOP),
    .make = make,
    .verify = lab11_verify_tokens,
    .tries = "fallback"};

void lab11_expect_progress(struct judged *j)
{
    expect_watched(j, LAB11_FIRST_PROGRESS);
}

/* kernels: of the body. */
static _Noreturn void fail_for_kernels(struct judged *j, size_t kernels, size_t steps)
{
    lab11_expect_progress(j);
    judge_actual("%zu kernels in the body", kernels);
    judge_expected("%zu: %d in each of %zu steps", steps * KERNELS, KERNELS, steps);
    judge_expect_that(kernels % KERNELS == 0, "step_kernels");
    judge_fail_that(kernels > steps * KERNELS ? "loop_goes_on"
                    : kernels > KERNELS       ? "loop_ends_early"
                                              : "loop_length");
}

static void expect_no_more_steps(struct judged *j)
{
    const struct trace *t = judge_trace(j);
    const size_t steps = lab11_steps_needed(j, judge_numbers(j)->batches - 1, 1),
                 kernels = lab11_kernels(lab11_steps(t), true);
    if (kernels > steps * KERNELS)
        fail_for_kernels(j, kernels, steps);
}

JUDGE_CHECK(lab11, loop, 5, "Extra: one launch decodes all steps of a batch.")
{
    const struct judge_scenario first = judge_unverified(looped, looped.numbers);
    struct judged *j = judge_run_first(&first);
    const struct trace *t = lab11_steps(judge_trace(j)); /* of a run with other prompts */
    const size_t steps = lab11_steps_needed(j, 0, 3), launches = trace_calls(t, "cudaGraphLaunch"),
                 outside = lab11_kernels(t, false), inside = lab11_kernels(t, true);
    const bool counted = judge_device_is_simulated(); /* an H200 reported another number */
    judge_actual("%zu graph launches of %zu kernels, %zu kernels outside of graphs", launches,
                 inside, outside);
    judge_expected("1 graph launch of %zu kernels", steps * KERNELS);
    judge_expect_that(launches == 1 && outside == 0, "loop_on_host");
    judge_expect_that(judge_value(j, launched_rows) <= 0, "loop_of_step");
    judge_expect_that(!counted || inside > 0, "loop_never_starts");
    if (counted && inside != steps * KERNELS)
        fail_for_kernels(j, inside, steps);
    judge_forget();
    judge_prepare(j, &looped); /* the simulated device traces the first batch */
    lab11_expect_nothing_made(lab11_steps(judge_trace(j)), "while_decoding");
    judge_run(j);
    const struct judge_scenario *const ones[] = {&looped_one, &looped_to_the_end};
    for (int i = 0; i < 2; i++) {
        judge_run_next(j, ones[i]);
        if (counted)
            expect_no_more_steps(j);
    }
    judge_prepare(j, &looped);
    expect_order(j);
    if (counted)
        judge_run_next(j, &looped_too_many);
}

/* ---- diagnosis ------------------------------------------------------------------------------- */

JUDGE_DIAGNOSIS(lab11)
{
    judge_run(judge_start(JUDGE_SUBMISSION, &watched));
    judge_expect_nothing_noted();
}
