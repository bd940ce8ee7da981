/*
 * suite.c: the suite of lab 09, from top to bottom what a submission must do.
 */
#include <math.h>

#include "break_even.h"
#include "judge/judge.h"
#include "model.h"
#include "query/trace.h"
#include "requests.h"
#include "service.h"

JUDGE_LAB(.name = "lab09", .title = "a cache of graphs, for a service that runs for hours",
          .endless = "does lab09_wait wait for a lock that lab09_serve holds during its capture?");

/* ---- scenarios ------------------------------------------------------------------------------- */

enum { MAX_N = LAB09_MAX_N, MANY = 8 };

#define SERVICE(words_, sequence_, requests_, streams_, inputs_, execs_, floats_, verify_, warm_,  \
                during_)                                                                           \
    {                                                                                              \
        .name = words_,                                                                            \
        .numbers = {{"sequence", sequence_}, {"requests", requests_}, {"streams", streams_},       \
                    {"inputs", inputs_},     {"max_n", MAX_N},        {"max_execs", execs_},       \
                    {"max_floats", floats_}, {"warm", warm_},         {"during", during_}},        \
        .buffers = {{"shapes", JUDGE_INPUT, (size_t)2 * (requests_), .low = 1, .high = 2},         \
                    {"in", JUDGE_INPUT, (size_t)(inputs_)*MAX_N, .pinned = true},                  \
                    {"out", JUDGE_OUTPUT, (size_t)(requests_)*MAX_N, .pinned = true,               \
                     .made_by = "consume"},                                                        \
                    {"log", JUDGE_OUTPUT, (size_t)(requests_)*LOG_COLUMNS}},                       \
        .fill = lab09_fill, .verify = verify_                                                      \
    }
#define AMPLE (64 * MAX_N)

static size_t number(const struct judge *j, const char *name)
{
    return (size_t)judge_number(j, name);
}

/* ---- results --------------------------------------------------------------------------------- */

static const struct judge_scenario one_client = SERVICE(
    "16 requests of 8 shapes from one client", MIXED, 16, 1, 16, 8, AMPLE, lab09_verify, 0, 0);
static const struct judge_scenario three_clients = SERVICE(
    "24 requests of 8 shapes from 3 clients", MIXED, 24, 3, 24, 8, AMPLE, lab09_verify, 0, 0);

/* Requests of one client, who never shares a workspace. */
static void expect_results(struct judge *j)
{
    for (int i = 0; i < 2; i++)
        judge_run(j);
}

JUDGE_CHECK(lab09, results, 10, "every request has the right result")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &one_client);
    expect_results(j);
    judge_prepare(j, &three_clients);
    for (int i = 0; i < 2; i++)
        judge_run(j);
}

/* ---- does a graph pay? ----------------------------------------------------------------------- */

JUDGE_CHECK(lab09, break_even, 10, "the break-even is predicted to within one launch")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &one_client);
    judge_floor(j);
    lab09_expect_break_even(j);
    judge_forget();
    judge_note("a graph pays from launch %.0f on with %d kernels, %.0f with %d, %.0f with %d",
               judge_value(j, "measured_0"), lab09_kernels[0], judge_value(j, "measured_1"),
               lab09_kernels[1], judge_value(j, "measured_2"), lab09_kernels[2]);
}

/* ---- the cache ------------------------------------------------------------------------------- */

static float noted(struct judge *j, size_t request, enum lab09_log what)
{
    return judge_buffer(j, "log")[request * LOG_COLUMNS + what];
}

static bool captured(struct judge *j, size_t request)
{
    return noted(j, request, LOG_CAPTURED) > 0;
}

static size_t called(const struct trace *t, const char *name)
{
    return trace_api_calls(t, name, -1, INFINITY);
}

static const struct judge_scenario two_addresses = SERVICE(
    "4 requests of one shape, inputs at two addresses", SAME_SHAPE, 4, 1, 2, 4, AMPLE, NULL, 0, 0);
static const struct judge_scenario one_address = SERVICE(
    "3 requests of 3 shapes, inputs at one address", THREE_KEYS, 3, 1, 1, 4, AMPLE, NULL, 0, 0);
static const struct judge_scenario all_kept =
    SERVICE("16 requests of 8 shapes, room for all", MIXED, 16, 1, 16, 8, AMPLE, NULL, 0, 0);
static const struct judge_scenario all_long =
    SERVICE("4 long requests of one shape", ONE_LONG, 4, 1, 4, 1, AMPLE, NULL, 0, 0);

