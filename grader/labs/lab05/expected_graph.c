/*
 * expected_graph.c: what is asked of the graph of lab 05.
 */
#include "expected_graph.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "labs/lab05/mistakes.h"
#include "labs/lab05_fork_join/lab.h"

/* ---- its shape ------------------------------------------------------------------------------- */

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* What the graph of such a scenario should look like. */
struct shape {
    int branches;         /* that can run concurrently: one a stream, unless sets are fewer */
    int longest_branch;   /* in batches */
    size_t nodes_a_batch; /* of the graph that is checked */
    size_t path;          /* nodes on the critical path, at most */
};

static size_t nodes_of_batches(const struct dag *g)
{
    return dag_count(g, "h2d", NULL) + dag_count(g, "kernel", NULL) + dag_count(g, "d2h", NULL);
}

static struct shape shape_of(const struct dag *g, const struct ring *r)
{
    struct shape s = {.branches = least(least(r->n_streams, r->n_sets), r->n_batches)};
    s.longest_branch = (r->n_batches + s.branches - 1) / s.branches;
    s.nodes_a_batch = (nodes_of_batches(g) + (size_t)r->n_batches - 1) / (size_t)r->n_batches;
    s.path = 2 + (size_t)s.longest_branch * s.nodes_a_batch;
    return s;
}

static void show(struct judge *j, const struct dag *g, const struct ring *r,
                 const struct dag_difference *difference)
{
    const struct shape s = shape_of(g, r);
    /* unless the order of the streams is also that of the sets */
    const int set_waits = r->n_sets % r->n_streams ? r->n_batches - r->n_sets : 0;
    char nodes[96], edges[64], width[32], path[64];
    snprintf(nodes, sizeof nodes, "%d or %d: 3 or 4 a batch, 2 for the status byte",
             2 + 3 * r->n_batches, 2 + 4 * r->n_batches);
    snprintf(edges, sizeof edges, "%zu are enough",
             s.nodes_a_batch * (size_t)r->n_batches + (size_t)(r->n_streams + set_waits));
    snprintf(width, sizeof width, "%d or more", s.branches);
    snprintf(path, sizeof path, "%zu or less: %d batches in a branch", s.path, s.longest_branch);
    judge_show_graph(j, &(struct judge_shape){.nodes = nodes,
                                              .edges = edges,
                                              .roots = "1",
                                              .sinks = "1",
                                              .width = width,
                                              .path = path,
                                              .difference = difference});
}

void expected_graph_show(struct judge *j, const struct dag *g, const struct ring *r)
{
    show(j, g, r, NULL);
}

/* The graph with this edge: missing, or one too many. */
static void show_edge(struct judge *j, const struct dag *g, const struct ring *r,
                      const struct dag_node *from, const struct dag_node *to, bool is_missing)
{
    const struct dag_edge edge = {(size_t)(from - g->nodes), (size_t)(to - g->nodes)};
    show(j, g, r,
         &(struct dag_difference){
             .missing = &edge, .n_missing = is_missing, .extra = &edge, .n_extra = !is_missing});
}

/* ---- its nodes ------------------------------------------------------------------------------- */

static const char *in_words(const struct dag_node *n)
{
    return dag_is(n, "h2d", NULL) ? "copy in" : dag_is(n, "d2h", NULL) ? "copy back" : n->kind;
}

/* What of batch i is in the graph. */
struct found {
    double a, b, c; /* bytes copied of each */
    size_t kernels;
};

/* A copy may be of both matrices, in two rows. */
static void find_copy_in(struct found *f, const struct dag_node *n, const struct ring *r,
                         double bytes)
{
    const double rest = fmax(0, (double)n->bytes - bytes);
    const bool is_a = (double)n->offset * sizeof(float) < r->n_batches * bytes;
    f->a += is_a ? (double)n->bytes - rest : 0;
    f->b += is_a ? rest : (double)n->bytes;
}

/* `bytes`: of a matrix. */
static struct found find_batch(const struct dag *g, const struct ring *r, int batch, double bytes)
{
    struct found f = {0};
    for (size_t i = 0; i < g->n_nodes; i++) {
        const struct dag_node *n = &g->nodes[i];
        if (n->batch != batch)
            continue;
        if (dag_is(n, "h2d", NULL))
            find_copy_in(&f, n, r, bytes);
        f.kernels += dag_is(n, "kernel", "matmul*");
        f.c += dag_is(n, "d2h", NULL) ? (double)n->bytes : 0;
    }
    return f;
}

