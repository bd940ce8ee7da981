/* suite.c: the suite of lab 12, from top to bottom what a submission must do. */
#include <math.h>

#include "exchange.h"
#include "expected.h"
#include "judge/judge.h"
#include "labs/captures.h"
#include "labs/lab12/mistakes.h"
#include "query/trace.h"
#include "session/session.h"

/* What one device does not show. */
static const struct judge_need needs[] = {{"peer_access", .devices = 2, .peers = true},
                                          {"every_device", .devices = 2},
                                          {"overlap", .devices = 2},
                                          {"bubble", .devices = 2},
                                          {"beats_one_device", .devices = 2}};

JUDGE_LAB(.name = "lab12", .needs = needs, .n_needs = sizeof needs / sizeof needs[0],
          .title = "a pipeline over several GPUs, as one graph", .devices = 2,
          .rules = &lab12_rules);

/* Is the finding's memory n x n floats? Weights are; no micro-batch of the suite has n rows. */
bool lab12_of_weights(const struct facts *facts)
{
    const double n = round(sqrt((double)facts->event->finding.bytes / sizeof(float)));
    return n * n * sizeof(float) == (double)facts->event->finding.bytes;
}

bool lab12_of_first_stage(const struct facts *facts)
{
    return facts->event->finding.memory.device == 0;
}

/* ---- scenarios ------------------------------------------------------------------------------- */

static void make(struct judge_scenario *s)
{
    const size_t count = s->numbers->rows * s->numbers->n;
    s->buffers[0] = (struct judge_buffer){"x", JUDGE_INPUT, count, .pinned = true};
    s->buffers[1] = (struct judge_buffer){"y", JUDGE_OUTPUT, count, .pinned = true,
                                          .made_by = s->numbers->ask ? NULL : "dense"};
}

#define SCENARIO(words_, ...)                                                                      \
    {                                                                                              \
        .name = words_, .numbers = JUDGE_NUMBERS(__VA_ARGS__), .make = make, .verify = verify_all  \
    }

static const struct judge_scenario even =
    SCENARIO("8 layers of 64 x 64, 96 rows, 3 slots, a bubble of 20 %", .n_layers = 8, .n = 64,
             .rows = 96, .n_buffers = 3, .percent = 20);
static const struct judge_scenario uneven =
    SCENARIO("9 layers of 32 x 32, 101 rows, 4 slots, a bubble of 10 %", .n_layers = 9, .n = 32,
             .rows = 101, .n_buffers = 4, .percent = 10);
static const struct judge_scenario one_slot =
    SCENARIO("8 layers of 32 x 32, 77 rows, 1 slot, a bubble of 15 %", .n_layers = 8, .n = 32,
             .rows = 77, .n_buffers = 1, .percent = 15);
static const struct judge_scenario spare =
    SCENARIO("11 layers of 64 x 64, 70 rows, 8 slots, a bubble of 45 %", .n_layers = 11, .n = 64,
             .rows = 70, .n_buffers = 8, .percent = 45);
static const struct judge_scenario alone =
    SCENARIO("3 layers of 64 x 64, 50 rows, 2 slots, one device", .devices = 1, .n_layers = 3,
             .n = 64, .rows = 50, .n_buffers = 2, .percent = 10);

enum { LARGE = 1024, SMALL = 128, SLOTS = 3, PERCENT = 10, LEAST_LAYERS = 8 };

static int micro_batches(int stages, int percent)
{
    int n = 1;
    while (100 * (stages - 1) > percent * (n + stages - 1))
        n++;
    return n;
}

static int layers_of_each(int stages)
{
    return (LEAST_LAYERS + stages - 1) / stages;
}

/* Micro-batches of n / 2 rows, and as many layers in each stage. LARGE lasts long enough to be
   timed, SMALL does for what is counted. */
static struct numbers numbers_of(int stages, int n)
{
    return (struct numbers){.n_layers = (size_t)(stages * layers_of_each(stages)),
                            .n = (size_t)n,
                            .rows = (size_t)(micro_batches(stages, PERCENT) * n / 2),
                            .n_buffers = SLOTS,
                            .percent = PERCENT};
}

