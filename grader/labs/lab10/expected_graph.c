/* expected_graph.c: what the graph of lab 10 must have inside its conditional nodes, see
 * expected_graph.h. */
#include "expected.h"

#include "labs/drawn.h"

static const char *const variants[] = {"float", "double"};
static const char *const sweep_names[] = {"jacobi", "jacobi_double"};
static const char *const change_names[] = {"change", "change_double"};

struct dag *lab10_look_at_graph(struct judged *j)
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
    judge_expect_that(conditional > 0, "no_conditional");
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

/* The bodies of WHILE and IF. The names of the learner's kernels are not known: step and decide are
   those that no other row has. In the order, groups that may be empty need no node. */
static size_t compare_loop(const struct loop *l, int precision, size_t sweeps,
                           size_t (*compare)(const struct dag *g, const struct drawn *d))
{
    const char *sweep = sweep_names[precision], *change = change_names[precision];
    const bool counts = compare == drawn_count;
    const struct drawn iteration = {
        .name = "iteration",
        .nodes = DRAWN_NODES(DRAWN_NODE("kernel", sweep, "sweep", .n = sweeps),
                             DRAWN_NODE("kernel", change, "probe", .n = 1),
                             DRAWN_NODE("kernel", "jacobi*", "other_sweep"),
                             DRAWN_NODE("kernel", "change*", "other_probe"),
                             DRAWN_NODE("kernel", NULL, "step", .n = counts, .more = DRAWN_ANY),
                             DRAWN_NODE("if", NULL, "if", .n = 1)),
        .edges = DRAWN_EDGES({0, 5}, {0, 1}, {1, 4}, {4, 5})};
    const struct drawn check = {
        .name = "check",
        .nodes = DRAWN_NODES(DRAWN_NODE("kernel", change, "change", .n = 1),
                             DRAWN_NODE("kernel", "change*", "other_change"),
                             DRAWN_NODE("kernel", "jacobi*", "sweep"),
                             DRAWN_NODE("kernel", NULL, "decide", .n = 1, .more = DRAWN_ANY)),
        .edges = DRAWN_EDGES({0, 0})};
    return compare(l->iteration, &iteration) + compare(l->check, &check);
}

static void expect_loop(const struct loop *l, int precision, size_t sweeps)
{
    const size_t memsets = dag_count(l->iteration, "memset", NULL);
    judge_actual("in %s: nodes in the body of the WHILE: %zu (sweeps: %zu, memsets: %zu), in that "
                 "of its IF: %zu (sweeps: %zu, changes: %zu)",
                 variants[precision], l->iteration->n_nodes,
                 dag_count(l->iteration, "kernel", sweep_names[precision]), memsets,
                 l->check->n_nodes, dag_count_all(l->check, "kernel", "jacobi*"),
                 dag_count_all(l->check, "kernel", change_names[precision]));
    judge_expected("%zu sweeps by %s, probe, step, IF; in its body clear, change, decide", sweeps,
                   sweep_names[precision]);
    judge_expect_that(l->check->n_nodes > 0, "check_empty");
    if (memsets > 0)
        judge_fact("memsets_in_loop");
    judge_expect_that(compare_loop(l, precision, sweeps, drawn_count) == 0 && memsets == 0,
                      "bodies_differ");
}

static void expect_no_copies_inside(const struct dag *g)
{
    const size_t back = dag_count_all(g, "d2h", NULL) - dag_count(g, "d2h", NULL);
    judge_actual("%zu copies to the host inside of conditional nodes", back);
    judge_expected("none");
    judge_expect_that(back == 0, "copy_in_loop");
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

static void expect_order_of_loop(const struct dag *g, int precision)
{
    const struct drawn variant = {.name = "variant",
                                  .nodes = DRAWN_NODES(DRAWN_NODE("memset", NULL, "clear"),
                                                       DRAWN_NODE("while", NULL, "while")),
                                  .edges = DRAWN_EDGES({0, 1})};
    const struct loop l = find_loop(g, precision);
    judge_actual("the bodies of WHILE and IF in %s", variants[precision]);
    judge_expected("sweeps, probe, step, IF; in the IF: clear, change, decide");
    if (dag_first(l.iteration, "if", NULL)->n_in == 0)
        judge_fail_that("unordered");
    judge_expect_that(
        drawn_order(l.variant, &variant) + compare_loop(&l, precision, 0, drawn_order) == 0,
        "bodies_unordered");
    judge_expect_that(l.check->n_nodes > 0, "check_empty");
    judge_expect_that(!dag_is(dag_sink(l.check), "kernel", "change*"), "change_is_last");
}

void lab10_expect_order(const struct dag *g)
{
    const struct drawn drawn = {.name = "graph",
                                .nodes = DRAWN_NODES(DRAWN_NODE("kernel", "largest", "largest"),
                                                     DRAWN_NODE("kernel", NULL, "plan"),
                                                     DRAWN_NODE("switch", NULL, "switch"),
                                                     DRAWN_NODE("d2h", NULL, "copy")),
                                .edges = DRAWN_EDGES({0, 1}, {2, 3})};
    expect_inside(g);
    body_of(g, "switch", 0, "in the graph");
    expect_a_loop_in_each_body(g);
    const size_t n_in = dag_first(g, "switch", NULL)->n_in;
    judge_actual("nodes before the SWITCH: %zu", n_in);
    judge_expected("clear, H2D, largest, plan, SWITCH, then the copies back");
    judge_expect_that(n_in > 0, "unordered");
    judge_expect_that(drawn_order(g, &drawn) == 0, "graph_unordered");
    expect_order_of_loop(g, 0);
    expect_order_of_loop(g, 1);
    if (dag_redundant_edges(g) > 0)
        judge_note("Right, but %zu edges are redundant: other edges give the same order already.",
                   dag_redundant_edges(g));
}
