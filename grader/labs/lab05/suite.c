/*
 * suite.c: the suite of lab 05, from top to bottom what a submission must do.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "labs/lab05_fork_join/lab.h"
#include "query/graph.h"
#include "judge/judge.h"
#include "labs/products.h"
#include "query/trace.h"

JUDGE_LAB(.name = "lab05", .title = "fork, branches, join: all batches in one graph");

/* ---- scenarios ------------------------------------------------------------------------------- */

enum { BATCHES = 10, STREAMS = 4, SETS = 4, MIDDLE = 512, LARGE = 1024 };

/* Ten batches of about n x n, over four streams and four sets. */
static struct products ten(long n)
{
    return (struct products){
        .n = products_size(n), .n_batches = BATCHES, .n_streams = STREAMS, .n_sets = SETS};
}

/* The same batches as the grader itself does them, in the way of another lab. */
static void make_as_lab(struct products_scenario *s, const struct products *p, long lab)
{
    struct products other = *p;
    other.as_lab = lab;
    products_make(s, &other);
    s->judge.verify = NULL; /* lab 04's way replays the first batch only */
}

/* In a matrix. */
static size_t floats_of(const struct judge *j)
{
    return (size_t)(judge_number(j, "n") * judge_number(j, "n"));
}

static struct judge *start_looking(long n)
{
    static struct products_scenario s;
    struct products p = ten(n);
    p.look = 1;
    products_make(&s, &p);
    return judge_start(JUDGE_SUBMISSION, &s.judge);
}

/* ---- results and order ----------------------------------------------------------------------- */

static const struct judge_mistake no_final_wait = {
    "no_final_wait",
    "lab05_run returned while the device was still working: nobody "
    "waited for the graph, so c cannot be read yet",
    "wait for the stream that the graph was launched in: it goes "
    "on when all of the graph is done",
    "results complete"};

JUDGE_CHECK(lab05, results, 15, "every product is right, however many streams and sets there are")
{
    products_expect_results(&no_final_wait);
}

JUDGE_CHECK(lab05, status, 5, "the status byte says when all is done")
{
    struct judge *j = start_looking(64);
    for (int i = 0; i < 2; i++) {
        judge_run(j);
        judge_measured(judge_value(j, "status"), LAB05_DONE, "status");
        judge_next("cudaMemsetAsync(lab->status, LAB05_DONE, 1, …) in the origin, behind the join");
        judge_expect(judge_value(j, "status") == LAB05_DONE,
                     "the status byte is not LAB05_DONE after a run");
    }
}

JUDGE_CHECK(lab05, race_free, 10, "no set is reused too early: no race, nothing left behind")
{
    judge_needs_findings();
    struct products_scenario ring;
    products_make(&ring, &(struct products){.n = products_size(MIDDLE),
                                            .n_batches = judge_draw(11, 13, 1),
                                            .n_streams = STREAMS,
                                            .n_sets = SETS - 1});
    struct judge *j = judge_start(JUDGE_SUBMISSION, &ring.judge);
    judge_run(j);
    judge_run(j);
    judge_next("in the capture, too: before a batch fills a set, cudaStreamWaitEvent on the event "
               "that the set's last user recorded behind its copy back");
    judge_expect_no_findings(j);
}

JUDGE_CHECK(lab05, complete, 5, "lab05_run returns when c is complete, not before")
{
    struct products_scenario large;
    const struct products p = ten(LARGE);
    products_make(&large, &p);
    struct judge *j = judge_start(JUDGE_SUBMISSION, &large.judge);
    judge_expect_done(j, &no_final_wait);
}

JUDGE_CHECK(lab05, memory, 5, "device memory for the ring and no more")
{
    /* some for what a submission needs beside the ring */
    struct judge *j = start_looking(MIDDLE);
    const double set_bytes = 3 * (double)floats_of(j) * sizeof(float), slack_bytes = 2 * set_bytes;
    judge_run(j);
    judge_next("n_buffers sets of a, b and c; batch i uses set i %% n_buffers");
    judge_expect_at_most(judge_value(j, "device_bytes"), SETS * set_bytes + slack_bytes, "bytes",
                         "more device memory than the ring of %d sets needs: a ring is for when "
                         "the whole problem does not fit",
                         SETS);
}

