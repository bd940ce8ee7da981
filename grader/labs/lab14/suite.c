/* suite.c: the suite of lab 14, from top to bottom what a submission must do. */
#include <math.h>
#include <string.h>

#include "exchange.h"
#include "expected.h"
#include "judge/judge.h"
#include "labs/captures.h"
#include "labs/lab14/mistakes.h"
#include "query/trace.h"
#include "session/session.h"

/* What one device does not show. */
static const struct judge_need needs[] = {
    {"same_bits", .devices = 2},    {"peer_access", .devices = 2, .peers = true},
    {"every_device", .devices = 2}, {"link_bytes", .devices = 2},
    {"small_time", .devices = 2},   {"large_time", .devices = 2},
    {"link_limit", .devices = 2}};

JUDGE_LAB(.name = "lab14", .needs = needs, .n_needs = sizeof needs / sizeof needs[0],
          .title = "tensor parallelism with an all-reduce, as one graph", .devices = 4,
          .rules = &lab14_rules);

/* Of the bytes that a sum should not have read: has the part of its device any? Its memory is a
   slot for each device. */
bool lab14_in_part(const struct facts *facts)
{
    const struct simgpu_finding *f = &facts->event->finding;
    const uint64_t n = (uint64_t)judge_devices(), d = (uint64_t)f->memory.device;
    const uint64_t floats = f->memory.bytes / n / sizeof(float);
    const uint64_t at = (f->address - f->memory.address) / sizeof(float) % (floats ? floats : 1);
    return at + f->run_bytes / sizeof(float) > d * floats / n && at < (d + 1) * floats / n;
}

/* ---- scenarios ------------------------------------------------------------------------------- */

static void make(struct judge_scenario *s)
{
    const size_t count = s->numbers->rows * s->numbers->n;
    const struct judge_buffer buffers[] = {{.name = "x", .direction = JUDGE_INPUT, .count = count},
                                           {.name = "y",
                                            .direction = JUDGE_OUTPUT,
                                            .count = LAB14_MOST_DEVICES * count,
                                            .made_by = "sum_parts or saxpy or mlp_down"},
                                           {.name = "bytes",
                                            .direction = JUDGE_OUTPUT,
                                            .count = LAB14_MOST_DEVICES * LAB14_MOST_DEVICES}};
    memcpy(s->buffers, buffers, sizeof buffers);
}

#define SCENARIO(words_, ...)                                                                      \
    {                                                                                              \
        .name = words_, .numbers = JUDGE_NUMBERS(__VA_ARGS__), .make = make, .verify = verify_all  \
    }
#define GIVEN .exchange = 1, .gbps = 100

static const struct judge_scenario one_shot =
    SCENARIO("one-shot: 3 layers, 37 rows, n = 31, m = 45", GIVEN, .n_layers = 3, .rows = 37,
             .n = 31, .m = 45, .algorithm = LAB14_ONE_SHOT);
static const struct judge_scenario two_shot =
    SCENARIO("two-shot: 3 layers, 37 rows, n = 31, m = 45", GIVEN, .n_layers = 3, .rows = 37,
             .n = 31, .m = 45, .algorithm = LAB14_TWO_SHOT);
static const struct judge_scenario even =
    SCENARIO("one-shot: 2 layers, 16 rows, n = 64, m = 64", GIVEN, .n_layers = 2, .rows = 16,
             .n = 64, .m = 64, .algorithm = LAB14_ONE_SHOT);
static const struct judge_scenario alone =
    SCENARIO("one device: 2 layers, 10 rows, n = 20, m = 30", GIVEN, .devices = 1, .n_layers = 2,
             .rows = 10, .n = 20, .m = 30);

/* ---- results --------------------------------------------------------------------------------- */

JUDGE_CHECK(lab14, results, 20,
            "y is right on every device, with both algorithms, for uneven sizes, and on one "
            "device.")
{
    struct judged *j = judge_start(JUDGE_SUBMISSION, &one_shot);
    judge_run_to_end(j, "no_final_wait");
    judge_run(j);
    judge_run_next(j, &two_shot);
    judge_run(j);
    judge_run_next(j, &even);
    judge_run_next(j, &alone);
}