static struct judge_scenario pipeline_of(const struct numbers *n)
{
    return (struct judge_scenario){
        .name = n->n == LARGE
                    ? "micro-batches of 512 rows, layers of 1024 x 1024, 3 slots, a bubble of 10 %"
                    : "micro-batches of 64 rows, layers of 128 x 128, 3 slots, a bubble of 10 %",
        .numbers = n,
        .make = make,
        .model_only = true,
        .verify = verify_sums};
}

static struct judged *start_reference(const struct numbers *n)
{
    const struct judge_scenario s = pipeline_of(n);
    return judge_start(JUDGE_REFERENCE, &s);
}

/* A submission's pipeline over all devices: their number comes from a small one. `look`: the
 * adapter reports what it finds after each run. */
struct pipeline {
    struct numbers numbers;
    struct judged *judge;
    int stages;
};

static struct pipeline start_pipeline_of(enum judge_who who, int n, bool look)
{
    struct judge_scenario small = even;
    struct pipeline p;
    small.model_only = true;
    small.verify = NULL;
    p.judge = judge_start(who, &small);
    judge_run(p.judge);
    p.stages = judge_count(p.judge, n_devices, MOST_DEVICES);
    p.numbers = numbers_of(p.stages, n);
    p.numbers.look = look;
    small = pipeline_of(&p.numbers);
    judge_prepare(p.judge, &small);
    return p;
}

static struct pipeline start_pipeline(int n, bool look)
{
    return start_pipeline_of(JUDGE_SUBMISSION, n, look);
}

JUDGE_CHECK(lab12, results, 20,
            "y is right for uneven sizes, one device, and more micro-batches than slots.")
{
    static const struct judge_scenario *const all[] = {&uneven, &one_slot, &spare, &alone};
    struct judged *j = judge_start(JUDGE_SUBMISSION, &even);
    judge_run_to_end(j, "no_final_wait");
    for (int i = 0; i < 2; i++)
        judge_run(j);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        judge_run_next(j, all[i]);
        judge_run(j);
    }
    judge_run_unaided(j, "no_final_wait");
    if (!judge_device_is_simulated())
        return;
    judge_stop(j);
    struct judge_scenario more = spare;
    more.name = "11 layers of 64 x 64, 70 rows, 8 slots, a bubble of 45 %, more devices";
    more.devices = 3; /* stages with 3, 4 and 4 layers */
    judge_run(judge_start(JUDGE_SUBMISSION, &more));
}

JUDGE_CHECK(lab12, race_free, 10,
            "No micro-batch is read too early or overwritten, and nothing leaks.")
{
    const struct judge_scenario first = judge_unverified(uneven, uneven.numbers),
                                second = judge_unverified(one_slot, one_slot.numbers);
    judge_needs_findings();
    struct judged *j = judge_run_first(&first);
    judge_run(j);
    const char *order = graph_order(judge_graph(j), judge_count(j, n_devices, MOST_DEVICES));
    judge_prepare(j, &second);
    if (order)
        judge_fact(order);
    judge_run(j);
    judge_expect_no_findings(j);
}

JUDGE_CHECK(lab12, complete, 5, "lab12_run returns after y is complete, and returns errors.")
{
    struct pipeline p = start_pipeline(LARGE, false);
    judge_expect_done(p.judge, "no_final_wait");
    judge_expect_error(&even);
}

JUDGE_CHECK(lab12, memory, 5, "Each device holds its own layers and its slots, and no more.")
{
    struct pipeline p = start_pipeline(LARGE, true);
    judge_run(p.judge);
    const double layer = (double)LARGE * LARGE * sizeof(float),
                 rows = ceil((double)p.numbers.rows / judge_value(p.judge, n_micro)),
                 slot = 2 * rows * LARGE * sizeof(float),
                 limit = p.stages * (layers_of_each(p.stages) * layer + (SLOTS + 1) * slot);
    judge_expect_bytes(judge_own_bytes(p.judge), limit,
                       "on all devices the layers of each stage, the slots, and one more",
                       "too_much_memory");
}