/* ---- the graph ------------------------------------------------------------------------------- */

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* What the graph of such a scenario should look like. */
struct shape {
    int branches;         /* that can run at once: one a stream, unless sets are fewer */
    int longest_branch;   /* in batches */
    size_t nodes_a_batch; /* of the graph in hand */
    size_t path;          /* nodes on the longest path, at most */
};

static size_t nodes_of_batches(const struct dag *g)
{
    return dag_count(g, "h2d", NULL) + dag_count(g, "kernel", NULL) + dag_count(g, "d2h", NULL);
}

static struct shape shape_of(const struct dag *g)
{
    struct shape s = {.branches = least(least(STREAMS, SETS), BATCHES)};
    s.longest_branch = (BATCHES + s.branches - 1) / s.branches;
    s.nodes_a_batch = (nodes_of_batches(g) + BATCHES - 1) / BATCHES;
    s.path = 2 + (size_t)s.longest_branch * s.nodes_a_batch;
    return s;
}

static void show(struct judge *j, const struct dag *g)
{
    struct shape s = shape_of(g);
    char nodes[96], edges[64], width[32], path[64];
    snprintf(nodes, sizeof nodes, "%d or %d: 3 or 4 a batch, 2 for the status byte",
             2 + 3 * BATCHES, 2 + 4 * BATCHES);
    snprintf(edges, sizeof edges, "%zu are enough", s.nodes_a_batch * BATCHES + (size_t)s.branches);
    snprintf(width, sizeof width, "%d or more", s.branches);
    snprintf(path, sizeof path, "%zu or less: %d batches in a branch", s.path, s.longest_branch);
    judge_show_graph(j, &(struct judge_shape){.nodes = nodes,
                                              .edges = edges,
                                              .roots = "1",
                                              .sinks = "1",
                                              .width = width,
                                              .path = path});
}

/* The graph of the middle scenario, with the batch that each node is about. */
static struct dag *look_at_graph(struct judge *j)
{
    struct dag *g = judge_graph(j);
    dag_take_batches(g, floats_of(j), BATCHES);
    show(j, g);
    return g;
}

/* What of batch i is in the graph. */
struct found {
    double copied_in; /* bytes */
    size_t kernels, copied_back;
};

static struct found find_batch(const struct dag *g, int batch)
{
    struct found f = {0};
    for (size_t i = 0; i < g->n_nodes; i++) {
        const struct dag_node *n = &g->nodes[i];
        if (n->batch != batch)
            continue;
        f.copied_in += dag_is(n, "h2d", NULL) ? (double)n->bytes : 0;
        f.kernels += dag_is(n, "kernel", "matmul*");
        f.copied_back += dag_is(n, "d2h", NULL);
    }
    return f;
}

static void judge_host_memory(const struct dag *g)
{
    judge_next("copy from lab->a and lab->b, and to lab->c, themselves");
    for (size_t i = 0; i < g->n_nodes; i++) {
        const struct dag_node *n = &g->nodes[i];
        bool copies = dag_is(n, "h2d", NULL) || dag_is(n, "d2h", NULL);
        judge_expect(!copies || strcmp(n->buffer, "-") != 0,
                     "a copy in the graph names host memory that is neither a, b nor c: a graph "
                     "keeps the address, and every launch uses what is there then (a local "
                     "variable that is gone? memory that was freed?)");
    }
}

