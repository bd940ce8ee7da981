/* suite.c: the suite of lab 09, from top to bottom what a submission must do. */
#include <cuda_runtime_api.h>
#include <math.h>
#include <string.h>

#include "expected.h"
#include "exchange.h"
#include "judge/judge.h"
#include "labs/lab09/mistakes.h"
#include "query/trace.h"
#include "requests.h"
#include "session/session.h"

JUDGE_LAB(.name = "lab09", .title = "a cache of graphs, for a service that runs for hours",
          .rules = &lab09_rules);

/* A member of an entry, where the function that looks for one found none. */
bool lab09_of_no_entry(const struct facts *f)
{
    enum { NULL_PAGE = 4096 };
    const struct session_event *e = f->event;
    return e->cause == CAUSE_ENDED && e->has_fault && e->fault.address < NULL_PAGE &&
           strstr(e->fault_at.text, "e->");
}

static void expect_at_most(double measured, double required, const char *unit, const char *mistake)
{
    judge_measured(measured, required, unit);
    judge_expect_that(measured <= required, mistake);
}

/* ---- scenarios ------------------------------------------------------------------------------- */

enum { MANY = 8 };

/* ---- results --------------------------------------------------------------------------------- */

static const struct judge_scenario one_client =
    SERVICE("16 requests of 8 shapes from one client", .sequence = MIXED, .requests = 16,
            .streams = 1, .inputs = 16, .max_execs = 8, .max_floats = AMPLE);
static const struct judge_scenario three_clients = SERVICE(
    "24 requests of 8 shapes from 3 clients, each shape from one address", .sequence = MIXED,
    .requests = 24, .streams = 3, .inputs = 8, .max_execs = 8, .max_floats = AMPLE);

static void expect_results(struct judged *j)
{
    for (int i = 0; i < 2; i++)
        judge_run_to_end(j, "no_wait");
}

JUDGE_CHECK(lab09, results, 10, "Every request has the right result.")
{
    struct judged *j = judge_start(JUDGE_SUBMISSION, &one_client);
    expect_results(j);
    judge_prepare(j, &three_clients);
    expect_results(j);
    judge_run_unaided(j, NULL);
}

/* ---- does a graph pay? ----------------------------------------------------------------------- */

static const struct judge_scenario chains =
    SERVICE("chains of 2, 16 and 128 kernels", .sequence = MIXED, .requests = 16, .streams = 1,
            .inputs = 16, .max_execs = 8, .max_floats = AMPLE);

JUDGE_CHECK(lab09, break_even, 10, "The break-even is predicted to within one launch.")
{
    struct judged *j = judge_start(JUDGE_SUBMISSION, &chains);
    judge_floor(j);
    lab09_expect_break_even(j);
    judge_forget();
    judge_note("a graph pays from launch %.0f on with %d kernels, %.0f with %d, %.0f with %d",
               judge_value(j, measured[0]), lab09_kernels[0], judge_value(j, measured[1]),
               lab09_kernels[1], judge_value(j, measured[2]), lab09_kernels[2]);
}

/* ---- the cache ------------------------------------------------------------------------------- */

static const struct judge_scenario all_kept = UNVERIFIED(
    "16 requests of 8 shapes, room for all, each shape from one address", .sequence = MIXED,
    .requests = 16, .streams = 1, .inputs = 8, .max_execs = 8, .max_floats = AMPLE);
static const struct judge_scenario all_long =
    UNVERIFIED("4 long requests of one shape", .sequence = ONE_LONG, .requests = 4, .streams = 1,
               .inputs = 4, .max_execs = 1, .max_floats = AMPLE);

/* Of a hit, while the launch before it still runs. */
struct hit {
    bool is_miss; /* it was captured again */
    double serve_us, device_us;
};

/* Before any trace, after which the launches of a process can take longer. */
static struct hit time_hit(struct judged *j)
{
    struct hit hit;
    judge_run_next(j, &all_long);
    hit.is_miss = lab09_captured(j, 1);
    hit.device_us = judge_run(j).time_us / (double)judge_numbers(j)->requests;
    hit.serve_us = lab09_noted(j, 1, LOG_US);
    return hit;
}

/* Does the host wait for the launches of an entry when it serves the next request of its shape? */
static void expect_no_wait(struct hit hit)
{
    judge_expect_that(!hit.is_miss, "never_found");
    judge_actual("lab09_serve took %.1f us, with %.1f us of device work for each request",
                 hit.serve_us, hit.device_us);
    judge_expected("at most half of that");
    expect_at_most(hit.serve_us, hit.device_us / 2, "us", "host_waits");
    judge_forget();
}

