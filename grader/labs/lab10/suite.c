/*
 * suite.c: the suite of lab 10, from top to bottom what a submission must do.
 */
#include <math.h>

#include "query/graph.h"
#include "judge/judge.h"
#include "expected_results.h"
#include "query/trace.h"

JUDGE_LAB(.name = "lab10", .title = "iterate until it is good enough, with no host in the loop",
          .limit_s = 5, .total_s = 15,
          .endless =
              "A WHILE goes on until a kernel in its body sets its value to 0: does `decide` "
              "when the change is small enough, does `step` after max_iterations, and does "
              "nobody set it to 1 again?");

/* ---- scenarios ------------------------------------------------------------------------------- */

#define SCENARIO(words_, n_, sweeps_, most_, shift_, tolerance_, scale_, next_, fill_, verify_)    \
    {                                                                                              \
        .name = words_,                                                                            \
        .numbers = {{"n", n_},                                                                     \
                    {"sweeps", sweeps_},                                                           \
                    {"max_iterations", most_},                                                     \
                    {"shift_thousandth", shift_},                                                  \
                    {"tolerance_millionth", tolerance_},                                           \
                    {"scale", scale_},                                                             \
                    {"scale_next", next_},                                                         \
                    {"same_b", (fill_) == SAME_B},                                                 \
                    {"quiet_middle", (fill_) == QUIET_MIDDLE}},                                    \
        .buffers = {{"b", JUDGE_INPUT, (size_t)(n_) * (n_), .grows = 2, .low = -1, .high = 1},     \
                    {"x", JUDGE_OUTPUT, (size_t)(n_) * (n_), .grows = 2,                           \
                     .made_by = "jacobi_double or widen"},                                         \
                    {"x_rest", JUDGE_OUTPUT, (size_t)(n_) * (n_), .grows = 2}},                    \
        .drawn = "n", .spread = (fill_) == QUIET_MIDDLE ? 0 : (n_) / 16, .fill = lab10_fill,       \
        .verify = verify_                                                                          \
    }

enum { SWEEPS = 4 };
enum fill { RANDOM, SAME_B, QUIET_MIDDLE };

static const struct judge_scenario plain =
    SCENARIO("4 sweeps a round", 64, SWEEPS, 1000, 200, 1000, 1, 0, RANDOM, lab10_verify);
static const struct judge_scenario odd =
    SCENARIO("2 sweeps a round", 33, 2, 1000, 100, 500, 1, 0, RANDOM, lab10_verify);
static const struct judge_scenario many_sweeps =
    SCENARIO("6 sweeps a round", 40, 6, 1000, 100, 200, 1, 0, RANDOM, lab10_verify);
static const struct judge_scenario large_b =
    SCENARIO("b up to 10000", 48, SWEEPS, 1000, 200, 1000, 10000, 0, RANDOM, lab10_verify);
static const struct judge_scenario changing =
    SCENARIO("b up to 1 and up to 10000 in turns", 48, SWEEPS, 1000, 200, 1000, 1, 10000, RANDOM,
             lab10_verify);
static const struct judge_scenario hopeless =
    SCENARIO("ends unsolved after 10 rounds", 32, SWEEPS, 10, 10, 100, 1, 0, RANDOM, lab10_verify);
/* The probe asks for checks in the first rounds, then for none, and again at the end. */
static const struct judge_scenario quiet =
    SCENARIO("b is 0 in the middle", 24, SWEEPS, 1000, 20, 2000, 1, 0, QUIET_MIDDLE, lab10_verify);
/* Few enough rounds for a picture, the first ones with checks. */
static const struct judge_scenario few_called =
    SCENARIO("7 rounds, b is 0 in the middle", 24, SWEEPS, 7, 20, 2000, 1, 0, QUIET_MIDDLE, NULL);
/* The probe asks for a check in every round, the last one included, and none of them ends the loop.
 */
