/* suite.c: the suite of lab 07, from top to bottom what a submission must do. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exchange.h"
#include "kernels/handlers.h"
#include "labs/lab07_device_launch/lab.h"
#include "judge/judge.h"
#include "expected_results.h"
#include "labs/lab07/mistakes.h"
#include "session/session.h"

/* On a GPU, CUPTI reports the graphs that kernels launch. */
static const struct judge_need needs[] = {{"no_host", .cuda = 12080}};

JUDGE_LAB(.name = "lab07", .needs = needs, .n_needs = 1, .title = "kernels that launch graphs",
          .limit_s = 5, .rules = &lab07_rules);

/* What is written while a kernel may read it is the ring. */
bool lab07_in_ring(const struct facts *f)
{
    return f->event->finding.memory.bytes == sizeof(struct ring);
}

/* A check that has its say first sets this (each runs in a process of its own) and verifies the
 * results itself, afterwards. */
static bool verifies_later;

static void verify(struct judged *j)
{
    if (!verifies_later)
        lab07_verify(j);
}

/* ---- scenarios ------------------------------------------------------------------------------- */

static void make(struct judge_scenario *s)
{
    const struct numbers *n = s->numbers;
    const size_t total = lab07_total(n);
    const float low = 0.05f, high = 0.95f;
    size_t in = (size_t)n->n, more = in, out = in, rows = 1;
    if (n->workload == LAB07_LENGTH) {
        in = (size_t)n->n_workers * WORKER_FLOATS;
        more = out = 1;
        rows = 2 * (size_t)n->n_workers + 2;
    } else if (n->workload == LAB07_PACKETS) {
        in = out = total * PACKET_FLOATS;
        more = 2 * (size_t)n->n_packets;
        rows = total + 1;
    }
    const char *const made_by[] = {/* after a refused launch, nothing need run: no root, either */
                                   [LAB07_LENGTH] = n->before == LAB07_BUSY_GRAPH ? NULL : "root",
                                   [LAB07_ITERATIONS] = "saxpy",
                                   [LAB07_PACKETS] = NULL};
    const struct judge_buffer buffers[] = {
        {"in", JUDGE_INPUT, in, .low = low, .high = high},
        {"more", JUDGE_INPUT, more, .low = low, .high = high},
        {.name = "count", .direction = JUDGE_INPUT, .count = 1},
        {"out", JUDGE_OUTPUT, out, .made_by = made_by[n->workload]},
        {.name = "left", .direction = JUDGE_OUTPUT, .count = 1},
        {.name = "ring", .direction = JUDGE_OUTPUT, .count = LAB07_RING_NUMBERS},
        {.name = "journal", .direction = JUDGE_OUTPUT, .count = 4 * rows}};
    memcpy(s->buffers, buffers, sizeof buffers);
    s->fill = lab07_fill;
    s->verify = verify;
}

#define LENGTH(words_, ...)                                                                        \
    {                                                                                              \
        .name = words_, .tries = "length", .make = make,                                           \
        .numbers =                                                                                 \
            JUDGE_NUMBERS(.workload = LAB07_LENGTH, .iterations = 1, .alpha = 0.01, __VA_ARGS__)   \
    }
#define ITERATIONS(words_, ...)                                                                    \
    {                                                                                              \
        .name = words_, .tries = "loop", .make = make, .drawn = JUDGE_DRAWN(n), .spread = 60,      \
        .numbers = JUDGE_NUMBERS(.workload = LAB07_ITERATIONS, .n_workers = 1, .alpha = 0.25,      \
                                 __VA_ARGS__)                                                      \
    }
#define PACKETS(words_, ...)                                                                       \
    {                                                                                              \
        .name = words_, .tries = "packets", .make = make,                                          \
        .numbers = JUDGE_NUMBERS(.workload = LAB07_PACKETS, .n_workers = 1, .iterations = 1,       \
                                 .alpha = 0.01, __VA_ARGS__)                                       \
    }

static const struct judge_scenario few_workers = LENGTH("6 workers", .n_workers = 6, .work = 40);
static const struct judge_scenario one_worker = LENGTH("1 worker", .n_workers = 1, .work = 40);
static const struct judge_scenario many_workers =
    LENGTH("250 workers", .n_workers = 250, .work = 40);
static const struct judge_scenario most_workers =
    LENGTH("120 workers", .n_workers = 120, .work = 40);
static const struct judge_scenario few_iterations =
    ITERATIONS("7 iterations, in every second call 8", .n = 1000, .iterations = 7, .varies = true);
static const struct judge_scenario one_iteration =
    ITERATIONS("1 iteration", .n = 1000, .iterations = 1);
static const struct judge_scenario many_iterations =
    ITERATIONS("200 iterations", .n = 1024, .iterations = 200);
