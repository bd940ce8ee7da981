/* captures.c: a run that is to launch a graph, and nothing else. */
#include "captures.h"

#include <math.h>

#include "query/trace.h"

static void expect(bool right, const char *fact, const char *function, const char *words)
{
    if (right)
        return;
    judge_asks(fact);
    judge_fail("%s %s", function, words);
}

void captures_expect_instantiated(size_t instantiations, const char *function)
{
    expect(instantiations == 0, "instantiates_in_run", function,
           "instantiates the graph. Instantiation is the expensive step, and belongs in setup.");
}

void captures_expect_launches(const struct trace *t, size_t expected, const char *function)
{
    const size_t launches = trace_calls(t, "cudaGraphLaunch*"),
                 direct = trace_calls(t, "cudaLaunchKernel*") + trace_calls(t, "cudaMemcpy*") +
                          trace_calls(t, "cudaMemset*") + trace_calls(t, "cudaLaunchHostFunc*"),
                 created = trace_creations(t, INFINITY),
                 begins = trace_calls(t, "cudaStreamBeginCapture*"),
                 instantiations = trace_calls(t, "cudaGraphInstantiate*"),
                 others = trace_calls(t, "cudaGraphExec*") + trace_calls(t, "cudaGraphUpload*");
    judge_measured((double)launches, (double)expected, "launches");
    judge_actual("%zu captures, %zu instantiations, %zu launches of a graph, %zu other operations, "
                 "%zu allocations and new objects",
                 begins, instantiations, launches, direct, created);
    judge_expected("%zu %s of a graph, and nothing else", expected,
                   expected == 1 ? "launch" : "launches");
    expect(begins == 0, "captures_in_run", function,
           "captures the work. That takes as long as enqueuing it, and a graph is there to be "
           "relaunched.");
    captures_expect_instantiated(instantiations, function);
    expect(others == 0, "changes_graph", function,
           "changes the executable graph, or uploads it, before the launch. Nothing in it is "
           "different.");
    expect(launches > 0 || direct > 0, "launches_nothing", function, "launches nothing.");
    expect(launches > 0, "no_graph_launch", function,
           "launches no graph: it enqueues copies and kernels itself.");
    expect(launches <= expected, "many_launches", function,
           "launches a graph more than once. One launch holds all of the work.");
    expect(direct == 0, "work_beside_graph", function,
           "enqueues copies, kernels, memsets or host functions beside the graph.");
    judge_expect_that(created == 0, "creates_in_run");
}