static const struct judge_scenario hopeless_checked =
    SCENARIO("ends unsolved after 12 rounds with checks", 32, SWEEPS, 12, 10, 5000, 1, 0,
             QUIET_MIDDLE, lab10_verify);
/* The same b, so that submission and reference have the same number of rounds. */
static const struct judge_scenario timed =
    SCENARIO("4 sweeps a round", 128, SWEEPS, 1000, 100, 1000, 1, 0, SAME_B, lab10_verify);

/* ---- results --------------------------------------------------------------------------------- */

static void expect_done(struct judge *j)
{
    static const struct judge_mistake no_final_wait = {
        "no_final_wait", "lab10_solve returned while the device was still working on it",
        "cudaStreamSynchronize behind cudaGraphLaunch", "results"};
    judge_expect_done(j, &no_final_wait);
}

JUDGE_CHECK(lab10, results, 15, "x is right, and so is the number of rounds, in every call")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &plain);
    for (int i = 0; i < 3; i++)
        expect_done(j);
}

JUDGE_CHECK(lab10, checks, 10, "a check is made when the probe asks for one, and only then")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &odd);
    judge_run(j);
    judge_prepare(j, &many_sweeps);
    judge_run(j);
    judge_prepare(j, &quiet);
    judge_run(j);
    judge_run(j);
}

JUDGE_CHECK(lab10, limit, 10, "the loop ends after max_iterations, solved or not")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &hopeless);
    judge_run(j);
    judge_prepare(j, &hopeless_checked);
    judge_run(j);
    judge_run(j);
}

JUDGE_CHECK(lab10, precision, 10, "the device chooses float or double, in each launch anew")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &large_b);
    judge_run(j);
    judge_prepare(j, &changing);
    for (int i = 0; i < 4; i++)
        judge_run(j);
}

JUDGE_CHECK(lab10, race_free, 5, "no race, nothing stale is read, nothing is left behind")
{
    judge_needs_findings();
    struct judge *j = judge_start(JUDGE_SUBMISSION, &changing);
    judge_run(j);
    judge_run(j);
    judge_expect_no_findings(j);
}

/* ---- the graph ------------------------------------------------------------------------------- */

static const char *const variants[] = {"float", "double"};
static const char *const sweep_names[] = {"jacobi", "jacobi_double"};
static const char *const change_names[] = {"change", "change_double"};

static struct dag *look_at_graph(struct judge *j)
{
    static const struct judge_shape shape = {
        .nodes = "7: clear, H2D, largest, plan, SWITCH, 2 x D2H",
        .inside = "25: 3 and 2 in the SWITCH, 7 in each WHILE, 3 in each IF",
        .edges = "6",
        .roots = "1",
        .sinks = "1",
        .width = "1",
        .path = "7"};
    struct dag *g = judge_graph(j);
    judge_show_graph(j, &shape);
    return g;
}

/* The body of the one SWITCH, WHILE and IF that lie inside each other. */
struct loop {
    const struct dag *variant, *round, *check;
};

static void expect_inside(const struct dag *g)
{
    judge_next("cudaStreamBeginCaptureToGraph, with the body as the graph that is captured into");
    judge_expect(dag_count(g, "kernel", "jacobi*") == 0,
                 "sweeps are in the graph itself, where they run once a launch: they were captured "
                 "there, and not into the body of the WHILE");
    judge_next("conditional nodes: cudaGraphAddNode with cudaGraphNodeTypeConditional");
    judge_expect(dag_count_all(g, "switch", NULL) + dag_count_all(g, "while", NULL) +
                         dag_count_all(g, "if", NULL) >
                     0,
                 "no conditional node is in the graph: then it is the host that decides");
}