/* Has each request a copy of this engine? */
static void expect_copies(struct judged *j, const struct trace *t, const char *engine)
{
    const size_t n = trace_count(t, engine, NULL), requests = judge_numbers(j)->requests;
    judge_actual("%zu copies (%s)", n, engine);
    judge_expected("one for each of %zu requests", requests);
    judge_expect_that(n >= requests, "not_copied");
    judge_forget();
}

/* Does the run create events or streams, or allocate memory, before its last graph launch? */
static bool creates(const struct trace *t)
{
    const struct trace_row *last = trace_last(t, "api", "cudaGraphLaunch");
    return last && trace_creations(t, last->start_us) > 0;
}

/* One launch for each request, and nothing that an earlier request could have left. */
static void expect_launches_only(struct judged *j)
{
    judge_run_next(j, &all_kept);
    lab09_expect_found(j);
    const struct trace *t = judge_trace(j);
    const size_t requests = judge_numbers(j)->requests,
                 made = trace_calls(t, "cudaGraphInstantiate*") +
                        trace_calls(t, "cudaGraphExecUpdate"),
                 launched = trace_calls(t, "cudaGraphLaunch");
    bool streamed = false;
    for (size_t i = 0; i < requests; i++)
        streamed = streamed || lab09_noted(j, i, LOG_STREAMED) > 0;
    judge_measured((double)made, 0, "instantiations");
    judge_actual("%zu instantiations and updates, %zu graph launches", made, launched);
    judge_expected("none, and a launch for each of %zu requests", requests);
    judge_expect_that(made == 0, "creates_on_hit");
    judge_expect_that(launched == requests && !streamed, "not_one_launch");
    judge_forget();
    judge_expect_that(judge_value(j, other_launches) <= 0, "launches_other_graph");
    judge_expect_that(trace_calls(t, "cudaMemcpy") == 0, "synchronous_copy");
    judge_expect_that(!creates(t), "creates_on_hit");
    if (!judge_device_is_simulated()) /* there the results say so */
        return;
    expect_copies(j, t, "h2d");
    expect_copies(j, t, "d2h");
}

JUDGE_CHECK(lab09, hits, 10, "A hit launches the graph that exists, and returns.")
{
    struct judged *j = judge_start(JUDGE_SUBMISSION, &all_kept);
    lab09_expect_lookup(j);
    const struct hit hit = time_hit(j);
    expect_launches_only(j);
    expect_no_wait(hit);
}

static const struct judge_scenario evicted_beside =
    UNVERIFIED("4 requests from 2 clients, a short entry is evicted while a long one runs",
               .sequence = LONG_BESIDE, .requests = 4, .streams = 2, .inputs = 4, .max_execs = 2,
               .max_floats = AMPLE);
static const struct judge_scenario evicted_before = UNVERIFIED(
    "5 requests from 2 clients, a short entry is evicted while a long one runs in its stream",
    .sequence = LONG_AFTER, .requests = 5, .streams = 2, .inputs = 5, .max_execs = 2,
    .max_floats = AMPLE);

/* Does the host wait before the last call of this name? No entry is evicted, so nothing has to be
   complete for a request. */
static void expect_no_call_waits(struct judged *j, const char *last_call, const char *m)
{
    const struct trace *t = judge_trace(j);
    const struct trace_row *last = trace_last(t, "api", last_call),
                           *wait = last ? trace_host_wait(t, 0, last->start_us) : NULL;
    judge_actual("%s between the requests", wait ? wait->name : "no wait");
    judge_expected("no call that waits");
    judge_expect_that(!wait, m);
    judge_forget();
}

/* Each request of the first run is a miss. A GPU's trace is of a later run. */
static void expect_no_wait_on_miss(void)
{
    struct judged *j = judge_start(JUDGE_SUBMISSION, &all_kept);
    expect_no_call_waits(j, "cudaGraphLaunch", "miss_waits");
    judge_stop(j);
}

