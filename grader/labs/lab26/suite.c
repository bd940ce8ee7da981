/* suite.c: the suite of lab 26: results, leaks, memory and time of calls that differ. Nothing here
 * asks how a submission changes its graph. */
#include <math.h>
#include <stdlib.h>

#include "drawing.h"
#include "exchange.h"
#include "judge/judge.h"
#include "labs/lab26/causes.h"
#include "labs/lab26/mistakes.h"
#include "query/trace.h"

JUDGE_LAB(.name = "lab26", .title = "calls that differ a little, or in everything", .is_open = true,
          .rules = &lab26_rules);

/* ---- scenarios ------------------------------------------------------------------------------- */

/* Of the latest run, since setup. */
static long first_call(const struct judged *j)
{
    return (long)judge_value(j, first_call);
}

/* A call that reads the input of call `of`; odd: steps 1, 3, 5, … change p, and the others q. */
static void compute(const struct judged *j, long call, long of, bool odd, double *result)
{
    const struct numbers *numbers = judge_numbers(j);
    const size_t n = (size_t)numbers->n;
    const float *in = judge_buffer(j, "in") + (size_t)of * 2 * n;
    double *half[] = {odd ? result + n : result, odd ? result : result + n};
    for (size_t i = 0; i < 2 * n; i++)
        result[i] = in[i];
    for (long k = 0; k < numbers->n_steps; k++) {
        const struct lab26_step step = lab26_draw(numbers, first_call(j) + call, k);
        for (size_t i = 0; step.is_on && i < n; i++)
            half[k % 2][i] += (double)step.weight * half[(k + 1) % 2][i];
    }
}

enum { FEW = 8 }; /* wrong steps change every element: so many are enough to tell results apart */

/* Does the buffer of a call begin with these values? */
static bool begins_with(struct judged *j, long call, const double *expected)
{
    const float *out = judge_buffer(j, "out") + 2 * (size_t)(call * judge_numbers(j)->n);
    for (size_t i = 0; i < FEW; i++)
        if (!(fabs(out[i] - expected[i]) <= 2e-5))
            return false;
    return true;
}

/* Does the buffer of a call have the result of another one? */
static bool has_result(struct judged *j, const double *expected, long call, long of)
{
    return begins_with(j, call, expected + 2 * (size_t)(of * judge_numbers(j)->n));
}

/* Nothing is in the buffer of the last call, and all others are right. */
static void expect_changed_before(struct judged *j, const double *expected)
{
    const long last = judge_numbers(j)->n_calls - 1;
    if (!isnan(judge_buffer(j, "out")[2 * (size_t)(last * judge_numbers(j)->n)]))
        return;
    for (long k = 0; k < last; k++)
        if (!has_result(j, expected, k, k))
            return;
    judge_actual("the results of calls 0 to %ld, and none of call %ld", last - 1, last);
    judge_expected("the result of each call");
    judge_fail_that("changed_late");
}

/* Fails if all results went to the buffer of the first call, or each call ran the one before. */
static void expect_own_buffers(struct judged *j, const double *expected)
{
    const long last = judge_numbers(j)->n_calls - 1;
    expect_changed_before(j, expected);
    if (begins_with(j, 0, expected + judge_numbers(j)->n))
        judge_fail_that("begins_with_q");
    if (!has_result(j, expected, 0, last))
        return;
    judge_actual("the buffer of call 0 has the result of call %ld", last);
    judge_expected("the result of each call in its own buffer");
    judge_fail_that("same_buffers");
}

/* Does the buffer of a call have what other steps or another input would give? */
static bool has_other(struct judged *j, long call, long of, bool odd)
{
    double *other = judge_room(2 * (size_t)judge_numbers(j)->n, sizeof *other);
    compute(j, call, of, odd, other);
    const bool has = begins_with(j, call, other);
    free(other);
    return has;
}

