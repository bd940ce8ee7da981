/*
 * expected_captures.c: what is asked of each of lab 04's eight captures.
 */
#include "exchange.h"
#include "expected_captures.h"

#include <stdio.h>
#include <string.h>

#include "capture_mistakes.h"
#include "query/graph.h"

enum { PART = 4096 };

static double twice(struct judge *j, size_t batch, size_t row, size_t column)
{
    (void)batch, (void)row;
    return 2.0 * judge_buffer(j, "in")[column];
}

static void verify_twice(struct judge *j)
{
    judge_expect_results(j, &(struct judge_results){.buffer = "out",
                                                    .batches = 1,
                                                    .rows = 1,
                                                    .columns = PART,
                                                    .expected_at = twice,
                                                    .tolerance = 1e-6});
}

static const struct dag_node *only(const struct dag *g, const char *kind, const char *words)
{
    const size_t n = dag_count(g, kind, NULL);
    judge_asks("not_captured");
    judge_expect(n > 0, "%s is not in the graph, so no replay repeats it.", words);
    judge_asks(NULL);
    judge_next("enqueue each of the four operations once");
    judge_expect(n == 1, "%s is in the graph %zu times.", words, n);
    return dag_first(g, kind, NULL);
}

/* Memory of the graph's own: allocated before the kernel that uses it, freed after it. */
static void judge_memory(const struct dag *g, const struct capture_calls *c,
                         const struct dag_node *kernel)
{
    if (dag_count(g, "alloc", NULL) == 0)
        judge_fail_that("no_memory_node");
    if (c->fills_x)
        judge_fail_that("graph_memory_not_used");
    if (dag_count(g, "alloc", NULL) > dag_count(g, "free", NULL))
        judge_fail_that("never_freed_in_graph");
    for (size_t i = 0; i < g->n_nodes; i++)
        if (dag_is(&g->nodes[i], "free", NULL) && !dag_waits(g, &g->nodes[i], kernel))
            judge_fail_that("freed_before_kernel");
}

/* Captures 4 and 5 have two branches. (7 is a chain, in two streams.) */
static void judge_branches(const struct dag *g, const struct capture_calls *c,
                           const struct dag_node *in, const struct dag_node *zero)
{
    const bool zero_waits = dag_waits(g, zero, in), in_waits = dag_waits(g, in, zero);
    if (!zero_waits && !in_waits)
        return;
    judge_actual("%s", zero_waits ? "[in -> x] -> [y = 0]" : "[y = 0] -> [in -> x]");
    judge_expected("two branches: neither waits for the other, and the kernel waits for both");
    if (!c->both_streams)
        judge_fail_that("fork_removed");
    judge_fail_that(zero_waits ? "fork_after_copy" : "join_before_copy");
}

static void expect_order(const struct dag *g, const struct dag_node *later,
                         const struct dag_node *earlier, const char *words)
{
    judge_asks("order_lost");
    judge_expect(dag_waits(g, later, earlier), "%s", words);
    judge_asks(NULL);
}

static void judge_nodes(const struct dag *g, const struct capture_calls *c)
{
    if (g->n_nodes < 4 && c->begins > 1)
        judge_fail_that("two_captures");
    if (dag_count(g, "memset", NULL) == 0 && capture_not_forked())
        judge_fail_that(capture_not_forked());
    const struct dag_node *in = only(g, "h2d", "The copy in"), *zero = only(g, "memset", "y = 0"),
                          *kernel = only(g, "kernel", "y += 2 x"),
                          *out = only(g, "d2h", "The copy back");
    judge_expect_that(strcmp(in->buffer, "in") == 0, "other_host_memory_in_capture");
    const bool has_branches = c->number == 4 || c->number == 5;
    if (has_branches && c->both_streams && !dag_waits(g, kernel, zero))
        judge_fail_that("join_after_kernel");
    expect_order(g, kernel, in, "The kernel does not wait for the copy in.");
    expect_order(g, kernel, zero, "The kernel does not wait for y = 0.");
    expect_order(g, out, kernel, "The copy back does not wait for the kernel.");
    if (has_branches)
        judge_branches(g, c, in, zero);
    if (c->number == 1)
        judge_memory(g, c, kernel);
    if (c->number == 8 && dag_count(g, "host", NULL) > 1)
        judge_fail_that("two_host_functions");
    if (c->number == 8 && dag_count(g, "host", NULL) == 0)
        judge_fail_that("no_host_function");
    const size_t memory = dag_count(g, "alloc", NULL) + dag_count(g, "free", NULL);
    judge_expect_that(g->n_nodes == 4 + (c->number == 1 ? memory : c->number == 8),
                      "other_nodes_in_capture");
}

static void judge_counting(struct judge *j)
{
    for (int replay = 1; replay <= 2; replay++) {
        judge_run(j);
        judge_actual("*p->replays is %.0f after %d of the replays", judge_value(j, replays),
                     replay);
        if (judge_value(j, replays) != replay)
            judge_fail_that("counts_elsewhere");
        judge_expect_that(judge_value(j, refused) == 0, "host_calls_cuda");
    }
    judge_forget();
}

void judge_capture(int number)
{
    char name[64];
    snprintf(name, sizeof name, "lab04_capture_%d, %d floats", number, PART);
    const struct judge_scenario scenario = {
        .name = name,
        .numbers = JUDGE_NUMBERS(.part = number),
        .buffers = {{"in", JUDGE_INPUT, PART, .pinned = true},
                    {"out", JUDGE_OUTPUT, PART, .pinned = true}},
        .verify = verify_twice};
    struct judge *j = judge_start(JUDGE_SUBMISSION, &scenario);
    const struct capture_calls *c = capture_calls_of(j, number);
    if (c->failed)
        judge_run(j);
    judge_nodes(judge_graph(j), c);
    if (number == 7 && (!c->both_streams || !c->ends_other))
        judge_fail_that("work_moved");
    if ((number == 2 || number == 6) && c->host_waits > 0)
        judge_fail_that(number == 2 ? "wait_in_capture" : "query_in_capture");
    if (number == 8)
        judge_counting(j);
    judge_run(j);
    judge_run(j);
    if (judge_device_is_simulated())
        judge_expect_no_findings(j);
}