/* Finds the lookup each shape that was requested before, and no other one? */
static void expect_lookup(struct judge *j)
{
    judge_prepare(j, &two_addresses);
    judge_run(j);
    judge_next("the key is the shape, both members of it, and nothing else");
    judge_expect(captured(j, 0), "the first request captures nothing: lab09_serve makes no graph");
    judge_expect(!captured(j, 1) || !captured(j, 2),
                 "a shape that is in the cache is captured again: the lookup never finds it");
    judge_expect(!captured(j, 1),
                 "a shape that is in the cache is captured again if the input is at another "
                 "address: the address is no part of the key");
    judge_prepare(j, &one_address);
    judge_run(j);
    judge_expect(captured(j, 1),
                 "two shapes with the same n share one executable graph: n_steps is "
                 "missing in the key");
    judge_expect(captured(j, 2),
                 "two shapes with the same n_steps share one executable graph: n is "
                 "missing in the key");
    judge_forget();
}

/* Does the host wait for the launches of an entry when it serves the next request of its shape? */
static void expect_no_wait(struct judge *j)
{
    judge_prepare(j, &all_long);
    judge_run(j);
    const double share_us = judge_run(j).time_us / (double)number(j, "requests");
    judge_next("use cudaStreamWaitEvent in lab09_serve: then the stream waits, not the host. The "
               "client calls lab09_wait when it wants the result");
    judge_expect_at_most(noted(j, 1, LOG_US), share_us / 2, "us",
                         "lab09_serve makes the host wait for device work: the next client waits, "
                         "too");
    judge_forget();
}

JUDGE_CHECK(lab09, hits, 10, "a hit launches the graph that exists, and returns")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &two_addresses);
    expect_lookup(j);
    expect_no_wait(j);
    judge_prepare(j, &all_kept);
    judge_run(j);
    const struct trace *t = judge_trace(j);
    const size_t made = called(t, "cudaGraphInstantiate*") + called(t, "cudaGraphExecUpdate"),
                 launched = called(t, "cudaGraphLaunch");
    judge_measured((double)made, 0, "instantiations");
    judge_actual("%zu instantiations and updates, %zu graph launches", made, launched);
    judge_expected("none, and a launch for each of %zu requests", number(j, "requests"));
    judge_expect(made == 0, "requests whose shapes are all in the cache instantiate or update");
    judge_expect(launched == number(j, "requests"),
                 "requests whose shapes are all in the cache launch no graph");
    judge_next("between begin and end of the capture: copy in, lab->enqueue, copy out; launch what "
               "is instantiated from that");
    judge_expect(judge_value(j, "other_launches") <= 0,
                 "graphs are launched that were not captured from lab->enqueue");
}

static const char least_recently_used[] =
    "least recently used: a hit counts as a use; evict until the new shape fits, and no entry more";

/* The model's answers for all requests of the first run, which found an empty cache. */
static struct model model_of(struct judge *j)
{
    return (struct model){.max_execs = (int)number(j, "max_execs"),
                          .max_floats = (int)number(j, "max_floats")};
}

/* A new entry has a new workspace. */
static void expect_allocated(struct judge *j, size_t request)
{
    judge_next("find must skip entries whose used is 0");
    judge_expect(!captured(j, request) || noted(j, request, LOG_ALLOCATED) > 0,
                 "a request used an entry that had been evicted: its workspace was released");
    judge_next("%s", least_recently_used);
}

/* The first run of j, request by request, against the model. */
static void expect_model(struct judge *j, const char *early, const char *late)
{
    struct model m = model_of(j);
    int n_evicted = 0;
    judge_next("%s", least_recently_used);
    for (size_t i = 0; i < number(j, "requests"); i++) {
        const struct lab09_shape shape = lab09_shape(j, i);
        const struct model_step step = model_serve(&m, shape);
        const int evicted = (int)noted(j, i, LOG_RELEASED);
        n_evicted += step.evicted;
        judge_actual("request %zu (n %d, n_steps %d): %s, %d evicted", i, shape.n, shape.n_steps,
                     captured(j, i) ? "miss" : "hit", evicted);
        judge_expected("%s, %d evicted (%zu entries, %zu floats at most)",
                       step.hit ? "hit" : "miss", step.evicted, number(j, "max_execs"),
                       number(j, "max_floats"));
        judge_expect(!step.hit || !captured(j, i), "%s",
                     n_evicted ? early
                               : "a shape is captured again although no other one needed its room");
        judge_expect(step.hit || captured(j, i), "%s", late);
        judge_expect(evicted <= step.evicted, "more entries are evicted than the budget asks for");
        expect_allocated(j, i);
        judge_expect(evicted >= step.evicted,
                     "a workspace stays allocated that the budget has no room for");
    }
}