/* Does an eviction wait for its entry only? */
static void expect_short_waits(struct judged *j, const struct judge_scenario *scenario)
{
    judge_run_next(j, scenario);
    const double all_us = judge_run(j).time_us;
    double host_us = 0;
    for (size_t i = 0; i < judge_numbers(j)->requests; i++)
        host_us += lab09_noted(j, i, LOG_US);
    if (host_us > all_us / 2) {
        expect_no_wait(time_hit(j));
        judge_prepare(j, scenario);
    }
    judge_actual("the host spent %.1f us in lab09_serve, of %.1f us until the last result", host_us,
                 all_us);
    judge_expected("at most half of that time");
    expect_at_most(host_us, all_us / 2, "us", "eviction_waits_for_all");
    judge_forget();
}

JUDGE_CHECK(lab09, evictions, 10, "Hits, misses and evictions are those of an LRU cache.")
{
    struct judged *j = judge_start(JUDGE_SUBMISSION, &evicted_beside);
    lab09_expect_lru(j);
    if (judge_device_is_simulated())
        expect_no_wait_on_miss();
    expect_short_waits(j, &evicted_beside);
    if (judge_device_is_simulated())
        expect_short_waits(j, &evicted_before);
}

static const struct judge_scenario tight =
    UNVERIFIED("22 requests, one shape as large as all others together",
               .sequence = LARGE_AND_SMALL, .requests = 22, .streams = 1, .inputs = 22,
               .max_execs = 3, .max_floats = 2 * LAB09_MAX_N + 512);

JUDGE_CHECK(lab09, budget, 10, "The cache never exceeds its budget.")
{
    struct judged *j = judge_run_first(&tight);
    const size_t last = judge_numbers(j)->requests - 1;
    for (size_t i = 0; i <= last; i++)
        lab09_expect_allocated(j, i);
    expect_at_most(lab09_noted(j, last, LOG_WORKSPACES), (double)judge_numbers(j)->max_execs,
                   "entries", "keeps_workspace");
    expect_at_most(lab09_noted(j, last, LOG_FLOATS), (double)judge_numbers(j)->max_floats, "floats",
                   "keeps_workspace");
    lab09_expect_execs(j, lab09_most_execs(judge_trace(j)));
}

JUDGE_CHECK(lab09, updates, 10,
            "An evicted executable graph is updated for a shape with as many kernels.")
{
    lab09_expect_updates();
}

/* ---- while a launch is running --------------------------------------------------------------- */

static const struct judge_scenario evicted_in_flight =
    TRYING("evicted", "6 requests of 3 shapes from 2 clients, room for 2 of them",
           .sequence = LONG_AND_SHORT, .requests = 6, .streams = 2, .inputs = 6, .max_execs = 3,
           .max_floats = 2560);
static const struct judge_scenario shared_in_flight =
    TRYING("shared", "6 long requests of 1 shape from 2 clients", .sequence = ONE_LONG,
           .requests = 6, .streams = 2, .inputs = 6, .max_execs = 2, .max_floats = AMPLE);

/* Is no event recorded after the copy out of the last request, the last use of its workspace? */
static bool is_done_early(const struct trace *t)
{
    const struct trace_row *copy = trace_last(t, "api", "cudaMemcpyAsync"),
                           *record = trace_last(t, "api", "cudaEventRecord*");
    return copy && (!record || record->start_us < copy->start_us);
}

static void expect_in_flight(struct judged *j, const struct judge_scenario *scenario)
{
    struct lab09_wrong w;
    judge_run(j);
    const bool is_wrong = lab09_is_wrong(j, &w),
               is_early = judge_device_is_simulated() && is_done_early(judge_trace(j));
    if (is_wrong) {
        judge_prepare(j, &one_client);
        expect_results(j);
        lab09_expect_lru(j);
        judge_run_next(j, scenario);
    }
    if (is_early)
        judge_fact("done_before_copy_out");
    if (is_wrong && judge_device_is_simulated())
        judge_expect_order(j); /* it names both operations */
    if (is_wrong) {
        judge_actual("out[request %zu, element %zu] = %.7g", w.request, w.element, w.actual);
        judge_expected("%.7g there", w.expected);
        judge_fail_that("wrong_in_flight");
    }
    if (judge_device_is_simulated())
        judge_expect_no_findings(j);
    judge_forget();
}

JUDGE_CHECK(lab09, in_flight, 10, "A workspace has one user at a time, also when it is evicted.")
{
    struct judged *j = judge_start(JUDGE_SUBMISSION, &evicted_in_flight);
    expect_in_flight(j, &evicted_in_flight);
    judge_prepare(j, &shared_in_flight);
    expect_in_flight(j, &shared_in_flight);
}

/* ---- the first request ----------------------------------------------------------------------- */

