/* suite.c: the suite of lab 01, from top to bottom what a submission must do. */
#include <math.h>
#include <stdio.h>

#include "exchange.h"
#include "judge/judge.h"
#include "labs/lab01/mistakes.h"
#include "labs/products.h"
#include "query/trace.h"

JUDGE_LAB(.name = "lab01", .title = "one batch at a time", .rules = &lab01_rules);

/* ---- scenarios ------------------------------------------------------------------------------- */

#define BATCHES(n_) .parts = (size_t)(n_), .part = "batch"

/* So many batches of n x n, in pageable memory. */
static void make(struct products_scenario *s, long n, long n_batches)
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

/* (one draw after the other: which argument of a call comes first depends on the machine) */
static const struct judge_scenario *batches(long n)
{
    static struct products_scenario s;
    const long n_batches = judge_draw(3, 5, 1);
    make(&s, products_size(n), n_batches);
    return &s.judge;
}

static const struct judge_scenario *large(void)
{
    return batches(1024);
}

static void expect_all_work(const struct judged *j, const struct trace *t)
{
    judge_expect_nothing_noted();
    products_expect_all_work(j, t);
}

static const struct trace *trace_large(struct judged *j)
{
    judge_run(j);
    const struct trace *t = judge_trace(j);
    expect_all_work(j, t);
    return t;
}

/* ---- checks ---------------------------------------------------------------------------------- */

JUDGE_CHECK(lab01, results, 30, "Every product is right.")
{
    struct products_scenario several, one;
    const long n_batches = judge_draw(5, 7, 1);
    make(&several, products_size(64), n_batches);
    make(&one, products_size(96), 1);
    struct judged *j = judge_start(JUDGE_SUBMISSION, &several.judge);
    for (int i = 0; i < 3; i++)
        judge_run_to_end(j, "no_final_wait");
    judge_prepare(j, &one.judge);
    judge_run_to_end(j, "no_final_wait");
    judge_prepare(j, &several.judge);
    judge_run_unaided(j, "no_final_wait");
}

