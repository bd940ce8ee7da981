/* steps.c: a step as a graph, and the steps of a batch in a trace, see expected.h. */
#include "exchange.h"
#include "expected.h"
#include "query/graph.h"
#include "query/trace.h"

/* ---- the graph of a step --------------------------------------------------------------------- */

static size_t kernels_of_step(const struct judged *j)
{
    return 3 + 5 * (size_t)judge_numbers(j)->model.n_layers;
}

/* Returns how many nodes that take time are no kernels. */
static size_t show_step(struct judged *j, const struct dag *g)
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
void lab11_expect_one_step(struct judged *j)
{
    const struct dag *g = judge_graph(j);
    const size_t first = dag_count(g, "kernel", "decode_embed");
    show_step(j, g);
    judge_ask_graph(g);
    judge_expect_that(first <= 1, NULL);
    judge_forget();
}

void lab11_expect_step(struct judged *j)
{
    lab11_expect_one_step(j);
    const struct dag *g = judge_graph(j);
    const size_t others = show_step(j, g);
    judge_ask_graph(g);
    judge_expect_that(dag_count(g, "while", NULL) + dag_count(g, "conditional", NULL) == 0, NULL);
    judge_expect_that(others == 0, "copies_in_graph");
    judge_expect_that(dag_count(g, "kernel", NULL) == kernels_of_step(j), "step_kernels");
    judge_forget();
}

/* ---- the steps of a batch -------------------------------------------------------------------- */

const struct trace *lab11_steps(const struct trace *t)
{
    static struct trace steps;
    const struct trace_row *last = trace_last(t, "sm", "empty"), *first = NULL;
    for (size_t i = 0; i < t->n_rows; i++)
        if (trace_is(&t->rows[i], "sm", "empty") && &t->rows[i] != last)
            first = &t->rows[i];
    if (!first)
        judge_inconclusive("the trace does not show where the steps begin and end");
    trace_free(&steps);
    for (size_t i = 0; i < t->n_rows; i++)
        if (t->rows[i].start_us >= first->end_us && t->rows[i].start_us < last->start_us)
            cr_assert(trace_add(&steps, &t->rows[i]) == 0, "no memory for a trace");
    return &steps;
}

size_t lab11_kernels(const struct trace *steps, bool in_graph)
{
    size_t n = 0;
    for (size_t i = 0; i < steps->n_rows; i++)
        n += trace_is(&steps->rows[i], "sm", NULL) && (steps->rows[i].node >= 0) == in_graph;
    return n;
}

void lab11_expect_nothing_made(const struct trace *t, const char *when)
{
    static const char *const refused[] = {"cudaGraphInstantiate*", "cudaStreamBeginCapture*",
                                          "cudaGraphExec*",        "cudaGraphUpload",
                                          "cudaMalloc*",           "cudaFree*"};
    judge_fact(when);
    judge_ask_trace(t);
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        const size_t n = trace_calls(t, refused[i]);
        judge_actual("%zu calls of %s", n, refused[i]);
        judge_expected("none");
        judge_expect_that(n == 0, NULL);
    }
    judge_forget();
}

void lab11_expect_kernels(const struct trace *steps, size_t n_steps, size_t expected)
{
    const size_t actual = lab11_kernels(steps, true) + lab11_kernels(steps, false);
    judge_actual("%zu kernels in %zu steps", actual, n_steps);
    judge_expected("%zu: %zu in a step", n_steps * expected, expected);
    judge_expect_that(actual >= n_steps * expected, "step_kernels");
    judge_fact_each((struct judge_truth[]){
        {trace_calls(steps, "cudaGraphLaunch") > n_steps, "launches_per_step"},
        {trace_count(steps, "sm", "decode_advance") > n_steps, "steps_in_graph"},
        {false, NULL}});
    judge_expect_that(actual <= n_steps * expected, "prefill_in_graph");
    judge_forget();
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

/* Is anything in the legacy stream, other than copies that the host waits for? */
static bool uses_legacy_stream(const struct trace *t)
{
    for (size_t i = 0; i < t->n_rows; i++)
        if (t->rows[i].stream == 0 && !is_waited_for(t, &t->rows[i]))
            return true;
    return false;
}

void lab11_expect_graph_launches(struct judged *j, const char *none)
{
    const struct trace *t = judge_trace(j), *of_steps = lab11_steps(t);
    const size_t steps = judge_numbers(j)->steps,
                 launches = trace_calls(of_steps, "cudaGraphLaunch"),
                 outside = lab11_kernels(of_steps, false);
    judge_show_timeline(j);
    lab11_expect_nothing_made(of_steps, "while_decoding");
    judge_actual("%zu graph launches, %zu kernels outside of graphs", launches, outside);
    judge_expected("%zu graph launches, one for each step, and nothing else", steps);
    judge_expect_that(launches > 0, none);
    judge_expect_that(!uses_legacy_stream(t), "legacy_stream");
    judge_fact_number("kernels_outside", (double)outside);
    judge_expect_that(outside == 0 && launches == steps, "launches_per_step");
    judge_forget();
}

/* Each kernel reads what the one before it has written, so they start serially. */
static void expect_chain(const struct judged *j, const struct trace *t)
{
    const size_t kernels = kernels_of_step(j);
    for (size_t i = 0, n = 0; i < t->n_rows; i++) {
        if (!trace_is(&t->rows[i], "sm", "decode_*"))
            continue;
        const char *expected = lab11_kernel_of_step((int)(n % kernels), (int)kernels);
        judge_actual("kernel %zu to start in step %zu is %s", n % kernels + 1, n / kernels + 1,
                     t->rows[i].name);
        judge_expected("%s", expected);
        judge_expect_that(trace_is(&t->rows[i], "sm", expected), "step_kernels");
        n++;
    }
    judge_forget();
}

void lab11_expect_whole_steps(const struct judged *j, const struct trace *t)
{
    const struct trace *of_steps = lab11_steps(t);
    const size_t steps = judge_numbers(j)->steps,
                 kernels = lab11_kernels(of_steps, true) + lab11_kernels(of_steps, false);
    judge_next("launch every kernel of lab.h's drawing in every step that is timed, too");
    judge_expect_at_least((double)kernels, (double)(steps * kernels_of_step(j)), "kernels",
                          "The timed steps lack kernels.");
    expect_chain(j, of_steps);
}

size_t lab11_steps_needed(const struct judged *j, size_t batch, size_t n)
{
    const struct numbers *numbers = judge_numbers(j);
    const size_t rows = numbers->max_rows, all = numbers->steps;
    const float *tokens = judge_buffer(j, "tokens") + batch * all * rows,
                stop = judge_buffer(j, "stop")[0];
    size_t needed = 0;
    for (size_t row = 0; row < n; row++) {
        size_t steps = 1;
        while (steps < all && tokens[(steps - 1) * rows + row] != stop)
            steps++;
        needed = steps > needed ? steps : needed;
    }
    return needed;
}