static const struct judge_scenario warmed =
    SERVICE("8 shapes, made before the first request, each requested twice", .sequence = EIGHT_LONG,
            .requests = 2 * MANY, .streams = 1, .inputs = 2 * MANY, .max_execs = MANY,
            .max_floats = AMPLE, .warm = MANY);

/* The least of MANY requests took so long. */
static double least_us(struct judged *j, size_t first)
{
    double us = INFINITY;
    for (size_t i = first; i < first + MANY; i++)
        us = fmin(us, lab09_noted(j, i, LOG_US));
    return us;
}

/* An instantiation can upload, too: then there is no call for it. */
static void expect_one_upload_each(const struct judged *j)
{
    const int uploads = (int)judge_value(j, uploads);
    judge_actual("%.0f launches by lab09_warm", judge_value(j, warm_launches));
    judge_expected("none");
    judge_expect_is(j, warm_launches, 0);
    judge_actual("%d uploads of %d executable graphs", uploads, MANY);
    judge_expected("one upload for each");
    if (uploads != 0)
        judge_expect_is(j, uploads, MANY);
    judge_forget();
}

JUDGE_CHECK(lab09, warm, 10, "After lab09_warm the first request is as fast as the next.")
{
    const double at_most = judge_device_is_simulated() ? 1.1 : 1.3;
    struct judged *j = judge_run_first(&warmed);
    const double first_us = least_us(j, 0), next_us = least_us(j, MANY);
    const bool next_captures = lab09_captured(j, MANY);
    size_t n_captures = 0;
    for (size_t i = 0; i < MANY; i++)
        n_captures += lab09_captured(j, i);
    if (n_captures > 0) {
        lab09_expect_lookup(j);
        judge_prepare(j, &warmed);
    }
    judge_actual("%zu of the first %d requests capture", n_captures, MANY);
    judge_expected("none: lab09_warm has captured their shapes");
    judge_expect_that(n_captures == 0, next_captures ? "never_found" : "warms_nothing");
    if (judge_device_is_simulated()) { /* its times are exact */
        judge_actual("%.1f us of uploads left when lab09_warm returned", judge_value(j, warm_us));
        judge_expected("none");
        judge_expect_that(judge_value(j, warm_us) <= 2 * judge_pending_us(j), "uploads_unfinished");
    }
    judge_actual("the first request of a shape took %.1f us, the next one %.1f us", first_us,
                 next_us);
    judge_expected("the first one takes at most %.1f times the next one's time", at_most);
    expect_at_most(first_us / next_us, at_most, "ratio", "not_uploaded");
    judge_forget();
    expect_one_upload_each(j);
    judge_note("first %.1f us, next %.1f us", first_us, next_us);
}

/* ---- captures and other threads -------------------------------------------------------------- */

static const struct judge_scenario among_threads =
    SERVICE("8 requests of 4 shapes; other threads allocate, launch and wait", .sequence = CYCLE,
            .requests = 8, .streams = 2, .inputs = 8, .max_execs = 4, .max_floats = AMPLE,
            .during = DURING_OTHERS);
static const struct judge_scenario allocating = UNVERIFIED(
    "8 requests of 4 shapes; the library allocates", .sequence = CYCLE, .requests = 8, .streams = 1,
    .inputs = 8, .max_execs = 4, .max_floats = AMPLE, .during = DURING_ALLOCATES);
static const struct judge_scenario refusing =
    TRYING("shared",
           "6 requests of one shape from 2 clients; the library returns an error in each capture",
           .sequence = SAME_SHAPE, .requests = 6, .streams = 2, .inputs = 6, .max_execs = 4,
           .max_floats = AMPLE, .during = DURING_REFUSES);
static const struct judge_scenario refusing_warm =
    SERVICE("8 requests of 4 shapes, made before; the library returns an error in each capture",
            .sequence = CYCLE, .requests = 8, .streams = 1, .inputs = 8, .max_execs = 4,
            .max_floats = AMPLE, .warm = 4, .during = DURING_REFUSES);
static const struct judge_scenario refusing_evictions =
    SERVICE("8 requests, 4 shapes with as many kernels, room for 3; from the fourth capture on, "
            "the library returns an error",
            .sequence = CYCLE, .requests = 8, .streams = 1, .inputs = 8, .max_execs = 3,
            .max_floats = AMPLE, .during = DURING_EVICTIONS);