JUDGE_CHECK(lab05, nodes, 10, "every batch is in the graph: its copies and its kernel")
{
    struct judge *j = start_looking(MIDDLE);
    const double bytes = 2 * (double)floats_of(j) * sizeof(float);
    const struct dag *g = look_at_graph(j);
    size_t kernels = dag_count(g, "kernel", "matmul*");
    judge_actual("%zu nodes, %zu of them matmul", g->n_nodes, kernels);
    judge_expected("%d matmul, one a batch", BATCHES);
    judge_next("between begin and end: the loop over all batches, every call in a stream that is "
               "part of the capture");
    judge_expect(kernels != 0,
                 "no matmul is in the graph: it was launched in a stream that was not "
                 "capturing (0, the legacy stream?), ran once, and no replay will "
                 "run it");
    judge_expect(kernels != 1,
                 "the graph holds one batch only: its addresses are those of that "
                 "batch, so launching it %d times does the same one %d times",
                 BATCHES, BATCHES);
    judge_expect(kernels == BATCHES, "the graph holds %zu matmul kernels for %d batches", kernels,
                 BATCHES);
    judge_host_memory(g);
    for (int i = 0; i < BATCHES; i++) {
        struct found f = find_batch(g, i);
        judge_expect(f.copied_in >= bytes, "A[%d] and B[%d] are not both copied in by the graph", i,
                     i);
        judge_expect(f.kernels == 1 && f.copied_back == 1,
                     "C[%d] is not copied back by the graph, directly behind its matmul", i);
    }
    judge_next("the status byte is set once in front of everything and once behind it");
    judge_expect(g->n_nodes <= nodes_of_batches(g) + 2,
                 "%zu nodes of the graph are neither copies nor kernels: two, which set the status "
                 "byte, are enough",
                 g->n_nodes - nodes_of_batches(g));
}

static void judge_status_node(const struct dag_node *n, long value, const char *which,
                              const char *what)
{
    judge_next("cudaMemsetAsync(lab->status, %s, 1, origin) %s", what,
               value == LAB05_RUNNING ? "right behind cudaStreamBeginCapture"
                                      : "right before cudaStreamEndCapture");
    judge_expect(dag_is(n, "memset", NULL) && n->bytes == 1 && n->value == value,
                 "the %s node does not set the status byte to %s", which, what);
}

/* By a node at all, wherever it is. */
static void judge_status_set(const struct dag *g, long value, const char *what)
{
    bool is_set = false;
    for (size_t i = 0; i < g->n_nodes; i++)
        is_set = is_set || (g->nodes[i].value == value && dag_is(&g->nodes[i], "memset", NULL));
    judge_next("cudaMemsetAsync(lab->status, %s, 1, origin), between begin and end, in the stream "
               "that captures",
               what);
    judge_expect(is_set,
                 "no memset node of the graph writes %s: where it is set outside the "
                 "capture, no launch of the graph will set it",
                 what);
}

JUDGE_CHECK(lab05, fork_and_join, 10,
            "one root and one sink: all streams forked from, and joined to, one")
{
    struct judge *j = start_looking(MIDDLE);
    const struct dag *g = look_at_graph(j);
    size_t roots = dag_roots(g), sinks = dag_sinks(g);
    judge_actual("%zu roots, %zu sinks", roots, sinks);
    judge_expected("1 root, 1 sink");
    if (roots != 1)
        judge_status_set(g, LAB05_RUNNING, "LAB05_RUNNING");
    judge_next("record the fork's event behind the first cudaMemsetAsync, not in front of it");
    judge_expect(roots == 1,
                 "%zu nodes wait for nothing: these branches do not begin behind the "
                 "status byte",
                 roots);
    if (sinks != 1)
        judge_status_set(g, LAB05_DONE, "LAB05_DONE");
    judge_next("join all streams first, then put the last cudaMemsetAsync into the origin");
    judge_expect(sinks == 1,
                 "nothing waits for %zu of the nodes: the last one, which says that all "
                 "is done, does not wait for all",
                 sinks);
    judge_status_node(dag_root(g), LAB05_RUNNING, "first", "LAB05_RUNNING");
    judge_status_node(dag_sink(g), LAB05_DONE, "last", "LAB05_DONE");
}