JUDGE_CHECK(lab14, same_bits, 10, "All devices get the same bits.")
{
    struct judge_scenario one = one_shot, two = two_shot;
    one.verify = two.verify = verify_bits;
    struct judged *j = judge_run_first(&one);
    judge_run_next(j, &two);
}

JUDGE_CHECK(lab14, race_free, 10,
            "No partial sum is read too early or overwritten, and nothing leaks.")
{
    struct numbers deep_one = *one_shot.numbers, deep_two = *two_shot.numbers;
    deep_one.n_layers = deep_two.n_layers = 5;
    const struct judge_scenario one = judge_unverified(one_shot, &deep_one),
                                two = judge_unverified(two_shot, &deep_two);
    judge_needs_findings();
    struct judged *j = judge_run_first(&two);
    judge_run(j);
    judge_expect_order(j);
    judge_run_next(j, &one);
    judge_run(j);
    judge_expect_no_findings(j);
}

/* ---- what setup makes ------------------------------------------------------------------------ */

/* Weights are most of the memory. */
static const struct judge_scenario weighty =
    SCENARIO("4 layers, 32 rows, n = 256, m = 1024", GIVEN, .n_layers = 4, .rows = 32, .n = 256,
             .m = 1024, .algorithm = LAB14_ONE_SHOT);

JUDGE_CHECK(lab14, memory, 5, "Each device holds its own part of the weights, and no more.")
{
    struct numbers looking = *weighty.numbers;
    looking.look = true;
    struct judge_scenario s = judge_unverified(weighty, &looking);
    s.model_only = true;
    struct judged *j = judge_run_first(&s);
    const double n = devices_of(j), m = (double)judge_numbers(j)->m,
                 rows = (double)judge_numbers(j)->rows, columns = (double)judge_numbers(j)->n,
                 all = 2 * m * columns * (double)judge_numbers(j)->n_layers * sizeof(float),
                 message = rows * columns * sizeof(float),
                 limit = all + m * rows * sizeof(float) + n * (2 * n + 2) * message;
    judge_expect_bytes(judge_own_bytes(j), limit,
                       "on all devices the weights once, h, and 2 n + 2 messages on each of n",
                       "too_much_memory");
}

JUDGE_CHECK(lab14, peer_access, 5,
            "Each device may access the memory of each other device, if that is possible.")
{
    struct numbers looking = *even.numbers;
    looking.look = true;
    const struct judge_scenario s = judge_unverified(even, &looking);
    struct judged *j = judge_run_first(&s);
    if (judge_value(j, peers) == 0)
        judge_skip("these GPUs cannot access each other's memory");
    judge_expect_nothing_noted();
    judge_run_in_pairs(&s);
    judge_expect_nothing_noted();
}

/* How much longer the bytes of one-shot take than those of two-shot. With two devices exactly 0. */
static double saved_us(int devices, double bytes, double gbps)
{
    return (devices - 1) * (bytes / (gbps * 1e3)) * (1 - 2.0 / devices);
}

/* What lab.h says. */
static enum lab14_algorithm choice_of(int devices, double bytes, double exchange_us, double gbps)
{
    const bool is_worth_it = saved_us(devices, bytes, gbps) > exchange_us * (1 + 1e-9);
    return is_worth_it && devices > 1 ? LAB14_TWO_SHOT : LAB14_ONE_SHOT;
}

JUDGE_CHECK(lab14, choice, 5, "lab14_choose returns the faster algorithm for a message.")
{
    static const char *const names[] = {"LAB14_CHOOSE", "LAB14_ONE_SHOT", "LAB14_TWO_SHOT"};
    struct numbers asking = *alone.numbers;
    asking.ask = true;
    struct judge_scenario s = judge_unverified(alone, &asking);
    s.name = ""; /* no step */
    struct judged *j = judge_run_first(&s);
    for (int i = 0; i < N_CASES; i++) {
        const enum lab14_algorithm expected = choice_of(cases[i].devices, (double)cases[i].bytes,
                                                        cases[i].exchange_us, cases[i].gbps);
        const int actual = (int)judge_value(j, choices[i]);
        judge_actual("lab14_choose(%d, %zu, %g, %g) = %s", cases[i].devices, cases[i].bytes,
                     cases[i].exchange_us, cases[i].gbps,
                     actual >= 0 && actual <= LAB14_TWO_SHOT ? names[actual] : "something else");
        judge_expected("%s", names[expected]);
        const bool is_tie = saved_us(cases[i].devices, (double)cases[i].bytes, cases[i].gbps) ==
                            cases[i].exchange_us;
        if (actual != (int)expected)
            judge_fail_that(is_tie ? "choice_of_equals" : "wrong_choice");
    }
}