static const struct judge_scenario synchronized =
    SERVICE("4 requests of one shape; another thread synchronizes the device during the first "
            "capture",
            .sequence = SAME_SHAPE, .requests = 4, .streams = 1, .inputs = 4, .max_execs = 4,
            .max_floats = AMPLE, .during = DURING_SYNC);

/* The client of the short requests waits first. If the other client's long one still runs then, it
 * was not waited for; if it is complete, the host may have been late: with stream launches it is.
 */
static void expect_wait_for_one(struct judged *j)
{
    bool still_runs = false;
    judge_prepare(j, &evicted_beside);
    for (int run = 0; run < 3 && !still_runs; run++) {
        judge_run(j);
        still_runs = judge_value(j, unfinished) > 0 || lab09_noted(j, 0, LOG_STREAMED) > 0;
    }
    judge_actual("the other client's long request was complete when lab09_wait returned");
    judge_expected("it still runs then");
    judge_expect_that(still_runs, "waits_for_all");
    judge_forget();
}

static const char after_failure[] = "call cudaStreamEndCapture also when lab->enqueue fails";

JUDGE_CHECK(lab09, threads, 10,
            "Other threads work during a capture; unsafe calls of its own are refused.")
{
    struct judged *j = judge_run_first(&among_threads);
    judge_expect_that(lab09_captured(j, 0), "no_graph");
    judge_expect_that(lab09_noted(j, 4, LOG_STREAMED) == 0, "capture_fails");
    judge_next("%s", after_failure);
    judge_run_next(j, &allocating);
    judge_expect_that(judge_value(j, malloc_here) == 0, "relaxed_mode");
    judge_forget();
    expect_wait_for_one(j);
}

static void expect_no_stale_error(struct judged *j)
{
    for (size_t i = 0; i < judge_numbers(j)->requests; i++) {
        judge_actual("request %zu leaves error %.0f", i, (double)lab09_noted(j, i, LOG_STALE));
        judge_expected("cudaSuccess from cudaGetLastError after each request");
        judge_expect_that(lab09_noted(j, i, LOG_STALE) == 0, "stale_error");
    }
    judge_forget();
}

/* The graph of such a capture is complete for the runtime: it is empty. */
static void expect_no_graph_of_refusals(struct judged *j)
{
    judge_run_next(j, &refusing);
    judge_expect_that(lab09_noted(j, 0, LOG_STREAMED) > 0, "incomplete_graph");
    expect_no_stale_error(j);
    expect_in_flight(j, &refusing);
    if (!judge_device_is_simulated())
        return;
    judge_prepare(j, &refusing);
    expect_no_call_waits(j, "cudaMemcpyAsync", "host_waits");
}

JUDGE_CHECK(lab09, fallback, 10, "A capture that fails is served with stream launches.")
{
    struct judged *j = judge_start(JUDGE_SUBMISSION, &allocating);
    judge_next("%s", after_failure);
    judge_run(j);
    const bool tried = lab09_captured(j, 0);
    judge_expect_that(judge_value(j, malloc_here) != 0 || lab09_noted(j, 0, LOG_STREAMED) > 0,
                      "not_served");
    lab09_verify(j);
    expect_no_stale_error(j);
    expect_no_graph_of_refusals(j);
    judge_run_next(j, &refusing_evictions);
    if (judge_device_is_simulated())
        judge_expect_no_findings(j);
    judge_run_next(j, &refusing_warm);
    judge_next("%s", after_failure);
    judge_run_next(j, &synchronized);
    expect_no_stale_error(j);
    judge_expect_that(lab09_captured(j, 0), tried ? "gives_up" : "no_graph");
    judge_expect_that(lab09_captured(j, 1) || lab09_noted(j, 0, LOG_CAPTURED) > 1, "gives_up");
    judge_next("keep the executable graph of the second attempt in its entry");
    judge_expect(lab09_noted(j, 2, LOG_STREAMED) == 0,
                 "A shape that was captured in the second attempt is not launched as a graph.");
}

/* Are all operations of a request in its stream? */
JUDGE_DIAGNOSIS(lab09)
{
    if (!judge_is_unexplained("results"))
        return;
    struct judged *j = judge_run_first(&all_kept);
    const struct trace *t = judge_trace(j);
    const bool legacy = trace_uses_legacy_stream(t);
    judge_actual("the work of one client is in %zu streams%s", trace_streams(t),
                 legacy ? ", one of them the legacy default stream" : "");
    judge_expected("all of it in the stream of the client");
    judge_expect_that(trace_streams(t) <= 1 && !legacy, "several_streams");
}
