/* suite.c: the suite of lab 05, from top to bottom what a submission must do. */
#include <math.h>

#include "exchange.h"
#include "labs/lab05_fork_join/lab.h"
#include "query/graph.h"
#include "judge/judge.h"
#include "labs/lab05/mistakes.h"
#include "expected_graph.h"
#include "labs/captures.h"
#include "labs/products.h"

JUDGE_LAB(.name = "lab05", .title = "fork, branches, join: all batches in one graph",
          .rules = &lab05_rules);

/* ---- scenarios ------------------------------------------------------------------------------- */

enum { BATCHES = 10, STREAMS = 4, SETS = 4, MIDDLE = 512, LARGE = 1024 };

/* Ten batches of about n x n, over four streams and four sets. */
static struct numbers ten(long n)
{
    return (struct numbers){
        .n = products_size(n), .n_batches = BATCHES, .n_streams = STREAMS, .n_sets = SETS};
}

static const struct ring middle = {.n_batches = BATCHES, .n_streams = STREAMS, .n_sets = SETS};

/* More sets than streams, and fewer. */
static const struct ring rings[] = {
    {.n_batches = BATCHES, .n_streams = STREAMS - 1, .n_sets = SETS + 1},
    {.n_batches = BATCHES, .n_streams = STREAMS, .n_sets = SETS - 1}};

/* In a matrix. */
static size_t floats_of(const struct judged *j)
{
    const struct numbers *numbers = judge_numbers(j);
    return (size_t)(numbers->n * numbers->n);
}

static struct judged *start_looking_at(struct numbers p)
{
    static struct products_scenario s;
    p.look = 1;
    products_make(&s, &p);
    return judge_start(JUDGE_SUBMISSION, &s.judge);
}

static struct judged *start_looking(long n)
{
    return start_looking_at(ten(n));
}

/* ---- results and order ----------------------------------------------------------------------- */

JUDGE_CHECK(lab05, results, 15, "Every product is right, for any number of streams and sets.")
{
    products_expect_results("no_final_wait");
}

JUDGE_CHECK(lab05, status, 5, "The status byte is LAB05_DONE after a run.")
{
    struct judged *j = start_looking(64);
    for (int i = 0; i < 2; i++) {
        judge_run(j);
        judge_measured(judge_value(j, status), LAB05_DONE, "status");
        judge_next("set LAB05_DONE in the origin, after the join, with a memset");
        judge_expect(judge_value(j, status) == LAB05_DONE,
                     "The status byte is not LAB05_DONE after a run.");
    }
}

JUDGE_CHECK(lab05, race_free, 10, "No set is reused too early, and teardown frees everything.")
{
    struct products_scenario ring;
    products_make(&ring,
                  JUDGE_NUMBERS(.n = products_size(MIDDLE), .n_batches = judge_draw(11, 13, 1),
                                .n_streams = STREAMS, .n_sets = SETS - 1));
    judge_needs_findings();
    struct judged *j = judge_run_first(&ring.judge);
    judge_run(j);
    judge_ask_graph(judge_graph(j));
    judge_ask_notes();
    judge_expect_no_findings(j);
}

JUDGE_CHECK(lab05, complete, 5, "lab05_run returns after c is complete, and returns errors.")
{
    struct products_scenario large;
    const struct numbers p = ten(LARGE);
    products_make(&large, &p);
    struct judged *j = judge_start(JUDGE_SUBMISSION, &large.judge);
    judge_expect_done(j, "no_final_wait");
    judge_expect_error(&large.judge);
}

JUDGE_CHECK(lab05, memory, 5, "Device memory holds the ring of sets and no more.")
{
    struct numbers p = ten(MIDDLE);
    p.n_sets = SETS - 1; /* fewer than streams */
    struct judged *j = start_looking_at(p);
    judge_run(j);
    judge_expect_bytes(judge_own_bytes(j), products_most_bytes(j),
                       "the ring of sets, and half a set beside it", "ring_too_large");
}

/* ---- the graph ------------------------------------------------------------------------------- */

/* The graph of the present scenario, with the batch that each node is about. */
static struct dag *look_at_graph(struct judged *j, const struct ring *r)
{
    struct dag *g = judge_graph(j);
    dag_take_batches(g, floats_of(j), BATCHES);
    expected_graph_show(j, g, r, NULL);
    return g;
}

JUDGE_CHECK(lab05, nodes, 10, "The graph holds the copies and the kernel of every batch.")
{
    struct judged *j = start_looking(MIDDLE);
    expected_graph_nodes(look_at_graph(j, &middle), &middle, (double)floats_of(j) * sizeof(float));
}

JUDGE_CHECK(lab05, fork_and_join, 10, "The graph has one root and one sink: fork and join.")
{
    struct judged *j = start_looking(MIDDLE);
    const struct dag *g = look_at_graph(j, &middle);
    judge_expect_nothing_noted();
    expected_graph_ends(g);
}

