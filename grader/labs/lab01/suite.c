/*
 * suite.c: the suite of lab 01, from top to bottom what a submission must do.
 */
#include <math.h>
#include <stdio.h>

#include "judge/judge.h"
#include "labs/products.h"
#include "query/trace.h"

JUDGE_LAB(.name = "lab01", .title = "one batch after the other");

/* ---- scenarios ------------------------------------------------------------------------------- */

/* So many batches of n x n. */
struct scenario {
    struct judge_scenario judge;
    char name[48];
};

static void make(struct scenario *s, long n, long n_batches)
{
    enum { MOST_COMPUTED = 128 };
    const size_t count = (size_t)n_batches * (size_t)n * (size_t)n;
    snprintf(s->name, sizeof s->name, "%ld batches of %ld x %ld", n_batches, n, n);
    s->judge = (struct judge_scenario){
        .name = s->name,
        .numbers = {{"n", n}, {"n_batches", n_batches}},
        .buffers = {{.name = "a", .direction = JUDGE_INPUT, .count = count},
                    {.name = "b", .direction = JUDGE_INPUT, .count = count},
                    {.name = "c", .direction = JUDGE_OUTPUT, .count = count, .made_by = "matmul"}},
        .model_only = n > MOST_COMPUTED,
        .verify = products_verify};
}

static const struct judge_scenario *large(void)
{
    static struct scenario s;
    make(&s, products_size(1024), judge_draw(3, 5, 1));
    return &s.judge;
}

static const struct trace *trace_large(struct judge *j)
{
    judge_run(j);
    const struct trace *t = judge_trace(j);
    products_expect_all_work(j, t);
    return t;
}

/* ---- checks ---------------------------------------------------------------------------------- */

static const struct judge_mistake no_final_wait = {
    "no_final_wait",
    "lab01_run returned while the device was still working: what "
    "it queued last had not been waited for, so c cannot be read "
    "yet",
    "wait for the event behind the last copy: "
    "cudaEventSynchronize(state->downloaded)",
    "results complete"};

JUDGE_CHECK(lab01, results, 30, "every product is right")
{
    struct scenario several, one;
    make(&several, products_size(64), judge_draw(5, 7, 1));
    make(&one, products_size(96), 1);
    struct judge *j = judge_start(JUDGE_SUBMISSION, &several.judge);
    for (int i = 0; i < 3; i++)
        judge_run_to_end(j, &no_final_wait);
    judge_prepare(j, &one.judge);
    judge_run_to_end(j, &no_final_wait);
}

JUDGE_CHECK(lab01, complete, 10, "lab01_run returns when the work is done, not before")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, large());
    judge_expect_done(j, &no_final_wait);
}

JUDGE_CHECK(lab01, pinned, 20, "copies are from and to pinned memory")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, large());
    const struct trace *t = trace_large(j);
    size_t pageable = trace_count(t, NULL, "memcpy_pageable");
    judge_measured((double)pageable, 0, "copies");
    judge_actual("%zu of %zu copies pageable", pageable, trace_count(t, NULL, "memcpy_p*"));
    judge_expected("all copies pinned");
    judge_next("allocate a, b and c with cudaMallocHost (or cudaHostAlloc)");
    judge_expect(pageable == 0,
                 "pageable memory: the driver moves every copy through a buffer of its own, at a "
                 "fraction of the speed, and the host has to help");
}

