/* suite.c: the suite of lab 04, from top to bottom what a submission must do. */
#include <stdio.h>
#include <string.h>

#include "exchange.h"
#include "query/graph.h"
#include "judge/judge.h"
#include "expected.h"
#include "labs/captures.h"
#include "labs/drawn.h"
#include "labs/lab04/mistakes.h"
#include "labs/products.h"

JUDGE_LAB(.name = "lab04", .title = "capture, instantiate, replay", .rules = &lab04_rules,
          .given =
              "capture_1 capture_2 capture_3 capture_4 capture_5 capture_6 capture_7 capture_8");

/* ---- part one: the replay -------------------------------------------------------------------- */

enum { BATCHES = 10, MIDDLE = 512 };

/* The buffers are those of one batch; every run is the next one. n_batches is for the floor. */
static struct judge_scenario replay(const char *name, const struct numbers *numbers)
{
    const size_t count = (size_t)(numbers->n * numbers->n);
    return (struct judge_scenario){
        .name = name,
        .numbers = numbers,
        .buffers = {{.name = "a", .direction = JUDGE_INPUT, .count = count, .pinned = true},
                    {.name = "b", .direction = JUDGE_INPUT, .count = count, .pinned = true},
                    {.name = "c",
                     .direction = JUDGE_OUTPUT,
                     .count = count,
                     .pinned = true,
                     .made_by = "matmul"}},
        .verify = products_verify};
}

/* Of about n x n, replayed so often in a run; values are computed up to n = 128. */
static const struct judge_scenario *batch(long n, int replays)
{
    static struct products_scenario made[2], *s = made;
    s = s == made ? made + 1 : made; /* the one before may be in use */
    s->numbers = (struct numbers){.n = products_size(n), .n_batches = BATCHES};
    snprintf(s->name, sizeof s->name, "one batch of %ld x %ld", s->numbers.n, s->numbers.n);
    s->judge = replay(s->name, &s->numbers);
    s->judge.model_only = n > 128;
    s->judge.repeats = replays;
    return &s->judge;
}

JUDGE_CHECK(lab04, results, 10, "Each replay multiplies the current contents of a and b.")
{
    struct judged *j = judge_start(JUDGE_SUBMISSION, batch(64, 1));
    for (int i = 0; i < 4; i++)
        judge_run_to_end(j, "no_final_wait");
    judge_prepare(j, batch(96, 1));
    judge_run_to_end(j, "no_final_wait");
    judge_run_to_end(j, "no_final_wait");
    judge_run_unaided(j, "no_final_wait");
}

static const struct judge_shape chain = {.nodes = "4: two copies in, matmul, a copy back",
                                         .edges = "3",
                                         .roots = "1",
                                         .sinks = "1",
                                         .width = "1: all nodes in sequence",
                                         .path = "4"};
static const struct drawn batch_drawn = {
    .name = "batch",
    .nodes = DRAWN_NODES(DRAWN_NODE("h2d", NULL, "copy-in", .n = 1, .more = DRAWN_ANY),
                         DRAWN_NODE("kernel", "matmul*", "matmul", .n = 1),
                         DRAWN_NODE("d2h", NULL, "copy-back", .n = 1)),
    .edges = DRAWN_EDGES({0, 1}, {1, 2})};

/* Copies in read all of a and b; the copy back writes c. */
static void expect_host_memory(const struct judged *j, const struct dag *g)
{
    const double n = judge_numbers(j)->n, bytes = 2 * n * n * sizeof(float);
    double copied = 0;
    int from_a = 0, from_b = 0, copies = 0;
    for (const struct dag_node *node = g->nodes; node < g->nodes + g->n_nodes; node++) {
        if (!dag_is(node, "h2d", NULL))
            continue;
        copies++;
        from_a += strcmp(node->buffer, "a") == 0;
        from_b += strcmp(node->buffer, "b") == 0;
        copied += (double)node->bytes;
    }
    judge_actual("%d copies in, %.0f bytes: %d of a, %d of b", copies, copied, from_a, from_b);
    judge_expected("%.0f bytes, all of a and b", bytes);
    judge_expect_that(copies == from_a + from_b, "other_host_memory");
    judge_fact_number("inputs_copied", copied / bytes);
    judge_fact_number("copies", copies);
    judge_expect_that(copied == bytes && from_a > 0 && from_b > 0, "same_input_twice");
    judge_forget();
    judge_expect_that(strcmp(dag_first(g, "d2h", NULL)->buffer, "c") == 0, "copied_back_elsewhere");
}