static const struct judge_scenario some_packets =
    PACKETS("48 packets, 12 of which add two packets each", .n_packets = 48, .mix = LAB07_ALL_TYPES,
            .random = true, .work = 20);
static const struct judge_scenario split_last =
    PACKETS("5 packets, the last of which adds two packets", .n_packets = 5,
            .mix = LAB07_SPLIT_LAST, .work = 20);
static const struct judge_scenario one_packet =
    PACKETS("1 packet", .n_packets = 1, .mix = LAB07_NO_SPLIT, .work = 20);
static const struct judge_scenario four_types =
    PACKETS("16 packets, types 0 1 2 3 0 1 2 3 and so on", .n_packets = 16, .mix = LAB07_NO_SPLIT,
            .work = 60);
static const struct judge_scenario busy_handler =
    PACKETS("1 packet, and its handler is still running", .n_packets = 1, .mix = LAB07_NO_SPLIT,
            .work = 3000, .before = LAB07_BUSY_GRAPH);
static const struct judge_scenario busy_worker =
    LENGTH("130 workers, and the first one is still running", .n_workers = 130, .work = 3000,
           .before = LAB07_BUSY_GRAPH);
enum { TIMED_PACKETS = 56 };
static const struct judge_scenario many_packets =
    PACKETS("56 packets, 16 of which the handlers add", .n_packets = 40, .mix = LAB07_IN_TURN);

/* In one program with the other two functions, which are called before. */
static const struct judge_scenario length_last =
    LENGTH("lab07_length after lab07_loop and lab07_packets", .n_workers = 6, .work = 40,
           .before = LAB07_OTHER_FUNCTIONS);
static const struct judge_scenario loop_last =
    ITERATIONS("lab07_loop after lab07_length and lab07_packets", .n = 1000, .iterations = 7,
               .before = LAB07_OTHER_FUNCTIONS);
static const struct judge_scenario packets_last =
    PACKETS("lab07_packets after lab07_length and lab07_loop", .n_packets = 16,
            .mix = LAB07_NO_SPLIT, .work = 60, .before = LAB07_OTHER_FUNCTIONS);

/* The same by a loop on the host, which the adapter brings. */
static const struct judge_scenario rounds_by_host =
    ITERATIONS("200 iterations by a host loop", .n = 1024, .iterations = 200, .by_host = true);
static const struct judge_scenario packets_by_host =
    PACKETS("56 packets by a host loop", .n_packets = 40, .mix = LAB07_IN_TURN, .by_host = true);

/* ---- results --------------------------------------------------------------------------------- */

static void expect_right(const struct judge_scenario *const *scenarios, size_t n)
{
    struct judged *j = NULL;
    for (size_t i = 0; i < n; i++) {
        j = judge_turn_to(j, scenarios[i]);
        judge_forget();
        judge_run(j);
        judge_run(j);
        judge_expect_done(j, "no_final_wait");
        judge_run_unaided(j, NULL);
    }
}

JUDGE_CHECK(lab07, length, 10, "The length of a vector is right when the call returns.")
{
    static const struct judge_scenario *const scenarios[] = {&few_workers, &one_worker};
    expect_right(scenarios, 2);
}

JUDGE_CHECK(lab07, loop, 10, "The loop runs the number of iterations that is in device memory.")
{
    static const struct judge_scenario *const scenarios[] = {&few_iterations, &one_iteration};
    expect_right(scenarios, 2);
}

JUDGE_CHECK(lab07, packets, 10, "Every packet is handled, including those that handlers add.")
{
    static const struct judge_scenario *const scenarios[] = {&some_packets, &split_last,
                                                             &one_packet};
    expect_right(scenarios, 3);
}

JUDGE_CHECK(lab07, race_free, 10, "No race, no uninitialized read, and teardown frees everything.")
{
    static const struct judge_scenario *const scenarios[] = {&few_workers, &few_iterations,
                                                             &split_last, &four_types};
    judge_needs_findings();
    struct judged *j = NULL;
    verifies_later = true;
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
        j = judge_turn_to(j, scenarios[i]);
        judge_run(j);
        judge_run(j);
        judge_run_unaided(j, NULL);
    }
    judge_expect_no_findings(j);
}

/* ---- the host -------------------------------------------------------------------------------- */

static void expect_one_launch(const struct judge_scenario *scenario, const char *function,
                              const char *unit, size_t by_device, size_t given)
{
    struct judge_scenario traced = *scenario;
    traced.whole_graphs = true;
    struct judged *j = judge_start(JUDGE_SUBMISSION, &traced);
    verifies_later = true;
    judge_forget();
    judge_run(j); /* makes the executable graphs */
    const struct trace *t = lab07_trace_launches(j, by_device);
    if (judge_numbers(j)->workload == LAB07_PACKETS)
        judge_show_timeline(j);
    lab07_expect_host_calls(t, function, unit);
    judge_verify(j, lab07_verify);
    lab07_expect_device_launches(t, function, by_device);
    lab07_expect_given_launches(j, function, given);
    judge_stop(j);
}