static const struct judge_scenario three_of_four =
    SERVICE("6 requests, room for 3 of 4 shapes", ONE_TOO_MANY, 6, 1, 6, 3, AMPLE, NULL, 0, 0);
static const struct judge_scenario used_again =
    SERVICE("6 requests, room for 3 of 4 shapes, one used again", HIT_COUNTS, 6, 1, 6, 3, AMPLE,
            NULL, 0, 0);
static const struct judge_scenario in_circles =
    SERVICE("16 requests, 4 shapes in a CYCLE, room for 3", CYCLE, 16, 1, 16, 3, AMPLE, NULL, 0, 0);
static const struct judge_scenario random_shapes = SERVICE(
    "64 requests of random shapes, room for 4", AT_RANDOM, 64, 1, 64, 4, 3 * MAX_N, NULL, 0, 0);

/* Hits, misses and evictions of four scenarios against the model. */
static void expect_lru(struct judge *j)
{
    static const char early[] = "a shape that should still be in the cache was evicted",
                      late[] = "a shape that should have been evicted is still in the cache";
    expect_lookup(j);
    judge_prepare(j, &three_of_four);
    judge_run(j);
    expect_model(j,
                 "the entry that was used last is evicted: it is the one that is most likely to "
                 "be used again",
                 late);
    judge_prepare(j, &used_again);
    judge_run(j);
    expect_model(j,
                 "the oldest entry is evicted although it was used since: a hit must count as a "
                 "use",
                 late);
    judge_prepare(j, &in_circles);
    judge_run(j);
    expect_model(j, early, late);
    judge_prepare(j, &random_shapes);
    judge_run(j);
    expect_model(j, early, late);
    judge_forget();
}

static const struct judge_scenario evicted_beside =
    SERVICE("4 requests from 2 clients, a short entry is evicted while a long one runs",
            LONG_BESIDE, 4, 2, 4, 2, AMPLE, NULL, 0, 0);

JUDGE_CHECK(lab09, evictions, 10, "hits, misses and evictions are those of an LRU cache")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &three_of_four);
    expect_lru(j);
    judge_prepare(j, &evicted_beside);
    judge_run(j);
    const double all_us = judge_run(j).time_us;
    double host_us = 0;
    for (size_t i = 0; i < number(j, "requests"); i++)
        host_us += noted(j, i, LOG_US);
    if (host_us > all_us / 2)
        expect_no_wait(j);
    judge_next("wait in evict for the event of the evicted entry: cudaEventSynchronize(e->done)");
    judge_actual("the host spent %.1f us in lab09_serve, of %.1f us until the last result", host_us,
                 all_us);
    judge_expected("at most half of that time");
    judge_expect_at_most(host_us, all_us / 2, "us",
                         "lab09_serve makes the host wait for device work of other entries when it "
                         "evicts one: the next client waits, too");
}

/* The most executable graphs that existed at the same time in a traced run from an empty cache. */
static size_t most_execs(const struct trace *t)
{
    size_t now = 0, most = 0;
    for (size_t i = 0; i < t->n_rows; i++) {
        now += trace_is(&t->rows[i], "api", "cudaGraphInstantiate*");
        now -= now > 0 && trace_is(&t->rows[i], "api", "cudaGraphExecDestroy");
        most = now > most ? now : most;
    }
    return most;
}

static const struct judge_scenario tight =
    SERVICE("22 requests, one shape as large as all others together", LARGE_AND_SMALL, 22, 1, 22, 3,
            2 * MAX_N + 512, NULL, 0, 0);

JUDGE_CHECK(lab09, budget, 10, "the cache never exceeds its budget")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &tight);
    const struct trace *t = judge_trace(j);
    const size_t last = number(j, "requests") - 1;
    for (size_t i = 0; i <= last; i++)
        expect_allocated(j, i);
    judge_next("evict before you allocate and instantiate, until the new shape fits");
    judge_expect_at_most(noted(j, last, LOG_WORKSPACES), (double)number(j, "max_execs"), "entries",
                         "the cache grows beyond max_execs entries: a service that runs for hours "
                         "runs out of memory");
    judge_expect_at_most(noted(j, last, LOG_FLOATS), (double)number(j, "max_floats"), "floats",
                         "the workspaces exceed max_floats: large shapes need more than one "
                         "eviction");
    judge_next("cudaGraphExecDestroy for an evicted executable graph, unless an update reuses it");
    judge_expect_at_most((double)most_execs(t), (double)number(j, "max_execs"), "executable graphs",
                         "more than max_execs executable graphs exist at the same time");
}

