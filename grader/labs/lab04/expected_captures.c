/* expected_captures.c: what is asked of each of lab 04's eight captures. */
#include "exchange.h"
#include "expected.h"

#include <stdio.h>
#include <string.h>

#include "judge/judge.h"
#include "labs/drawn.h"

enum { PART = 4096 };

static double twice(struct judged *j, size_t batch, size_t row, size_t column)
{
    (void)batch, (void)row;
    return 2.0 * judge_buffer(j, "in")[column];
}

static void verify_twice(struct judged *j)
{
    judge_expect_results(j, &(struct judge_results){.buffer = "out",
                                                    .batches = 1,
                                                    .rows = 1,
                                                    .columns = PART,
                                                    .expected_at = twice,
                                                    .tolerance = 1e-6});
}

/* Two branches that join, or a chain; capture 1 has its own memory, capture 8 counts its
   replays. */
#define OPERATIONS                                                                                 \
    DRAWN_NODE("h2d", NULL, "copy-in", .n = 1), DRAWN_NODE("memset", NULL, "zero", .n = 1),        \
        DRAWN_NODE("kernel", NULL, "add-twice", .n = 1),                                           \
        DRAWN_NODE("d2h", NULL, "copy-back", .n = 1)
#define ORDER                                                                                      \
    {0, 2}, {1, 2},                                                                                \
    {                                                                                              \
        2, 3                                                                                       \
    }

static const struct drawn operations = {
    .name = "capture", .nodes = DRAWN_NODES(OPERATIONS), .edges = DRAWN_EDGES(ORDER)};
static const struct drawn with_memory = {
    .name = "capture",
    .nodes = DRAWN_NODES(OPERATIONS, DRAWN_NODE("alloc", NULL, "alloc", .n = 1, .more = DRAWN_ANY),
                         DRAWN_NODE("free", NULL, "free", .n = 1, .more = DRAWN_ANY)),
    .edges = DRAWN_EDGES(ORDER, {2, 5})};
static const struct drawn with_host = {
    .name = "capture",
    .nodes = DRAWN_NODES(OPERATIONS, DRAWN_NODE("host", NULL, "host", .n = 1)),
    .edges = DRAWN_EDGES(ORDER)};

/* Captures 4 and 5 have two branches. (7 is a chain, in two streams.) */
static void expect_branches(const struct dag *g)
{
    const struct dag_node *in = dag_first(g, "h2d", NULL), *zero = dag_first(g, "memset", NULL);
    const bool zero_waits = dag_waits(g, zero, in);
    judge_actual("%s", zero_waits ? "[in -> x] -> [y = 0]" : "[y = 0] -> [in -> x]");
    judge_expected("two branches: neither waits for the other, and the kernel waits for both");
    judge_expect_that(!zero_waits, "fork_after_copy");
    judge_expect_that(!dag_waits(g, in, zero), "join_misplaced");
}

static void show_counts(const struct dag *g, const struct drawn *d)
{
    const size_t in = dag_count(g, "h2d", NULL), zero = dag_count(g, "memset", NULL),
                 kernels = dag_count(g, "kernel", NULL), back = dag_count(g, "d2h", NULL);
    judge_actual("%zu nodes: %zu copies in, %zu memsets, %zu kernels, %zu copies back, %zu others",
                 g->n_nodes, in, zero, kernels, back, g->n_nodes - in - zero - kernels - back);
    judge_expected("1 of each: [in -> x], [y = 0], [y += 2 x] after both, [y -> out] at the end");
    for (const struct drawn_edge *e = d->edges; e->from != e->to; e++) {
        const struct dag_node *from = dag_first(g, d->nodes[e->from].kind, NULL),
                              *to = dag_first(g, d->nodes[e->to].kind, NULL);
        if (from && to && !dag_waits(g, to, from))
            judge_actual("%s does not wait for %s", d->nodes[e->to].shown, d->nodes[e->from].shown);
    }
}

static void expect_nodes(const struct dag *g, int number)
{
    const struct drawn *d = number == 1 ? &with_memory : number == 8 ? &with_host : &operations;
    const size_t differences = drawn_count(g, d) + drawn_order(g, d),
                 memory = dag_count(g, "alloc", NULL) + dag_count(g, "free", NULL);
    show_counts(g, d);
    judge_expect_nothing_noted();
    judge_expect_that(differences == 0, "operations_differ");
    judge_expect_that(strcmp(dag_first(g, "h2d", NULL)->buffer, "in") == 0,
                      "other_host_memory_in_capture");
    judge_expect_that(g->n_nodes == 4 + (number == 1 ? memory : number == 8),
                      "other_nodes_in_capture");
    if (number == 4 || number == 5)
        expect_branches(g);
    judge_forget();
}

void judge_capture(int number)
{
    char name[64], tries[2] = {(char)('0' + number), '\0'};
    snprintf(name, sizeof name, "lab04_capture_%d, %d floats", number, PART);
    const struct judge_scenario scenario = {
        .name = name,
        .numbers = JUDGE_NUMBERS(.part = number),
        .buffers = {{"in", JUDGE_INPUT, PART, .pinned = true},
                    {"out", JUDGE_OUTPUT, PART, .pinned = true}},
        .tries = tries,
        .verify = verify_twice};
    struct judged *j = judge_start(JUDGE_SUBMISSION, &scenario);
    expect_nodes(judge_graph(j), number);
    for (int replay = 0; replay < 4; replay++) {
        judge_run(j);
        judge_expect_nothing_noted();
    }
    if (judge_device_is_simulated())
        judge_expect_no_findings(j);
}
