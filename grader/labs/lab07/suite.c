/*
 * suite.c: the suite of lab 07, from top to bottom what a submission must do.
 */
#include <math.h>
#include <stdlib.h>

#include "kernels/handlers.h"
#include "judge/judge.h"
#include "expected_results.h"
#include "query/trace.h"

JUDGE_LAB(.name = "lab07", .title = "kernels that launch graphs: fire and forget, tail, itself",
          .limit_s = 5,
          .endless = "A graph that launches itself must come to a run in which it does not");

/* A check that has its say first sets this (each runs in a process of its own) and verifies the
 * results itself, afterwards. */
static bool verifies_later;

static void verify(struct judge *j)
{
    if (!verifies_later)
        lab07_verify(j);
}

/* ---- scenarios ------------------------------------------------------------------------------- */

/* Of `n`, which the rounds have. */
enum { SPREAD = 60 };

#define SCENARIO(words_, workload_, made_by_, in_, more_, out_, rows_, ...)                        \
    {                                                                                              \
        .name = words_, .numbers = {{"workload", workload_}, __VA_ARGS__},                         \
        .buffers = {{"in", JUDGE_INPUT, in_, .grows = 1, .low = 0.05f, .high = 0.95f},             \
                    {"more", JUDGE_INPUT, more_, .grows = 1, .low = 0.05f, .high = 0.95f},         \
                    {"out", JUDGE_OUTPUT, out_, .grows = 1, .made_by = made_by_},                  \
                    {"journal", JUDGE_OUTPUT, (size_t)4 * (rows_)}},                               \
        .drawn = "n", .spread = SPREAD, .fill = lab07_fill, .verify = verify                       \
    }
#define LENGTH(words_, workers_, us_)                                                              \
    SCENARIO(words_, LAB07_LENGTH, "root", (size_t)(workers_)*WORKER_FLOATS, 1, 1, (workers_) + 2, \
             {"n_workers", workers_}, {"work_us", us_}, {"rounds", 1}, {"alpha_percent", 1},       \
             {"n_packets", 0}, {"mix", 0}, {"random", 0}, {"busy_type", -1}, {"by_host", 0})
#define ROUNDS(words_, n_, rounds_, by_host_)                                                      \
    SCENARIO(words_, LAB07_ROUNDS, "saxpy", n_, n_, n_, 1, {"n", n_}, {"n_workers", 1},            \
             {"work_us", 0}, {"rounds", rounds_}, {"alpha_percent", 25}, {"n_packets", 0},         \
             {"mix", 0}, {"random", 0}, {"busy_type", -1}, {"by_host", by_host_})
#define PACKETS(words_, n_, mix_, random_, us_, busy_, by_host_)                                   \
    SCENARIO(words_, LAB07_PACKETS, NULL, (size_t)LAB07_TOTAL(n_, mix_) * PACKET_FLOATS,           \
             (size_t)2 * (n_), (size_t)LAB07_TOTAL(n_, mix_) * PACKET_FLOATS,                      \
             LAB07_TOTAL(n_, mix_) + 1, {"n_workers", 1}, {"work_us", us_}, {"rounds", 1},         \
             {"alpha_percent", 1}, {"n_packets", n_}, {"mix", mix_}, {"random", random_},          \
             {"busy_type", busy_}, {"by_host", by_host_})

static const struct judge_scenario few_workers = LENGTH("6 workers", 6, 40);
static const struct judge_scenario one_worker = LENGTH("1 worker", 1, 40);
static const struct judge_scenario many_workers = LENGTH("150 workers", 150, 40);
static const struct judge_scenario most_workers = LENGTH("120 workers", 120, 40);
static const struct judge_scenario few_rounds = ROUNDS("7 rounds", 1000, 7, 0);
static const struct judge_scenario one_round = ROUNDS("1 round", 1000, 1, 0);
static const struct judge_scenario many_rounds = ROUNDS("200 rounds", 1024, 200, 0);
static const struct judge_scenario some_packets =
    PACKETS("48 packets, of which 12 put two packets more into the ring", 48, LAB07_ALL_TYPES, 1,
            20, -1, 0);
