/*
 * suite.c: the suite of lab 01, from top to bottom what a submission must do.
 */
#include <math.h>
#include <stdio.h>

#include "exchange.h"
#include "judge/judge.h"
#include "labs/lab01/mistakes.h"
#include "labs/products.h"
#include "query/trace.h"

JUDGE_LAB(.name = "lab01", .title = "one batch at a time", .rules = &lab01_rules);

/* ---- scenarios ------------------------------------------------------------------------------- */

/* So many batches of n x n. */
struct scenario {
    struct judge_scenario judge;
    struct numbers numbers;
    char name[48];
};

#define BATCHES(n_) .parts = (size_t)(n_), .part = "batch"

static void make(struct scenario *s, long n, long n_batches)
{
    enum { MOST_COMPUTED = 128 };
    const size_t count = (size_t)n_batches * (size_t)n * (size_t)n;
    snprintf(s->name, sizeof s->name, "%ld batches of %ld x %ld", n_batches, n, n);
    s->numbers = (struct numbers){.n = n, .n_batches = n_batches};
    s->judge = (struct judge_scenario){
        .name = s->name,
        .numbers = &s->numbers,
        .buffers = {{.name = "a", .direction = JUDGE_INPUT, .count = count, BATCHES(n_batches)},
                    {.name = "b", .direction = JUDGE_INPUT, .count = count, BATCHES(n_batches)},
                    {.name = "c",
                     .direction = JUDGE_OUTPUT,
                     .count = count,
                     .made_by = "matmul",
                     BATCHES(n_batches)}},
        .model_only = n > MOST_COMPUTED,
        .verify = products_verify};
}

static const struct judge_scenario *batches(long n)
{
    static struct scenario s;
    make(&s, products_size(n), judge_draw(3, 5, 1));
    return &s.judge;
}

static const struct judge_scenario *large(void)
{
    return batches(1024);
}

static void expect_all_work(const struct judge *j, const struct trace *t)
{
    judge_expect_nothing_noted();
    products_expect_all_work(j, t);
}

static const struct trace *trace_large(struct judge *j)
{
    judge_run(j);
    const struct trace *t = judge_trace(j);
    expect_all_work(j, t);
    return t;
}

/* ---- checks ---------------------------------------------------------------------------------- */

JUDGE_CHECK(lab01, results, 30, "Every product is right.")
{
    struct scenario several, one;
    make(&several, products_size(64), judge_draw(5, 7, 1));
    make(&one, products_size(96), 1);
    struct judge *j = judge_start(JUDGE_SUBMISSION, &several.judge);
    for (int i = 0; i < 3; i++)
        judge_run_to_end(j, "no_final_wait");
    judge_prepare(j, &one.judge);
    judge_run_to_end(j, "no_final_wait");
}

JUDGE_CHECK(lab01, complete, 10, "lab01_run returns after the work is done.")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, large());
    judge_expect_done(j, "no_final_wait");
}

/* Are the copies of the first batch pinned? */
static bool begins_pinned(const struct trace *t)
{
    static const char *const engines[] = {"h2d", "d2h"};
    bool is_pinned = true;
    for (int i = 0; i < 2; i++) {
        const struct trace_row *pageable = trace_first(t, engines[i], "memcpy_pageable"),
                               *first = trace_first(t, engines[i], "memcpy_p*");
        is_pinned &= first && first != pageable;
    }
    return is_pinned;
}

JUDGE_CHECK(lab01, pinned, 20, "All copies are from and to pinned memory.")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, large());
    const struct trace *t = trace_large(j);
    size_t pageable_copies = trace_count(t, NULL, "memcpy_pageable");
    judge_measured((double)pageable_copies, 0, "copies");
    judge_actual("%zu of %zu copies pageable", pageable_copies, trace_count(t, NULL, "memcpy_p*"));
    judge_expected("all copies pinned");
    if (pageable_copies > 0 && !begins_pinned(t))
        judge_fail_that("pageable");
    judge_next("batch i begins i * n * n floats after the first one. A pointer to float counts "
               "floats, not bytes");
    judge_expect(pageable_copies == 0, "The first batch is copied from and to pinned memory, and a "
                                       "later one is not: its address is outside of a, b and c.");
}

enum { H2D, KERNEL, D2H, STAGES };

static const double off = 0.25; /* what stage times may differ from those of the trace */

static bool is_near(double us, double expected_us)
{
    return fabs(us - expected_us) <= off * expected_us; /* false for a NaN */
}

/* Is the time wrong by a power of 1000? */
static bool is_in_other_unit(double us, double expected_us)
{
    const double digits = log10(us / expected_us) / 3;
    return round(digits) != 0 && fabs(pow(1000, digits - round(digits)) - 1) <= 2 * off;
}