static const struct dag *body_of(const struct dag *g, const char *kind, size_t body,
                                 size_t n_bodies, const char *where)
{
    const struct dag_node *node = dag_first(g, kind, NULL);
    judge_actual("%zu nodes %s, %zu of the kind %s", g->n_nodes, where, dag_count(g, kind, NULL),
                 kind);
    judge_expect(g->n_nodes > 0,
                 "there is nothing %s: what was to be its body was captured into another graph",
                 where);
    const size_t n = dag_count(g, kind, NULL);
    judge_expect(n == 1, "%s node of the kind %s is %s: one belongs there",
                 n ? "more than one" : "no", kind, where);
    judge_expect(node->n_inside == n_bodies, "the node of the kind %s %s has %zu bodies, not %zu",
                 kind, where, node->n_inside, n_bodies);
    return &node->inside[body];
}

static struct loop find_loop(const struct dag *g, int precision)
{
    struct loop l;
    judge_next("lab.h draws what belongs where");
    l.variant = body_of(g, "switch", (size_t)precision, 2, "in the graph");
    l.round = body_of(l.variant, "while", 0, 1, "in a body of the SWITCH");
    l.check = body_of(l.round, "if", 0, 1, "in the body of a WHILE");
    return l;
}

static void expect_loop(const struct loop *l, int precision, size_t sweeps)
{
    const char *sweep = sweep_names[precision], *words = variants[precision];
    const size_t found = dag_count(l->round, "kernel", sweep);
    judge_actual("%zu sweeps, %zu other nodes in the body of the WHILE (%s); %zu nodes in that of "
                 "its IF",
                 found, l->round->n_nodes - found, words, l->check->n_nodes);
    judge_expected("%zu sweeps by %s, the probe, step, the IF; in its body clear, change, decide",
                   sweeps, sweep);
    judge_next("the body of the SWITCH for the value %d is the one that works in %s", precision,
               words);
    judge_expect(found == dag_count(l->round, "kernel", "jacobi*"),
                 "the sweeps of the other precision are in the body for %s", words);
    judge_next("cudaStreamBeginCaptureToGraph, with the body as the graph that is captured into");
    judge_expect(found > 0, "no sweep is in the body of the WHILE for %s", words);
    judge_next("enqueue_sweep for k from 0 to sweeps - 1: as many as there and back need");
    judge_expect(found == sweeps, "a round of %zu sweeps: that is not `sweeps`", found);
    judge_next("clear, launch_change, lab10_launch_decide: in the body of the IF");
    judge_expect(l->check->n_nodes > 0, "there is nothing in the body of the IF (%s)", words);
    judge_expect(dag_count(l->check, "kernel", change_names[precision]) == 1,
                 "the change is not computed in the body of the IF (%s): computed in every round, "
                 "it costs time in every round",
                 words);
    judge_next("launch_change for one row: in the body of the WHILE, behind the sweeps");
    judge_expect(dag_count(l->round, "kernel", change_names[precision]) == 1,
                 "the probe is not in the body of the WHILE (%s)", words);
}

static void expect_no_copies_inside(const struct dag *g)
{
    const size_t back = dag_count_all(g, "d2h", NULL) - dag_count(g, "d2h", NULL);
    judge_actual("%zu copies to the host inside of conditional nodes", back);
    judge_next("what the loop wants to know is in the control block, on the device");
    judge_expect(back == 0,
                 "a copy to the host is made in the loop: nobody there reads it, and every round "
                 "waits for it");
}

JUDGE_CHECK(lab10, bodies, 15, "SWITCH, WHILE and IF, each with its body, and no copy to the host")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &plain);
    const struct dag *g = look_at_graph(j);
    expect_inside(g);
    for (int precision = 0; precision < 2; precision++) {
        struct loop l = find_loop(g, precision);
        expect_loop(&l, precision, SWEEPS);
    }
    expect_no_copies_inside(g);
}

/* Does every node of the one kind and name wait for every one of the other? */
static bool all_wait(const struct dag *g, const char *kind, const char *name, const char *for_kind,
                     const char *for_name)
{
    for (size_t i = 0; i < g->n_nodes; i++)
        for (size_t k = 0; k < g->n_nodes; k++)
            if (dag_is(&g->nodes[i], kind, name) && dag_is(&g->nodes[k], for_kind, for_name) &&
                !dag_waits(g, &g->nodes[i], &g->nodes[k]))
                return false;
    return true;
}