JUDGE_CHECK(lab12, peer_access, 5,
            "Each device may access the memory of the next one, if that is possible.")
{
    struct numbers looking = *even.numbers;
    looking.look = true;
    struct judge_scenario three = judge_unverified(even, &looking);
    three.devices = 3; /* of two, only one needs access */
    struct judged *j = judge_run_first(&three);
    if (judge_value(j, peers) == 0)
        judge_skip("these GPUs cannot access each other's memory");
    judge_expect_nothing_noted();
    judge_teardown(j);
    judge_expect_nothing_noted();
    judge_run_in_pairs(&three);
    judge_expect_nothing_noted();
}

JUDGE_CHECK(lab12, micro_batches, 5,
            "lab12_micro_batches returns the fewest that keep the bubble small enough.")
{
    struct numbers asking = *alone.numbers;
    asking.ask = true;
    struct judge_scenario s = judge_unverified(alone, &asking);
    s.name = ""; /* no pipeline */
    struct judged *j = judge_run_first(&s);
    for (int i = 0; i < N_CASES; i++) {
        const int expected = micro_batches(cases[i].stages, cases[i].percent);
        const double actual = judge_value(j, micro_batches[i]);
        judge_actual("lab12_micro_batches(%d, %.2f) = %.0f", cases[i].stages,
                     cases[i].percent / 100.0, actual);
        judge_expected("%d", expected);
        judge_expect_that(actual >= expected, "too_few_micro_batches");
        judge_expect_that(actual <= expected, "too_many_micro_batches");
    }
}

/* ---- the graph and its run ------------------------------------------------------------------- */

/* A trace of the large pipeline. */
static const struct trace *trace_of(struct judged *j)
{
    judge_run(j);
    const struct trace *t = judge_trace(j);
    judge_show_timeline(j);
    return t;
}

static const struct trace *trace_of_reference(const struct pipeline *p)
{
    struct judged *reference = start_reference(&p->numbers);
    judge_run(reference);
    return judge_trace(reference);
}

/* Does each device run each micro-batch through the layers of its stage? */
static void expect_stages(const struct pipeline *p, const struct trace *t)
{
    const int n_layers = (int)judge_numbers(p->judge)->n_layers;
    const size_t n_micro = (size_t)judge_value(p->judge, n_micro);
    bool right = true;
    for (int i = 0; i < p->stages; i++) {
        const int layers = (i + 1) * n_layers / p->stages - i * n_layers / p->stages;
        const size_t actual = stage_layers(t, i), expected = n_micro * (size_t)layers;
        if (actual == 0)
            judge_fact("device_unused");
        if (actual == 0 || (right && actual != expected)) {
            judge_actual("device %d: %zu launches of dense", i, actual);
            judge_expected("%zu: %zu micro-batches through %d layers", expected, n_micro, layers);
        }
        right = right && actual == expected;
    }
    judge_expect_that(right, "layers_split");
}

/* The same for stages of different lengths. */
static void expect_uneven_stages(const struct pipeline *p)
{
    struct numbers looking = *uneven.numbers;
    looking.look = true;
    struct judge_scenario s = judge_unverified(uneven, &looking);
    s.model_only = true; /* as in start_pipeline: the same process */
    judge_prepare(p->judge, &s);
    expect_stages(p, trace_of(p->judge));
}