JUDGE_CHECK(lab05, width, 10, "as many branches as streams: that much can run at once")
{
    struct judge *j = start_looking(MIDDLE);
    const struct dag *g = look_at_graph(j);
    struct shape s = shape_of(g);
    size_t width = dag_width(g);
    judge_measured((double)width, s.branches, "nodes");
    judge_actual("%zu of %zu nodes can run at once", width, g->n_nodes);
    judge_expected("%d or more, a branch for each stream", s.branches);
    judge_next("fork every stream from the origin, then give batch i to stream i %% n_streams, "
               "and set i %% n_buffers to it");
    judge_expect(width > 1,
                 "the graph is one chain of %zu nodes: nothing can overlap, whatever "
                 "stream it is launched in",
                 g->n_nodes);
    judge_next("which events does a batch wait for? It needs no other than its set's");
    judge_expect(width >= (size_t)s.branches,
                 "the graph is %zu wide: some batches wait for more than their stream and their "
                 "set, or streams were left out",
                 width);
}

JUDGE_CHECK(lab05, critical_path, 5, "no path is longer than a branch's share of the batches")
{
    struct judge *j = start_looking(MIDDLE);
    const struct dag *g = look_at_graph(j);
    struct shape s = shape_of(g);
    size_t path = dag_path(g);
    judge_actual("%zu nodes one after the other, of %zu", path, g->n_nodes);
    judge_expected("%zu or less: first, %d batches of %zu nodes, last", s.path, s.longest_branch,
                   s.nodes_a_batch);
    judge_next(
        "batch i in stream i %% n_streams with set i %% n_buffers: each branch has its share");
    judge_expect_at_most((double)path, (double)s.path, "nodes",
                         "the longest path has %zu nodes: a graph takes at least as long as it, so "
                         "the batches should be shared out evenly and wait for nothing else",
                         path);
}

/* What else a run may not be. */
static void judge_calls(const struct judge *j, const struct trace *t)
{
    (void)j;
    size_t launches = trace_api_calls(t, "cudaGraphLaunch*", -1, INFINITY);
    size_t direct = trace_api_calls(t, "cudaLaunchKernel*", -1, INFINITY) +
                    trace_api_calls(t, "cudaMemcpy*", -1, INFINITY) +
                    trace_api_calls(t, "cudaMemset*", -1, INFINITY),
           captures = trace_api_calls(t, "cudaStreamBeginCapture*", -1, INFINITY),
           instantiations = trace_api_calls(t, "cudaGraphInstantiate*", -1, INFINITY);
    judge_measured((double)launches, 1, "launches");
    judge_actual("in one run: %zu captures, %zu instantiations, %zu launches of a graph, %zu other "
                 "copies, memsets and kernels",
                 captures, instantiations, launches, direct);
    judge_expected("1 launch of a graph, and nothing else");
    judge_next("begin, end and instantiate belong into lab05_setup; lab05_run launches and waits");
    judge_expect(captures == 0,
                 "lab05_run captures anew: that costs as much as queueing the batches, and the "
                 "graph was made to be used again");
    judge_expect(
        instantiations == 0,
        "lab05_run instantiates the graph anew: that is the dear part, and once is enough");
    judge_next("nothing in the graph is other than it was: launch it as it is");
    judge_expect(
        trace_api_calls(t, "cudaGraphExec*", -1, INFINITY) == 0 &&
            trace_api_calls(t, "cudaGraphUpload*", -1, INFINITY) == 0,
        "lab05_run changes the executable graph, or uploads it again, in front of the launch");
    judge_next("one cudaGraphLaunch, whose graph holds all batches");
    judge_expect(launches > 0 || direct > 0, "lab05_run launches nothing");
    judge_expect(launches > 0, "lab05_run launches no graph: it queues the batches as lab 03 did");
    judge_expect(launches == 1, "lab05_run launches %zu graphs: one is to hold all batches",
                 launches);
    judge_expect(direct == 0, "lab05_run queues copies, kernels or memsets beside the graph's own");
}