static const struct judge_scenario updatable =
    SERVICE("16 requests, 4 shapes with as many kernels, room for 3", CYCLE, 16, 1, 16, 3, AMPLE,
            lab09_verify, 0, 0);
static const struct judge_scenario half_updatable =
    SERVICE("64 requests of random shapes with results, room for 4", AT_RANDOM, 64, 1, 64, 4,
            3 * MAX_N, lab09_verify, 0, 0);

static void expect_updates(struct judge *j)
{
    const size_t made = called(judge_trace(j), "cudaGraphInstantiate*");
    struct model m = model_of(j);
    size_t needed = 0;
    for (size_t i = 0; i < number(j, "requests"); i++) {
        const struct model_step step = model_serve(&m, lab09_shape(j, i));
        needed += !step.hit && !step.updated;
    }
    if (made > needed)
        expect_lru(j);
    judge_actual("%zu instantiations", made);
    judge_expected("%zu at most", needed);
    judge_next("if an evicted executable graph has as many nodes as the new graph: "
               "cudaGraphExecUpdate");
    judge_expect(made <= needed, "more is instantiated than needed: an update of an evicted "
                                 "executable graph with as many nodes costs a fraction");
}

JUDGE_CHECK(lab09, updates, 10,
            "an evicted executable graph is updated for a shape with as many kernels")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &updatable);
    expect_updates(j);
    judge_prepare(j, &half_updatable);
    expect_updates(j);
}

/* ---- while a launch is running --------------------------------------------------------------- */

static const struct judge_scenario evicted_in_flight =
    SERVICE("6 requests of 3 shapes from 2 clients, room for 2 of them", LONG_AND_SHORT, 6, 2, 6, 3,
            2560, NULL, 0, 0);
static const struct judge_scenario shared_in_flight =
    SERVICE("6 long requests of 1 shape from 2 clients", ONE_LONG, 6, 2, 6, 2, AMPLE, NULL, 0, 0);

static void expect_in_flight(struct judge *j, const char *next, const char *message)
{
    struct lab09_wrong w;
    judge_run(j);
    if (lab09_is_wrong(j, &w)) {
        judge_prepare(j, &one_client);
        expect_results(j);
        expect_lru(j);
        judge_actual("out[request %zu, element %zu] = %.7g", w.request, w.element, w.actual);
        judge_expected("%.7g there", w.expected);
        judge_next("%s", next);
        judge_fail("%s", message);
    }
    judge_next("%s", next);
    if (judge_device_is_simulated())
        judge_expect_no_findings(j);
    judge_forget();
}

JUDGE_CHECK(lab09, in_flight, 10, "a workspace has one user at a time, also when it is evicted")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &evicted_in_flight);
    expect_in_flight(j,
                     "record an event after the last request that uses a workspace, and wait for "
                     "it before you release the workspace",
                     "an entry was evicted while a launch of it was still running: the next entry "
                     "overwrote its workspace");
    judge_prepare(j, &shared_in_flight);
    expect_in_flight(j,
                     "let the stream wait for the event that was recorded after the last use of "
                     "the workspace",
                     "two clients used one workspace at the same time: nothing orders their "
                     "streams");
}

/* ---- the first request ----------------------------------------------------------------------- */

static const struct judge_scenario warmed =
    SERVICE("8 shapes, made before the first request, each requested twice", EIGHT_LONG, 2 * MANY,
            1, 2 * MANY, MANY, AMPLE, lab09_verify, MANY, 0);

/* The least of MANY requests took so long. */
static double least_us(struct judge *j, size_t first)
{
    double us = INFINITY;
    for (size_t i = first; i < first + MANY; i++)
        us = fmin(us, noted(j, i, LOG_US));
    return us;
}