static const struct judge_scenario split_last = PACKETS(
    "5 packets, the last of which puts two more into the ring", 5, LAB07_SPLIT_LAST, 0, 20, -1, 0);
static const struct judge_scenario one_packet =
    PACKETS("1 packet", 1, LAB07_NO_SPLIT, 0, 20, -1, 0);
static const struct judge_scenario four_types =
    PACKETS("16 packets, types 0 1 2 3 0 1 2 3 and so on", 16, LAB07_NO_SPLIT, 0, 60, -1, 0);
static const struct judge_scenario busy_handler =
    PACKETS("1 packet, and its handler is still at work", 1, LAB07_NO_SPLIT, 0, 3000, 0, 0);
enum { TIMED_PACKETS = 56 };
static const struct judge_scenario many_packets = PACKETS(
    "56 packets, 16 of which the handlers put into the ring", 40, LAB07_IN_TURN, 0, 0, -1, 0);

/* The same by a loop on the host, which the adapter brings. */
static const struct judge_scenario rounds_by_host =
    ROUNDS("200 rounds by a loop on the host", 1024, 200, 1);
static const struct judge_scenario packets_by_host =
    PACKETS("56 packets by a loop on the host", 40, LAB07_IN_TURN, 0, 0, -1, 1);

static int number(const struct judge *j, const char *name)
{
    return (int)judge_number(j, name);
}

/* ---- results --------------------------------------------------------------------------------- */

static void expect_right_and_done(struct judge *j)
{
    judge_forget();
    judge_next("printf in a kernel shows what cudaGraphLaunch returned there, and for which graph");
    judge_run(j);
    static const struct judge_mistake no_final_wait = {
        "no_final_wait", "the call returned while the device was still working on it",
        "cudaStreamSynchronize behind cudaGraphLaunch waits for all that the graph launches",
        "results"};
    judge_expect_done(j, &no_final_wait);
}

static void expect_right(const struct judge_scenario *const *scenarios, size_t n)
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, scenarios[0]);
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            judge_prepare(j, scenarios[i]);
        expect_right_and_done(j);
    }
}

JUDGE_CHECK(lab07, length, 10, "the length of a vector is right, and there when the call returns")
{
    static const struct judge_scenario *const scenarios[] = {&few_workers, &one_worker};
    expect_right(scenarios, 2);
}

JUDGE_CHECK(lab07, loop, 10, "as many rounds are made as the device knows to be left")
{
    static const struct judge_scenario *const scenarios[] = {&few_rounds, &one_round};
    expect_right(scenarios, 2);
}

JUDGE_CHECK(lab07, packets, 10, "every packet is handled, also those that handlers put there")
{
    static const struct judge_scenario *const scenarios[] = {&some_packets, &split_last,
                                                             &one_packet};
    expect_right(scenarios, 3);
}

JUDGE_CHECK(lab07, race_free, 10, "no race, nothing stale is read, nothing is left behind")
{
    static const struct judge_scenario *const scenarios[] = {&few_workers, &few_rounds, &split_last,
                                                             &four_types};
    judge_needs_findings();
    struct judge *j = judge_start(JUDGE_SUBMISSION, scenarios[0]);
    verifies_later = true;
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
        if (i > 0)
            judge_prepare(j, scenarios[i]);
        judge_run(j);
        judge_run(j);
    }
    judge_expect_no_findings(j);
}

/* ---- the host -------------------------------------------------------------------------------- */

static size_t launches_by_device(const struct trace *t)
{
    return trace_count(t, "graph", NULL) - trace_count(t, "graph", "host");
}

/* A call in a trace that has a row for each launch by the device, if there are so many. CUPTI may
 * lose a row, but not the same ones again and again. */
static const struct trace *trace_launches(struct judge *j, size_t by_device)
{
    enum { MOST_TRACES = 3 };
    const struct trace *t = judge_trace(j);
    for (int i = 1; i < MOST_TRACES && launches_by_device(t) < by_device; i++)
        t = judge_trace(j);
    return t;
}