JUDGE_CHECK(lab05, one_launch, 10, "captured and instantiated once: a run is one launch")
{
    struct products_scenario timed;
    const struct products p = ten(MIDDLE);
    products_make(&timed, &p);
    struct judge *j = judge_start(JUDGE_SUBMISSION, &timed.judge);
    judge_run(j);
    const struct trace *t = judge_trace(j);
    judge_show_timeline(j);
    judge_calls(j, t);
    judge_actual("%s", "");
    judge_expected("%s", "");
    judge_next("keep it until teardown: the grader draws it");
    struct dag *g = judge_graph(j);
    dag_take_batches(g, floats_of(j), BATCHES);
    if (dag_take_times(g, t))
        show(j, g);
}

/* ---- time ------------------------------------------------------------------------------------ */

/* What no right run can beat: the longest stage, which larger copies and kernels side by side
   shorten a little. */
static double no_less_us(struct judge *reference)
{
    const double spared = 0.2;
    judge_floor(reference);
    double copies_us = fmax(judge_value(reference, "h2d_us"), judge_value(reference, "d2h_us"));
    const double longest_us = fmax(copies_us, judge_value(reference, "kernel_us"));
    judge_run(reference); /* the first after other work takes longer */
    return (1 - spared) * longest_us;
}

JUDGE_CHECK(lab05, beats_lab04, 10, "faster than lab 04's replays by as much as the reference")
{
    const double slack = 1.15;
    const struct products p = ten(MIDDLE);
    struct products_scenario timed, replays;
    products_make(&timed, &p);
    make_as_lab(&replays, &p, 4);
    struct judge *reference = judge_start(JUDGE_REFERENCE, &timed.judge),
                 *serial = judge_start(JUDGE_REFERENCE, &replays.judge),
                 *j = judge_start(JUDGE_SUBMISSION, &timed.judge);
    judge_run(j);
    judge_run(reference);
    judge_run(serial);
    const double share = judge_compare(reference, serial).ratio;
    judge_stop(serial);
    judge_next(
        "look at width and critical_path; if they are right, at edges from branch to branch in "
        "the picture, and at gaps in the timeline");
    struct judge_times t = judge_expect_time(&(struct judge_race){
        .submission = j,
        .reference = reference,
        .at_most = slack,
        .share = share,
        .floor_us = no_less_us,
        .look = judge_calls,
        .than = "the time of lab 04's replays",
        .slow = "the graph gains less over one batch after the other (lab 04) than it could: its "
                "branches do not run at once"});
    judge_note("%d batches of %ld x %ld: %.1f us, lab 04's way %.1f: %.2f times as fast (the "
               "reference %.2f times)",
               BATCHES, p.n, p.n, t.time_us, t.reference_us / share, 1 / (t.ratio * share),
               1 / share);
}

JUDGE_CHECK(lab05, as_fast_as_lab03, 5, "no slower than the same batches over streams")
{
    const double slack = 1.03;
    const struct products p = ten(LARGE);
    struct products_scenario large, streams;
    products_make(&large, &p);
    make_as_lab(&streams, &p, 3);
    struct judge *j = judge_start(JUDGE_SUBMISSION, &large.judge),
                 *reference = judge_start(JUDGE_REFERENCE, &large.judge),
                 *overlap = judge_start(JUDGE_REFERENCE, &streams.judge);
    judge_run(j);
    judge_run(reference);
    judge_run(overlap);
    const double share = judge_compare(reference, overlap).ratio;
    judge_stop(overlap);
    judge_next("what the graph waits for, does lab 03 wait for, too?");
    struct judge_times t = judge_expect_time(&(struct judge_race){
        .submission = j,
        .reference = reference,
        .at_most = slack * fmax(1, 1 / share), /* there may be a GPU on which graphs are slower */
        .share = share,
        .floor_us = no_less_us,
        .look = judge_calls,
        .than = "the time of the same batches over streams",
        .slow = "slower than the same batches over streams, without a graph: an edge that lab 03 "
                "does not need, or work of the host in lab05_run"});
    judge_note("%d batches of %ld x %ld: %.1f us, over streams %.1f", BATCHES, p.n, p.n, t.time_us,
               t.reference_us / share);
}