/* ---- the graph and its run ------------------------------------------------------------------- */

/* A submission with a scenario that depends on the number of devices, which a small run tells. */
struct step {
    struct judge_scenario scenario;
    struct numbers numbers; /* in place of the scenario's */
    struct judged *judge;
    int devices;
};

static struct judge_scenario scenario_of(const struct step *p)
{
    struct judge_scenario s = p->scenario;
    s.numbers = &p->numbers;
    return s;
}

/* m: for each device. */
static struct step start_step(struct judge_scenario scenario, int m, bool model_only)
{
    struct judge_scenario s = judge_unverified(even, even.numbers);
    struct step p = {.scenario = scenario, .numbers = *scenario.numbers};
    s.model_only = p.scenario.model_only = model_only;
    p.judge = judge_run_first(&s);
    p.devices = devices_of(p.judge);
    p.numbers.m = (size_t)(m * p.devices);
    s = scenario_of(&p);
    judge_prepare(p.judge, &s);
    return p;
}

static struct judged *start_reference(const struct step *p)
{
    const struct judge_scenario s = scenario_of(p);
    return judge_start(JUDGE_REFERENCE, &s);
}

static double message_bytes(const struct judged *j)
{
    const struct numbers *numbers = judge_numbers(j);
    return (double)numbers->rows * (double)numbers->n * sizeof(float);
}

/* Messages whose parts are equal, on 1 to 8 devices. */
static const struct judge_scenario divisible =
    SCENARIO("2 layers, 105 rows, n = 64", .n_layers = 2, .rows = 105, .n = 64, .gbps = 1);

JUDGE_CHECK(lab14, every_device, 5, "Every device computes both products of each layer.")
{
    struct step p = start_step(divisible, 16, true);
    judge_run(p.judge);
    const struct trace *t = judge_trace(p.judge);
    const size_t expected = (size_t)judge_numbers(p.judge)->n_layers;
    static const char *const kernels[] = {"mlp_up", "mlp_down"};
    size_t fewest = expected;
    judge_show_timeline(p.judge);
    judge_expected("%zu, one for each layer", expected);
    for (int i = 0; i < 2 * p.devices; i++) {
        const size_t actual = traffic_launches(t, i / 2, kernels[i % 2]);
        if (actual < fewest || (actual > expected && fewest == expected))
            judge_actual("device %d: %zu launches of %s", i / 2, actual, kernels[i % 2]);
        if (actual < fewest || (actual > expected && fewest == expected))
            fewest = actual;
    }
    judge_fact_number("launches", (double)fewest);
    judge_expect_that(fewest == expected, "layers_wrong");
    judge_forget();
}

JUDGE_CHECK(lab14, link_bytes, 10, "Each device sends and receives the bytes of the algorithm.")
{
    static const struct {
        const char *name;
        enum lab14_algorithm asked;
        double break_even; /* of lab14_choose, as a share of the message */
    } all[] = {{"one-shot: 2 layers, 105 rows, n = 64", LAB14_ONE_SHOT, 1},
               {"two-shot: 2 layers, 105 rows, n = 64", LAB14_TWO_SHOT, 1},
               {"fast exchanges: 2 layers, 105 rows, n = 64", LAB14_CHOOSE, 0.6},
               {"slow exchanges: 2 layers, 105 rows, n = 64", LAB14_CHOOSE, 1.7}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        struct numbers looking = *divisible.numbers;
        looking.algorithm = all[i].asked;
        looking.look = true;
        struct judge_scenario s = judge_unverified(divisible, &looking);
        s.name = all[i].name;
        struct step p = start_step(s, 16, false);
        const int n = p.devices;
        const double message = message_bytes(p.judge), /* at 1 byte per ns */
            exchange_ns = floor(all[i].break_even * message * (n - 1) * fmax(n - 2, 0) / n);
        p.numbers.exchange = exchange_ns / 1e3;
        s = scenario_of(&p);
        judge_run_next(p.judge, &s);
        expect_traffic(p.judge,
                       all[i].asked ? all[i].asked : choice_of(n, message, exchange_ns / 1e3, 1));
        judge_stop(p.judge);
    }
}

