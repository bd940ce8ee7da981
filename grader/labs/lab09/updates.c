/* updates.c: is an evicted executable graph of lab 09 updated where it can be? */
#include "expected.h"

#include "exchange.h"
#include "query/trace.h"
#include "requests.h"

static const struct judge_scenario updatable =
    SERVICE("16 requests, 4 shapes with as many kernels, room for 3", .sequence = CYCLE,
            .requests = 16, .streams = 1, .inputs = 16, .max_execs = 3, .max_floats = AMPLE);
static const struct judge_scenario half_updatable = SERVICE(
    "64 requests of random shapes with results, room for 4", .sequence = AT_RANDOM, .requests = 64,
    .streams = 1, .inputs = 64, .max_execs = 4, .max_floats = 3 * LAB09_MAX_N);

static const struct judge_scenario other_evicted =
    SERVICE("9 requests; each third one evicts two, the second one with as many kernels",
            .sequence = OTHER_EVICTED, .requests = 9, .streams = 1, .inputs = 9, .max_execs = 3,
            .max_floats = 2 * LAB09_MAX_N);

size_t lab09_most_execs(const struct trace *t)
{
    size_t now = 0, most = 0;
    for (size_t i = 0; i < t->n_rows; i++) {
        now += trace_is(&t->rows[i], "api", "cudaGraphInstantiate*");
        now -= now > 0 && trace_is(&t->rows[i], "api", "cudaGraphExecDestroy");
        most = now > most ? now : most;
    }
    return most;
}

static void expect_updates(struct judged *j, const struct judge_scenario *scenario)
{
    const struct trace *t = judge_trace(j); /* of one run: at random, each has other shapes */
    const size_t made = trace_calls(t, "cudaGraphInstantiate*"),
                 tried = trace_calls(t, "cudaGraphExecUpdate");
    struct model m = lab09_model_of(j);
    size_t needed = 0, misses = 0;
    for (size_t i = 0; i < judge_numbers(j)->requests; i++) {
        const struct model_step step = model_serve(&m, lab09_shape(j, i));
        needed += !step.hit && !step.updated;
        misses += !step.hit;
    }
    if (made > needed) {
        lab09_expect_lru(j);
        judge_prepare(j, scenario);
    }
    judge_actual("%zu instantiations, after %zu updates for %zu misses", made, tried, misses);
    judge_expected("%zu at most", needed);
    judge_fact_number("updates_in_vain", (double)(tried + made) - (double)misses);
    if (scenario == &updatable)
        judge_fact("all_updatable");
    judge_expect_that(made <= needed, "too_many_instantiations");
    judge_forget();
}

static const struct judge_scenario changing =
    UNVERIFIED("16 requests, 4 shapes with as many kernels, two also with a memset; room for 3",
               .sequence = CYCLE, .requests = 16, .streams = 1, .inputs = 16, .max_execs = 3,
               .max_floats = AMPLE, .during = DURING_CHANGES);

/* An update to a graph with a memset more, or less, fails: is that the end of it? */
static void expect_failed_updates(struct judged *j)
{
    const size_t execs = lab09_most_execs(judge_trace(j));
    struct lab09_wrong w;
    judge_run(j);
    judge_expect_that(!lab09_is_wrong(j, &w), "update_failure_ignored");
    for (size_t i = 0; i < judge_numbers(j)->requests; i++)
        judge_expect_that(lab09_noted(j, i, LOG_STALE) == 0, "update_error_left");
    lab09_expect_execs(j, execs);
}

void lab09_expect_updates(void)
{
    struct judged *j = judge_start(JUDGE_SUBMISSION, &updatable);
    expect_updates(j, &updatable);
    judge_prepare(j, &other_evicted);
    expect_updates(j, &other_evicted);
    judge_prepare(j, &half_updatable);
    expect_updates(j, &half_updatable);
    judge_prepare(j, &changing);
    expect_failed_updates(j);
}