static void expect_device_launches(const struct trace *t, const char *function, size_t least)
{
    const size_t seen = launches_by_device(t);
    judge_measured((double)seen, (double)least, "launches by the device");
    judge_actual("%s: %zu graph launches by the device", function, seen);
    judge_expected("at least %zu", least);
    judge_next("what is given is launched by a kernel of yours, with cudaGraphLaunch: workers, sum "
               "and root; each round behind the first; a handler for each packet");
    judge_expect(seen >= least,
                 "the result of %s is right, but the device did not launch what makes it: the work "
                 "was done by the host, inside one kernel, or by one graph with all of it in it",
                 function);
}

/* The simulated device knows which graph an executable graph was instantiated from. */
static void expect_given_launches(const struct judge *j, const char *function, size_t given)
{
    const double seen = judge_value(j, "given_launches");
    judge_actual("%s: %.0f launches of graphs that it was given", function, seen);
    judge_expected("%zu", given);
    judge_next("instantiate the graphs in lab->workers, sum, root and handlers, and launch these");
    judge_expect(!judge_device_is_simulated() || seen == (double)given,
                 "%s launches other graphs than those that it was given", function);
}

static void expect_host_calls(const struct trace *t, const char *function, const char *unit)
{
    const size_t graphs = trace_api_calls(t, "cudaGraphLaunch*", -1, INFINITY),
                 kernels = trace_api_calls(t, "cudaLaunch*", -1, INFINITY);
    judge_measured((double)(graphs + kernels), 1, "launches");
    judge_actual("%s: %zu graph launches and %zu kernel launches by the host, for %s", function,
                 graphs, kernels, unit);
    judge_expected("one graph launch by the host; the others by the device");
    judge_next("instantiate in the first call, keep what comes of it in lab->state until teardown");
    judge_expect(trace_api_calls(t, "cudaGraphInstantiate*", -1, INFINITY) == 0,
                 "%s makes executable graphs in each call: a call is to launch, and nothing else",
                 function);
    judge_next("the host launches the first graph and waits; what comes next is launched by the "
               "kernel that knows it");
    judge_expect(graphs + kernels <= 1,
                 "%s launches from a loop on the host: the device waits for the host in each turn",
                 function);
    judge_expect(graphs == 1, "%s launches no graph", function);
}

static void expect_one_launch(const struct judge_scenario *scenario, const char *function,
                              const char *unit, size_t by_device, size_t given)
{
    struct judge_scenario traced = *scenario;
    traced.whole_graphs = true;
    struct judge *j = judge_start(JUDGE_SUBMISSION, &traced);
    verifies_later = true;
    judge_forget();
    judge_run(j); /* makes the executable graphs */
    const struct trace *t = trace_launches(j, by_device);
    if (number(j, "workload") == LAB07_PACKETS)
        judge_show_timeline(j);
    expect_host_calls(t, function, unit);
    judge_verify(j, lab07_verify);
    expect_device_launches(t, function, by_device);
    expect_given_launches(j, function, given);
    judge_stop(j);
}

JUDGE_CHECK(lab07, no_host, 10, "the host launches one graph a call, the device all others")
{
    expect_one_launch(&few_workers, "lab07_length", "6 workers", 6 + 2, 6 + 2);
    expect_one_launch(&few_rounds, "lab07_loop", "7 rounds", 7 - 1, 0);
    expect_one_launch(&four_types, "lab07_packets", "16 packets", 16, 16);
}

/* ---- fire and forget, tail ------------------------------------------------------------------- */

/* The journal of a run of lab07_length: all workers, then the sum, then the root. */
static void expect_order(const struct lab07_done *rows, size_t n, int workers)
{
    const struct lab07_done *sum = lab07_find(rows, n, workers),
                            *root = lab07_find(rows, n, workers + 1);
    judge_actual("%zu entries in the journal, %d workers", n, workers);
    judge_expected("an entry for each worker, the sum and the root");
    judge_expect(sum && root, "the sum or the root was not launched");
    for (int i = 0; i < workers; i++) {
        const struct lab07_done *w = lab07_find(rows, n, i);
        judge_expect(w, "not every worker was launched");
        judge_actual("sum began at %.1f us, worker %d was done at %.1f us", sum->begun_us, i,
                     w->done_us);
        judge_expect(w->done_us <= sum->begun_us,
                     "the sum was taken while workers were still at work: what is fired and "
                     "forgotten waits for nobody");
    }
    judge_expect(sum->done_us <= root->begun_us, "the root was taken before the sum");
    judge_expect(n == (size_t)workers + 2, "something was launched twice");
}