/* What a time that is off says about how it was measured. */
static void judge_stages(const struct judge *j, const struct trace *t, double h2d_us,
                         double kernel_us, double d2h_us)
{
    const double off = 0.25, n_batches = (double)judge_number(j, "n_batches");
    double h2d = trace_sum_us(t, "h2d", NULL), kernel = trace_sum_us(t, "sm", "matmul*"),
           d2h = trace_sum_us(t, "d2h", NULL);
    double ratios[] = {h2d_us / h2d, kernel_us / kernel, d2h_us / d2h}, worst = 1;
    bool milliseconds = true;
    int one_batch = 0, all_batches = 0;
    for (int i = 0; i < 3; i++) {
        worst = fabs(ratios[i] - 1) > fabs(worst - 1) ? ratios[i] : worst;
        one_batch += fabs(ratios[i] * n_batches - 1) <= 2 * off;
        all_batches += fabs(ratios[i] - 1) <= off;
        milliseconds = milliseconds && fabs(ratios[i] * 1000 - 1) <= 2 * off;
    }
    judge_measured(fabs(worst - 1), off, "ratio");
    judge_actual("H2D %.0f, kernel %.0f, D2H %.0f us as reported", h2d_us, kernel_us, d2h_us);
    judge_expected("H2D %.0f, kernel %.0f, D2H %.0f us (trace), within %.0f %%", h2d, kernel, d2h,
                   off * 100);
    judge_next("one event before the batch and one behind each stage, all in the stream that does "
               "the work");
    judge_expect(!isnan(worst), "a stage time is not a number");
    judge_expect(h2d_us != 0 || kernel_us != 0 || d2h_us != 0,
                 "all stage times are 0: lab01_run did not set them");
    judge_next(
        "cudaEventElapsedTime(&ms, first, second): first is the one that the stream reaches first");
    judge_expect(h2d_us >= 0 && kernel_us >= 0 && d2h_us >= 0,
                 "a stage time is negative: its two events are exchanged");
    judge_next("add to the times, batch after batch: +=, with each stage's own two events");
    judge_expect(one_batch == 0 || one_batch + all_batches < 3,
                 "%s those of a single batch: add up all batches of the run",
                 one_batch == 3 ? "the stage times are" : "among the stage times are");
    judge_next("multiply by 1000 before you add");
    judge_expect(
        !milliseconds,
        "the stage times are milliseconds, as cudaEventElapsedTime gives them: microseconds "
        "are wanted");
    judge_next("one event before the batch and one behind each stage, all in the stream that does "
               "the work");
    if (fabs(worst - 1) <= off)
        return;
    if (kernel_us < 0.5 * kernel && trace_api_calls(t, "cudaEventElapsedTime*", -1, INFINITY) == 0)
        judge_fail("a launch returns at once: the host's clock measured how long the call took, "
                   "not how long the "
                   "kernel ran");
    if (kernel_us < 0.5 * kernel)
        judge_fail("the kernel's time is missing: an event marks the place in the stream where it "
                   "is recorded, and "
                   "this one was recorded before the kernel it should come after");
    judge_fail("the stage times are not what the trace shows: is an event directly before and "
               "behind each stage, and "
               "was the last of them waited for?");
}

JUDGE_CHECK(lab01, stage_times, 20, "stage times agree with the trace")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, large());
    judge_run(j);
    judge_run(j);
    /* reported by a run that no trace held up */
    double h2d_us = judge_value(j, "h2d_us"), kernel_us = judge_value(j, "kernel_us"),
           d2h_us = judge_value(j, "d2h_us");
    const struct trace *t = trace_large(j);
    judge_show_timeline(j);
    judge_stages(j, t, h2d_us, kernel_us, d2h_us);
}

JUDGE_CHECK(lab01, time, 10, "as fast as the reference")
{
    const struct judge_scenario *scenario = large();
    struct judge *j = judge_start(JUDGE_SUBMISSION, scenario),
                 *reference = judge_start(JUDGE_REFERENCE, scenario);
    judge_next("look at the timeline: what does the device wait for between two batches?");
    judge_expect_time(
        &(struct judge_race){.submission = j,
                             .reference = reference,
                             .at_most = 1.10,
                             .look = products_expect_all_work,
                             .slow = "the batches take longer than copies and kernel: something in "
                                     "lab01_run costs time that belongs into "
                                     "lab01_setup (allocations?), or the copies are pageable"});
}

JUDGE_CHECK(lab01, clean, 10, "no race, nothing read before it was written, nothing left behind")
{
    judge_needs_findings();
    struct judge *j = judge_start(JUDGE_SUBMISSION, large());
    trace_large(j);
    judge_next(
        "order: all work in one stream, the copies in front of the kernel that reads them; a leak: "
        "lab01_teardown gives back all that lab01_setup took");
    judge_expect_no_findings(j);
}