JUDGE_CHECK(lab09, warm, 10, "after lab09_warm the first request is as fast as the next")
{
    const double at_most = judge_device_is_simulated() ? 1.1 : 1.3;
    struct judge *j = judge_start(JUDGE_SUBMISSION, &warmed);
    judge_run(j);
    const double first_us = least_us(j, 0), next_us = least_us(j, MANY);
    const bool first_captures = captured(j, 0), next_captures = captured(j, MANY);
    if (first_captures)
        expect_lookup(j);
    judge_next("make the graph in lab09_warm, cudaGraphUpload it, and wait for the upload");
    judge_actual("the first request of a shape took %.1f us, the next one %.1f us", first_us,
                 next_us);
    judge_expected("the first one takes at most %.1f times the next one's time", at_most);
    judge_expect(!first_captures || next_captures,
                 "lab09_warm makes no graph: the first request captures");
    judge_expect(!first_captures, "a shape that lab09_warm was given is captured again");
    if (judge_device_is_simulated()) { /* its times are exact */
        judge_actual("%.1f us of uploads left when lab09_warm returned", judge_value(j, "warm_us"));
        judge_expected("none");
        judge_next("call cudaStreamSynchronize for the stream of the uploads at the end of "
                   "lab09_warm");
        judge_expect(judge_value(j, "warm_us") <= 2 * judge_value(j, "pending_us"),
                     "lab09_warm returns while its uploads are still running");
    }
    judge_actual("the first request of a shape took %.1f us, the next one %.1f us", first_us,
                 next_us);
    judge_expected("the first one takes at most %.1f times the next one's time", at_most);
    judge_expect_at_most(first_us / next_us, at_most, "ratio",
                         "the first request pays for the upload: lab09_warm left it to the first "
                         "launch");
    judge_next("an upload is needed once for each executable graph");
    judge_expect(called(judge_trace(j), "cudaGraphUpload*") == 0,
                 "lab09_serve uploads executable graphs that are uploaded: a launch does what is "
                 "needed of that");
    judge_note("first %.1f us, next %.1f us", first_us, next_us);
}

/* ---- captures and other threads -------------------------------------------------------------- */

static const struct judge_scenario among_threads =
    SERVICE("8 requests of 4 shapes; other threads allocate, launch and wait", CYCLE, 8, 2, 8, 4,
            AMPLE, lab09_verify, 0, DURING_OTHERS);
static const struct judge_scenario allocating =
    SERVICE("8 requests of 4 shapes; the library allocates", CYCLE, 8, 1, 8, 4, AMPLE, NULL, 0,
            DURING_ALLOCATES);
static const struct judge_scenario synchronized =
    SERVICE("4 requests of one shape; another thread synchronizes the device during the first "
            "capture",
            SAME_SHAPE, 4, 1, 4, 4, AMPLE, lab09_verify, 0, DURING_SYNC);

static const char after_failure[] = "call cudaStreamEndCapture also when lab->enqueue fails";

JUDGE_CHECK(lab09, threads, 10,
            "other threads work during a capture; unsafe calls of its own are refused")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &among_threads);
    judge_run(j);
    judge_expect(captured(j, 0), "lab09_serve captures nothing");
    judge_next("cudaStreamCaptureModeThreadLocal");
    judge_expect(judge_value(j, "malloc_there") == 0 && judge_value(j, "launch_there") == 0,
                 "other threads cannot allocate or wait during the capture: global mode makes "
                 "their calls fail, and each of these breaks the capture");
    judge_next("cudaStreamSynchronize of the one stream");
    judge_expect(judge_value(j, "wait_there") == 0,
                 "lab09_wait fails in another thread during the capture, and breaks the capture: "
                 "it synchronizes the device, which no capture mode permits");
    judge_expect(noted(j, 0, LOG_STREAMED) == 0, "a capture fails although every thread keeps the "
                                                 "rules");
    judge_next("%s", after_failure);
    judge_prepare(j, &allocating);
    judge_run(j);
    judge_next("cudaStreamCaptureModeThreadLocal");
    judge_expect(judge_value(j, "malloc_here") == 0,
                 "relaxed mode let this thread allocate and free memory during its own capture: "
                 "a graph would use the memory after it was freed");
}

static void expect_no_stale_error(struct judge *j)
{
    judge_next("call cudaGetLastError once after the failed capture");
    for (size_t i = 0; i < number(j, "requests"); i++)
        judge_expect(noted(j, i, LOG_STALE) == 0,
                     "lab09_serve succeeds and leaves the error of its capture behind: the next "
                     "cudaGetLastError, in any other code, finds it");
}

JUDGE_CHECK(lab09, fallback, 10, "a capture that fails is served with stream launches")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &allocating);
    judge_next("%s", after_failure);
    judge_run(j);
    lab09_verify(j);
    expect_no_stale_error(j);
    judge_prepare(j, &synchronized);
    judge_run(j);
    expect_no_stale_error(j);
    judge_next("the next request of the shape tries again: what broke the capture may be over");
    judge_expect(captured(j, 0), "lab09_serve captures nothing");
    judge_expect(captured(j, 1), "after one failed capture the shape is never captured again: the "
                                 "service stays slow for hours");
    judge_expect(noted(j, 2, LOG_STREAMED) == 0,
                 "a shape that was captured in the second attempt is not launched as a graph");
}