/* Do all kernels but the sweeps and the probe wait for the probe? Their names are the learner's. */
static bool others_wait(const struct dag *g, const char *probe)
{
    for (size_t i = 0; i < g->n_nodes; i++) {
        const struct dag_node *n = &g->nodes[i];
        const bool is_other =
            dag_is(n, "kernel", NULL) && !dag_is(n, NULL, "jacobi*") && !dag_is(n, NULL, "change*");
        if (is_other && !dag_waits(g, n, dag_first(g, "kernel", probe)))
            return false;
    }
    return true;
}

/* The longest path leads through all of its nodes: none runs beside another. */
static bool is_chain(const struct dag *g)
{
    return dag_path(g) == g->n_nodes;
}

static bool is_last(const struct dag *g, const char *kind)
{
    const struct dag_node *sink = dag_sink(g);
    return dag_sinks(g) == 1 && dag_is(sink, kind, NULL);
}

static void expect_order(const struct dag *g, int precision)
{
    struct loop l = find_loop(g, precision);
    const char *words = variants[precision];
    judge_next("sweeps, probe, step, IF: one behind the other");
    judge_expect(all_wait(l.round, "if", NULL, "kernel", sweep_names[precision]),
                 "the IF does not wait for the sweeps of its round (%s): the check would look at "
                 "the round before",
                 words);
    judge_expect(
        all_wait(l.round, "kernel", change_names[precision], "kernel", sweep_names[precision]),
        "the probe does not wait for the sweeps of its round (%s)", words);
    judge_expect(dag_first(l.round, "kernel", change_names[precision]) != NULL,
                 "there is no probe in a round (%s)", words);
    judge_expect(others_wait(l.round, change_names[precision]),
                 "`step` does not wait for the probe of its round (%s): it sees that of the round "
                 "before",
                 words);
    judge_expect(is_last(l.round, "if"),
                 "the IF is not the last node of a round (%s): what sets "
                 "its value comes too late",
                 words);
    judge_expect(is_chain(l.round), "not all nodes of a round wait for each other (%s)", words);
    judge_next("clear, change, decide: one behind the other");
    judge_expect(l.check->n_nodes > 0, "there is nothing in the body of the IF (%s)", words);
    judge_expect(is_chain(l.check) && dag_sink(l.check) &&
                     !dag_is(dag_sink(l.check), "kernel", "change*"),
                 "`decide` is not behind the change that it looks at (%s)", words);
}

JUDGE_CHECK(lab10, order, 5, "what sets a value runs before what asks for it")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &plain);
    const struct dag *g = look_at_graph(j);
    expect_inside(g);
    judge_next("clear, H2D, largest, plan, SWITCH, and the copies back behind it");
    body_of(g, "switch", 0, 2, "in the graph");
    judge_expect(all_wait(g, "switch", NULL, "kernel", "largest"),
                 "the SWITCH does not wait for the largest |b|, by which `plan` chooses");
    judge_expect(all_wait(g, "d2h", NULL, "switch", NULL),
                 "a copy back does not wait for the SWITCH: it brings what was there before");
    expect_order(g, 0);
    expect_order(g, 1);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static size_t called(const struct trace *t, const char *name)
{
    return trace_api_calls(t, name, -1, INFINITY);
}

static size_t rows_outside_graphs(const struct trace *t)
{
    size_t outside = 0;
    for (size_t i = 0; i < t->n_rows; i++)
        outside += !trace_is(&t->rows[i], "api", NULL) && t->rows[i].node < 0;
    return outside;
}