static void expect_host_memory(const struct dag *g)
{
    for (size_t i = 0; i < g->n_nodes; i++) {
        const struct dag_node *n = &g->nodes[i];
        const bool copies = dag_is(n, "h2d", NULL) || dag_is(n, "d2h", NULL);
        if (!copies || strcmp(n->buffer, dag_is(n, "h2d", NULL) ? "ab" : "c") == 0)
            continue;
        judge_actual("a %s of %zu %s at another address", in_words(n), (size_t)n->bytes,
                     n->bytes == 1 ? "byte" : "bytes");
        judge_expected("copies from a and b, and to c");
        judge_fail_that(n->bytes == 1 ? "status_copied" : "other_host_memory");
    }
}

static const char *names_of(bool a, bool b, bool c)
{
    static const char *const names[] = {"",  "c",       "b",       "b and c",
                                        "a", "a and c", "a and b", "a, b and c"};
    return names[4 * a + 2 * b + c];
}

static bool is_part(double bytes, double of_bytes)
{
    return bytes > 0 && bytes < of_bytes;
}

/* Of two batches, or of one: two nodes that must be ordered, and are not. */
static bool find_unordered(const struct dag *g, int before, int batch,
                           bool (*must_wait)(const struct dag_node *from,
                                             const struct dag_node *to),
                           const struct dag_node **from, const struct dag_node **to)
{
    for (size_t i = 0; i < g->n_nodes; i++)
        for (size_t k = 0; k < g->n_nodes; k++) {
            *from = &g->nodes[i];
            *to = &g->nodes[k];
            if ((*from)->batch == before && (*to)->batch == batch && must_wait(*from, *to) &&
                !dag_waits(g, *to, *from))
                return true;
        }
    return false;
}

/* Is c the product of what was copied in? */
static bool is_product(const struct dag_node *from, const struct dag_node *to)
{
    return dag_is(from, "h2d", NULL) && dag_is(to, "d2h", NULL);
}

static void expect_batch(const struct dag *g, const struct ring *r, int i, double bytes)
{
    const struct found f = find_batch(g, r, i, bytes);
    const struct dag_node *from, *to;
    judge_actual("batch %d: %.0f bytes of a and %.0f of b copied in, %.0f bytes of c copied back",
                 i, f.a, f.b, f.c);
    judge_expected("%.0f bytes of each", bytes);
    const char *missing = names_of(f.a < bytes, f.b < bytes, f.c < bytes);
    judge_asks(is_part(f.a, bytes) || is_part(f.b, bytes) || is_part(f.c, bytes)
                   ? "copies_too_short"
               : f.a > 0 && f.b > 0 ? "batch_not_copied_back"
                                    : "batch_not_copied_in");
    judge_expect(!missing[0], "The graph does not copy all of batch %d: bytes of %s are missing.",
                 i, missing);
    const char *shared = names_of(f.a > bytes, f.b > bytes, f.c > bytes);
    judge_asks("batches_use_same_part");
    judge_expect(!shared[0], "Several batches use the same part of %s.", shared);
    judge_forget();
    judge_asks("batch_not_copied_back");
    judge_expect(f.kernels == 1 && !find_unordered(g, i, i, is_product, &from, &to),
                 "Batch %d is not one chain of copies in, matmul and copy back.", i);
    judge_forget();
}

static void expect_device_memory(const struct dag *g)
{
    for (size_t i = 0; i < g->n_nodes; i++)
        judge_expect_that(!dag_is(&g->nodes[i], "kernel", NULL) ||
                              strcmp(g->nodes[i].buffer, "-") == 0,
                          "kernel_reads_host");
}

void expected_graph_nodes(const struct dag *g, const struct ring *r, double bytes)
{
    const size_t kernels = dag_count(g, "kernel", "matmul*"),
                 others = g->n_nodes - nodes_of_batches(g);
    judge_actual("%zu nodes, %zu of them matmul", g->n_nodes, kernels);
    judge_expected("%d matmul, one for each batch", r->n_batches);
    if (g->n_nodes == others && others <= 2)
        judge_fail_that("empty_graph");
    if (kernels == 0)
        judge_fail_that("kernels_not_captured");
    if (kernels == 1)
        judge_fail_that("one_batch");
    if (kernels < (size_t)r->n_batches &&
        kernels == (size_t)(r->n_batches + r->n_streams - 1) / (size_t)r->n_streams)
        judge_fail_that("origin_only");
    judge_asks("batch_count");
    judge_expect(kernels == (size_t)r->n_batches,
                 "The graph holds %zu matmul kernels for %d batches.", kernels, r->n_batches);
    judge_asks(NULL);
    if (dag_count(g, "h2d", NULL) == 0)
        judge_fail_that("copies_in_not_captured");
    if (dag_count(g, "d2h", NULL) == 0)
        judge_fail_that("copies_back_not_captured");
    expect_host_memory(g);
    for (int i = 0; i < r->n_batches; i++)
        expect_batch(g, r, i, bytes);
    expect_device_memory(g);
    if (dag_count(g, "wait", NULL) > 0)
        judge_fail_that("waits_are_nodes");
    const size_t memsets = dag_count(g, "memset", NULL), allocs = dag_count(g, "alloc", NULL),
                 frees = dag_count(g, "free", NULL);
    judge_actual("%zu other nodes: memset %zu, alloc %zu, free %zu, further ones %zu", others,
                 memsets, allocs, frees, others - memsets - allocs - frees);
    if (others > 2)
        judge_fail_that("other_nodes");
    judge_forget();
}

