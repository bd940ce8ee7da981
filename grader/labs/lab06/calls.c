/* calls.c: what the traces of runs of lab 06 show of the calls. */
#include "expected.h"

#include "exchange.h"
#include "query/trace.h"

const struct trace *calls_trace(struct judged *j)
{
    judge_run(j);
    return judge_trace(j);
}

size_t calls_set_nodes(const struct trace *t)
{
    return trace_calls(t, "cudaGraphExec*") - trace_calls(t, "cudaGraphExecUpdate") -
           trace_calls(t, "cudaGraphExecDestroy");
}

bool calls_set_after_launch(const struct trace *t)
{
    const struct trace_row *set = trace_first(t, "api", "cudaGraphExec*"),
                           *launch = trace_first(t, "api", "cudaGraphLaunch");
    return set && launch && set->start_us > launch->start_us;
}

static const char *function_of(const struct judged *j)
{
    static const char *const functions[] = {
        [LAB06_ALL] = "lab06_all", [LAB06_ONE] = "lab06_one", [LAB06_BRANCH] = "lab06_branch"};
    return functions[judge_numbers(j)->workload];
}

/* Fails in words about the function. */
static void expect(const struct judged *j, bool right, const char *fact, const char *words)
{
    judge_asks(fact);
    judge_expect(right, "%s %s", function_of(j), words);
    judge_asks(NULL);
}

void calls_expect_no_instantiation(const struct judged *j, const struct trace *t)
{
    const size_t instantiations = trace_calls(t, "cudaGraphInstantiate*");
    judge_measured((double)instantiations, 0, "instantiations");
    judge_actual("%zu instantiations in a run whose graphs had all been launched before",
                 instantiations);
    expect(j, instantiations == 0, "instantiates_each_call",
           "instantiates in each call. That costs more than launching every kernel by itself.");
    judge_forget();
}

void calls_expect_launches(const struct judged *j, const struct trace *t)
{
    const size_t launches = trace_calls(t, "cudaGraphLaunch"), calls = judge_numbers(j)->calls;
    size_t outside = 0;
    for (size_t i = 0; i < t->n_rows; i++)
        outside += !trace_is(&t->rows[i], "api", NULL) && t->rows[i].node < 0;
    judge_actual("%zu calls of %s: %zu graph launches, %zu kernels and copies outside of graphs",
                 calls, function_of(j), launches, outside);
    judge_expected("%zu graph launches and nothing else", calls);
    expect(j, trace_calls(t, "cudaGraphUpload*") == 0, "uploads_each_call",
           "uploads the executable graph again.");
    expect(j, outside == 0, "work_beside_graph",
           "enqueues work beside its graph. Each such copy or kernel costs a call of the host.");
    expect(j, launches == calls, "launches_per_call",
           launches > calls ? "launches more than one graph in a call. One is enough."
                            : "launches no graph in a call. One is enough.");
    judge_forget();
}