/* Of the first wrong element. On the simulated device the adapter has seen which steps ran. */
static const char *looks_like(struct judged *j, size_t call, size_t row, size_t column)
{
    (void)row;
    if (column % (size_t)judge_numbers(j)->n >= FEW)
        judge_fail_that("elements_left_out");
    if (has_other(j, (long)call, 0, false))
        judge_fail_that("same_buffers");
    if (has_other(j, (long)call, (long)call, true))
        judge_fail_that("halves_exchanged");
    judge_asks("other_steps");
    judge_expect_nothing_noted();
    return NULL;
}

static void verify(struct judged *j)
{
    const struct numbers *numbers = judge_numbers(j);
    const size_t floats = 2 * (size_t)numbers->n, calls = (size_t)numbers->n_calls;
    judge_expect_order(j); /* after each run: the report names the case of this one */
    double *expected = judge_room(calls * floats, sizeof *expected);
    for (size_t k = 0; k < calls; k++)
        compute(j, (long)k, (long)k, false, expected + k * floats);
    expect_own_buffers(j, expected);
    judge_expect_results(j, &(struct judge_results){.buffer = "out",
                                                    .batches = calls,
                                                    .rows = 1,
                                                    .columns = floats,
                                                    .expected = expected,
                                                    .tolerance = 2e-5,
                                                    .looks_like = looks_like,
                                                    .batch_word = "call"});
    free(expected);
}

/* Does every call change p and q? What no step changes comes from no kernel. */
static bool all_are_changed(const struct numbers *numbers)
{
    bool all = true;
    for (long k = 0; k < numbers->n_calls; k++) {
        bool changed[2] = {false, false};
        for (long i = 0; i < numbers->n_steps; i++)
            changed[i % 2] |= lab26_draw(numbers, k, i).is_on != 0;
        all = all && changed[0] && changed[1];
    }
    return all;
}

static void make(struct judge_scenario *s)
{
    const size_t count = 2 * (size_t)s->numbers->n * (size_t)s->numbers->n_calls;
    s->buffers[0] = (struct judge_buffer){"in", JUDGE_INPUT, count, .pinned = true};
    s->buffers[1] = (struct judge_buffer){"out", JUDGE_OUTPUT, count, .pinned = true,
                                          .made_by = all_are_changed(s->numbers) ? "saxpy" : NULL};
}

#define SCENARIO(words_, ...)                                                                      \
    {                                                                                              \
        .name = words_, .numbers = JUDGE_NUMBERS(__VA_ARGS__, .seed = JUDGE_SEED), .make = make,   \
        .drawn = JUDGE_DRAWN(seed), .spread = JUDGE_SEED - 1, .verify = verify                     \
    }

static const struct judge_scenario computed[] = {
    SCENARIO("10 calls of 20 steps, 15 % of the weights and 10 % of the steps change", .n = 500,
             .n_steps = 20, .n_calls = 10, .weights_percent = 15, .switches_percent = 10),
    SCENARIO("10 calls of 24 steps, most of them change", .n = 300, .n_steps = 24, .n_calls = 10,
             .weights_percent = 60, .switches_percent = 60),
    SCENARIO("8 calls of 1 step", .n = 700, .n_steps = 1, .n_calls = 8, .weights_percent = 30,
             .switches_percent = 70),
    SCENARIO("6 calls of 33 steps, only the weights change", .n = 1000, .n_steps = 33, .n_calls = 6,
             .weights_percent = 50, .switches_percent = 0)};

#define TIMED .n = 512, .n_steps = 100, .n_calls = 10 /* the rules of three mistakes count to it */
static const struct judge_scenario few =
    SCENARIO("10 calls of 100 steps, 3 % of the weights and 2 % of the steps change", TIMED,
             .weights_percent = 3, .switches_percent = 2);
static const struct judge_scenario many =
    SCENARIO("10 calls of 100 steps, all weights and 30 % of the steps change", TIMED,
             .weights_percent = 100, .switches_percent = 40);

