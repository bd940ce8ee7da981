/*
 * expected_graph.c: what the graph of lab 10 must have inside its conditional nodes, see
 * expected_graph.h.
 */
#include "expected_graph.h"

#include "labs/lab10/mistakes.h"

static const char *const variants[] = {"float", "double"};
static const char *const sweep_names[] = {"jacobi", "jacobi_double"};
static const char *const change_names[] = {"change", "change_double"};

struct dag *lab10_look_at_graph(struct judge *j)
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

/* ---- bodies ---------------------------------------------------------------------------------- */

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
        judge_fail_that("no_conditional");
}

static const struct dag *body_of(const struct dag *g, const char *kind, size_t body,
                                 const char *where)
{
    const struct dag_node *node = dag_first(g, kind, NULL);
    const size_t n = dag_count(g, kind, NULL);
    judge_actual("%zu nodes %s, %zu of the kind %s", g->n_nodes, where, n, kind);
    judge_asks("node_kind");
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
        judge_fail_that("body_filled_twice");
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
        judge_fail_that("other_precision");
    if (found != sweeps)
        judge_fail_that(found == 0 ? "no_sweeps" : "sweeps_miscounted");
    if (clears_x(l->iteration))
        judge_fail_that("clear_in_loop");
    if (checks == 0 && changes > 1)
        judge_fail_that("change_each_time");
    if (checks != 1 || count_own(l->check) == 0)
        judge_fail_that("check_incomplete");
    if (changes != 1)
        judge_fail_that("probe_missing");
    if (count_own(l->iteration) == 0)
        judge_fail_that("step_missing");
}

static void expect_no_copies_inside(const struct dag *g)
{
    const size_t back = dag_count_all(g, "d2h", NULL) - dag_count(g, "d2h", NULL);
    judge_actual("%zu copies to the host inside of conditional nodes", back);
    judge_expected("none");
    if (back > 0)
        judge_fail_that("copy_in_loop");
}

void lab10_expect_bodies(const struct dag *g, size_t sweeps)
{
    expect_inside(g);
    for (int precision = 0; precision < 2; precision++) {
        struct loop l = find_loop(g, precision);
        expect_loop(&l, precision, sweeps);
    }
    expect_no_copies_inside(g);
}

/* ---- order ----------------------------------------------------------------------------------- */

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

/* Do all kernels but the given ones wait for this given one? Their names are the learner's. */
static bool others_wait(const struct dag *g, const char *given)
{
    for (size_t i = 0; i < g->n_nodes; i++) {
        const struct dag_node *n = &g->nodes[i];
        const bool is_other =
            dag_is(n, "kernel", NULL) && !dag_is(n, NULL, "jacobi*") && !dag_is(n, NULL, "change*");
        if (is_other && !all_wait(g, "kernel", n->name, "kernel", given))
            return false;
    }
    return true;
}

static bool is_last(const struct dag *g, const char *kind)
{
    const struct dag_node *sink = dag_sink(g);
    return dag_sinks(g) == 1 && dag_is(sink, kind, NULL);
}

static void expect_order_of_loop(const struct dag *g, int precision)
{
    const struct loop l = find_loop(g, precision);
    const char *sweep = sweep_names[precision], *change = change_names[precision];
    judge_actual("the bodies of WHILE and IF in %s", variants[precision]);
    judge_expected("sweeps, probe, step, IF; in the IF: clear, change, decide");
    if (!all_wait(l.variant, "while", NULL, "memset", NULL) ||
        dag_first(l.iteration, "if", NULL)->n_in == 0)
        judge_fail_that("node_unordered");
    if (!all_wait(l.iteration, "if", NULL, "kernel", sweep) ||
        !all_wait(l.iteration, "kernel", change, "kernel", sweep))
        judge_fail_that("sweeps_late");
    if (count_kernels(l.iteration, change) == 0)
        judge_fail_that("probe_missing");
    if (!others_wait(l.iteration, change))
        judge_fail_that("step_early");
    if (!is_last(l.iteration, "if"))
        judge_fail_that("if_not_last");
    if (l.check->n_nodes == 0)
        judge_fail_that("check_incomplete");
    if (dag_is(dag_sink(l.check), "kernel", "change*"))
        judge_fail_that("decide_early");
}

void lab10_expect_order(const struct dag *g)
{
    expect_inside(g);
    body_of(g, "switch", 0, "in the graph");
    expect_a_loop_in_each_body(g);
    judge_actual("the SWITCH depends on %zu nodes", dag_first(g, "switch", NULL)->n_in);
    judge_expected("clear, H2D, largest, plan, SWITCH, then the copies back");
    if (dag_first(g, "switch", NULL)->n_in == 0)
        judge_fail_that("node_unordered");
    for (size_t i = 0; i < g->n_nodes; i++)
        if (holds(&g->nodes[i], "d2h", NULL) &&
            dag_waits(g, dag_first(g, "switch", NULL), &g->nodes[i]))
            judge_fail_that("copied_too_early");
    if (!all_wait(g, "d2h", NULL, "switch", NULL))
        judge_fail_that("capture_unaware");
    if (!others_wait(g, "largest"))
        judge_fail_that("plan_early");
    expect_order_of_loop(g, 0);
    expect_order_of_loop(g, 1);
    if (dag_redundant_edges(g) > 0)
        judge_note("Right, but %zu edges are redundant: other edges give the same order already.",
                   dag_redundant_edges(g));
}
