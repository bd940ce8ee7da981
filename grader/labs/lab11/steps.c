/* steps.c: a step as a graph, and the steps of a batch in a trace, see steps.h. */
#include "exchange.h"
#include "steps.h"

#include "mistake_of.h"
#include "query/graph.h"
#include "query/trace.h"

/* ---- the graph of a step --------------------------------------------------------------------- */

static size_t kernels_of_step(const struct judge *j)
{
    return 3 + 5 * (size_t)judge_numbers(j)->model.n_layers;
}

/* Returns how many nodes that take time are no kernels. */
static size_t show_step(struct judge *j, const struct dag *g)
{
    const size_t kernels = dag_count(g, "kernel", NULL);
    size_t others = 0;
    for (size_t i = 0; i < g->n_nodes; i++)
        others += dag_takes_time(&g->nodes[i]) && !dag_is(&g->nodes[i], "kernel", NULL);
    judge_show_graph(j, &(struct judge_shape){.nodes = "3 + 5 x layers", .width = "1"});
    judge_actual("a graph of %zu kernels, and %zu copies and memsets", kernels, others);
    judge_expected("%zu kernels", kernels_of_step(j));
    return others;
}

/* A step begins with embed and ends with advance. Prefill begins in the same way. */
void lab11_expect_one_step(struct judge *j)
{
    const struct dag *g = judge_graph(j);
    const size_t first = dag_count(g, "kernel", "decode_embed"),
                 last = dag_count(g, "kernel", "decode_advance");
    show_step(j, g);
    judge_expect_that(first <= 1 || last <= 1, "steps_in_graph");
    judge_expect_that(first <= 1, "prefill_in_graph");
    judge_forget();
}

void lab11_expect_step(struct judge *j)
{
    lab11_expect_one_step(j);
    const struct dag *g = judge_graph(j);
    const size_t others = show_step(j, g);
    if (dag_count(g, "while", NULL) + dag_count(g, "conditional", NULL) > 0)
        judge_fail_that("loop_in_graphs");
    judge_expect_that(others == 0, "copies_in_graph");
    judge_expect_that(dag_count(g, "kernel", NULL) == kernels_of_step(j), "step_kernels");
    judge_forget();
}

/* ---- the steps of a batch -------------------------------------------------------------------- */

void lab11_steps_interval(const struct trace *t, double *from_us, double *to_us)
{
    const struct trace_row *last = trace_last(t, "sm", "empty"), *first = NULL;
    for (size_t i = 0; i < t->n_rows; i++)
        if (trace_is(&t->rows[i], "sm", "empty") && &t->rows[i] != last)
            first = &t->rows[i];
    if (!first)
        judge_inconclusive("the trace does not show where the steps begin and end");
    *from_us = first->end_us;
    *to_us = last->start_us;
}

size_t lab11_kernels_between(const struct trace *t, double from_us, double to_us, bool in_graph)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n_rows; i++) {
        const struct trace_row *row = &t->rows[i];
        n += trace_is(row, "sm", NULL) && row->start_us >= from_us && row->end_us <= to_us &&
             (row->node >= 0) == in_graph;
    }
    return n;
}

/* Calls that take longer than a step. */
static const struct {
    const char *call;
    const char *decoding, *between;
} refused[] = {
    {"cudaGraphInstantiate*", "made_while_decoding", "made_for_batch"},
    {"cudaStreamBeginCapture*", "made_while_decoding", "made_for_batch"},
    {"cudaGraphExec*Update", "made_while_decoding", "made_for_batch"},
    {"cudaGraphExecKernelNodeSetParams", "made_while_decoding", "made_for_batch"},
    {"cudaMalloc*", "allocates_while_decoding", "allocates_for_batch"},
    {"cudaFree*", "allocates_while_decoding", "allocates_for_batch"},
};
enum { REFUSED = sizeof refused / sizeof refused[0] };