static void expect_kernels(const struct judged *j, const struct trace *t)
{
    judge_expect_waited(j, "no_wait");
    const struct numbers *numbers = judge_numbers(j);
    size_t expected = 0;
    for (long k = 0; k < numbers->n_calls; k++)
        for (long i = 0; i < numbers->n_steps; i++)
            expected += lab26_draw(numbers, first_call(j) + k, i).is_on != 0;
    expected *= (size_t)judge_repeats(j);
    judge_actual("%zu kernels saxpy, %.3g times as many as needed", trace_count(t, "sm", "saxpy"),
                 (double)trace_count(t, "sm", "saxpy") / (double)expected);
    judge_expected("%zu: one for each step that is on", expected);
    judge_expect_that(trace_count(t, "sm", "saxpy") == expected, "other_kernels");
    judge_forget();
}

/* ---- results, leaks, memory ------------------------------------------------------------------ */

JUDGE_CHECK(lab26, results, 30, "Every call has the result of its own steps.")
{
    struct judged *j = NULL;
    for (size_t i = 0; i < sizeof computed / sizeof computed[0]; i++) {
        j = judge_turn_to(j, &computed[i]);
        for (int k = 0; k < 2; k++) { /* the first call differs from the last one */
            judge_run_to_end(j, "no_wait");
            judge_expect_waited(j, "no_wait");
        }
    }
    judge_run_unaided(j, "no_wait");
}

JUDGE_CHECK(lab26, race_free, 15, "There is no race and no leak, and no step too many.")
{
    const struct judge_scenario s = judge_unverified(computed[0], computed[0].numbers);
    judge_needs_findings();
    struct judged *j = judge_run_first(&s);
    judge_asks("other_steps");
    judge_expect_not_noted(LAB26_OTHER_KERNELS);
    judge_expect_not_noted(LAB26_OTHER_BLOCKS);
    const struct trace *t = judge_trace(j);
    expect_kernels(j, t);
    judge_actual("%zu memsets", trace_count(t, NULL, "memset*"));
    judge_expected("none");
    judge_expect_that(trace_count(t, NULL, "memset*") == 0, "cleared");
    judge_forget();
    judge_expect_no_findings(j);
}

JUDGE_CHECK(lab26, memory, 10, "Device memory stays within memory_bytes. Errors are returned.")
{
    const struct judge_scenario s = judge_unverified(few, few.numbers);
    struct judged *j = judge_run_first(&s);
    judge_expect_bytes(judge_own_bytes(j), judge_value(j, budget_bytes), "memory_bytes",
                       "too_much_memory");
    judge_expect_error(&computed[1]);
}

/* ---- time ------------------------------------------------------------------------------------ */

/* Of a run that is too slow: its calls may show why. */
static void too_slow(struct judged *j)
{
    if (judge_device_is_simulated())
        judge_ask_trace(judge_trace(j));
}

/* What no right run can beat: the calls without any change of a graph. */
static double made_us;

static double no_less_us(struct judged *reference)
{
    const double spared = 0.2;
    made_us = judge_floor_value(reference, made_us);
    return (1 - spared) * made_us;
}

static void expect_time(const struct judge_scenario *scenario, double at_most, const char *slow)
{
    struct judged *j = judge_start(JUDGE_SUBMISSION, scenario),
                  *reference = judge_start(JUDGE_REFERENCE, scenario);
    judge_run(
        j); /* the first run may make what later ones use; the reference's follows its floor */
    judge_next("for each node, what does it do now, and what must it do? Change those that differ, "
               "and no others");
    const struct judge_times times = judge_expect_time(&(struct judge_race){.submission = j,
                                                                            .reference = reference,
                                                                            .at_most = at_most,
                                                                            .floor_us = no_less_us,
                                                                            .look = expect_kernels,
                                                                            .too_slow = too_slow,
                                                                            .slow = slow});
    judge_expect_timed_bytes(j, judge_value(j, budget_bytes), "too_much_memory");
    judge_note("%.0f us (the reference %.0f, graphs that need no change %.0f)", times.time_us,
               times.reference_us, made_us);
}

JUDGE_CHECK(lab26, few, 25, "Few changes: at most 1.1 times the reference's time.")
{
    expect_time(&few, 1.1, "A call in which little changes takes longer than it must.");
}

JUDGE_CHECK(lab26, many, 20, "Many changes: at most 1.25 times the reference's time.")
{
    expect_time(&many, 1.25,
                "A call in which nearly everything changes takes longer than it must.");
}