/* ---- its ends -------------------------------------------------------------------------------- */

static bool is_status(const struct dag_node *n, long value)
{
    return dag_is(n, "memset", NULL) && n->bytes == 1 && n->value == value;
}

/* By a node at all, wherever it is. */
static bool sets_status(const struct dag *g, long value)
{
    for (size_t i = 0; i < g->n_nodes; i++)
        if (is_status(&g->nodes[i], value))
            return true;
    return false;
}

static void put_end(char to[48], const struct dag_node *n)
{
    if (!dag_is(n, "memset", NULL))
        snprintf(to, 48, "a %s", in_words(n));
    else if (n->value == LAB05_RUNNING || n->value == LAB05_DONE)
        snprintf(to, 48, "a memset to %s", n->value == LAB05_DONE ? "LAB05_DONE" : "LAB05_RUNNING");
    else
        snprintf(to, 48, "a memset to %ld", n->value);
}

static void show_ends(const struct dag *g, size_t roots, size_t sinks)
{
    char first[48], last[48];
    judge_actual("%zu %s, %zu %s", roots, roots == 1 ? "root" : "roots", sinks,
                 sinks == 1 ? "sink" : "sinks");
    judge_expected("1 root, 1 sink");
    if (roots != 1 || sinks != 1)
        return;
    put_end(first, dag_root(g));
    put_end(last, dag_sink(g));
    judge_actual("the first node is %s, the last one %s", first, last);
    judge_expected("a memset to LAB05_RUNNING, a memset to LAB05_DONE");
}

void expected_graph_ends(const struct dag *g)
{
    const size_t roots = dag_roots(g), sinks = dag_sinks(g);
    show_ends(g, roots, sinks);
    if (!sets_status(g, LAB05_RUNNING))
        judge_fail_that(roots == 1 ? "first_node" : "running_not_captured");
    if (roots != 1)
        judge_fail_that("fork_before_status");
    if (!sets_status(g, LAB05_DONE))
        judge_fail_that(sinks == 1 ? "last_node" : "done_not_captured");
    if (sinks != 1)
        judge_fail_that("done_before_join");
    if (is_status(dag_root(g), LAB05_DONE) && is_status(dag_sink(g), LAB05_RUNNING))
        judge_fail_that("status_exchanged");
    if (!is_status(dag_root(g), LAB05_RUNNING))
        judge_fail_that("first_node");
    if (!is_status(dag_sink(g), LAB05_DONE))
        judge_fail_that("last_node");
}

/* ---- what can overlap ------------------------------------------------------------------------ */

/* Does `to` overwrite what `from` uses, if both batches use the same set? */
static bool is_reuse(const struct dag_node *from, const struct dag_node *to)
{
    return (dag_is(from, "kernel", NULL) && dag_is(to, "h2d", NULL)) ||
           (dag_is(from, "d2h", NULL) && dag_is(to, "kernel", NULL));
}

/* Is the wait due to the set or the stream that the batches share? A set may have an event for its
   inputs and another one for its result. */
static bool is_needed(const struct dag_node *from, const struct dag_node *to, const struct ring *r)
{
    const int after = to->batch - from->batch;
    if (dag_is(from, "d2h", NULL) && dag_is(to, "h2d", NULL))
        return after % r->n_sets == 0 || after % r->n_streams == 0;
    return after % r->n_sets == 0 && is_reuse(from, to);
}

/* An edge between two batches. */
static bool find_edge(const struct dag *g, const struct ring *r,
                      bool (*is_like)(const struct dag_node *from, const struct dag_node *to,
                                      const struct ring *r),
                      const struct dag_node **from, const struct dag_node **to)
{
    for (size_t i = 0; i < g->n_nodes; i++) {
        *from = &g->nodes[i];
        for (size_t k = 0; k < (*from)->n_out; k++) {
            *to = &g->nodes[g->out[(*from)->first_out + k]];
            if ((*from)->batch >= 0 && (*to)->batch >= 0 && (*from)->batch != (*to)->batch &&
                is_like(*from, *to, r))
                return true;
        }
    }
    return false;
}

