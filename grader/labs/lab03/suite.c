/*
 * suite.c: the suite of lab 03, from top to bottom what a submission must do.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "judge/judge.h"
#include "labs/products.h"
#include "query/trace.h"

JUDGE_LAB(.name = "lab03", .title = "copies and kernels at the same time");

/* ---- scenarios ------------------------------------------------------------------------------- */

enum { STREAMS = 4, BUFFERS = 4 };

/* So many batches of about n x n, over four streams and four sets. */
static void scenario(struct products_scenario *s, long n, long n_batches, bool look)
{
    products_make(s, &(struct products){.n = products_size(n),
                                        .n_batches = n_batches,
                                        .n_streams = STREAMS,
                                        .n_sets = BUFFERS,
                                        .look = look});
}

static const struct trace *trace_all(struct judge *j)
{
    judge_run(j);
    const struct trace *t = judge_trace(j);
    products_expect_all_work(j, t);
    return t;
}

/* ---- results and order ----------------------------------------------------------------------- */

static const char still_working[] = "lab03_run returned while the device was still working: not "
                                    "every stream has been waited for, so c cannot be read yet",
                  wait_for_all[] = "the last batches are in different streams: "
                                   "cudaStreamSynchronize for every one of them";

JUDGE_CHECK(lab03, results, 25, "every product is right, however many streams and sets there are")
{
    products_expect_results(still_working, wait_for_all);
}

JUDGE_CHECK(lab03, race_free, 15, "no set is reused too early: no race, nothing left behind")
{
    judge_needs_findings();
    struct products_scenario ring;
    products_make(&ring, &(struct products){.n = products_size(512),
                                            .n_batches = judge_draw(11, 13, 1),
                                            .n_streams = STREAMS,
                                            .n_sets = BUFFERS - 1});
    struct judge *j = judge_start(JUDGE_SUBMISSION, &ring.judge);
    trace_all(j);
    judge_next("order: before a batch fills a set, cudaStreamWaitEvent on the event that the set's "
               "last user recorded "
               "behind its copy back; a leak: lab03_teardown gives back all that lab03_setup took");
    judge_expect_no_findings(j);
}

JUDGE_CHECK(lab03, complete, 10, "lab03_run returns when c is complete, not before")
{
    struct products_scenario large;
    scenario(&large, 1024, judge_draw(18, 22, 1), false);
    struct judge *j = judge_start(JUDGE_SUBMISSION, &large.judge);
    judge_next("%s", wait_for_all);
    judge_expect_done(j, still_working);
    double unwaited = judge_value(j, "unwaited_stream");
    judge_actual("nobody has waited for stream %.0f", unwaited);
    judge_expected(
        "every stream, or something that comes after its last copy, has been waited for");
    judge_expect(
        unwaited < 0,
        "c was complete by luck: not every stream has been waited for, and the end of one batch "
        "says nothing about batches in other streams");
}

/* ---- what may be used ------------------------------------------------------------------------ */

JUDGE_CHECK(lab03, memory, 5, "device memory for the ring and no more")
{
    /* some for what a submission needs beside the ring */
    struct products_scenario roomy;
    scenario(&roomy, 1024, 10, true);
    struct judge *j = judge_start(JUDGE_SUBMISSION, &roomy.judge);
    const double n = (double)judge_number(j, "n"), set_bytes = 3 * n * n * sizeof(float),
                 slack_bytes = 2 * set_bytes;
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

/* What streams a run may use. */
static void judge_streams(const struct trace *t)
{
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

static void judge_work(const struct judge *j, const struct trace *t)
{
    products_expect_all_work(j, t);
    judge_streams(t);
}

JUDGE_CHECK(lab03, streams, 5, "at most n_streams streams, made in setup")
{
    struct products_scenario middle;
    scenario(&middle, 512, judge_draw(9, 11, 1), false);
    struct judge *j = judge_start(JUDGE_SUBMISSION, &middle.judge);
    const struct trace *t = trace_all(j);
    judge_streams(t);
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
    struct products_scenario middle;
    scenario(&middle, 512, judge_draw(9, 11, 1), false);
    struct judge *j = judge_start(JUDGE_SUBMISSION, &middle.judge);
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

/* T against the busiest of the three stages: 20 batches of about n x n. */
static void judge_limit(long n, double at_most, const char *slow, const char *step)
{
    struct products_scenario timed;
    scenario(&timed, n, judge_draw(18, 22, 1), false);
    struct judge *j = judge_start(JUDGE_SUBMISSION, &timed.judge),
                 *reference = judge_start(JUDGE_REFERENCE, &timed.judge);
    judge_next("%s", step);
    struct judge_times times = judge_expect_time(&(struct judge_race){.submission = j,
                                                                      .reference = reference,
                                                                      .at_most = at_most,
                                                                      .floor_us = measure_alone,
                                                                      .look = judge_work,
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
        1024, 1.10,
        "the batches take longer than they must: look in the timeline for the moments at which the "
        "busiest "
        "lane has a gap",
        "which wait, or which call of the host, stands before each gap of the compute lane?");
}

JUDGE_CHECK(lab03, short_batches, 10,
            "and not far from it where copies are, in batches of a few microseconds")
{
    judge_limit(256, 1.50,
                "batches of 256 x 256 take longer than they must: here fixed costs count, of every "
                "copy, every wait "
                "and every call",
                "is anything created, allocated or waited for once a batch?");
}
