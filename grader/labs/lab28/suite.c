/* suite.c: the suite of lab 28: results, order, memory and time of a graph. Nothing here asks for
 * its edges. */
#include <stdlib.h>
#include <string.h>

#include "drawing.h"
#include "exchange.h"
#include "hazards.h"
#include "judge/judge.h"
#include "kernels/kernels.h"
#include "labs/lab28/mistakes.h"
#include "query/graph.h"
#include "query/trace.h"

JUDGE_LAB(.name = "lab28", .title = "a graph from a list of operations", .is_open = true,
          .rules = &lab28_rules);

/* ---- scenarios ------------------------------------------------------------------------------- */

/* Before a race: its nodes may lack no edge, and use the wrong buffers, or have the edges of other
   operations. */
static const struct dag *expect_graph(struct judged *j)
{
    const struct dag *g = judge_graph(j);
    const double kernels = (double)dag_count(g, "kernel", NULL),
                 n_ops = (double)judge_numbers(j)->n_ops;
    judge_ask_graph(g);
    judge_expect_nothing_noted();
    judge_actual("%.0f kernels in the graph", kernels);
    judge_expected("%.0f: one for each operation", n_ops);
    judge_fact_number("ops", n_ops);
    judge_expect_that(kernels == n_ops, "ops_left_out");
    judge_forget();
    lab28_expect_edges(j, g);
    return g;
}

/* The graph says why. */
static const char *looks_like(struct judged *j, size_t buffer, size_t row, size_t element)
{
    (void)buffer;
    (void)row;
    (void)element;
    expect_graph(j);
    judge_expect_order(j); /* a race has that result, too */
    return judge_value(j, order) == LAB28_ORDER_OTHER ? "other_order" : "other_values";
}

/* What the operations leave in all buffers if they run serially. */
static void verify(struct judged *j)
{
    const struct numbers *numbers = judge_numbers(j);
    const size_t n = (size_t)numbers->n, count = n * (size_t)numbers->n_buffers;
    float *now = judge_room(count, sizeof *now);
    double *expected = judge_room(count, sizeof *expected), *result = judge_room(n, sizeof *result);
    memcpy(now, judge_buffer(j, "in"), count * sizeof *now);
    for (long k = 0; k < numbers->n_ops; k++) {
        const struct lab28_op op = lab28_draw(numbers, k);
        const float *in = now + (size_t)op.in * n;
        if (op.kind == LAB28_PRODUCE)
            reference_produce(result, in, op.steps, (int)n);
        else
            reference_consume(result, in, (int)n);
        for (size_t i = 0; i < n; i++)
            now[(size_t)op.out * n + i] = (float)result[i];
    }
    for (size_t i = 0; i < count; i++)
        expected[i] = now[i];
    judge_expect_results(j, &(struct judge_results){.buffer = "out",
                                                    .batches = (size_t)numbers->n_buffers,
                                                    .rows = 1,
                                                    .columns = n,
                                                    .expected = expected,
                                                    .tolerance = 1e-5,
                                                    .looks_like = looks_like,
                                                    .batch_word = "buffer"});
    free(result);
    free(expected);
    free(now);
}

static void make(struct judge_scenario *s)
{
    const size_t count = (size_t)s->numbers->n * (size_t)s->numbers->n_buffers;
    s->buffers[0] = (struct judge_buffer){"in",           JUDGE_INPUT,  count,
                                          .pinned = true, .low = 0.05f, .high = 0.95f};
    s->buffers[1] = (struct judge_buffer){"out", JUDGE_OUTPUT, count, .pinned = true,
                                          .made_by = "produce or consume"};
}

#define SCENARIO(words_, ...)                                                                      \
    {                                                                                              \
        .name = words_, .numbers = JUDGE_NUMBERS(__VA_ARGS__, .seed = JUDGE_SEED), .make = make,   \
        .drawn = JUDGE_DRAWN(seed), .spread = JUDGE_SEED - 1, .verify = verify                     \
    }

/* With many buffers first: there, wrong edges differ most from right ones. */
static const struct judge_scenario computed[] = {
    SCENARIO("60 operations on 40 buffers", .n = 256, .n_buffers = 40, .n_ops = 60, .steps = 3),
    SCENARIO("24 operations on 6 buffers", .n = 500, .n_buffers = 6, .n_ops = 24, .steps = 3),
    SCENARIO("30 operations on 2 buffers", .n = 300, .n_buffers = 2, .n_ops = 30, .steps = 2),
    SCENARIO("1 operation on 3 buffers", .n = 700, .n_buffers = 3, .n_ops = 1, .steps = 5),
    SCENARIO("98 operations that read two buffers, and two that write these", .n = 256,
             .n_buffers = 40, .n_ops = 100, .steps = 3, .two_inputs = true)};