JUDGE_CHECK(lab14, one_launch, 10, "A run is one launch of one graph.")
{
    struct step p = start_step(divisible, 16, true);
    judge_run(p.judge);
    captures_expect_launches(judge_trace(p.judge), 1, "lab14_run");
    judge_graph(p.judge);
    judge_show_graph(p.judge, &(struct judge_shape){.roots = "1 for each device"});
}

/* A message of 16 KiB, as of some sequences that generate, and one of 16 MiB, as of prompts. */
enum { COLUMNS = 32 };
static const struct judge_scenario small_message =
    SCENARIO("8 layers, 16 rows, n = 256", .n_layers = 8, .rows = 16, .n = 256);
static const struct judge_scenario large_message =
    SCENARIO("4 layers, 4096 rows, n = 1024", .n_layers = 4, .rows = 4096, .n = 1024);

static struct step start_timed(struct judge_scenario s)
{
    s.verify = verify_rows;
    return start_step(s, COLUMNS, true);
}

/* The launch of a graph for several GPUs takes long: a short run ends before the launch returns. */
JUDGE_CHECK(lab14, complete, 5,
            "lab14_run returns after y is complete on all devices, and returns errors.")
{
    struct step p =
        judge_device_is_simulated() ? start_step(divisible, 64, true) : start_timed(large_message);
    judge_expect_done(p.judge, "no_final_wait");
    judge_expect_waited(p.judge, "no_final_wait");
    judge_expect_error(&even);
}

/* ---- time ------------------------------------------------------------------------------------ */

/* The time that the links take at least: no all-reduce by copies moves less than two-shot. */
static double links_us(const struct judged *j)
{
    const double bytes = traffic_of(LAB14_TWO_SHOT, devices_of(j), (int)judge_numbers(j)->n_layers,
                                    message_bytes(j));
    return bytes / (judge_value(j, gbps) * 1e3);
}

/* What no right run can beat: the products of one device, then the bytes. */
static double no_less_us(struct judged *reference)
{
    const double spared = 0.1;
    const double products_us = judge_floor_value(reference, products_us);
    return (1 - spared) * (products_us + links_us(reference));
}

/* A run whose values are not computed: its graph must have the waits of a step. */
static void expect_waits(struct judged *j)
{
    if (!judge_device_is_simulated())
        return;
    judge_expect_order(j);
    const struct dag *g = judge_graph(j);
    judge_actual("a product, or a result, does not wait for all devices");
    judge_expected("each waits for the products of all devices in the layer before");
    judge_expect_that(traffic_is_awaited(g, (size_t)devices_of(j), judge_numbers(j)->n_layers),
                      "work_left_out");
    judge_forget();
}

/* The timed run has the work of a step. */
static void look_at_work(const struct judged *j, const struct trace *t)
{
    const int n = devices_of(j), layers = (int)judge_numbers(j)->n_layers;
    const double least = n * traffic_of(LAB14_TWO_SHOT, n, layers, message_bytes(j)),
                 actual = trace_bytes(t, "p2p", NULL);
    const size_t products = trace_count(t, "sm", "mlp_*"),
                 expected = 2 * (size_t)n * (size_t)layers;
    judge_actual("%zu products, %.1f MiB between devices", products, actual / (1 << 20));
    judge_expected("%zu products, at least %.1f MiB", expected, least / (1 << 20));
    if (products < expected || actual < 0.999 * least)
        judge_fail_that("work_left_out");
    judge_forget();
}

/* Of a step that is too slow: with large messages, all devices send at the same time. */
static void expect_all_send(struct judged *j)
{
    const double n = judge_devices();
    if (!judge_device_is_simulated() || message_bytes(j) < 1 << 20)
        return;
    const struct trace *t = judge_trace(j);
    const double senders = trace_sum_us(t, "p2p", NULL) / fmax(trace_busy_us(t, "p2p", NULL), 1e-3);
    if (senders >= 0.7 * n)
        return;
    judge_actual("while any device sends, %.1f devices send on average", senders);
    judge_expected("nearly all %.0f", n);
    judge_fail_that("sends_in_turn");
}