JUDGE_CHECK(lab12, every_device, 10, "Every device runs the layers of its stage.")
{
    struct pipeline p = start_pipeline(SMALL, true);
    const struct trace *t = trace_of(p.judge);
    const bool is_repeated =
        graph_facts_of_repeats(judge_graph(p.judge), judge_buffer_count(p.judge, "y"));
    judge_expect_that(!is_repeated, NULL);
    expect_stages(&p, t);
    const int first = trace_first(t, "sm", "dense*")->device,
              last = trace_last(t, "sm", "dense*")->device;
    judge_actual("stage 0 runs on device %d, and stage %d on device %d", first, p.stages - 1, last);
    judge_expected("stage s on device s");
    judge_expect_that(first == 0 && last == p.stages - 1, "stage_elsewhere");
    judge_actual("x is copied in a stream of device %d", stage_of_input(t));
    judge_expected("device 0");
    judge_expect_that(stage_of_input(t) == 0, "origin_elsewhere");
    expect_uneven_stages(&p);
}

static void expect_one_launch(const struct trace *t)
{
    judge_ask_trace(t);
    judge_expect_that(trace_calls(t, "cudaDeviceEnablePeerAccess*") == 0, NULL);
    captures_expect_launches(t, 1, "lab12_run");
    judge_forget();
}

JUDGE_CHECK(lab12, one_launch, 10, "A run is one launch of one graph.")
{
    struct pipeline p = start_pipeline(SMALL, false);
    expect_one_launch(trace_of(p.judge));
    judge_graph(p.judge);
    judge_show_graph(p.judge, &(struct judge_shape){.roots = "1", .sinks = "1"});
}

JUDGE_CHECK(lab12, overlap, 10, "Each device sends one micro-batch while it computes the next.")
{
    struct pipeline p = start_pipeline(LARGE, false);
    const struct trace *t = trace_of(p.judge), *best = trace_of_reference(&p);
    judge_next("look at the timeline: what does the device wait for while its copy runs?");
    for (int i = 0; i < p.stages; i++) {
        const double part = stage_overlap(t, i), least = fmin(0.5, 0.7 * stage_overlap(best, i));
        judge_actual("device %d computes during %.0f %% of the time of its copies", i, part * 100);
        judge_expected("at least %.0f %%", least * 100);
        judge_expect_at_least(part, least, "of the copies",
                              "A device does not compute while it copies its results.");
    }
}

JUDGE_CHECK(lab12, bubble, 5,
            "The devices idle as the formula says, or as the reference does, within 15 %.")
{
    const double slack = 0.15;
    struct pipeline p = start_pipeline(LARGE, false);
    const int n = micro_batches(p.stages, PERCENT);
    const double formula = (p.stages - 1.0) / (n + p.stages - 1.0);
    /* the formula counts no copies, and where these are slow the reference idles longer */
    const double reference = pipeline_bubble(trace_of_reference(&p), p.stages),
                 least = (1 - slack) * fmin(formula, reference),
                 most = (1 + slack) * fmax(formula, reference);
    const double actual = pipeline_bubble(trace_of(p.judge), p.stages);
    judge_actual("the devices idle for %.1f %% of the time", 100 * actual);
    judge_expected("%.1f to %.1f %%, for %d micro-batches", 100 * least, 100 * most, n);
    judge_next("look at the timeline: is one stage longer than the others, or does a micro-batch "
               "wait although its stage is idle?");
    judge_expect_at_most(actual, most, "of the time",
                         "The devices idle longer than the number of micro-batches explains.");
    judge_expect_at_least(actual, least, "of the time",
                          "The devices idle for less time than the number of micro-batches "
                          "allows.");
    judge_note("the devices idle for %.1f %% of the time, by the formula %.1f %%", 100 * actual,
               100 * formula);
}

/* ---- time ------------------------------------------------------------------------------------ */

/* What both checks below compare with another time. */
static const char PIPELINE[] = "pipeline";

/* What no right run can beat: one stage's layers, which kernels side by side shorten a little. */
static double no_less_us(struct judged *reference)
{
    const double spared = 0.2;
    return (1 - spared) * judge_floor_value(reference, stage_us);
}

