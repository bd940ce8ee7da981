/*
 * suite.c: the suite of lab 10, from top to bottom what a submission must do.
 */
#include <math.h>

#include "exchange.h"
#include "expected_alone.h"
#include "expected_results.h"
#include "judge/judge.h"
#include "labs/lab10/mistakes.h"
#include "labs/lab10_conditional/lab.h"
#include "query/graph.h"
#include "query/trace.h"
#include "session/session.h"

static const struct judge_mistake *mistake_of(const struct session_event *e);

/* The graph has a SWITCH node. */
static const struct judge_need needs[] = {{.cuda = 12080}};

JUDGE_LAB(.name = "lab10", .needs = needs, .n_needs = 1,
          .title = "iterate until it is good enough, with no host in the loop", .limit_s = 5,
          .total_s = 15, .mistake_of = mistake_of);

static const struct judge_mistake *mistake_of(const struct session_event *e)
{
    if (e->cause == CAUSE_FAILED)
        return lab10_mistake(e->failure.cause);
    if (e->cause == CAUSE_FINDING && e->finding.kind == SIMGPU_UNINITIALIZED_READ &&
        e->finding.memory.bytes == sizeof(struct lab10_control))
        return &lab10_control_not_cleared;
    if (e->cause == CAUSE_TIMEOUT && e->request == WIRE_GO)
        return &lab10_never_ends;
    return NULL;
}

/* ---- scenarios ------------------------------------------------------------------------------- */

static void make(struct judge_scenario *s)
{
    const size_t count = (size_t)(s->numbers->n * s->numbers->n);
    s->buffers[0] = (struct judge_buffer){"b", JUDGE_INPUT, count, .low = -1, .high = 1};
    s->buffers[1] =
        (struct judge_buffer){"x", JUDGE_OUTPUT, count, .made_by = "jacobi_double or widen"};
    s->buffers[2] =
        (struct judge_buffer){.name = "x_rest", .direction = JUDGE_OUTPUT, .count = count};
    s->fill = lab10_fill;
}

#define SCENARIO(words_, verify_, ...)                                                             \
    {                                                                                              \
        .name = words_, .numbers = JUDGE_NUMBERS(__VA_ARGS__), .drawn = JUDGE_DRAWN(n),            \
        .make = make, .verify = verify_                                                            \
    }
/* With one size: the iterations with checks depend on it. */
#define QUIET(words_, verify_, ...)                                                                \
    {                                                                                              \
        .name = words_, .numbers = JUDGE_NUMBERS(__VA_ARGS__, .scale = 1, .quiet_middle = true),   \
        .make = make, .verify = verify_                                                            \
    }

/* MOST_ROUNDS: three times as many iterations as any b takes. */
enum { SWEEPS = 4, MOST_ROUNDS = 200 };

static const struct judge_scenario plain =
    SCENARIO("64 x 64, 4 sweeps per iteration", lab10_verify, .n = 64, .sweeps = SWEEPS,
             .max_iterations = MOST_ROUNDS, .shift = 0.2f, .tolerance = 1e-3f, .scale = 1);
static const struct judge_scenario odd =
    SCENARIO("33 x 33, 2 sweeps per iteration", lab10_verify_checks, .n = 33, .sweeps = 2,
             .max_iterations = MOST_ROUNDS, .shift = 0.1f, .tolerance = 5e-4f, .scale = 1);
static const struct judge_scenario many_sweeps =
    SCENARIO("40 x 40, 6 sweeps per iteration", lab10_verify_checks, .n = 40, .sweeps = 6,
             .max_iterations = MOST_ROUNDS, .shift = 0.1f, .tolerance = 2e-4f, .scale = 1);
/* On both sides of LAB10_FLOAT_LIMIT, at most a factor of two from it. */
static const struct judge_scenario large_b =
    SCENARIO("48 x 48, b up to 80, tolerance 0.0005", lab10_verify, .n = 48, .sweeps = SWEEPS,
             .max_iterations = MOST_ROUNDS, .shift = 0.2f, .tolerance = 5e-4f, .scale = 80);
static const struct judge_scenario changing =
    SCENARIO("48 x 48, b up to 50 and up to 200 in turns", lab10_verify, .n = 48, .sweeps = SWEEPS,
             .max_iterations = MOST_ROUNDS, .shift = 0.2f, .tolerance = 1e-3f, .scale = 50,
             .scale_next = 200);