void lab11_expect_nothing_made(const struct trace *t, int steps)
{
    double from_us, to_us;
    lab11_steps_interval(t, &from_us, &to_us);
    for (int i = 0; i < REFUSED; i++) {
        const size_t n = trace_calls_between(t, refused[i].call, from_us, to_us);
        judge_actual("%zu calls of %s in %d steps", n, refused[i].call, steps);
        judge_expected("none");
        judge_expect_that(n == 0, refused[i].decoding);
    }
}

void lab11_expect_nothing_made_between(const struct trace *t)
{
    for (int i = 0; i < REFUSED; i++) {
        const size_t n = trace_calls(t, refused[i].call);
        judge_actual("%zu calls of %s in lab11_begin and lab11_read", n, refused[i].call);
        judge_expected("none");
        judge_expect_that(n == 0, refused[i].between);
    }
}

void lab11_fail_for_more_kernels(const struct trace *t, size_t steps)
{
    double from_us, to_us;
    size_t last = 0;
    lab11_steps_interval(t, &from_us, &to_us);
    for (size_t i = 0; i < t->n_rows; i++)
        last += trace_is(&t->rows[i], "sm", "decode_advance") && t->rows[i].start_us >= from_us &&
                t->rows[i].end_us <= to_us;
    if (trace_calls_between(t, "cudaGraphLaunch", from_us, to_us) > steps)
        judge_fail_that("launches_per_step");
    judge_fail_that(last > steps ? "steps_in_graph" : "prefill_in_graph");
}

void lab11_expect_graph_launches(struct judge *j, const char *none)
{
    const struct trace *t = judge_trace(j);
    const int steps = judge_numbers(j)->steps;
    double from_us, to_us;
    judge_show_timeline(j);
    lab11_steps_interval(t, &from_us, &to_us);
    lab11_expect_nothing_made(t, steps);
    const size_t launches = trace_calls_between(t, "cudaGraphLaunch", from_us, to_us),
                 outside = lab11_kernels_between(t, from_us, to_us, false);
    judge_actual("%zu graph launches, %zu kernels outside of graphs", launches, outside);
    judge_expected("%d graph launches, one for each step, and nothing else", steps);
    if (launches == 0)
        judge_fail_that(none);
    if (lab11_uses_legacy_stream(t))
        judge_fail_that("legacy_stream");
    if (outside > 0)
        judge_fail_that("kernels_beside_graph");
    if (launches != (size_t)steps)
        judge_fail_that("launches_per_step");
    judge_forget();
}

void lab11_expect_whole_steps(const struct judge *j, const struct trace *t)
{
    const size_t steps = judge_numbers(j)->steps;
    double from_us, to_us;
    lab11_steps_interval(t, &from_us, &to_us);
    const size_t kernels = lab11_kernels_between(t, from_us, to_us, true) +
                           lab11_kernels_between(t, from_us, to_us, false);
    judge_next("launch every kernel of lab.h's drawing in every step that is timed, too");
    judge_expect_at_least((double)kernels, (double)(steps * kernels_of_step(j)), "kernels",
                          "The timed steps lack kernels.");
}

/* Does the host wait for the operation in a cudaMemcpy? */
static bool is_waited_for(const struct trace *t, const struct trace_row *row)
{
    for (size_t i = 0; i < t->n_rows; i++)
        if (trace_is(&t->rows[i], "api", "cudaMemcpy") && t->rows[i].start_us <= row->start_us &&
            row->end_us <= t->rows[i].end_us)
            return true;
    return false;
}

bool lab11_uses_legacy_stream(const struct trace *t)
{
    for (size_t i = 0; i < t->n_rows; i++)
        if (t->rows[i].stream == 0 && !is_waited_for(t, &t->rows[i]))
            return true;
    return false;
}

size_t lab11_steps_needed(const struct judge *j, size_t n)
{
    const struct numbers *numbers = judge_numbers(j);
    const float *tokens = judge_buffer(j, "tokens"), stop = judge_buffer(j, "stop")[0];
    const size_t rows = numbers->max_rows, all = numbers->steps;
    size_t needed = 0;
    for (size_t row = 0; row < n; row++) {
        size_t steps = 1;
        while (steps < all && tokens[(steps - 1) * rows + row] != stop)
            steps++;
        needed = steps > needed ? steps : needed;
    }
    return needed;
}