/* Are the times that are off whole milliseconds? */
static bool is_cut_to_ms(const double us[STAGES], const bool is_right[STAGES])
{
    bool is_cut = true;
    for (int i = 0; i < STAGES; i++)
        is_cut &= is_right[i] || fmod(us[i], 1000) == 0;
    return is_cut;
}

/* Do two stages have each other's time, and the third one its own? */
static bool are_exchanged(const double us[STAGES], const double traced_us[STAGES],
                          const bool is_right[STAGES])
{
    for (int one = 0; one < STAGES; one++) {
        const int other = (one + 1) % STAGES, third = (one + 2) % STAGES;
        if (is_right[third] && is_near(us[one], traced_us[other]) &&
            is_near(us[other], traced_us[one]))
            return true;
    }
    return false;
}

/* Does one stage lack what another one has too much, or nothing has? NULL: no. */
static const char *misplaced(const double us[STAGES], const double traced_us[STAGES])
{
    const bool is_h2d = is_near(us[H2D], traced_us[H2D]),
               is_kernel = is_near(us[KERNEL], traced_us[KERNEL]),
               is_d2h = is_near(us[D2H], traced_us[D2H]),
               has_no_d2h = us[D2H] > 0 && us[D2H] < off * traced_us[D2H],
               has_both = is_near(us[KERNEL] - traced_us[KERNEL], traced_us[D2H]);
    if (is_near(us[H2D] - traced_us[H2D], traced_us[KERNEL]) && is_kernel && is_d2h)
        return "h2d_to_computed";
    if (is_h2d && has_both && is_d2h)
        return "kernel_to_downloaded";
    if (is_h2d && has_both && has_no_d2h)
        return "computed_too_late";
    return is_h2d && is_kernel && has_no_d2h ? "downloaded_too_early" : NULL;
}

/* What times that are off say about how they were measured; NULL: nothing. */
static const char *mistake_of_times(const double us[STAGES], const double traced_us[STAGES],
                                    double n_batches)
{
    int right = 0, one_batch = 0, milliseconds = 0, other_unit = 0;
    bool is_right[STAGES];
    for (int i = 0; i < STAGES; i++) {
        right += is_right[i] = is_near(us[i], traced_us[i]);
        one_batch += fabs(us[i] / traced_us[i] * n_batches - 1) <= 2 * off;
        milliseconds += fabs(us[i] / traced_us[i] * 1000 - 1) <= 2 * off;
        other_unit += is_in_other_unit(us[i], traced_us[i]);
    }
    if (one_batch > 0 && one_batch + right == STAGES)
        return "times_of_one_batch";
    if (milliseconds == STAGES)
        return "times_in_ms";
    if (milliseconds > 0 && milliseconds + right == STAGES)
        return "one_time_in_ms";
    if (other_unit > 0 && other_unit + right == STAGES)
        return "time_in_other_unit";
    const char *of_events = misplaced(us, traced_us);
    if (of_events)
        return of_events;
    if (are_exchanged(us, traced_us, is_right))
        return "times_exchanged";
    /* what one stage lacks, the next one has, if the event between them is misplaced */
    const double no_h2d_us = traced_us[H2D] - us[H2D],
                 no_kernel_us = traced_us[KERNEL] - us[KERNEL],
                 more_d2h_us = us[D2H] - traced_us[D2H];
    if (no_kernel_us > off * traced_us[KERNEL] && more_d2h_us > 0.5 * no_kernel_us)
        return "event_too_early";
    if (no_h2d_us > off * traced_us[H2D] && -no_kernel_us > 0.5 * no_h2d_us)
        return "uploaded_too_early";
    if (no_h2d_us > off * traced_us[H2D] && is_right[KERNEL] && is_right[D2H])
        return "begin_too_late";
    if (is_cut_to_ms(us, is_right))
        return "times_cut_to_ms";
    if (no_h2d_us < -off * traced_us[H2D] && is_right[KERNEL] && is_right[D2H])
        return "begin_too_early";
    if (is_right[H2D] && is_right[D2H] && is_near(-no_kernel_us, traced_us[H2D]))
        return "kernel_from_begin";
    if (is_right[H2D] && is_right[KERNEL] && is_near(more_d2h_us, traced_us[KERNEL]))
        return "d2h_from_uploaded";
    if (is_right[H2D] && is_right[KERNEL] &&
        is_near(more_d2h_us, traced_us[H2D] + traced_us[KERNEL]))
        return "d2h_from_begin";
    for (int i = 0; i < STAGES; i++)
        for (int k = 0; k < STAGES && right == STAGES - 1 && !is_right[i]; k++)
            if (k != i && is_near(us[i], us[k]))
                return "time_of_another_stage";
    return NULL;
}