JUDGE_CHECK(lab01, complete, 10, "lab01_run returns after the work is done, and returns errors.")
{
    struct judged *j = judge_start(JUDGE_SUBMISSION, large());
    judge_expect_done(j, "no_final_wait");
    judge_expect_error(large());
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
    struct judged *j = judge_start(JUDGE_SUBMISSION, large());
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

/* What stages measure if the wrong events are read, each in shares of the times of all three. A
   stage of no share has nearly none. */
static const struct {
    const char *mistake;
    double of[STAGES][STAGES];
} models[] = {{"time_of_two_stages", {{1, 1, 0}, {0, 1, 0}, {0, 0, 1}}},
              {"time_of_two_stages", {{1, 0, 0}, {0, 1, 1}, {0, 0, 1}}},
              {"computed_too_late", {{1, 0, 0}, {0, 1, 1}, {0, 0, 0}}},
              {"downloaded_too_early", {{1, 0, 0}, {0, 1, 0}, {0, 0, 0}}},
              {"times_exchanged", {{0, 1, 0}, {1, 0, 0}, {0, 0, 1}}},
              {"times_exchanged", {{1, 0, 0}, {0, 0, 1}, {0, 1, 0}}},
              {"times_exchanged", {{0, 0, 1}, {0, 1, 0}, {1, 0, 0}}},
              {"time_of_two_stages", {{1, 0, 0}, {1, 1, 0}, {0, 0, 1}}},
              {"time_of_two_stages", {{1, 0, 0}, {0, 1, 0}, {0, 1, 1}}},
              {"time_of_two_stages", {{1, 0, 0}, {0, 1, 0}, {1, 1, 1}}}};

static bool is_model(const double of[STAGES][STAGES], const double us[STAGES],
                     const double traced_us[STAGES])
{
    for (int i = 0; i < STAGES; i++) {
        const double own_us = of[i][i] * traced_us[i];
        double more_us = 0;
        for (int k = 0; k < STAGES; k++)
            more_us += k == i ? 0 : of[i][k] * traced_us[k];
        if (more_us > 0  ? !is_near(us[i] - own_us, more_us)
            : own_us > 0 ? !is_near(us[i], own_us)
                         : !(us[i] > 0 && us[i] < off * traced_us[i]))
            return false;
    }
    return true;
}

/* How many stages are this multiple of what they should be, if the others are right; else 0. */
static int in_multiples(double factor, const double us[STAGES], const double traced_us[STAGES])
{
    int n = 0;
    for (int i = 0; i < STAGES; i++)
        if (fabs(us[i] / traced_us[i] / factor - 1) <= 2 * off)
            n++;
        else if (!is_near(us[i], traced_us[i]))
            return 0;
    return n;
}

/* Facts of times that are off. */
static void tell_times(const double us[STAGES], const double traced_us[STAGES], double n_batches)
{
    bool is_cut = true, is_right[STAGES];
    int right = 0;
    for (int i = 0; i < STAGES; i++) {
        right += is_right[i] = is_near(us[i], traced_us[i]);
        is_cut &= is_right[i] || fmod(us[i], 1000) == 0;
    }
    judge_fact_number("of_one_batch", in_multiples(1 / n_batches, us, traced_us));
    judge_fact_number("in_ms", in_multiples(1e-3, us, traced_us));
    for (double unit = 1e-9; unit < 1e10; unit *= 1e3)
        if ((unit < 0.5 || unit > 2) && in_multiples(unit, us, traced_us) > 0)
            judge_fact("time_in_other_unit");
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++)
        if (is_model(models[i].of, us, traced_us))
            judge_fact(models[i].mistake);
    judge_fact_number("kernel_in_d2h",
                      (us[D2H] - traced_us[D2H]) / (traced_us[KERNEL] - us[KERNEL]));
    judge_fact_number("h2d_in_kernel",
                      (us[KERNEL] - traced_us[KERNEL]) / (traced_us[H2D] - us[H2D]));
    judge_fact_number("cut_to_ms", is_cut);
    for (int i = 0; i < STAGES; i++)
        for (int k = 0; k < STAGES; k++)
            if (right == STAGES - 1 && !is_right[i] && k != i && is_near(us[i], us[k]))
                judge_fact("time_of_another_stage");
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

static void judge_stages(const struct judged *j, const struct trace *t, const double us[STAGES],
                         const double first_us[STAGES])
{
    const double traced_us[STAGES] = {trace_sum_us(t, "h2d", NULL),
                                      trace_sum_us(t, "sm", "matmul*"),
                                      trace_sum_us(t, "d2h", NULL)};
    static const char *const names[STAGES] = {"h2d", "kernel", "d2h"};
    double worst = 0;
    judge_actual("H2D %.0f, kernel %.0f, D2H %.0f us as reported", us[H2D], us[KERNEL], us[D2H]);
    judge_expected("H2D %.0f, kernel %.0f, D2H %.0f us (trace), within %.0f %%", traced_us[H2D],
                   traced_us[KERNEL], traced_us[D2H], off * 100);
    judge_expect_that(!isnan(us[H2D] + us[KERNEL] + us[D2H]), "times_not_reset");
    for (int i = 0; i < STAGES; i++) {
        worst = fmax(worst, fabs(us[i] / traced_us[i] - 1));
        judge_fact_number(names[i], us[i] / traced_us[i]);
    }
    judge_measured(worst, off, "ratio");
    if (worst <= off)
        return;
    judge_ask_trace(t);
    tell_times(us, traced_us, judge_numbers(j)->n_batches);
    judge_note("The stage times are not those of the trace."); /* unless a rule knows why */
    judge_next("record one event before the batch and one after each stage, all in the stream that "
               "does the work, and wait for the last one before you read the times");
    judge_fail_that(is_sum(us, first_us, traced_us) ? "times_of_two_runs" : "times_are_off");
}

static void run_for_times(struct judged *j, double us[STAGES])
{
    judge_run(j);
    us[H2D] = judge_value(j, h2d_us);
    us[KERNEL] = judge_value(j, kernel_us);
    us[D2H] = judge_value(j, d2h_us);
}

JUDGE_CHECK(lab01, stage_times, 20, "The stage times agree with the trace.")
{
    struct judged *j = judge_start(JUDGE_SUBMISSION, large());
    /* reported by runs that no trace held up */
    double first_us[STAGES], us[STAGES];
    run_for_times(j, first_us);
    run_for_times(j, us);
    const struct trace *t = trace_large(j);
    judge_show_timeline(j);
    judge_stages(j, t, us, first_us);
}

static void race(struct judged *j, struct judged *reference, double at_most)
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
    struct judged *j = judge_start(JUDGE_SUBMISSION, scenario),
                  *reference = judge_start(JUDGE_REFERENCE, scenario);
    race(j, reference, 1.50);
    scenario = large();
    judge_prepare(j, scenario);
    judge_prepare(reference, scenario);
    race(j, reference, 1.10);
}

JUDGE_CHECK(lab01, clean, 10, "No race, no leak, and a run allocates and creates nothing.")
{
    judge_needs_findings();
    struct judged *j = judge_start(JUDGE_SUBMISSION, large());
    judge_expect_that(trace_setup_calls(trace_large(j)) == 0, "allocates");
    judge_expect_no_findings(j);
}

JUDGE_DIAGNOSIS(lab01)
{
    trace_large(judge_start(JUDGE_SUBMISSION, large()));
}