/* Kernels of one block, about 20 us each on an H200: the longest path of the data sets the time. */
#define TIMED(words_, n_buffers_)                                                                  \
    {                                                                                              \
        .name = words_,                                                                            \
        .numbers = JUDGE_NUMBERS(.n = 256, .n_buffers = n_buffers_, .n_ops = 80, .steps = 4000,    \
                                 .seed = JUDGE_SEED),                                              \
        .make = make, .drawn = JUDGE_DRAWN(seed), .spread = JUDGE_SEED - 1, .model_only = true,    \
        .verify = verify                                                                           \
    }
static const struct judge_scenario wide = TIMED("80 operations on 24 buffers", 24);
static const struct judge_scenario narrow = TIMED("80 operations on 8 buffers", 8);

static void expect_all_ops(const struct judged *j, const struct trace *t)
{
    const size_t expected = (size_t)judge_numbers(j)->n_ops * (size_t)judge_repeats(j),
                 kernels = trace_count(t, "sm", "produce") + trace_count(t, "sm", "consume");
    judge_actual("%zu kernels", kernels);
    judge_expected("%zu: one for each operation", expected);
    judge_expect_that(kernels == expected, "ops_left_out");
    judge_forget();
}

/* ---- results, order, memory ------------------------------------------------------------------ */

JUDGE_CHECK(lab28, results, 30, "All buffers have the contents that serial execution leaves.")
{
    struct judged *j = NULL;
    for (size_t i = 0; i < sizeof computed / sizeof computed[0]; i++) {
        j = judge_turn_to(j, &computed[i]);
        judge_run(j);
        judge_run(j);
    }
}

static void expect_order(struct judged *j)
{
    judge_run(j);
    expect_graph(j);
    expect_all_ops(j, judge_trace(j));
    judge_expect_no_findings(j);
}

JUDGE_CHECK(lab28, race_free, 25, "There is no race and no leak.")
{
    judge_needs_findings();
    struct judged *j = judge_start(JUDGE_SUBMISSION, &wide);
    expect_order(j);
    judge_prepare(j, &narrow);
    expect_order(j);
}

JUDGE_CHECK(lab28, memory, 10, "The lab allocates no device memory, and returns errors.")
{
    struct judged *j = judge_run_first(&wide);
    judge_expect_bytes(judge_own_bytes(j), 0, "the buffers are there", "allocates");
    judge_expect_error(&computed[1]);
}

/* ---- time ------------------------------------------------------------------------------------ */

/* What no right run can beat: operations that must run serially. */
static double chain_us;

static double no_less_us(struct judged *reference)
{
    const double spared = 0.2;
    chain_us = judge_floor_value(reference, chain_us);
    return (1 - spared) * chain_us;
}

static void expect_time(const struct judge_scenario *scenario, const char *slow)
{
    const double at_most = 1.15;
    struct judged *j = judge_start(JUDGE_SUBMISSION, scenario),
                  *reference = judge_start(JUDGE_REFERENCE, scenario);
    judge_run(j); /* the first launch takes longer */
    const struct dag *g = expect_graph(j);
    if (judge_device_is_simulated())
        judge_expect_order(j); /* a graph that lacks edges takes too little time */
    lab28_next_for_edges(j, g);
    const struct judge_times times = judge_expect_time(&(struct judge_race){.submission = j,
                                                                            .reference = reference,
                                                                            .at_most = at_most,
                                                                            .floor_us = no_less_us,
                                                                            .look = expect_all_ops,
                                                                            .slow = slow});
    judge_expect_timed_bytes(j, 0, "allocates");
    judge_note("%.0f us (the reference %.0f, the longest chain alone %.0f)", times.time_us,
               times.reference_us, chain_us);
}

JUDGE_CHECK(lab28, wide, 20, "Many buffers: at most 1.15 times the reference's time.")
{
    expect_time(&wide, "With 24 buffers, operations wait for others whose data they do not use.");
}

JUDGE_CHECK(lab28, narrow, 15, "Few buffers: at most 1.15 times the reference's time.")
{
    expect_time(&narrow, "With 8 buffers, operations wait for others that are no hazard for them.");
}