JUDGE_CHECK(lab04, graph, 10, "The graph holds one batch: copies in, matmul, copy back.")
{
    struct judged *j = judge_start(JUDGE_SUBMISSION, batch(MIDDLE, 1));
    const struct dag *g = judge_graph(j);
    judge_show_graph(j, &chain);
    const size_t copies = dag_count(g, "h2d", NULL),
                 differences = drawn_count(g, &batch_drawn) + drawn_order(g, &batch_drawn);
    judge_actual("%zu nodes: %zu copies in, %zu matmul, %zu copies back", g->n_nodes, copies,
                 dag_count(g, "kernel", "matmul*"), dag_count(g, "d2h", NULL));
    judge_expected("[H2D a] -> [H2D b] -> [matmul] -> [D2H c]");
    judge_fact_number("nodes", (double)g->n_nodes);
    judge_expect_that(differences == 0, "batch_differs");
    expect_host_memory(j, g);
    judge_actual("%zu nodes", g->n_nodes);
    judge_expect_that(g->n_nodes == 2 + copies, "other_nodes");
    judge_forget();
    judge_expect_that(strcmp(dag_first(g, "kernel", "matmul*")->buffer, "-") == 0,
                      "kernel_reads_host");
}

JUDGE_CHECK(lab04, replayed, 10, "A replay is one launch of a graph, and nothing else.")
{
    struct judged *j =
        judge_run_first(batch(MIDDLE, 1)); /* the first, which a GPU does not trace */
    const size_t first = (size_t)judge_value(j, instantiations);
    const struct trace *t = judge_trace(j);
    judge_show_timeline(j);
    captures_expect_launches(t, 1, "lab04_replay");
    judge_actual("%zu instantiations in the first call", first);
    captures_expect_instantiated(first, "lab04_replay");
    judge_forget();
    if (dag_take_times(judge_graph(j), t))
        judge_show_graph(j, &chain);
}

JUDGE_CHECK(lab04, complete, 5, "lab04_replay returns after c is complete, and returns errors.")
{
    struct judged *j = judge_start(JUDGE_SUBMISSION, batch(MIDDLE, 1));
    judge_expect_done(j, "no_final_wait");
    judge_expect_error(batch(MIDDLE, 1));
}

JUDGE_CHECK(lab04, clean, 5, "No race, no use of freed memory, no leak.")
{
    judge_needs_findings();
    struct judged *j = judge_run_first(batch(MIDDLE, 1));
    judge_run(j);
    judge_expect_no_findings(j);
}

/* What no replay can beat: its stages, of which two copies could be one. */
static double measure_alone(struct judged *reference)
{
    judge_floor(reference);
    const double stages_us = judge_value(reference, h2d_us) + judge_value(reference, kernel_us) +
                             judge_value(reference, d2h_us);
    judge_run(reference); /* the first after other work takes longer */
    return 0.9 * stages_us / BATCHES;
}

static void judge_timed_calls(const struct judged *j, const struct trace *t)
{
    (void)j;
    captures_expect_launches(t, BATCHES, "lab04_replay");
}

JUDGE_CHECK(lab04, time, 5, "A replay takes at most 1.1 times as long as the reference's.")
{
    const struct judge_scenario *again = batch(MIDDLE, BATCHES);
    struct judged *j = judge_run_first(again), *reference = judge_start(JUDGE_REFERENCE, again);
    judge_run(reference);
    judge_next("remove from lab04_replay what is neither the launch nor the wait");
    judge_expect_time(&(struct judge_race){
        .submission = j,
        .reference = reference,
        .at_most = 1.10,
        .floor_us = measure_alone,
        .look = judge_timed_calls,
        .slow = "A replay takes longer than launching the graph and waiting for it."});
}

/* ---- part two: the captures ------------------------------------------------------------------ */

JUDGE_CHECK(lab04, capture_1, 5, "Capture 1 allocates and frees its memory in the graph.")
{
    judge_capture(1);
}

JUDGE_CHECK(lab04, capture_2, 5, "Capture 2 orders its nodes without a wait.")
{
    judge_capture(2);
}

JUDGE_CHECK(lab04, capture_3, 5, "Capture 3 copies in the capturing stream.")
{
    judge_capture(3);
}

JUDGE_CHECK(lab04, capture_4, 5, "Capture 4 joins the stream that it forked.")
{
    judge_capture(4);
}

JUDGE_CHECK(lab04, capture_5, 5, "Capture 5 forks inside the capture.")
{
    judge_capture(5);
}

JUDGE_CHECK(lab04, capture_6, 5, "Capture 6 queries nothing during the capture.")
{
    judge_capture(6);
}

JUDGE_CHECK(lab04, capture_7, 5, "Capture 7 ends in its origin.")
{
    judge_capture(7);
}

JUDGE_CHECK(lab04, capture_8, 5, "Capture 8 counts its replays in a host node.")
{
    judge_capture(8);
}

/* ---- part three: the prediction -------------------------------------------------------------- */

JUDGE_CHECK(lab04, prediction, 15, "lab04_predict knows how long the replays take.")
{
    struct judge_scenario known = replay("batches of 512 x 512",
                                         JUDGE_NUMBERS(.n = MIDDLE, .n_batches = BATCHES)),
                          asked = replay("batches of 128 x 128",
                                         JUDGE_NUMBERS(.n = 128, .n_batches = 2 * BATCHES));
    known.model_only = asked.model_only = true;
    judge_predictions(&known, &asked);
}