JUDGE_CHECK(lab07, at_once, 10, "workers run at the same time, then the sum, then the root")
{
    size_t n, least = 4;
    struct judge *j = judge_start(JUDGE_SUBMISSION, &few_workers);
    const int workers = number(j, "n_workers");
    verifies_later = true;
    judge_run(j);
    judge_run(j); /* of a first run not everything is ready */
    struct lab07_done *rows = lab07_journal(j, &n);
    judge_next("sum and root: cudaStreamGraphTailLaunch");
    expect_order(rows, n, workers);
    const size_t at_once = lab07_at_once(rows, n, 0, workers - 1);
    free(rows);
    judge_next("workers: cudaStreamGraphFireAndForget");
    judge_actual("at most %zu of %d workers at the same time", at_once, workers);
    judge_expect_at_least((double)at_once, (double)least, "workers",
                          "the workers run one after the other: a tail waits for the tails that "
                          "were launched before it");
    judge_verify(j, lab07_verify);
    judge_note("%zu of %d workers at the same time; the sum waited for all of them", at_once,
               workers);
}

JUDGE_CHECK(lab07, many, 10, "more workers than one run of a graph may fire: 150")
{
    size_t n;
    struct judge *j = judge_start(JUDGE_SUBMISSION, &many_workers);
    judge_next(
        "launch LAB07_MAX_FIRE_AND_FORGET of them, then this graph itself as a tail, and nothing "
        "else: it goes on where *next says, and the sum and the root come behind the last");
    judge_run(j);
    judge_run(j);
    struct lab07_done *rows = lab07_journal(j, &n);
    expect_order(rows, n, number(j, "n_workers"));
    free(rows);
    judge_prepare(j, &most_workers);
    judge_run(j);
}

/* ---- packets --------------------------------------------------------------------------------- */

static void expect_in_order(struct judge *j)
{
    size_t n;
    struct lab07_packet packets[LAB07_MOST_PACKETS];
    const int total = lab07_packets_of(j, packets);
    struct lab07_done *rows = lab07_journal(j, &n);
    int asked = 0;
    judge_next("an in_order packet is launched by a run of the scheduler that launches nothing "
               "else: neither in front of it nor behind it");
    judge_expect(n == (size_t)total, "a packet was handled more than once, or not at all");
    for (size_t i = 0; i < n; i++) {
        const struct lab07_done *p = &rows[i];
        if (p->number >= total || !packets[p->number].in_order)
            continue;
        asked++;
        for (size_t k = 0; k < n; k++) {
            const struct lab07_done *q = &rows[k];
            judge_actual("packet %d, in order: %.1f to %.1f us; packet %d: %.1f to %.1f us",
                         p->number, p->begun_us, p->done_us, q->number, q->begun_us, q->done_us);
            judge_expect(q->number >= p->number || q->done_us <= p->begun_us,
                         "a packet that is in_order was begun before all packets in front of it "
                         "were done");
            judge_expect(q->number <= p->number || q->begun_us >= p->done_us,
                         "a packet was begun before one in front of it that is in_order was done");
        }
    }
    free(rows);
    judge_expect(asked > 0, "no packet was in order");
}

JUDGE_CHECK(lab07, in_order, 5, "packets keep their order where that is asked for")
{
    static const struct judge_scenario fixed =
        PACKETS("48 packets, some of them in order", 48, LAB07_ALL_TYPES, 0, 20, -1, 0);
    struct judge *j = judge_start(JUDGE_SUBMISSION, &fixed);
    for (int i = 0; i < 2; i++) {
        judge_run(j);
        expect_in_order(j);
    }
}