/* Probe and change are equal to the tolerance. */
static const struct judge_scenario equal =
    SCENARIO("20 x 20, b and tolerance 0", lab10_verify_checks, .n = 20, .sweeps = 2,
             .max_iterations = MOST_ROUNDS, .shift = 0.2f);
static const struct judge_scenario hopeless =
    SCENARIO("32 x 32, max_iterations 10, unsolved", lab10_verify, .n = 32, .sweeps = SWEEPS,
             .max_iterations = 10, .shift = 0.01f, .tolerance = 1e-4f, .scale = 1);
/* The probe asks for checks in the first iterations, then for none, and again at the end. */
static const struct judge_scenario quiet =
    QUIET("24 x 24, b is 0 in the middle", lab10_verify_checks, .n = 24, .sweeps = SWEEPS,
          .max_iterations = MOST_ROUNDS, .shift = 0.02f, .tolerance = 2e-3f);
/* Few enough iterations for a picture, the first ones with checks. */
static const struct judge_scenario few_called =
    QUIET("24 x 24, max_iterations 7, b is 0 in the middle", NULL, .n = 24, .sweeps = SWEEPS,
          .max_iterations = 7, .shift = 0.02f, .tolerance = 2e-3f);
/* The probe asks for a check in every iteration, the last one included, and none of them ends the
 * loop.
 */
static const struct judge_scenario hopeless_checked =
    QUIET("32 x 32, max_iterations 6, unsolved, a check in each iteration", lab10_verify, .n = 32,
          .sweeps = SWEEPS, .max_iterations = 6, .shift = 0.01f, .tolerance = 6e-3f);
/* The same b, so that submission and reference have the same number of iterations. */
static const struct judge_scenario timed = SCENARIO(
    "128 x 128, 4 sweeps per iteration", lab10_verify, .n = 128, .sweeps = SWEEPS,
    .max_iterations = MOST_ROUNDS, .shift = 0.1f, .tolerance = 1e-3f, .scale = 1, .same_b = true);

/* ---- kernels alone --------------------------------------------------------------------------- */

JUDGE_CHECK(lab10, plan, 5, "`plan` chooses the precision, and the body of the SWITCH.")
{
    lab10_expect_plan();
}

JUDGE_CHECK(lab10, step, 5, "`step` counts, asks for a check if one is needed, and ends the loop.")
{
    lab10_expect_step();
}

JUDGE_CHECK(lab10, decide, 5, "`decide` ends the loop if x is good enough.")
{
    lab10_expect_decide();
}

/* ---- results --------------------------------------------------------------------------------- */

JUDGE_CHECK(lab10, results, 10, "x and the number of iterations are right in every call.")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &plain);
    for (int i = 0; i < 2; i++)
        judge_expect_done(j, &lab10_no_final_wait);
    judge_run_unaided(j, NULL);
}

JUDGE_CHECK(lab10, checks, 10, "A check runs if the probe requires one, and only then.")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &odd);
    judge_run(j);
    judge_prepare(j, &many_sweeps);
    judge_run(j);
    judge_prepare(j, &quiet);
    judge_run(j);
    judge_run(j);
    struct judge_scenario limited[] = {hopeless_checked, few_called};
    for (int i = 0; i < 2; i++) {
        limited[i].verify = lab10_verify_checks;
        judge_prepare(j, &limited[i]);
        judge_run(j);
    }
    judge_prepare(j, &equal);
    judge_run(j);
}

JUDGE_CHECK(lab10, limit, 10, "The loop ends after max_iterations iterations, solved or not.")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &hopeless);
    judge_run(j);
    judge_prepare(j, &hopeless_checked);
    judge_run(j);
    judge_run(j);
}

JUDGE_CHECK(lab10, precision, 10, "The device chooses float or double in each launch.")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &large_b);
    judge_run(j);
    judge_prepare(j, &changing);
    for (int i = 0; i < 4; i++)
        judge_run(j);
}

JUDGE_CHECK(lab10, race_free, 5, "No race, no uninitialized read, and teardown frees everything.")
{
    struct judge_scenario unverified = changing;
    unverified.verify = NULL;
    struct judge *j = judge_start(JUDGE_SUBMISSION, &unverified);
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
    const struct dag *variant, *iteration, *check;
};

