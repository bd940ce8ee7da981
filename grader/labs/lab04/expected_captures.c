/*
 * expected_captures.c: what is asked of each of lab 04's eight captures.
 */
#include "expected_captures.h"

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
    const struct dag_node *found = NULL;
    for (size_t i = 0; i < g->n_nodes; i++)
        found = dag_is(&g->nodes[i], kind, NULL) ? &g->nodes[i] : found;
    judge_next("which stream is it in, and is that stream part of the capture at that moment?");
    judge_expect(found,
                 "%s is not in the graph: it was done once, when the capture was made, and "
                 "no replay will do it again",
                 words);
    judge_next("the four nodes, and what the capture needs besides");
    judge_expect(dag_count(g, kind, NULL) == 1, "%s is in the graph %zu times", words,
                 dag_count(g, kind, NULL));
    return found;
}

/* Memory of the graph's own: taken in front of the kernel that uses it, given back behind it. */
static void judge_memory(const struct dag *g, const struct capture *c,
                         const struct dag_node *kernel)
{
    judge_next("%s", c->next);
    judge_expect(c->number != 1 || dag_count(g, "alloc", NULL) > 0,
                 "the graph takes no memory of its own: p->x is the caller's, and what cudaMalloc "
                 "gave at capture is no node (and gone, where it was freed since)");
    judge_next("cudaFreeAsync behind the last use, in the capturing stream");
    judge_expect(dag_count(g, "alloc", NULL) <= dag_count(g, "free", NULL),
                 "the graph takes memory and does not give it back: it can be launched once, and "
                 "not again");
    for (size_t i = 0; i < g->n_nodes; i++)
        judge_expect(!dag_is(&g->nodes[i], "free", NULL) || dag_waits(g, &g->nodes[i], kernel),
                     "the memory is given back before the kernel has read it: a free node does not "
                     "wait for the kernel");
}

/* Captures 4 and 5 have two branches. (7 is a chain, in two streams.) */
static void judge_branches(const struct dag *g, const struct capture *c, const struct dag_node *in,
                           const struct dag_node *zero)
{
    if (c->number != 4 && c->number != 5)
        return;
    judge_actual("%s", dag_waits(g, zero, in) ? "[in -> x] -> [y = 0]" : "[y = 0] -> [in -> x]");
    judge_expected("two branches: neither waits for the other, the kernel for both");
    judge_next("leave the work in the streams in which it is, and mend fork and join");
    judge_expect(!dag_waits(g, zero, in) && !dag_waits(g, in, zero),
                 "y = 0 is no longer beside the copy in: the fork was taken out, not mended");
    judge_actual("%s", "");
    judge_expected("%s", "");
}

static void judge_nodes(const struct dag *g, const struct capture *c)
{
    const struct dag_node *in = only(g, "h2d", "the copy in"), *zero = only(g, "memset", "y = 0"),
                          *kernel = only(g, "kernel", "y += 2 x"),
                          *out = only(g, "d2h", "the copy back");
    judge_next("what must come after what? Say it by the order in a stream, or by fork and join");
    judge_expect(dag_waits(g, kernel, in) && dag_waits(g, kernel, zero),
                 "the kernel does not wait for both the copy in and y = 0");
    judge_expect(dag_waits(g, out, kernel), "the copy back does not wait for the kernel");
    judge_branches(g, c, in, zero);
    judge_memory(g, c, kernel);
    if (c->number != 8)
        return;
    judge_next("%s", c->next);
    judge_expect(dag_count(g, "host", NULL) < 2,
                 "the graph has %zu host functions: one is to count", dag_count(g, "host", NULL));
    judge_expect(
        dag_count(g, "host", NULL) == 1,
        "no host function is in the graph, which is to count its replays: it was called in "
        "another stream, or the counting was done at capture");
}

void judge_capture(const struct capture *c)
{
    struct judge_scenario scenario = {.name = "4096 floats",
                                      .numbers = {{"part", c->number}, {"known_error", c->error}},
                                      .buffers = {{"in", JUDGE_INPUT, PART, .pinned = true},
                                                  {"out", JUDGE_OUTPUT, PART, .pinned = true}},
                                      .verify = verify_twice};
    struct judge *j = judge_start(JUDGE_SUBMISSION, &scenario);
    judge_actual("lab04_capture_%d returned %s", c->number, c->name);
    judge_expected("cudaSuccess, and a graph");
    judge_next("%s", c->next);
    judge_expect(judge_value(j, "returned") == 0, "%s", c->why);
    judge_actual("%s", "");
    judge_expected("%s", "");
    judge_expect(c->number != 7 || judge_value(j, "both_streams") != 0,
                 "the other stream is no longer in the capture: its work was moved, and where the "
                 "capture ends was not mended");
    judge_nodes(judge_graph(j), c);
    for (int replay = 1; replay <= 2; replay++) {
        judge_next("%s", c->next);
        judge_run(j);
        judge_next("hand it p->replays itself, an address that stays; a local variable is gone by "
                   "the time of the replay");
        judge_expect(c->number != 8 || judge_value(j, "replays") == replay,
                     "capture 8 has a host function, but *p->replays does not grow by 1 a replay");
    }
    judge_next("%s", c->next);
    if (judge_device_is_simulated())
        judge_expect_no_findings(j);
}
