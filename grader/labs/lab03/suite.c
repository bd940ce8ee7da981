/*
 * suite.c: the suite of lab 03, from top to bottom what a submission must do.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels/kernels.h"
#include "judge/judge.h"
#include "query/trace.h"

JUDGE_LAB(.name = "lab03", .title = "copies and kernels at the same time");

/* ---- scenarios ------------------------------------------------------------------------------- */

static double product_at(struct judge *j, size_t batch, size_t row, size_t column)
{
    size_t n = (size_t)judge_number(j, "n"), n_batches = (size_t)judge_number(j, "n_batches");
    const float *a = judge_buffer(j, "a and b") + batch * n * n, *b = a + n_batches * n * n;
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
                                                    .samples = n > 128 ? 32 : 0,
                                                    .tolerance = 1e-5});
}

/* One buffer holds a and, right behind it, b. */
#define SCENARIO(words_, n_, batches_, streams_, buffers_, ...)                                    \
    {                                                                                              \
        .name = words_,                                                                            \
        .numbers = {{"n", n_},                                                                     \
                    {"n_batches", batches_},                                                       \
                    {"n_streams", streams_},                                                       \
                    {"n_buffers", buffers_},                                                       \
                    __VA_ARGS__},                                                                  \
        .buffers = {{"a and b", JUDGE_INPUT, 2 * (size_t)(batches_) * (n_) * (n_),                 \
                     .pinned = true},                                                              \
                    {"c", JUDGE_OUTPUT, (size_t)(batches_) * (n_) * (n_), .pinned = true,          \
                     .made_by = "matmul"}},                                                        \
        .verify = verify, .model_only = (n_) > 128 && (n_) < 2048, .repeats = (n_) == 256 ? 10 : 1 \
    }
#define LOAD(copies)                                                                               \
    {"load", copies},                                                                              \
    {                                                                                              \
        "count_bytes", 0                                                                           \
    }
#define COUNT_BYTES                                                                                \
    {"load", 0},                                                                                   \
    {                                                                                              \
        "count_bytes", 1                                                                           \
    }

enum { STREAMS = 4, BUFFERS = 4, MIDDLE = 512, MIDDLE_BATCHES = 10, ROOMY = 1024 };

static const struct judge_scenario even =
    SCENARIO("10 batches of 64 x 64, 3 streams, 3 sets", 64, 10, 3, 3, LOAD(0));
static const struct judge_scenario uneven =
    SCENARIO("11 batches of 64 x 64, 4 streams, 3 sets", 64, 11, 4, 3, LOAD(0));
static const struct judge_scenario spare =
    SCENARIO("9 batches of 32 x 32, 2 streams, 5 sets", 32, 9, 2, 5, LOAD(0));
static const struct judge_scenario late = SCENARIO(
    "9 batches of 96 x 96, 4 streams, 2 sets, and a busy D2H engine", 96, 9, 4, 2, LOAD(8));
static const struct judge_scenario slow_kernels =
    SCENARIO("4 batches of 2048 x 2048, 4 streams, 2 sets", 2048, 4, 4, 2, LOAD(0));
static const struct judge_scenario ring =
    SCENARIO("12 batches of 512 x 512, 4 streams, 3 sets", 512, 12, 4, 3, LOAD(0));
static const struct judge_scenario middle =
    SCENARIO("10 batches of 512 x 512, 4 streams, 4 sets", MIDDLE, MIDDLE_BATCHES, STREAMS, BUFFERS,
             LOAD(0));
static const struct judge_scenario roomy = SCENARIO("10 batches of 1024 x 1024, 4 streams, 4 sets",
                                                    ROOMY, 10, STREAMS, BUFFERS, COUNT_BYTES);
static const struct judge_scenario large =
    SCENARIO("20 batches of 1024 x 1024, 4 streams, 4 sets", 1024, 20, STREAMS, BUFFERS, LOAD(0));
static const struct judge_scenario short_batches =
    SCENARIO("20 batches of 256 x 256, 4 streams, 4 sets", 256, 20, STREAMS, BUFFERS, LOAD(0));