static void expect_inside(const struct dag *g)
{
    const size_t conditional = dag_count_all(g, "switch", NULL) + dag_count_all(g, "while", NULL) +
                               dag_count_all(g, "if", NULL);
    judge_actual("%zu conditional nodes, and %zu sweeps outside of them", conditional,
                 dag_count(g, "kernel", "jacobi*"));
    judge_expected("5 conditional nodes: a SWITCH, and WHILE and IF for each precision");
    if (conditional == 0)
        judge_fail_for(&lab10_no_conditional);
}

static const struct dag *body_of(const struct dag *g, const char *kind, size_t body,
                                 const char *where)
{
    const struct dag_node *node = dag_first(g, kind, NULL);
    const size_t n = dag_count(g, kind, NULL);
    judge_actual("%zu nodes %s, %zu of the kind %s", g->n_nodes, where, n, kind);
    judge_blame(&lab10_node_kind);
    judge_expect(n == 1, "%s node of the kind %s is %s.", n ? "More than one" : "No", kind, where);
    judge_expect(node->n_inside > body, "The node of the kind %s %s has no body %zu.", kind, where,
                 body);
    judge_forget();
    return &node->inside[body];
}

/* Has one body of the SWITCH what belongs into both of them? */
static void expect_a_loop_in_each_body(const struct dag *g)
{
    const struct dag_node *node = dag_first(g, "switch", NULL);
    size_t empty = 0, doubled = 0;
    for (size_t i = 0; node && i < node->n_inside; i++) {
        empty += node->inside[i].n_nodes == 0;
        doubled += dag_count(&node->inside[i], "while", NULL) > 1;
    }
    judge_actual("%zu empty, %zu with two WHILE nodes", empty, doubled);
    judge_expected("one WHILE in each of the two bodies of the SWITCH");
    if (empty > 0 && doubled > 0)
        judge_fail_for(&lab10_body_filled_twice);
}

static struct loop find_loop(const struct dag *g, int precision)
{
    struct loop l;
    expect_a_loop_in_each_body(g);
    l.variant = body_of(g, "switch", (size_t)precision, "in the graph");
    l.iteration = body_of(l.variant, "while", 0, "in a body of the SWITCH");
    l.check = body_of(l.iteration, "if", 0, "in the body of a WHILE");
    return l;
}

/* 1 if the node is such a one; if it is a child graph, the number of such nodes in it. */
static size_t holds(const struct dag_node *n, const char *kind, const char *name)
{
    size_t count = dag_is(n, kind, name);
    for (size_t k = 0; k < n->n_inside && dag_is(n, "child", NULL); k++)
        count += dag_count(&n->inside[k], kind, name);
    return count;
}

/* Kernels of a body and of its child graphs. */
static size_t count_kernels(const struct dag *g, const char *name)
{
    size_t count = 0;
    for (size_t i = 0; i < g->n_nodes; i++)
        count += holds(&g->nodes[i], "kernel", name);
    return count;
}

/* Kernels of the learner's: their names are not known. */
static size_t count_own(const struct dag *g)
{
    return count_kernels(g, NULL) - count_kernels(g, "jacobi*") - count_kernels(g, "change*");
}

static bool clears_x(const struct dag *g)
{
    bool clears = false;
    for (size_t i = 0; i < g->n_nodes; i++)
        clears |= dag_is(&g->nodes[i], "memset", NULL) && g->nodes[i].bytes > sizeof(float);
    return clears;
}

static void expect_loop(const struct loop *l, int precision, size_t sweeps)
{
    const char *sweep = sweep_names[precision], *change = change_names[precision];
    const size_t found = count_kernels(l->iteration, sweep),
                 changes = count_kernels(l->iteration, change),
                 checks = count_kernels(l->check, change);
    judge_actual("in %s: %zu nodes with %zu sweeps in the body of the WHILE, %zu nodes in that of "
                 "its IF",
                 variants[precision], l->iteration->n_nodes, found, l->check->n_nodes);
    judge_expected("%zu sweeps by %s, probe, step, IF; in its body clear, change, decide", sweeps,
                   sweep);
    if (found != count_kernels(l->iteration, "jacobi*") ||
        changes != count_kernels(l->iteration, "change*") ||
        checks != count_kernels(l->check, "change*"))
        judge_fail_for(&lab10_other_precision);
    if (found != sweeps)
        judge_fail_for(found == 0 ? &lab10_no_sweeps : &lab10_sweeps_miscounted);
    if (clears_x(l->iteration))
        judge_fail_for(&lab10_clear_in_loop);
    if (checks == 0 && changes > 1)
        judge_fail_for(&lab10_change_each_time);
    if (checks != 1 || count_own(l->check) == 0)
        judge_fail_for(&lab10_check_incomplete);
    if (changes != 1)
        judge_fail_for(&lab10_probe_missing);
    if (count_own(l->iteration) == 0)
        judge_fail_for(&lab10_step_missing);
}