/* Are those of two runs in the times of the second one? */
static bool is_sum(const double us[STAGES], const double first_us[STAGES],
                   const double traced_us[STAGES])
{
    for (int i = 0; i < STAGES; i++)
        if (!is_near(first_us[i], traced_us[i]) || !is_near(us[i] - first_us[i], traced_us[i]))
            return false;
    return true;
}

static void judge_stages(const struct judge *j, const struct trace *t, const double us[STAGES],
                         const double first_us[STAGES])
{
    const double traced_us[STAGES] = {trace_sum_us(t, "h2d", NULL),
                                      trace_sum_us(t, "sm", "matmul*"),
                                      trace_sum_us(t, "d2h", NULL)};
    double worst = 0;
    for (int i = 0; i < STAGES; i++)
        worst = fmax(worst, fabs(us[i] / traced_us[i] - 1));
    judge_actual("H2D %.0f, kernel %.0f, D2H %.0f us as reported", us[H2D], us[KERNEL], us[D2H]);
    judge_expected("H2D %.0f, kernel %.0f, D2H %.0f us (trace), within %.0f %%", traced_us[H2D],
                   traced_us[KERNEL], traced_us[D2H], off * 100);
    if (isnan(us[H2D] + us[KERNEL] + us[D2H]))
        judge_fail_that("times_not_reset");
    judge_measured(worst, off, "ratio");
    if (us[H2D] == 0 && us[KERNEL] == 0 && us[D2H] == 0)
        judge_fail_that("times_not_set");
    if (us[H2D] < 0 || us[KERNEL] < 0 || us[D2H] < 0)
        judge_fail_that("times_negative");
    if (worst <= off)
        return;
    if (us[KERNEL] < 0.5 * traced_us[KERNEL] && trace_calls(t, "cudaEventElapsedTime*") == 0)
        judge_fail_that("host_clock");
    const char *mistake = is_sum(us, first_us, traced_us)
                              ? "times_of_two_runs"
                              : mistake_of_times(us, traced_us, judge_numbers(j)->n_batches);
    if (mistake)
        judge_fail_that(mistake);
    judge_next("record one event before the batch and one after each stage, all in the stream that "
               "does the work, and wait for the last one before you read the times");
    judge_fail("The stage times are not those of the trace.");
}

static void run_for_times(struct judge *j, double us[STAGES])
{
    judge_run(j);
    us[H2D] = judge_value(j, h2d_us);
    us[KERNEL] = judge_value(j, kernel_us);
    us[D2H] = judge_value(j, d2h_us);
}

JUDGE_CHECK(lab01, stage_times, 20, "The stage times agree with the trace.")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, large());
    /* reported by runs that no trace held up */
    double first_us[STAGES], us[STAGES];
    run_for_times(j, first_us);
    run_for_times(j, us);
    const struct trace *t = trace_large(j);
    judge_show_timeline(j);
    judge_stages(j, t, us, first_us);
}

static void race(struct judge *j, struct judge *reference, double at_most)
{
    judge_next("find the gaps in the timeline: which call of the host comes before each gap?");
    judge_expect_time(&(struct judge_race){.submission = j,
                                           .reference = reference,
                                           .at_most = at_most,
                                           .look = expect_all_work,
                                           .slow = "The batches take longer than their copies and "
                                                   "kernels: the device idles between them."});
}

/* On a slow bus large batches take so long that a call more for each of them hardly counts. */
JUDGE_CHECK(lab01, time, 10, "At most 1.1 times the reference's time; for small batches 1.5 times.")
{
    const struct judge_scenario *scenario = batches(256);
    struct judge *j = judge_start(JUDGE_SUBMISSION, scenario),
                 *reference = judge_start(JUDGE_REFERENCE, scenario);
    race(j, reference, 1.50);
    scenario = large();
    judge_prepare(j, scenario);
    judge_prepare(reference, scenario);
    race(j, reference, 1.10);
}

JUDGE_CHECK(lab01, clean, 10, "No race, no uninitialized read, no leak.")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, large());
    trace_large(j);
    judge_expect_no_findings(j);
}

JUDGE_DIAGNOSIS(lab01)
{
    static const char *const setup_calls[] = {"cudaMalloc*", "cudaFree*", "cudaHost*",
                                              "cudaEventCreate*", "cudaStreamCreate*"};
    struct judge *j = judge_start(JUDGE_SUBMISSION, large());
    const struct trace *t = trace_large(j);
    for (size_t i = 0; i < sizeof setup_calls / sizeof setup_calls[0]; i++)
        if (trace_calls(t, setup_calls[i]) > 0)
            judge_fail_that("allocates");
}