/* Each function keeps its own state: it does the same after calls of the other two. */
static void expect_own_state(void)
{
    static const struct judge_scenario *const last[] = {&length_last, &loop_last, &packets_last};
    struct judged *j = NULL;
    for (int i = 0; i < 3; i++) {
        j = judge_turn_to(j, last[i]);
        judge_run(j);
        judge_verify(j, lab07_expect_own_work);
    }
}

JUDGE_CHECK(lab07, no_host, 10, "The host launches one graph per call, the device all others.")
{
    expect_one_launch(&few_workers, "lab07_length", "6 workers", 6 + 2, 6 + 2);
    expect_one_launch(&few_iterations, "lab07_loop", "7 iterations", 7 - 1, 0);
    expect_one_launch(&four_types, "lab07_packets", "16 packets", 16, 16);
    expect_own_state();
}

/* ---- fire and forget, tail ------------------------------------------------------------------- */

/* So many of the workers from number `first` to `last` must run at the same time. */
static size_t expect_at_once(struct judged *j, int first, int last)
{
    size_t n, least = 4;
    const struct lab07_done *rows = lab07_journal(j, &n);
    const size_t at_once = lab07_at_once(rows, n, first, last);
    judge_actual("workers %d to %d: at most %zu ran concurrently", first, last, at_once);
    judge_expected("at least %zu", least);
    judge_measured((double)at_once, (double)least, "workers");
    judge_expect_that(at_once >= least, "workers_as_tails");
    return at_once;
}

JUDGE_CHECK(lab07, at_once, 10, "Workers run concurrently, then the sum runs, then the root.")
{
    struct judged *j = judge_start(JUDGE_SUBMISSION, &few_workers);
    const int workers = judge_numbers(j)->n_workers;
    verifies_later = true;
    judge_run(j);
    judge_run(j); /* of a first run not everything is ready */
    lab07_expect_length_order(j);
    const size_t at_once = expect_at_once(j, 0, workers - 1);
    judge_verify(j, lab07_verify);
    judge_note("%zu of %d workers ran concurrently; the sum waited for all of them", at_once,
               workers);
}

static void expect_few_runs(const struct judged *j)
{
    const int most = LAB07_MAX_FIRE_AND_FORGET,
              runs = (judge_numbers(j)->n_workers + most - 1) / most;
    const double actual = judge_value(j, relaunches) + 1;
    if (!judge_device_is_simulated() || actual <= runs)
        return;
    judge_actual("%.0f runs of the launcher", actual);
    judge_expected("%d, of at most %d workers each", runs, most);
    judge_fail_that("small_batches");
}

JUDGE_CHECK(lab07, many, 10, "250 workers run, although one run of a graph can launch only 120.")
{
    judge_needs_step(4);
    struct judged *j = judge_run_first(&many_workers);
    judge_run(j);
    expect_at_once(j, 0, LAB07_MAX_FIRE_AND_FORGET - 1);
    expect_at_once(j, LAB07_MAX_FIRE_AND_FORGET, judge_numbers(j)->n_workers - 1);
    expect_few_runs(j);
    judge_run_next(j, &most_workers);
    expect_few_runs(j);
}

/* ---- packets --------------------------------------------------------------------------------- */

static const struct judge_scenario fixed_packets = PACKETS(
    "48 packets, some of them in_order", .n_packets = 48, .mix = LAB07_ALL_TYPES, .work = 20);

JUDGE_CHECK(lab07, in_order, 5, "Packets that are in_order keep their order.")
{
    struct judged *j = judge_start(JUDGE_SUBMISSION, &fixed_packets);
    for (int i = 0; i < 2; i++) {
        judge_run(j);
        lab07_expect_in_order(j);
    }
}

JUDGE_CHECK(lab07, types_at_once, 5, "Handlers of different types run concurrently.")
{
    size_t n, least = 3;
    struct judged *j = judge_run_first(&four_types);
    judge_run(j);
    const struct lab07_done *rows = lab07_journal(j, &n);
    const size_t at_once = lab07_at_once(rows, n, 0, (int)n);
    judge_actual("16 packets of types 0 1 2 3 0 1 2 3 and so on: at most %zu ran concurrently",
                 at_once);
    judge_expected("at least %zu", least);
    judge_measured((double)at_once, (double)least, "packets");
    if (at_once < least)
        lab07_fail("one_packet_a_run");
}