static void expect_no_copies_inside(const struct dag *g)
{
    const size_t back = dag_count_all(g, "d2h", NULL) - dag_count(g, "d2h", NULL);
    judge_actual("%zu copies to the host inside of conditional nodes", back);
    judge_expected("none");
    if (back > 0)
        judge_fail_for(&lab10_copy_in_loop);
}

static void expect_bodies(const struct dag *g, size_t sweeps)
{
    expect_inside(g);
    for (int precision = 0; precision < 2; precision++) {
        struct loop l = find_loop(g, precision);
        expect_loop(&l, precision, sweeps);
    }
    expect_no_copies_inside(g);
}

JUDGE_CHECK(lab10, bodies, 10,
            "SWITCH, WHILE and IF have their bodies, without a copy to the host.")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &plain);
    expect_bodies(look_at_graph(j), SWEEPS);
    judge_prepare(j, &many_sweeps);
    expect_bodies(judge_graph(j), judge_numbers(j)->sweeps);
}

/* Does every node of the one kind and name wait for every one of the other? */
static bool all_wait(const struct dag *g, const char *kind, const char *name, const char *for_kind,
                     const char *for_name)
{
    for (size_t i = 0; i < g->n_nodes; i++)
        for (size_t k = 0; k < g->n_nodes; k++)
            if (i != k && holds(&g->nodes[i], kind, name) &&
                holds(&g->nodes[k], for_kind, for_name) &&
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
        if (is_other && !all_wait(g, "kernel", n->name, "kernel", probe))
            return false;
    }
    return true;
}

static bool is_last(const struct dag *g, const char *kind)
{
    const struct dag_node *sink = dag_sink(g);
    return dag_sinks(g) == 1 && dag_is(sink, kind, NULL);
}

static void expect_order(const struct dag *g, int precision)
{
    const struct loop l = find_loop(g, precision);
    const char *sweep = sweep_names[precision], *change = change_names[precision];
    judge_actual("the bodies of WHILE and IF in %s", variants[precision]);
    judge_expected("sweeps, probe, step, IF; in the IF: clear, change, decide");
    if (!all_wait(l.variant, "while", NULL, "memset", NULL) ||
        dag_first(l.iteration, "if", NULL)->n_in == 0)
        judge_fail_for(&lab10_node_unordered);
    if (!all_wait(l.iteration, "if", NULL, "kernel", sweep) ||
        !all_wait(l.iteration, "kernel", change, "kernel", sweep))
        judge_fail_for(&lab10_sweeps_late);
    if (count_kernels(l.iteration, change) == 0)
        judge_fail_for(&lab10_probe_missing);
    if (!others_wait(l.iteration, change))
        judge_fail_for(&lab10_step_early);
    if (!is_last(l.iteration, "if"))
        judge_fail_for(&lab10_if_not_last);
    if (l.check->n_nodes == 0)
        judge_fail_for(&lab10_check_incomplete);
    if (dag_is(dag_sink(l.check), "kernel", "change*"))
        judge_fail_for(&lab10_decide_early);
}

JUDGE_CHECK(lab10, order, 5, "Each kernel that sets a value runs before the node that reads it.")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &plain);
    const struct dag *g = look_at_graph(j);
    expect_inside(g);
    body_of(g, "switch", 0, "in the graph");
    expect_a_loop_in_each_body(g);
    judge_actual("the SWITCH depends on %zu nodes", dag_first(g, "switch", NULL)->n_in);
    judge_expected("clear, H2D, largest, plan, SWITCH, then the copies back");
    if (dag_first(g, "switch", NULL)->n_in == 0)
        judge_fail_for(&lab10_node_unordered);
    for (size_t i = 0; i < g->n_nodes; i++)
        if (holds(&g->nodes[i], "d2h", NULL) &&
            dag_waits(g, dag_first(g, "switch", NULL), &g->nodes[i]))
            judge_fail_for(&lab10_copied_too_early);
    if (!all_wait(g, "d2h", NULL, "switch", NULL))
        judge_fail_for(&lab10_capture_unaware);
    expect_order(g, 0);
    expect_order(g, 1);
    if (dag_redundant_edges(g) > 0)
        judge_note("Right, but %zu edges are redundant: other edges give the same order already.",
                   dag_redundant_edges(g));
}