static void expect_time(struct judge_scenario scenario, double slack, const char *slow)
{
    struct step p = start_timed(scenario);
    struct judged *reference = start_reference(&p);
    judge_run(p.judge);
    expect_waits(p.judge);
    judge_run(reference);
    judge_next("look at the timeline: what does a device wait for while its links and its SMs are "
               "idle?");
    const struct judge_times t = judge_expect_time(&(struct judge_race){.submission = p.judge,
                                                                        .reference = reference,
                                                                        .at_most = slack,
                                                                        .floor_us = no_less_us,
                                                                        .look = look_at_work,
                                                                        .too_slow = expect_all_send,
                                                                        .slow = slow});
    judge_note("%d devices: %.1f us (reference %.1f)", p.devices, t.time_us, t.reference_us);
}

/* Between GPUs each wait for an event costs more than on the simulated device, and how much depends
 * on the design: on four H200s, two right ones take 1.33 and 1.52 times the reference's time.
 * Two-shot takes twice as long as one-shot there (plots/data/NVIDIA_H200/all_reduce.csv). */
JUDGE_CHECK(lab14, small_time, 5,
            "Messages of 16 KiB: at most 1.15 times the reference's time; on GPUs, 1.75 times.")
{
    expect_time(small_message, judge_device_is_simulated() ? 1.15 : 1.75,
                "Small messages take longer than they could: the number of exchanges, copies and "
                "waits decides.");
}

/* A ring, with its many short steps, is within this limit on four devices, also with slow memory.
 */
JUDGE_CHECK(lab14, large_time, 5, "Messages of 16 MiB: at most 1.5 times the reference's time.")
{
    expect_time(
        large_message, 1.5,
        "Large messages take longer than they could: the bytes of the busiest link decide.");
}

/* Of the time in which no device runs a kernel, the share that the bytes need. */
static double share_of_limit(struct judged *j, const struct trace *t)
{
    return links_us(j) / fmax(traffic_us(t), 1e-3);
}

JUDGE_CHECK(lab14, link_limit, 5,
            "Large messages reach at least 70 % of the reference's share of the link's limit.")
{
    const double part = 0.7;
    struct step p = start_timed(large_message);
    struct judged *reference = start_reference(&p);
    judge_run(p.judge);
    expect_waits(p.judge);
    judge_run(reference);
    const double best = share_of_limit(reference, judge_trace(reference)),
                 actual = share_of_limit(p.judge, judge_trace(p.judge));
    judge_show_timeline(p.judge);
    look_at_work(p.judge, judge_trace(p.judge));
    judge_actual("the all-reduce runs at %.0f %% of the link's limit", 100 * actual);
    judge_expected("at least %.0f %%: 70 %% of the reference's %.0f %%", 100 * part * best,
                   100 * best);
    judge_next("look at the timeline: do all devices send all the time, and no two of them to the "
               "same device?");
    judge_expect_at_least(actual, part * best, "of the limit",
                          "The links are idle, or share a receiver, or carry more bytes than they "
                          "need to.");
    judge_note("%.0f %% of the link's limit (reference %.0f %%)", 100 * actual, 100 * best);
}

/* ---- diagnosis ------------------------------------------------------------------------------- */

JUDGE_DIAGNOSIS(lab14)
{
    static const struct {
        const char *name;
        enum lab14_algorithm algorithm;
    } all[] = {{"one-shot: 37 rows, n = 31, m = 45", LAB14_ONE_SHOT},
               {"two-shot: 37 rows, n = 31, m = 45", LAB14_TWO_SHOT}};
    if (!judge_is_unexplained("results"))
        return;
    for (int layers = 1; layers <= 2; layers++)
        for (int i = 0; i < 2; i++) {
            struct numbers digits = *one_shot.numbers;
            digits.digits = true;
            digits.n_layers = (size_t)layers;
            digits.algorithm = all[i].algorithm;
            struct judge_scenario s = judge_unverified(one_shot, &digits);
            s.name = all[i].name;
            s.fill = fill_digits;
            struct judged *j = judge_run_first(&s);
            (layers == 1 ? expect_digits : expect_second_layer)(j);
            judge_stop(j);
        }
    judge_fail_that("weights_wrong");
}