/* CUPTI has rows for the last round of a loop alone. */
static void expect_rounds_inside(const struct judge *j, const struct trace *t)
{
    const size_t sweeps = trace_count(t, "sm", "jacobi*"),
                 rounds =
                     judge_device_is_simulated() ? (size_t)judge_number(j, "max_iterations") : 1;
    judge_actual("%zu sweeps in the trace", sweeps);
    judge_expected("%zu: %zu %s of %d", rounds * SWEEPS, rounds, rounds == 1 ? "round" : "rounds",
                   SWEEPS);
    judge_next("the WHILE runs the sweeps, and its last round is told by `step` and `decide`");
    judge_expect(judge_device_is_simulated() ? sweeps == rounds * SWEEPS
                                             : sweeps >= rounds * SWEEPS,
                 "the result is right, but the sweeps of its rounds were not run by the graph");
}

static void expect_one_launch(const struct judge *j, const struct trace *t)
{
    (void)j;
    const size_t launches = called(t, "cudaGraphLaunch"), outside = rows_outside_graphs(t);
    judge_measured((double)launches, 1, "launches");
    judge_actual("%zu graph launches, %zu kernels and copies outside of graphs, %zu instantiations",
                 launches, outside, called(t, "cudaGraphInstantiate*"));
    judge_expected("1 launch, nothing else");
    judge_next("build and instantiate in lab10_setup; lab10_solve launches and waits");
    judge_expect(called(t, "cudaGraphInstantiate*") == 0,
                 "the graph is instantiated in each call: that takes longer than all the rounds");
    judge_expect(launches <= 1,
                 "lab10_solve launches graphs again and again: the host is still in the loop, and "
                 "each round waits for it");
    judge_expect(outside == 0, "lab10_solve queues work beside its graph");
    judge_expect(launches == 1, "lab10_solve launches no graph");
}

JUDGE_CHECK(lab10, one_launch, 15, "a solution is one graph launch, of a graph instantiated once")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &few_called);
    judge_run(j);
    const struct trace *t = judge_trace(j);
    judge_show_timeline(j);
    expect_one_launch(j, t);
    judge_verify(j, lab10_verify);
    expect_rounds_inside(j, t);
}

/* ---- time ------------------------------------------------------------------------------------ */

/* What the grader measured of the host's loop, the last time that it was asked. */
static struct {
    double host_us, sweeps_us, rounds;
} by_host;

static double measure_by_host(struct judge *reference)
{
    judge_floor(reference);
    by_host.host_us = judge_value(reference, "host_us");
    by_host.sweeps_us = judge_value(reference, "sweeps_us");
    by_host.rounds = judge_value(reference, "host_rounds");
    return by_host.sweeps_us;
}

JUDGE_CHECK(lab10, time, 15,
            "a round takes no longer than the reference's, and less than the host's")
{
    const double at_most = 1.10;
    struct judge *j = judge_start(JUDGE_SUBMISSION, &timed),
                 *reference = judge_start(JUDGE_REFERENCE, &timed);
    judge_run(j);
    judge_run(reference);
    const double rounds = judge_value(reference, "rounds");
    judge_next(
        "in a round: the sweeps, the probe, `step` and the IF; in setup: all that is not new "
        "in each call");
    struct judge_times times = judge_expect_time(
        &(struct judge_race){.submission = j,
                             .reference = reference,
                             .at_most = at_most,
                             .floor_us = measure_by_host,
                             .look = expect_one_launch,
                             .slow = "lab10_solve takes longer than it must: is something done in "
                                     "every round that only a check needs, or in every call that "
                                     "setup could do, or is the host in the loop?"});
    const double round_us = times.time_us / rounds,
                 host_round_us = by_host.host_us / by_host.rounds;
    judge_actual("%.2f us a round, the host's loop %.2f", round_us, host_round_us);
    judge_expect(
        round_us < fmax(host_round_us, at_most * times.reference_us / rounds),
        "the host's loop, which launches a graph a round and looks at its probe, is faster");
    judge_note("%.2f us a round, the reference %.2f; with the host in the loop %.2f: %.2f times as "
               "long; the sweeps alone %.2f",
               round_us, times.reference_us / rounds, host_round_us, host_round_us / round_us,
               by_host.sweeps_us / by_host.rounds);
}