static bool is_needless(const struct dag_node *from, const struct dag_node *to,
                        const struct ring *r)
{
    return !is_needed(from, to, r);
}

/* The origin has every n_streams-th batch. */
static bool is_needless_beside_origin(const struct dag_node *from, const struct dag_node *to,
                                      const struct ring *r)
{
    return !is_needed(from, to, r) && from->batch % r->n_streams > 0;
}

static bool is_backwards(const struct dag_node *from, const struct dag_node *to,
                         const struct ring *r)
{
    (void)r;
    return to->batch < from->batch;
}

static void expect_set_waits(struct judge *j, const struct dag *g, const struct ring *r)
{
    const struct dag_node *from, *to;
    for (int i = r->n_sets, before = 0; i < r->n_batches; i++, before++) {
        if (!find_unordered(g, i, before, is_reuse, &from, &to) ||
            !find_unordered(g, before, i, is_reuse, &from, &to))
            continue;
        show_edge(j, g, r, from, to, true);
        judge_forget();
        judge_asks("set_not_awaited");
        judge_fail("The %s of batch %d does not wait for the %s of batch %d: both use set %d.",
                   in_words(to), i, in_words(from), before, i % r->n_sets);
    }
}

void expected_graph_width(const struct dag *g, const struct ring *r, bool one_stream_used)
{
    const struct shape s = shape_of(g, r);
    const size_t width = dag_width(g);
    judge_measured((double)width, s.branches, "nodes");
    judge_actual("%zu of %zu nodes can run concurrently", width, g->n_nodes);
    judge_expected("%d or more, a branch for each stream", s.branches);
    if (width <= 1)
        judge_fail_that(one_stream_used ? "one_stream" : "one_chain");
    if (width < (size_t)s.branches)
        judge_fail_that("few_branches");
}

/* A batch that waits for another one, and what it should wait for. */
static void show_wait(const struct dag_node *from, const struct dag_node *to, const struct ring *r)
{
    const int of_stream = to->batch - r->n_streams, of_set = to->batch - r->n_sets;
    judge_actual("batch %d waits for batch %d", to->batch, from->batch);
    if (of_stream >= 0 && of_set >= 0 && of_stream != of_set)
        judge_expected("it waits for batch %d of its stream and batch %d of its set", of_stream,
                       of_set);
    else if (of_stream >= 0 || of_set >= 0)
        judge_expected("it waits for batch %d", of_stream >= 0 ? of_stream : of_set);
    else
        judge_expected("it waits for none");
}

void expected_graph_path(struct judge *j, const struct dag *g, const struct ring *r)
{
    const struct shape s = shape_of(g, r);
    const size_t path = dag_path(g);
    const struct dag_node *from, *to;
    expect_set_waits(j, g, r);
    judge_actual("%zu nodes on the critical path, of %zu", path, g->n_nodes);
    judge_expected("%zu or less: first, %d batches of %zu nodes, last", s.path, s.longest_branch,
                   s.nodes_a_batch);
    judge_measured((double)path, (double)s.path, "nodes");
    if (find_edge(g, r, is_needless, &from, &to)) {
        const struct dag_node *other, *later;
        const bool is_of_fork = to->batch < r->n_streams && from->batch % r->n_streams == 0 &&
                                !find_edge(g, r, is_needless_beside_origin, &other, &later);
        show_edge(j, g, r, from, to, false);
        show_wait(from, to, r);
        judge_asks(is_of_fork ? "fork_after_batch" : "needless_wait");
        judge_fail("The %s of batch %d waits for the %s of batch %d. Neither its stream nor its "
                   "set needs that.",
                   in_words(to), to->batch, in_words(from), from->batch);
    }
    if (path <= s.path)
        return;
    const size_t all = s.nodes_a_batch * (size_t)r->n_batches + 2;
    if (!find_edge(g, r, is_backwards, &from, &to)) {
        if (g->n_nodes > all)
            judge_fail_that("other_nodes");
        judge_next("enqueue the copies in, the kernel and the copy back of one batch in the same "
                   "stream, and let only the first copy in wait for the set");
        judge_fail("The critical path is longer than a branch.");
    }
    judge_asks("batches_out_of_order");
    judge_fail("Batch %d waits for batch %d: the later batch was enqueued first.", to->batch,
               from->batch);
}
