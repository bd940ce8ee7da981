/*
 * expected_graph.c: what is asked of the graph of lab 05.
 */
#include "expected_graph.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "labs/lab05_fork_join/lab.h"

/* ---- mistakes -------------------------------------------------------------------------------- */

/* What does not work because batches are not in the graph as they should be. */
#define RUNS                                                                                       \
    "results status race_free complete one_launch beats_lab04 as_fast_as_lab03 width "             \
    "critical_path input_offset_missing output_offset_missing not_copied_in not_copied_back "      \
    "work_left_out inputs_not_read other_inputs not_computed one_chain one_stream needless_wait "  \
    "set_not_awaited batches_out_of_order results_overlap"

/* What follows if a batch waits without need. */
#define WAITS "beats_lab04 as_fast_as_lab03"

/* What follows if there are fewer branches than streams. */
#define NOTHING_OVERLAPS "critical_path needless_wait batches_out_of_order " WAITS

static const struct judge_mistake
    empty = {"empty_graph",
             "The graph is empty: nothing was enqueued in the origin between begin and end.",
             "call enqueue_batch for each batch between cudaStreamBeginCapture and "
             "cudaStreamEndCapture",
             RUNS " fork_and_join"},
    not_captured =
        {"kernels_not_captured",
         "No matmul is in the graph. The kernels were launched in a stream that does not capture "
         "(0 is the legacy stream): they ran once, and no replay repeats them.",
         "pass the batch's stream as the last argument of launch_matmul", RUNS " stages_unordered"},
    one_batch = {"one_batch",
                 "The graph holds one batch only. Its addresses are fixed, so each launch computes "
                 "the same batch.",
                 "call enqueue_batch in a loop over all batches, in one capture",
                 RUNS " many_launches"},
    batch_count = {"batch_count", NULL,
                   "call enqueue_batch once for each batch, from 0 to n_batches - 1", RUNS},
    status_copied =
        {"status_copied",
         "The graph copies the status byte from host memory. A graph stores the address "
         "of a copy's source, and each launch uses what is there then.",
         "set the status byte with cudaMemsetAsync: its node stores the value",
         RUNS " status_not_done first_node last_node"},
    other_host_memory =
        {"other_host_memory",
         "A copy in the graph reads outside of a and b, or writes outside of c. A graph stores the "
         "address, and each launch uses what is there then.",
         "copy from lab->a and lab->b, and to lab->c; an offset counts floats, not bytes",
         RUNS " status_not_done first_node last_node"},
    none_copied_in =
        {"copies_in_not_captured",
         "No copy in is in the graph: none was enqueued between begin and end, or in a stream that "
         "does not capture. (cudaMemcpy copies in the legacy stream.)",
         "call cudaMemcpyAsync in the batch's stream, before the kernel", RUNS},
    none_copied_back =
        {"copies_back_not_captured",
         "No copy back is in the graph: none was enqueued between begin and end, or in a stream "
         "that does not capture. (cudaMemcpy copies in the legacy stream.)",
         "call cudaMemcpyAsync in the batch's stream, after the kernel", RUNS},
    same_part = {"batches_use_same_part", NULL,
                 "batch i begins at i * n * n floats: add that to each address in a, b and c",
                 RUNS},
    too_short = {"copies_too_short", NULL, "copy n * n * sizeof(float) bytes of each matrix", RUNS},
    not_in = {"batch_not_copied_in", NULL,
              "copy A[i] and B[i] in for each batch i, in the batch's stream", RUNS},
    not_back = {"batch_not_copied_back", NULL,
                "in the stream of batch i, copy A[i] and B[i] in, launch matmul, and copy its "
                "result to lab->c + i * n * n",
                RUNS},
    kernel_reads_host =
        {"kernel_reads_host",
         "matmul reads a or b from host memory. The copies in the graph are not used.",
         "pass the arrays of the set to launch_matmul, not lab->a and lab->b", RUNS},
    other_nodes = {"other_nodes",
                   "The graph has nodes that are neither copies nor kernels of a batch. Two, which "
                   "set the status byte, are enough.",
                   "set the status byte once before the fork and once after the join, and remove "
                   "other operations",
                   "beats_lab04 as_fast_as_lab03 critical_path"},
    running_missing =
        {"running_not_captured",
         "No memset node writes LAB05_RUNNING. Outside of the capture it is set once, "
         "and no launch repeats that.",
         "call cudaMemsetAsync(lab->status, LAB05_RUNNING, 1, origin) directly after "
         "cudaStreamBeginCapture",
         "status"},
    done_missing = {"done_not_captured",
                    "No memset node writes LAB05_DONE. Outside of the capture no launch of the "
                    "graph sets it.",
                    "call cudaMemsetAsync(lab->status, LAB05_DONE, 1, origin) directly before "
                    "cudaStreamEndCapture",
                    "status status_not_done"},
    many_roots = {"fork_before_status",
                  "Some branches do not wait for the node that sets LAB05_RUNNING: the fork was "
                  "recorded before it.",
                  "record the fork's event after the first cudaMemsetAsync", NULL},
    many_sinks = {"done_before_join",
                  "The node that sets LAB05_DONE does not wait for all branches: it comes before "
                  "the join.",
                  "join all streams first, then call the last cudaMemsetAsync in the origin",
                  "status status_not_done"},
    first_node = {"first_node", "The first node does not set the status byte to LAB05_RUNNING.",
                  "call cudaMemsetAsync(lab->status, LAB05_RUNNING, 1, origin) directly after "
                  "cudaStreamBeginCapture",
                  NULL},
    last_node = {"last_node", "The last node does not set the status byte to LAB05_DONE.",
                 "call cudaMemsetAsync(lab->status, LAB05_DONE, 1, origin) directly before "
                 "cudaStreamEndCapture",
                 "status status_not_done"},
    one_stream = {"one_stream",
                  "The graph is one chain: all batches are in one stream, so each batch waits for "
                  "the batch before it.",
                  "enqueue batch i in stream i % n_streams", NOTHING_OVERLAPS},
    one_chain = {"one_chain",
                 "The graph is one chain: each batch waits for an event of the batch before it, so "
                 "nothing overlaps.",
                 "create an event for each set, and let a batch wait only for that of its own set",
                 NOTHING_OVERLAPS},
    few_branches = {"few_branches",
                    "The graph has fewer branches than streams: streams are not used, or batches "
                    "wait for each other.",
                    "enqueue batch i in stream i % n_streams with set i % n_buffers, and let it "
                    "wait only for the event of its own set",
                    NOTHING_OVERLAPS},
    missing_wait = {"set_not_awaited", NULL,
                    "use set i % n_buffers for batch i, let the batch wait for the event of this "
                    "set before its first copy in, and record the event after the copy back",
                    "results"},
    needless_wait = {"needless_wait", NULL,
                     "enqueue batch i in stream i % n_streams with set i % n_buffers, and let it "
                     "wait only for the event of this set",
                     "width " WAITS},
    out_of_order = {"batches_out_of_order", NULL,
                    "enqueue the batches in the order of their numbers: then the event of a set is "
                    "that of the batch that used the set before",
                    WAITS};

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
        judge_fail_for(n->bytes == 1 ? &status_copied : &other_host_memory);
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
    judge_blame(is_part(f.a, bytes) || is_part(f.b, bytes) || is_part(f.c, bytes) ? &too_short
                : f.a > 0 && f.b > 0                                              ? &not_back
                                                                                  : &not_in);
    judge_expect(!missing[0], "The graph does not copy all of batch %d: bytes of %s are missing.",
                 i, missing);
    const char *shared = names_of(f.a > bytes, f.b > bytes, f.c > bytes);
    judge_blame(&same_part);
    judge_expect(!shared[0], "Several batches use the same part of %s.", shared);
    judge_forget();
    judge_blame(&not_back);
    judge_expect(f.kernels == 1 && !find_unordered(g, i, i, is_product, &from, &to),
                 "Batch %d is not one chain of copies in, matmul and copy back.", i);
    judge_forget();
}

