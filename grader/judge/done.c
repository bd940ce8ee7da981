/* done.c: is the device idle when the submission's last function returns? */
#include <math.h>
#include <stdio.h>

#include "inside.h"
#include "query/trace.h"

enum { RUNS = 3, MOST_PLACES = 24 };

/* Work that is left is at least one operation: more than this share of a run. */
static const double least_left = 0.01;

/* An idle device answers as it answers the reference: up to this many times as late. */
static const double later = 3;

/* The time that bench_pending reports. A GPU's host can be late in one run: then work that nobody
 * waited for is complete, or an idle device answers late. So two of at most RUNS runs have to
 * agree, and the second smallest counts. Virtual time is exact, and only threads of the submission
 * can make a difference between its runs: each of them has to leave the device idle. */
struct pending {
    double us, run_us;
};

static struct pending run(struct judged *j)
{
    struct pending p = {.us = INFINITY};
    const bool is_exact = judge_device_is_simulated();
    double least_us = INFINITY, most_us = 0;
    for (int i = 0; i < RUNS && (i < 2 || is_exact || p.us > least_left * p.run_us); i++) {
        p.run_us = judge_run(j).time_us;
        const double us = judge_pending_us(j);
        p.us = fmin(p.us, fmax(us, least_us));
        least_us = fmin(least_us, us);
        most_us = fmax(most_us, us);
    }
    if (is_exact)
        p.us = most_us;
    return p;
}

/* Is the last work of a run, outside of graphs, in the legacy stream? Then the streams of the
 * submission are waited for, and one of its handles is 0. Only the simulated device's trace of one
 * run is that of all. Work after bench_pending's wait is the adapter's. */
static bool ends_in_legacy_stream(struct judged *j)
{
    const struct trace_row *last = NULL;
    const struct trace *t = judge_device_is_simulated() ? judge_trace(j) : NULL;
    const struct trace_row *own = t ? trace_first(t, "api", "cudaDeviceSynchronize") : NULL;
    for (size_t i = 0; own && i < t->n_rows; i++) {
        const struct trace_row *row = &t->rows[i];
        if (row->stream >= 0 && row->start_us < own->end_us &&
            (!last || row->end_us > last->end_us))
            last = row;
    }
    return last && last->stream == 0 && last->node < 0;
}

/* Of a stream that the host has not waited for; "": there is none. */
static void say_unwaited(const struct judged *j, const char *before, char words[160])
{
    const int stream = judge_unwaited_stream(j);
    const struct simgpu_caller call = {.at = (uint32_t)judge_reported(j, UNWAITED_CREATED)};
    struct session_place created;
    char name[32];
    judge_place(judge_session->subject, call, &created);
    snprintf(name, sizeof name, stream ? "stream %d" : "the legacy stream", stream);
    snprintf(words, stream < 0 ? 1 : 160, "%sthe host has not waited for %s%s%s", before, name,
             created.at[0] ? ", created at " : "", created.at);
}

static void expect_idle(struct judged *j, const struct pending *own, const char *unfinished)
{
    double limit_us = least_left * own->run_us;
    if (own->us > limit_us) {
        judge_gpu_take();
        struct judged *reference = judge_start(JUDGE_REFERENCE, j->scenario);
        judge_run(reference);
        limit_us = fmax(limit_us, later * run(reference).us);
        judge_stop(reference);
    }
    const int stream = judge_unwaited_stream(j);
    char unwaited[160];
    say_unwaited(j, "; ", unwaited);
    judge_actual("%.0f us of work left when it returned%s", own->us, unwaited);
    judge_expected("none: a device that is idle answers within %.1f us here", limit_us);
    judge_measured(own->us, limit_us, "us");
    if (own->us <= limit_us && stream >= 0 && judge_has_slept(j))
        judge_fail_that("slept");
    if (own->us <= limit_us)
        return;
    judge_fail_that(ends_in_legacy_stream(j) ? "left_in_legacy_stream" : unfinished);
}

void judge_expect_done(struct judged *j, const char *unfinished)
{
    const struct pending own = run(j);
    expect_idle(j, &own, unfinished);
}

/* Those of setup first, from this one on; 0: none. A process in which none fails has set up, and
   runs. */
static void expect_error(const struct judge_scenario *scenario, int of_setup)
{
    struct judge_scenario failing = *scenario;
    bool has_failed = judge_device_is_simulated();
    failing.tries = "error";
    failing.failing_place = of_setup;
    judge_forget();
    for (uint32_t of_run = 1; has_failed && of_run <= MOST_PLACES;) {
        struct judged *j = judge_start(JUDGE_SUBMISSION, &failing);
        if (j->reply.has_failed_call)
            failing.failing_place = (failing.failing_place + 1) % (MOST_PLACES + 1);
        else {
            failing.failing_place = 0;
            if (j->scenario->fill)
                judge_memory_refresh(j, JUDGE_ALL_PARTS);
            judge_ask(j, WIRE_ARM, -1);
            j->request.failing_place = of_run++;
            judge_ask(j, WIRE_GO, -1);
            has_failed = j->reply.has_failed_call;
        }
        judge_stop(j);
    }
}

void judge_expect_error(const struct judge_scenario *scenario)
{
    expect_error(scenario, 1);
}

void judge_expect_error_of_run(const struct judge_scenario *scenario)
{
    expect_error(scenario, 0);
}

void judge_expect_waited(const struct judged *j, const char *unwaited)
{
    const int stream = judge_unwaited_stream(j);
    if (stream < 0)
        return;
    char actual[160];
    say_unwaited(j, "", actual);
    judge_actual("%s", actual);
    judge_expected("the host has waited for every stream");
    judge_fail_that(judge_has_slept(j) ? "slept" : unwaited);
}

void judge_run_to_end(struct judged *j, const char *unfinished)
{
    if (!judge_device_is_simulated()) {
        judge_run(j);
        return;
    }
    const struct pending own = run(j);
    expect_idle(j, &own, unfinished);
    judge_forget();
}