/* A trace that holds all the work of the scenario, so that nobody gains by leaving some out. */
static const struct trace *trace_all(struct judge *j)
{
    const double batches = (double)judge_number(j, "n_batches"), n = (double)judge_number(j, "n");
    const double bytes = batches * n * n * sizeof(float);
    judge_run(j);
    const struct trace *t = judge_trace(j);
    size_t kernels = trace_count(t, "sm", "matmul*");
    judge_expect((double)kernels == batches,
                 "the trace shows %zu matmul kernels for %.0f batches: each batch needs one",
                 kernels, batches);
    judge_expect(trace_bytes(t, "h2d", NULL) >= 2 * bytes && trace_bytes(t, "d2h", NULL) >= bytes,
                 "the copies in the trace move less than all of a, b and c");
    return t;
}

/* ---- results and order ----------------------------------------------------------------------- */

JUDGE_CHECK(lab03, results, 25, "every product is right, however many streams and sets there are")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &even);
    for (int i = 0; i < 3; i++)
        judge_run(j);
    judge_prepare(j, &uneven);
    judge_run(j);
    judge_prepare(j, &spare);
    judge_run(j);
    judge_prepare(j, &late);
    judge_run(j);
    if (judge_device_is_simulated())
        return; /* race_free sees there what only long kernels bring to light on a GPU */
    judge_prepare(j, &slow_kernels);
    judge_run(j);
}

JUDGE_CHECK(lab03, race_free, 15, "no set is reused too early: no race, nothing left behind")
{
    judge_needs_findings();
    struct judge *j = judge_start(JUDGE_SUBMISSION, &ring);
    trace_all(j);
    judge_next("order: before a batch fills a set, cudaStreamWaitEvent on the event that the set's "
               "last user recorded "
               "behind its copy back; a leak: lab03_teardown gives back all that lab03_setup took");
    judge_expect_no_findings(j);
}

JUDGE_CHECK(lab03, complete, 10, "lab03_run returns when c is complete, not before")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &large);
    judge_next(
        "the last batches are in different streams: cudaStreamSynchronize for every one of them");
    judge_expect_done(j, "lab03_run returned while the device was still working: not every stream "
                         "had been waited for, "
                         "so c cannot be read yet");
    double unwaited = judge_value(j, "unwaited_stream");
    judge_actual("nobody has waited for stream %.0f", unwaited);
    judge_expected(
        "every stream, or something that comes after its last copy, has been waited for");
    judge_expect(
        unwaited < 0,
        "c was complete by luck: that the last batch is done says nothing of those before it, "
        "which are in other streams");
}

/* ---- what may be used ------------------------------------------------------------------------ */

JUDGE_CHECK(lab03, memory, 5, "device memory for the ring and no more")
{
    /* some for what a submission needs beside the ring */
    const double set_bytes = 3.0 * ROOMY * ROOMY * sizeof(float), slack_bytes = 2 * set_bytes;
    struct judge *j = judge_start(JUDGE_SUBMISSION, &roomy);
    judge_run(j);
    double bytes = judge_value(j, "device_bytes");
    judge_next("n_buffers sets of a, b and c; batch i uses set i %% n_buffers");
    judge_actual("%.1f MiB of device memory", bytes / (1 << 20));
    judge_expected("%.1f MiB for %d sets, and some to spare", BUFFERS * set_bytes / (1 << 20),
                   BUFFERS);
    judge_expect_at_most(bytes, BUFFERS * set_bytes + slack_bytes, "bytes",
                         "more device memory than the ring of %d sets needs: a ring is for when "
                         "the whole problem does "
                         "not fit",
                         BUFFERS);
}

JUDGE_CHECK(lab03, streams, 5, "at most n_streams streams, made in setup")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &middle);
    const struct trace *t = trace_all(j);
    size_t made = trace_api_calls(t, "cudaStreamCreate*", -1, INFINITY), used = trace_streams(t);
    judge_measured((double)used, STREAMS, "streams");
    judge_next("create the streams in lab03_setup, keep them in struct lab03_state, destroy them "
               "in lab03_teardown");
    judge_expect(made == 0,
                 "lab03_run creates streams: that costs time in every run, and who destroys them?");
    if (used > STREAMS && trace_uses_legacy_stream(t)) {
        judge_next("cudaMemcpyAsync in place of cudaMemcpy, and the batch's stream as the launch's "
                   "last argument");
        judge_fail(
            "work is on the legacy default stream as well as on the %d streams that were given",
            STREAMS);
    }
    judge_expect(used <= STREAMS,
                 "work is on %zu streams, %d were given: more of them do not make more engines",
                 used, STREAMS);
}

/* ---- overlap --------------------------------------------------------------------------------- */