/* ---- calls ----------------------------------------------------------------------------------- */

static size_t rows_outside_graphs(const struct trace *t)
{
    size_t outside = 0;
    for (size_t i = 0; i < t->n_rows; i++)
        outside += !trace_is(&t->rows[i], "api", NULL) && t->rows[i].node < 0;
    return outside;
}

/* CUPTI has rows for the last iteration of a loop alone. */
static void expect_iterations_inside(const struct judge *j, const struct trace *t)
{
    const size_t sweeps = trace_count(t, "sm", "jacobi*"),
                 iterations = judge_device_is_simulated() ? judge_numbers(j)->max_iterations : 1;
    judge_actual("%zu sweeps in the trace", sweeps);
    judge_expected("%zu: %zu x %d", iterations * SWEEPS, iterations, SWEEPS);
    if (sweeps < iterations * SWEEPS ||
        (judge_device_is_simulated() && sweeps != iterations * SWEEPS))
        judge_fail_for(&lab10_not_in_graph);
}

static void expect_one_launch(const struct judge *j, const struct trace *t)
{
    (void)j;
    const size_t launches = trace_calls(t, "cudaGraphLaunch"), outside = rows_outside_graphs(t),
                 made = trace_calls(t, "cudaGraphInstantiate*");
    judge_measured((double)launches, 1, "launches");
    judge_actual("%zu graph launches, %zu kernels and copies outside of graphs, %zu instantiations",
                 launches, outside, made);
    judge_expected("1 launch, nothing else");
    if (made > 0)
        judge_fail_for(&lab10_instantiates_each_call);
    if (launches > 1)
        judge_fail_for(&lab10_host_loop);
    if (outside > 0)
        judge_fail_for(&lab10_beside_graph);
    judge_next("launch the graph in lab10_solve (step 9)");
    judge_expect(launches == 1, "lab10_solve launches no graph.");
}

JUDGE_CHECK(lab10, one_launch, 10, "A call is one launch of a graph that was instantiated once.")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &few_called);
    judge_run(j);
    const struct trace *t = judge_trace(j);
    judge_show_timeline(j);
    expect_one_launch(j, t);
    judge_verify(j, lab10_verify);
    expect_iterations_inside(j, t);
}

/* ---- time ------------------------------------------------------------------------------------ */

/* What the grader measured of the host's loop, the last time that it was asked. */
static struct {
    double host_us, sweeps_us, iterations;
} by_host;

static double measure_by_host(struct judge *reference)
{
    judge_floor(reference);
    by_host.host_us = judge_value(reference, host_us);
    by_host.sweeps_us = judge_value(reference, sweeps_us);
    by_host.iterations = judge_value(reference, host_iterations);
    return by_host.sweeps_us;
}

JUDGE_CHECK(lab10, time, 15, "At most 1.1 times the reference's time, and less than a host loop.")
{
    const double at_most = 1.10;
    struct judge *j = judge_start(JUDGE_SUBMISSION, &timed),
                 *reference = judge_start(JUDGE_REFERENCE, &timed);
    judge_run(j);
    judge_run(reference);
    const double iterations = judge_value(reference, iterations);
    judge_next("remove from an iteration what only a check needs, and from lab10_solve what "
               "lab10_setup can do");
    struct judge_times times =
        judge_expect_time(&(struct judge_race){.submission = j,
                                               .reference = reference,
                                               .at_most = at_most,
                                               .floor_us = measure_by_host,
                                               .look = expect_one_launch,
                                               .slow = "lab10_solve takes longer than necessary."});
    const double iteration_us = times.time_us / iterations,
                 host_iteration_us = by_host.host_us / by_host.iterations;
    judge_actual("%.2f us per iteration, a host loop %.2f us", iteration_us, host_iteration_us);
    judge_expect(iteration_us < fmax(host_iteration_us, at_most * times.reference_us / iterations),
                 "A host loop, which launches a graph per iteration and reads its probe, is "
                 "faster.");
    judge_note("per iteration: %.2f us; the reference %.2f us; a host loop %.2f us, %.2f times as "
               "long; the sweeps alone %.2f us",
               iteration_us, times.reference_us / iterations, host_iteration_us,
               host_iteration_us / iteration_us, by_host.sweeps_us / by_host.iterations);
}