JUDGE_CHECK(lab05, width, 10, "The graph is as wide as there are streams.")
{
    struct judged *j = start_looking(MIDDLE);
    const struct dag *g = look_at_graph(j, &middle);
    judge_fact_number("busy_streams", judge_value(j, busy_streams));
    expected_graph_width(g, &middle);
}

JUDGE_CHECK(lab05, critical_path, 5,
            "A batch waits for its stream and its set only, so the critical path is short.")
{
    struct judged *j = start_looking(MIDDLE);
    expected_graph_path(j, look_at_graph(j, &middle), &middle);
    for (size_t i = 0; i < sizeof rings / sizeof rings[0]; i++) {
        static struct products_scenario s;
        products_make(&s,
                      JUDGE_NUMBERS(.n = products_size(MIDDLE), .n_batches = rings[i].n_batches,
                                    .n_streams = rings[i].n_streams, .n_sets = rings[i].n_sets));
        judge_prepare(j, &s.judge);
        expected_graph_path(j, look_at_graph(j, &rings[i]), &rings[i]);
    }
}

static void judge_calls(const struct judged *j, const struct trace *t)
{
    (void)j;
    captures_expect_launches(t, 1, "lab05_run");
}

JUDGE_CHECK(lab05, one_launch, 10, "A run is one launch of a graph, and nothing else.")
{
    struct products_scenario timed;
    const struct numbers p = ten(MIDDLE);
    products_make(&timed, &p);
    struct judged *j = judge_run_first(&timed.judge);
    const struct trace *t = judge_trace(j);
    judge_show_timeline(j);
    judge_calls(j, t);
    judge_forget();
    struct dag *g = judge_graph(j);
    dag_take_batches(g, floats_of(j), BATCHES);
    if (dag_take_times(g, t))
        expected_graph_show(j, g, &middle, NULL);
}

/* ---- time ------------------------------------------------------------------------------------ */

/* What no right run can beat: the longest stage, which larger copies and kernels side by side
   shorten a little. */
static double no_less_us(struct judged *reference)
{
    const double spared = 0.2;
    judge_floor(reference);
    double copies_us = fmax(judge_value(reference, h2d_us), judge_value(reference, d2h_us));
    const double longest_us = fmax(copies_us, judge_value(reference, kernel_us));
    judge_run(reference); /* the first after other work takes longer */
    return (1 - spared) * longest_us;
}

/* Against the same batches, as the grader itself does them in the way of another lab. */
static void expect_gain(const struct numbers *p, long lab, struct judge_race race, const char *next)
{
    struct products_scenario timed, others;
    struct numbers as_lab = *p;
    as_lab.as_lab = lab;
    products_make(&timed, p);
    products_make(&others, &as_lab);
    others.judge.verify = NULL; /* lab 04's way replays the first batch only */
    struct judged *other = judge_start(JUDGE_REFERENCE, &others.judge);
    race.reference = judge_start(JUDGE_REFERENCE, &timed.judge);
    race.submission = judge_run_first(&timed.judge);
    judge_run(race.reference);
    judge_run(other);
    race.share = judge_compare(race.reference, other).ratio;
    judge_stop(other);
    judge_next("%s", next);
    if (lab == 3) /* there may be a GPU on which graphs are slower */
        race.at_most *= fmax(1, 1 / race.share);
    race.floor_us = no_less_us;
    race.look = judge_calls;
    struct judge_times t = judge_expect_time(&race);
    judge_expect_timed_bytes(race.submission, products_most_bytes(race.submission),
                             "ring_too_large");
    judge_note("%d batches of %ld x %ld: %.1f us, lab %02ld's way %.1f: %.2f times as fast (the "
               "reference %.2f times)",
               BATCHES, p->n, p->n, t.time_us, lab, t.reference_us / race.share,
               1 / (t.ratio * race.share), 1 / race.share);
}

JUDGE_CHECK(lab05, beats_lab04, 10, "At least 85 % of the reference's speedup over lab 04.")
{
    const struct numbers p = ten(MIDDLE);
    expect_gain(
        &p, 4,
        (struct judge_race){
            .at_most = 1.15,
            .than = "the time of lab 04's replays",
            .slow = "The graph gains less over lab 04's replays than it could: its branches do not "
                    "overlap."},
        "find the gaps in the timeline: which edge of the picture makes the engine idle there?");
}

JUDGE_CHECK(lab05, as_fast_as_lab03, 5,
            "At most 1.03 times as long as the same batches over streams.")
{
    const struct numbers p = ten(LARGE);
    expect_gain(
        &p, 3,
        (struct judge_race){
            .at_most = 1.03,
            .than = "the time of the same batches over streams",
            .slow = "The graph is slower than the same batches over streams: it has an edge that "
                    "lab 03 does not need."},
        "compare the edges between batches with the waits of lab 03, and remove the others");
}