JUDGE_CHECK(lab12, beats_one_device, 10,
            "The speedup over one device is at least 85 % of the reference's.")
{
    const double slack = 1.15;
    struct pipeline p = start_pipeline(LARGE, false);
    struct numbers one = p.numbers;
    one.devices = 1;
    struct judged *reference = start_reference(&p.numbers), *single = start_reference(&one);
    judge_run(p.judge);
    judge_run(reference);
    judge_run(single);
    const double share = judge_compare(reference, single).ratio;
    judge_stop(single);
    judge_next("look at the timeline: do the devices compute at the same time?");
    const struct judge_race race = {.submission = p.judge,
                                    .reference = reference,
                                    .at_most = slack,
                                    .share = share,
                                    .floor_us = no_less_us,
                                    .same_work = true,
                                    .than = "the time of one device",
                                    .slow =
                                        "The pipeline gains less over one device than it could."};
    const struct judge_times t = judge_expect_time(&race);
    judge_share_times(PIPELINE, &race);
    judge_note(
        "%d devices: %.1f us, one device %.1f: %.2f times as fast (the reference %.2f times)",
        p.stages, t.time_us, t.reference_us / share, 1 / (t.ratio * share), 1 / share);
}

static struct judge_times expect_as_fast(struct judged *reference, double at_most, double share)
{
    struct pipeline p = start_pipeline(LARGE, false);
    judge_run(p.judge);
    judge_next("which edge of the graph would the streams not wait for? Or does lab12_run do more "
               "than launch?");
    return judge_expect_time(
        &(struct judge_race){.submission = p.judge,
                             .reference = reference,
                             .at_most = at_most,
                             .share = share,
                             .floor_us = no_less_us,
                             .same_work = true,
                             .than = "the time of the same pipeline with stream launches",
                             .slow = "Slower than the same pipeline with stream launches."});
}

JUDGE_CHECK(lab12, as_fast_as_streams, 5,
            "At most 1.05 times the time of the same pipeline with stream launches.")
{
    const double slack = 1.05;
    struct pipeline p = start_pipeline_of(JUDGE_REFERENCE, LARGE, false);
    struct numbers streams = p.numbers;
    streams.by_streams = true;
    streams.n_micro = micro_batches(p.stages, PERCENT);
    struct judged *driven = start_reference(&streams);
    judge_run(p.judge);
    judge_run(driven);
    const double share = judge_compare(p.judge, driven).ratio, at_most = slack * fmax(1, 1 / share);
    struct judge_times t;
    judge_stop(driven);
    if (!judge_knows_time(PIPELINE, (struct figure){0}, at_most, &t))
        t = expect_as_fast(p.judge, at_most, share);
    const int n = micro_batches(p.stages, PERCENT);
    judge_note("%.1f us; with stream launches and %d micro-batch%s %.1f us", t.time_us, n,
               n == 1 ? "" : "es", t.reference_us / share);
}

/* ---- diagnosis ------------------------------------------------------------------------------- */

/* Which layers did y go through? */
static void expect_all_layers(struct judged *j, const struct judge_scenario *scenario)
{
    judge_run_next(j, scenario);
    expect_primes(j);
}

/* Where do wrong results come from, if no order is missing? */
static void diagnose_results(void)
{
    struct numbers of_one = *alone.numbers, of_all = *even.numbers, of_odd = *even.numbers;
    of_one.primes = of_all.primes = of_odd.primes = true;
    of_odd.n_layers--;
    const struct judge_scenario one = judge_unverified(alone, &of_one),
                                all = judge_unverified(even, &of_all);
    struct judge_scenario odd = judge_unverified(even, &of_odd);
    odd.name = "7 layers of 64 x 64, 96 rows, 3 slots, a bubble of 20 %";
    struct judged *j = judge_run_first(&one);
    expect_primes(j);
    expect_all_layers(j, &all);
    expect_all_layers(j, &odd);
    judge_stop(j);
}

JUDGE_DIAGNOSIS(lab12)
{
    struct pipeline p = start_pipeline(SMALL, false);
    const char *order = graph_order(judge_graph(p.judge), p.stages);
    judge_expect_that(!order, order);
    judge_stop(p.judge);
    if (judge_is_unexplained("results"))
        diagnose_results();
}
