/*
 * suite.c: the suite of lab 01, from top to bottom what a submission must do.
 */
#include <math.h>
#include <stdlib.h>

#include "kernels/kernels.h"
#include "judge/judge.h"
#include "query/trace.h"

JUDGE_LAB(.name = "lab01", .title = "one batch after the other");

/* ---- scenarios ------------------------------------------------------------------------------- */

static double product_at(struct judge *j, size_t batch, size_t row, size_t column)
{
    size_t n = (size_t)judge_number(j, "n");
    const float *a = judge_buffer(j, "a") + batch * n * n,
                *b = judge_buffer(j, "b") + batch * n * n;
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += (double)a[row * n + k] * b[k * n + column];
    return sum;
}

static void verify(struct judge *j)
{
    size_t n = (size_t)judge_number(j, "n");
    judge_expect_results(j, &(struct judge_results){.buffer = "c",
                                                    .batches = (size_t)judge_number(j, "n_batches"),
                                                    .rows = n,
                                                    .columns = n,
                                                    .expected_at = product_at,
                                                    .samples = n > 128 ? 64 : 0,
                                                    .tolerance = 1e-5});
}

#define SCENARIO(words_, n_, batches_, ...)                                                        \
    {                                                                                              \
        .name = words_, .numbers = {{"n", n_}, {"n_batches", batches_}},                           \
        .buffers =                                                                                 \
            {{.name = "a", .direction = JUDGE_INPUT, .count = (size_t)(batches_) * (n_) * (n_)},   \
             {.name = "b", .direction = JUDGE_INPUT, .count = (size_t)(batches_) * (n_) * (n_)},   \
             {.name = "c",                                                                         \
              .direction = JUDGE_OUTPUT,                                                           \
              .made_by = "matmul",                                                                 \
              .count = (size_t)(batches_) * (n_) * (n_)}},                                         \
        .verify = verify, __VA_ARGS__                                                              \
    }

enum { LARGE = 1024, LARGE_BATCHES = 4 };

static const struct judge_scenario small = SCENARIO("6 batches of 64 x 64", 64, 6, .repeats = 1);
static const struct judge_scenario one = SCENARIO("1 batch of 96 x 96", 96, 1, .repeats = 1);
static const struct judge_scenario large =
    SCENARIO("4 batches of 1024 x 1024", LARGE, LARGE_BATCHES, .model_only = true);

/* A trace that holds all the work of the large scenario, so that nobody gains by leaving some out.
 */
static const struct trace *trace_large(struct judge *j)
{
    const double bytes = (double)LARGE_BATCHES * LARGE * LARGE * sizeof(float);
    judge_run(j);
    const struct trace *t = judge_trace(j);
    size_t kernels = trace_count(t, "sm", "matmul*");
    judge_expect(kernels == LARGE_BATCHES,
                 "the trace shows %zu matmul kernels for %d batches: each batch needs one", kernels,
                 LARGE_BATCHES);
    judge_expect(trace_bytes(t, "h2d", NULL) >= 2 * bytes && trace_bytes(t, "d2h", NULL) >= bytes,
                 "the copies in the trace move less than all of a, b and c");
    return t;
}

/* ---- checks ---------------------------------------------------------------------------------- */

JUDGE_CHECK(lab01, results, 30, "every product is right")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &small);
    for (int i = 0; i < 3; i++)
        judge_run(j);
    judge_prepare(j, &one);
    judge_run(j);
}

JUDGE_CHECK(lab01, complete, 10, "lab01_run returns when the work is done, not before")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &large);
    judge_next("wait for the event behind the last copy: cudaEventSynchronize(state->downloaded)");
    judge_expect_done(
        j,
        "lab01_run returned while the device was still working: what it queued last had not been "
        "waited for, so c cannot be read yet");
}

JUDGE_CHECK(lab01, pinned, 20, "copies are from and to pinned memory")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &large);
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
static void judge_stages(const struct trace *t, double h2d_us, double kernel_us, double d2h_us)
{
    const double off = 0.25;
    double h2d = trace_sum_us(t, "h2d", NULL), kernel = trace_sum_us(t, "sm", "matmul*"),
           d2h = trace_sum_us(t, "d2h", NULL);
    double ratios[] = {h2d_us / h2d, kernel_us / kernel, d2h_us / d2h}, worst = 1;
    bool milliseconds = true;
    int one_batch = 0, all_batches = 0;
    for (int i = 0; i < 3; i++) {
        worst = fabs(ratios[i] - 1) > fabs(worst - 1) ? ratios[i] : worst;
        one_batch += fabs(ratios[i] * LARGE_BATCHES - 1) <= 2 * off;
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
    struct judge *j = judge_start(JUDGE_SUBMISSION, &large);
    judge_run(j);
    judge_run(j);
    /* reported by a run that no trace held up */
    double h2d_us = judge_value(j, "h2d_us"), kernel_us = judge_value(j, "kernel_us"),
           d2h_us = judge_value(j, "d2h_us");
    const struct trace *t = trace_large(j);
    judge_show_timeline(j);
    judge_stages(t, h2d_us, kernel_us, d2h_us);
}

JUDGE_CHECK(lab01, time, 10, "as fast as the reference")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &large),
                 *reference = judge_start(JUDGE_REFERENCE, &large);
    judge_next("look at the timeline: what does the device wait for between two batches?");
    judge_expect_time(
        &(struct judge_race){.submission = j,
                             .reference = reference,
                             .at_most = 1.10,
                             .slow = "the batches take longer than copies and kernel: something in "
                                     "lab01_run costs time that belongs into "
                                     "lab01_setup (allocations?), or the copies are pageable"});
}

JUDGE_CHECK(lab01, clean, 10, "no race, nothing read before it was written, nothing left behind")
{
    judge_needs_findings();
    struct judge *j = judge_start(JUDGE_SUBMISSION, &large);
    trace_large(j);
    judge_next(
        "order: all work in one stream, the copies in front of the kernel that reads them; a leak: "
        "lab01_teardown gives back all that lab01_setup took");
    judge_expect_no_findings(j);
}
