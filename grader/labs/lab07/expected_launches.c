/* expected_launches.c: who launched how many graphs in a call, by its trace. */
#include "exchange.h"
#include "expected_results.h"
#include "query/trace.h"

static size_t launches_by_device(const struct trace *t)
{
    return trace_count(t, "graph", NULL) - trace_count(t, "graph", "host");
}

/* A call in a trace that has a row for each launch by the device, if there are so many. CUPTI may
 * lose a row, but not the same ones again and again. */
const struct trace *lab07_trace_launches(struct judged *j, size_t by_device)
{
    enum { MOST_TRACES = 3 };
    const struct trace *t = judge_trace(j);
    for (int i = 1; i < MOST_TRACES && launches_by_device(t) < by_device; i++)
        t = judge_trace(j);
    return t;
}

void lab07_expect_device_launches(const struct trace *t, const char *function, size_t least)
{
    const size_t actual = launches_by_device(t);
    judge_measured((double)actual, (double)least, "launches by the device");
    judge_actual("%s: %zu graph launches by the device", function, actual);
    judge_expected("at least %zu", least);
    judge_expect_that(actual >= least, "not_by_device");
}

/* The simulated device knows which graph an executable graph was instantiated from. */
void lab07_expect_given_launches(const struct judged *j, const char *function, size_t given)
{
    const double actual = judge_value(j, given_launches);
    judge_actual("%s: %.0f launches of the given graphs", function, actual);
    judge_expected("%zu", given);
    judge_expect_that(!judge_device_is_simulated() || actual == (double)given, "other_graphs");
}

void lab07_expect_host_calls(const struct trace *t, const char *function, const char *unit)
{
    const size_t graphs = trace_calls(t, "cudaGraphLaunch*"),
                 kernels = trace_calls(t, "cudaLaunch*"),
                 made = trace_calls(t, "cudaGraphInstantiate*"),
                 uploads = trace_calls(t, "cudaGraphUpload*");
    judge_measured((double)(graphs + kernels), 1, "launches");
    judge_actual("a later call of %s: %zu instantiations, %zu uploads (%s)", function, made,
                 uploads, unit);
    judge_expected("no instantiation and no upload after the first call");
    judge_expect_that(made + uploads == 0, "instantiates_each_call");
    judge_actual("%s: %zu graph launches and %zu kernel launches by the host, for %s", function,
                 graphs, kernels, unit);
    judge_expected("1 graph launch by the host; the others by the device");
    judge_expect_that(graphs + kernels <= 1, "host_loop");
    judge_next("launch the captured graph");
    judge_expect(graphs == 1, "%s launches no graph.", function);
}