static void expect_device_memory(const struct dag *g)
{
    for (size_t i = 0; i < g->n_nodes; i++)
        judge_expect_for(!dag_is(&g->nodes[i], "kernel", NULL) ||
                             strcmp(g->nodes[i].buffer, "-") == 0,
                         &kernel_reads_host);
}

void expected_graph_nodes(const struct dag *g, const struct ring *r, double bytes)
{
    const size_t kernels = dag_count(g, "kernel", "matmul*"),
                 others = g->n_nodes - nodes_of_batches(g);
    judge_actual("%zu nodes, %zu of them matmul", g->n_nodes, kernels);
    judge_expected("%d matmul, one for each batch", r->n_batches);
    if (g->n_nodes == others && others <= 2)
        judge_fail_for(&empty);
    if (kernels == 0)
        judge_fail_for(&not_captured);
    if (kernels == 1)
        judge_fail_for(&one_batch);
    judge_blame(&batch_count);
    judge_expect(kernels == (size_t)r->n_batches,
                 "The graph holds %zu matmul kernels for %d batches.", kernels, r->n_batches);
    judge_blame(NULL);
    if (dag_count(g, "h2d", NULL) == 0)
        judge_fail_for(&none_copied_in);
    if (dag_count(g, "d2h", NULL) == 0)
        judge_fail_for(&none_copied_back);
    expect_host_memory(g);
    for (int i = 0; i < r->n_batches; i++)
        expect_batch(g, r, i, bytes);
    expect_device_memory(g);
    judge_actual("%zu other nodes", others);
    if (others > 2)
        judge_fail_for(&other_nodes);
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
        judge_fail_for(roots == 1 ? &first_node : &running_missing);
    if (roots != 1)
        judge_fail_for(&many_roots);
    if (!sets_status(g, LAB05_DONE))
        judge_fail_for(sinks == 1 ? &last_node : &done_missing);
    if (sinks != 1)
        judge_fail_for(&many_sinks);
    if (!is_status(dag_root(g), LAB05_RUNNING))
        judge_fail_for(&first_node);
    if (!is_status(dag_sink(g), LAB05_DONE))
        judge_fail_for(&last_node);
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

/* An edge between batches that makes one wait without need; r is NULL: for a later batch. */
static bool find_wait(const struct dag *g, const struct ring *r, const struct dag_node **from,
                      const struct dag_node **to)
{
    for (size_t i = 0; i < g->n_nodes; i++) {
        *from = &g->nodes[i];
        for (size_t k = 0; k < (*from)->n_out; k++) {
            *to = &g->nodes[g->out[(*from)->first_out + k]];
            if ((*from)->batch >= 0 && (*to)->batch >= 0 && (*from)->batch != (*to)->batch &&
                (r ? !is_needed(*from, *to, r) : (*to)->batch < (*from)->batch))
                return true;
        }
    }
    return false;
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
        judge_blame(&missing_wait);
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
        judge_fail_for(one_stream_used ? &one_stream : &one_chain);
    if (width < (size_t)s.branches)
        judge_fail_for(&few_branches);
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
    if (find_wait(g, r, &from, &to)) {
        show_edge(j, g, r, from, to, false);
        show_wait(from, to, r);
        judge_blame(&needless_wait);
        judge_fail("The %s of batch %d waits for the %s of batch %d. Neither its stream nor its "
                   "set needs that.",
                   in_words(to), to->batch, in_words(from), from->batch);
    }
    if (path <= s.path)
        return;
    judge_expect_for(find_wait(g, NULL, &from, &to), &other_nodes);
    judge_blame(&out_of_order);
    judge_fail("Batch %d waits for batch %d: the later batch was enqueued first.", to->batch,
               from->batch);
}