/* The executable graph of worker 0 or of packet 0's handler is running: it cannot be launched. */
static void expect_error(const struct judge_scenario *scenario, const char *function)
{
    size_t n, handled = 0, others = 0; /* by the busy graph and the call; by other workers */
    struct judged *j = judge_run_first(scenario); /* makes the executable graphs */
    judge_run(j);
    const struct lab07_done *rows = lab07_journal(j, &n);
    for (size_t i = 0; i < n; i++)
        handled += rows[i].number == 0;
    for (int i = 1; i < judge_numbers(j)->n_workers; i++)
        others += lab07_find(rows, n, i) != NULL;
    const double returned = judge_value(j, returned);
    judge_actual("%s did not instantiate a given graph", function);
    judge_expect_that(returned >= 0, "other_graphs");
    judge_actual("the launch of a running graph was refused, and %s returned %.0f", function,
                 returned);
    judge_expected("%d (cudaErrorInvalidValue)", cudaErrorInvalidValue);
    const bool is_lost = returned == 0 && handled <= 1;
    if (is_lost && judge_numbers(j)->n_workers > 1 && others == 0) {
        judge_next("launch all workers in each call, and store the first error in *status");
        judge_fail("No worker ran in the second call, and no error was returned.");
    }
    judge_expect_that(!is_lost, "error_lost");
    judge_stop(j);
}

JUDGE_CHECK(lab07, errors, 5, "The caller gets the error of a call, or of a launch by the device.")
{
    expect_error(&busy_worker, "lab07_length");
    expect_error(&busy_handler, "lab07_packets");
    judge_expect_error(&many_workers);
    judge_expect_error_of_run(&few_iterations);
    judge_expect_error_of_run(&split_last);
}

/* ---- time ------------------------------------------------------------------------------------ */

/* A call against the reference's, and against a loop on the host. Of two processes that use an H200
 * in turns the one that came second launches up to 15 % faster from the device than the other: a
 * limit must leave that to chance. */
struct contest {
    const struct judge_scenario *scenario, *by_host;
    double at_most;
    double of_host; /* at most this share of the host's time, or what the reference reaches */
    const char *slow, *step, *piece;
    int pieces;
};

/* The call that is timed is one that no_host asks for. */
static void look_at_call(const struct judged *j, const struct trace *t)
{
    const bool packets = judge_numbers(j)->workload == LAB07_PACKETS;
    const char *function = packets ? "lab07_packets" : "lab07_loop";
    lab07_expect_host_calls(t, function, "a call");
    lab07_expect_given_launches(j, function, packets ? TIMED_PACKETS : 0);
}

static void judge_call(const struct contest *c)
{
    struct judged *j = judge_start(JUDGE_SUBMISSION, c->scenario),
                  *reference = judge_start(JUDGE_REFERENCE, c->scenario);
    judge_run(j); /* makes the executable graphs */
    judge_run(reference);
    judge_next("%s", c->step);
    struct judge_times own = judge_expect_time(&(struct judge_race){.submission = j,
                                                                    .reference = reference,
                                                                    .at_most = c->at_most,
                                                                    .look = look_at_call,
                                                                    .slow = c->slow});
    judge_stop(reference);
    struct judged *by_host = judge_start(JUDGE_REFERENCE, c->by_host);
    judge_run(by_host);
    struct judge_times host = judge_compare(j, by_host);
    const double reached = own.reference_us / host.reference_us; /* by the reference */
    judge_expect_at_most(host.ratio, fmax(c->of_host, c->at_most * reached), "ratio",
                         "It is hardly faster than a host loop that waits for the device in each "
                         "iteration.");
    judge_note("%.2f us per %s; the reference %.2f; a host loop %.2f, %.1f times as long",
               own.time_us / c->pieces, c->piece, own.reference_us / c->pieces,
               host.reference_us / c->pieces, 1 / host.ratio);
}

JUDGE_CHECK(lab07, loop_time, 5, "200 iterations: at most 1.3 times the reference's time.")
{
    judge_call(&(struct contest){
        .scenario = &many_iterations,
        .by_host = &rounds_by_host,
        .at_most = 1.30,
        .of_host = 0.60,
        .slow = "An iteration takes longer than a kernel, a decision and a tail launch.",
        .step = "remove everything else from the graph of the loop",
        .piece = "iteration",
        .pieces = 200});
}

JUDGE_CHECK(lab07, packets_time, 10, "56 packets: at most 1.3 times the reference's time.")
{
    judge_call(&(struct contest){
        .scenario = &many_packets,
        .by_host = &packets_by_host,
        .at_most = 1.30,
        .of_host = 0.90,
        .slow = "A packet takes longer than necessary: each run of the scheduler costs a tail "
                "launch.",
        .step = "in each run, launch all handlers that need not wait, and relaunch once",
        .piece = "packet",
        .pieces = TIMED_PACKETS});
}