/* The three ways in which everything ends up one after the other. */
static void judge_serial(const struct trace *t)
{
    const struct trace_row *last = trace_last(t, "api", "cudaLaunchKernel*");
    const struct trace_row *wait = last ? trace_host_wait(t, -1, last->start_us) : NULL;
    if (trace_uses_legacy_stream(t))
        judge_next("cudaMemcpyAsync in place of cudaMemcpy, and the batch's stream as the launch's "
                   "last argument");
    judge_expect(!trace_uses_legacy_stream(t),
                 "work is on the legacy default stream (stream 0, or a cudaMemcpy): blocking "
                 "streams wait for it and "
                 "it for them, and with cudaStreamNonBlocking ones it has no order at all");
    judge_expect(trace_streams(t) > 1,
                 "everything is on one stream: what is in one stream never overlaps");
    if (wait)
        judge_fail("%s in the middle of the batches: until it returns the host queues nothing, and "
                   "the engines run "
                   "dry",
                   wait->name);
}

JUDGE_CHECK(lab03, overlap, 15, "H2D, compute and D2H run at the same time")
{
    static const struct {
        const char *engine, *other, *words;
        double least;
    } pairs[] = {{"h2d", "sm", "H2D copies and kernels", 0.3},
                 {"sm", "d2h", "kernels and D2H copies", 0.3},
                 {"h2d", "d2h", "H2D and D2H copies", 0.25}};
    struct judge *j = judge_start(JUDGE_SUBMISSION, &middle);
    const struct trace *t = trace_all(j);
    judge_show_timeline(j);
    judge_next(
        "queue all batches first, batch i in stream i %% n_streams, and wait only afterwards");
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        double part = trace_overlap_fraction(t, pairs[i].engine, pairs[i].other);
        judge_measured(part, pairs[i].least, "ratio");
        if (part >= pairs[i].least)
            continue;
        judge_actual("%s together for %.0f %% of the shorter of the two", pairs[i].words,
                     part * 100);
        judge_expected("%.0f %% and more", pairs[i].least * 100);
        judge_serial(t);
        judge_next("an event for each set: wait for that of set i %% n_buffers, which its last "
                   "user recorded, and for "
                   "no other");
        judge_fail("%s hardly overlap: does each batch wait for more than the set that it reuses?",
                   pairs[i].words);
    }
}

/* ---- time ------------------------------------------------------------------------------------ */

/* The three stages, each measured alone by the grader, the last time that it was asked. */
static struct {
    double h2d_us, kernel_us, d2h_us;
} alone;

static double measure_alone(struct judge *reference)
{
    judge_floor(reference);
    alone.h2d_us = judge_value(reference, "h2d_us");
    alone.kernel_us = judge_value(reference, "kernel_us");
    alone.d2h_us = judge_value(reference, "d2h_us");
    return judge_value(reference, "no_less_us");
}

/* T against the busiest of the three stages. */
static void judge_limit(const struct judge_scenario *scenario, double at_most, const char *slow,
                        const char *step)
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, scenario),
                 *reference = judge_start(JUDGE_REFERENCE, scenario);
    judge_next("%s", step);
    struct judge_times times = judge_expect_time(&(struct judge_race){.submission = j,
                                                                      .reference = reference,
                                                                      .at_most = at_most,
                                                                      .floor_us = measure_alone,
                                                                      .slow = slow});
    double limit_us = fmax(alone.h2d_us, fmax(alone.kernel_us, alone.d2h_us));
    judge_note("%.0f us: %.2f of the limit (H2D %.0f, compute %.0f, D2H %.0f us alone); the "
               "reference reaches %.2f",
               times.time_us, limit_us / times.time_us, alone.h2d_us, alone.kernel_us, alone.d2h_us,
               limit_us / times.reference_us);
}

JUDGE_CHECK(lab03, time, 15, "as near to the limit as the reference, where kernels are the limit")
{
    judge_limit(
        &large, 1.10,
        "the batches take longer than they must: look in the timeline for the moments at which the "
        "busiest "
        "lane has a gap",
        "which wait, or which call of the host, stands before each gap of the compute lane?");
}

JUDGE_CHECK(lab03, short_batches, 10,
            "and not far from it where copies are, in batches of a few microseconds")
{
    judge_limit(&short_batches, 1.50,
                "batches of 256 x 256 take longer than they must: here fixed costs count, of every "
                "copy, every wait "
                "and every call",
                "is anything created, allocated or waited for once a batch?");
}
