/* expected_graph.c: what is asked of the graph of lab 05. */
#include "expected_graph.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

void expected_graph_show(struct judged *j, const struct dag *g, const struct ring *r,
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

/* ---- two nodes ------------------------------------------------------------------------------- */

struct pair {
    const struct dag_node *from, *to;
};

typedef bool (*pair_is)(const struct dag *g, const struct ring *r, const struct pair *p);

/* The first such pair of nodes, both of which are about a batch. */
static bool find(const struct dag *g, const struct ring *r, pair_is like, struct pair *p)
{
    for (size_t i = 0; i < g->n_nodes; i++)
        for (size_t k = 0; k < g->n_nodes; k++) {
            *p = (struct pair){&g->nodes[i], &g->nodes[k]};
            if (p->from->batch >= 0 && p->to->batch >= 0 && like(g, r, p))
                return true;
        }
    return false;
}

static bool are(const struct pair *p, const char *from, const char *to)
{
    return dag_is(p->from, from, NULL) && dag_is(p->to, to, NULL);
}

/* Does `to` overwrite what `from` uses, if both batches use the same set? */
static bool is_reuse(const struct pair *p)
{
    return are(p, "kernel", "h2d") || are(p, "d2h", "kernel");
}

static bool are_unordered(const struct dag *g, const struct ring *r, const struct pair *p)
{
    return p->to->batch - p->from->batch == r->n_sets && is_reuse(p) &&
           !dag_waits(g, p->to, p->from) && !dag_waits(g, p->from, p->to);
}

/* Is c copied back before the copies in that it depends on? */
static bool is_unchained(const struct dag *g, const struct ring *r, const struct pair *p)
{
    (void)r;
    return p->to->batch == p->from->batch && are(p, "h2d", "d2h") && !dag_waits(g, p->to, p->from);
}

/* An edge between two batches. */
static bool is_edge(const struct dag *g, const struct pair *p)
{
    for (size_t k = 0; k < p->from->n_out && p->from->batch != p->to->batch; k++)
        if (&g->nodes[g->out[p->from->first_out + k]] == p->to)
            return true;
    return false;
}

/* An edge that is due neither to the set nor to the stream of the batches. A set may have an event
   for its inputs and another one for its result. */
static bool is_needless(const struct dag *g, const struct ring *r, const struct pair *p)
{
    const int after = p->to->batch - p->from->batch;
    const bool is_of_set = after % r->n_sets == 0, is_of_stream = after % r->n_streams == 0;
    return is_edge(g, p) && !(are(p, "d2h", "h2d") && (is_of_set || is_of_stream)) &&
           !(is_reuse(p) && is_of_set);
}

static bool is_backwards(const struct dag *g, const struct ring *r, const struct pair *p)
{
    (void)r;
    return is_edge(g, p) && p->to->batch < p->from->batch;
}

/* The graph with this edge: missing, or one too many. */
static void show_edge(struct judged *j, const struct dag *g, const struct ring *r,
                      const struct pair *p, bool is_missing)
{
    const struct dag_edge edge = {(size_t)(p->from - g->nodes), (size_t)(p->to - g->nodes)};
    expected_graph_show(
        j, g, r,
        &(struct dag_difference){
            .missing = &edge, .n_missing = is_missing, .extra = &edge, .n_extra = !is_missing});
}

/* ---- its nodes ------------------------------------------------------------------------------- */

static const char *in_words(const struct dag_node *n)
{
    return dag_is(n, "h2d", NULL) ? "copy in" : dag_is(n, "d2h", NULL) ? "copy back" : n->kind;
}

/* Copies are from a and b, and to c; kernels use none of them. */
static void expect_host_memory(const struct dag *g)
{
    for (const struct dag_node *n = g->nodes; n < g->nodes + g->n_nodes; n++) {
        const char *memory = dag_is(n, "h2d", NULL)      ? "a_and_b"
                             : dag_is(n, "d2h", NULL)    ? "c"
                             : dag_is(n, "kernel", NULL) ? "-"
                                                         : n->buffer;
        if (strcmp(n->buffer, memory) == 0)
            continue;
        judge_actual("a %s, %zu bytes, at another address", in_words(n), (size_t)n->bytes);
        judge_expected("copies from a and b, and to c");
        judge_fact_number("bytes_elsewhere", (double)n->bytes);
        judge_fail_that("other_host_memory");
    }
}

/* Batch i is one chain: `bytes` of a and of b are copied in, matmul, and as many of c are copied
   back. A copy may be of both a and b, in two rows. */
static void expect_batch(const struct dag *g, const struct ring *r, int i, double bytes)
{
    double a = 0, b = 0, c = 0;
    size_t kernels = 0;
    struct pair p;
    for (const struct dag_node *n = g->nodes; n < g->nodes + g->n_nodes; n++) {
        if (n->batch != i)
            continue;
        const double n_bytes = (double)n->bytes, rest = fmax(0, n_bytes - bytes);
        const bool is_in = dag_is(n, "h2d", NULL),
                   is_a = (double)n->offset * sizeof(float) < r->n_batches * bytes;
        a += is_in && is_a ? n_bytes - rest : 0;
        b += !is_in ? 0 : is_a ? rest : n_bytes;
        c += dag_is(n, "d2h", NULL) ? n_bytes : 0;
        kernels += dag_is(n, "kernel", "matmul*");
    }
    const double most = fmax(a, fmax(b, c));
    if (fmin(a, fmin(b, c)) >= bytes && most <= bytes && kernels == 1 &&
        (!find(g, r, is_unchained, &p) || p.to->batch != i))
        return;
    judge_actual("batch %d: %.0f bytes of a and %.0f of b copied in, %zu matmul, %.0f bytes of c "
                 "copied back",
                 i, a, b, kernels, c);
    judge_expected("%.0f bytes of each, 1 matmul, and each waits for the one before it", bytes);
    judge_fact_number("matrices_in", fmin(a, b) / bytes);
    judge_fact_number("matrices_back", c / bytes);
    judge_fact_number("matrices_most", most / bytes);
    judge_fail_that("batch_not_copied_back");
}

void expected_graph_nodes(const struct dag *g, const struct ring *r, double bytes)
{
    const size_t kernels = dag_count(g, "kernel", "matmul*"), copies_in = dag_count(g, "h2d", NULL),
                 copies_back = dag_count(g, "d2h", NULL), memsets = dag_count(g, "memset", NULL),
                 allocs = dag_count(g, "alloc", NULL), frees = dag_count(g, "free", NULL),
                 others = g->n_nodes - nodes_of_batches(g);
    judge_ask_graph(g);
    judge_actual("%zu nodes, %zu of them matmul", g->n_nodes, kernels);
    judge_expected("%d matmul, one for each batch", r->n_batches);
    judge_expect_that(kernels == (size_t)r->n_batches && copies_in > 0 && copies_back > 0,
                      "batch_count");
    expect_host_memory(g);
    for (int i = 0; i < r->n_batches; i++)
        expect_batch(g, r, i, bytes);
    judge_actual("%zu other nodes: memset %zu, alloc %zu, free %zu, further ones %zu", others,
                 memsets, allocs, frees, others - memsets - allocs - frees);
    judge_expected("2 other nodes: memset 2");
    judge_expect_that(others <= 2, "other_nodes");
    judge_forget();
}

/* ---- its ends -------------------------------------------------------------------------------- */

static bool sets_status(const struct dag_node *n, long value)
{
    return dag_is(n, "memset", NULL) && n->bytes == 1 && n->value == value;
}

/* By a node at all, wherever it is. */
static bool has_status(const struct dag *g, long value)
{
    for (size_t i = 0; i < g->n_nodes; i++)
        if (sets_status(&g->nodes[i], value))
            return true;
    return false;
}

void expected_graph_ends(const struct dag *g)
{
    const size_t roots = dag_roots(g), sinks = dag_sinks(g);
    const struct dag_node none = {.kind = "nothing"}, *first = roots ? dag_root(g) : &none,
                          *last = sinks ? dag_sink(g) : &none;
    const bool begins = roots == 1 && sets_status(first, LAB05_RUNNING),
               ends = sinks == 1 && sets_status(last, LAB05_DONE);
    judge_actual("%zu first: a %s (%ld); %zu last: a %s (%ld)", roots, in_words(first),
                 first->value, sinks, in_words(last), last->value);
    judge_expected("1 first: a memset (%d); 1 last: a memset (%d)", LAB05_RUNNING, LAB05_DONE);
    judge_fact_number("roots", (double)roots);
    judge_fact_number("sinks", (double)sinks);
    judge_fact_number("running_is_set", has_status(g, LAB05_RUNNING));
    judge_fact_number("done_is_set", has_status(g, LAB05_DONE));
    judge_fact_number("exchanged",
                      sets_status(first, LAB05_DONE) && sets_status(last, LAB05_RUNNING));
    judge_expect_that(begins, "first_node");
    judge_expect_that(ends, "last_node");
}

/* ---- what can overlap ------------------------------------------------------------------------ */

void expected_graph_width(const struct dag *g, const struct ring *r)
{
    const struct shape s = shape_of(g, r);
    const size_t width = dag_width(g);
    judge_measured((double)width, s.branches, "nodes");
    judge_actual("%zu of %zu nodes can run concurrently", width, g->n_nodes);
    judge_expected("%d or more, a branch for each stream", s.branches);
    judge_fact_number("width", (double)width);
    judge_expect_that(width >= (size_t)s.branches, "few_branches");
}

static void expect_no_needless_wait(struct judged *j, const struct dag *g, const struct ring *r)
{
    struct pair p;
    if (!find(g, r, is_needless, &p))
        return;
    if (are(&p, "d2h", "h2d") && p.to->batch < r->n_streams && p.from->batch % r->n_streams == 0)
        judge_fact("fork_after_batch");
    show_edge(j, g, r, &p, false);
    judge_actual("batch %d waits for batch %d", p.to->batch, p.from->batch);
    judge_expected("it waits for the batches before it in its stream and in its set");
    judge_asks("needless_wait");
    judge_fail("The %s of batch %d waits for the %s of batch %d. Neither its stream nor its set "
               "needs that.",
               in_words(p.to), p.to->batch, in_words(p.from), p.from->batch);
}

void expected_graph_path(struct judged *j, const struct dag *g, const struct ring *r)
{
    const struct shape s = shape_of(g, r);
    const size_t path = dag_path(g);
    struct pair p;
    if (find(g, r, are_unordered, &p)) {
        show_edge(j, g, r, &p, true);
        judge_actual("batch %d does not wait for batch %d", p.to->batch, p.from->batch);
        judge_expected("it waits for the batches before it in its stream and in its set");
        judge_asks("set_not_awaited");
        judge_fail("The %s of batch %d does not wait for the %s of batch %d. By i %% n_buffers, "
                   "both use set %d.",
                   in_words(p.to), p.to->batch, in_words(p.from), p.from->batch,
                   p.to->batch % r->n_sets);
    }
    judge_actual("%zu nodes on the critical path, of %zu", path, g->n_nodes);
    judge_expected("%zu or less: first, %d batches of %zu nodes, last", s.path, s.longest_branch,
                   s.nodes_a_batch);
    judge_measured((double)path, (double)s.path, "nodes");
    expect_no_needless_wait(j, g, r);
    if (path <= s.path)
        return;
    if (find(g, r, is_backwards, &p)) {
        judge_asks("batches_out_of_order");
        judge_fail("Batch %d waits for batch %d: the later batch was enqueued first.", p.to->batch,
                   p.from->batch);
    }
    judge_asks(g->n_nodes > nodes_of_batches(g) + 2 ? "other_nodes" : NULL);
    judge_next("enqueue the copies in, the kernel and the copy back of one batch in the same "
               "stream, and let only the first copy in wait for the set");
    judge_fail("The critical path is longer than a branch.");
}