JUDGE_CHECK(lab07, types_at_once, 5, "handlers of different types run at the same time")
{
    size_t n, least = 3;
    struct judge *j = judge_start(JUDGE_SUBMISSION, &four_types);
    judge_run(j);
    judge_run(j);
    struct lab07_done *rows = lab07_journal(j, &n);
    const size_t at_once = lab07_at_once(rows, n, 0, (int)n);
    free(rows);
    judge_next("cudaStreamGraphFireAndForget, since tails run one after the other; and go on "
               "taking packets from the ring until one has to wait for another");
    judge_actual("16 packets of types 0 1 2 3 0 1 2 3 and so on: at most %zu at the same time",
                 at_once);
    judge_expect_at_least((double)at_once, (double)least, "packets",
                          "packets of different types are handled one after the other, though "
                          "nothing keeps them apart");
}

JUDGE_CHECK(lab07, errors, 5, "an error that the device meets comes back to the caller")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &busy_handler);
    judge_run(j);   /* makes the executable graphs */
    judge_run(j);   /* one of them is busy meanwhile: it cannot be launched */
    size_t handled; /* by the busy handler, and by the call */
    free(lab07_journal(j, &handled));
    const double returned = judge_value(j, "returned");
    if (returned < 0)
        judge_fail("the handlers were not instantiated from the graphs that were given");
    judge_next("keep the first error that cudaGraphLaunch returned in *status, so that no success "
               "after it takes its place, and return it from lab07_packets");
    judge_actual("lab07_packets returned %.0f, and the packet was not handled", returned);
    judge_expected("%d (cudaErrorInvalidValue)", cudaErrorInvalidValue);
    judge_expect(returned != 0 || handled > 1,
                 "a handler could not be launched, since it was still at work: cudaGraphLaunch "
                 "said so, and lab07_packets returned cudaSuccess");
}

/* ---- time ------------------------------------------------------------------------------------ */

/*
 * A call against the reference's, and against a loop on the host. Of two processes that use an H200
 * in turns the one that came second launches up to 15 % faster from the device than the other: a
 * limit must leave that to chance.
 */
struct contest {
    const struct judge_scenario *scenario, *by_host;
    double at_most;
    double of_host; /* at most this share of the host's time, or what the reference reaches */
    const char *slow, *step, *piece;
    int pieces;
};

/* The call that is timed is one that no_host asks for. */
static void look_at_call(const struct judge *j, const struct trace *t)
{
    const bool packets = number(j, "workload") == LAB07_PACKETS;
    const char *function = packets ? "lab07_packets" : "lab07_loop";
    expect_host_calls(t, function, "a call");
    expect_given_launches(j, function, packets ? TIMED_PACKETS : 0);
}

static void judge_call(const struct contest *c)
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, c->scenario),
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
    struct judge *by_host = judge_start(JUDGE_REFERENCE, c->by_host);
    judge_run(by_host);
    struct judge_times host = judge_compare(j, by_host);
    const double reached = own.reference_us / host.reference_us; /* by the reference */
    judge_expect_at_most(host.ratio, fmax(c->of_host, c->at_most * reached), "ratio",
                         "hardly faster than a loop on the host, which waits for each answer of "
                         "the device");
    judge_note("%.2f us a %s, the reference %.2f; by a loop on the host %.2f: %.1f times as long",
               own.time_us / c->pieces, c->piece, own.reference_us / c->pieces,
               host.reference_us / c->pieces, 1 / host.ratio);
}

JUDGE_CHECK(lab07, loop_time, 5, "200 rounds take no longer than the reference's")
{
    judge_call(&(struct contest){
        .scenario = &many_rounds,
        .by_host = &rounds_by_host,
        .at_most = 1.30,
        .of_host = 0.60,
        .slow = "a round takes longer than a kernel, a decision and a tail launch",
        .step = "what else is in the graph?",
        .piece = "round",
        .pieces = 200});
}

JUDGE_CHECK(lab07, packets_time, 10, "56 packets take no longer than the reference's")
{
    judge_call(&(struct contest){
        .scenario = &many_packets,
        .by_host = &packets_by_host,
        .at_most = 1.30,
        .of_host = 0.90,
        .slow = "a packet takes longer than with as many handlers at once as are allowed: each run "
                "of the scheduler costs a tail launch",
        .step = "launch all that need not wait, and only then the scheduler again",
        .piece = "packet",
        .pieces = TIMED_PACKETS});
}
