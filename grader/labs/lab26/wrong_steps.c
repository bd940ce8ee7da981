/*
 * wrong_steps.c: looks for the steps that would give the wrong result of a call: with the weight of
 * another call or the other switch, in a few steps or in all.
 */
#include "wrong_steps.h"

#include <math.h>
#include <stdlib.h>

#include "drawing.h"
#include "exchange.h"

/* The steps that the call may have run, instead of its own. */
struct guess {
    const struct numbers *numbers;
    const float *in, *out; /* of that call */
    long call;
    struct lab26_step *steps;
    struct {
        long step, weight_of;
    } changed; /* the first step that differs from the call's own one */
};

/* Do these steps leave what is in `out`? A step changes each element alone: a few are enough. */
static bool is_result(const struct guess *g)
{
    const size_t n = (size_t)g->numbers->n;
    for (size_t i = 0; i < 8; i++) {
        double half[] = {g->in[i], g->in[n + i]};
        for (long k = 0; k < g->numbers->n_steps; k++)
            if (g->steps[k].is_on)
                half[k % 2] += (double)g->steps[k].weight * half[(k + 1) % 2];
        for (size_t k = 0; k < 2; k++)
            if (!(fabs(half[k] - g->out[k * n + i]) <= 2e-5))
                return false;
    }
    return true;
}

static void take_steps(struct guess *g, long weights_of)
{
    for (long i = 0; i < g->numbers->n_steps; i++)
        g->steps[i] = (struct lab26_step){.is_on = lab26_draw(g->numbers, g->call, i).is_on,
                                          .weight = lab26_draw(g->numbers, weights_of, i).weight};
}

/* Do a few steps explain the result that differ from the call's own ones, from step `from` on? */
static bool differs_in(struct guess *g, long from, int steps_left)
{
    const long calls = g->numbers->n_calls;
    if (steps_left == 0)
        return is_result(g);
    for (long i = from; i < g->numbers->n_steps; i++) {
        const struct lab26_step own = g->steps[i];
        float last = own.weight;
        g->steps[i].is_on = !own.is_on;
        bool is_found = differs_in(g, i + 1, steps_left - 1);
        long of = g->call;
        /* earlier calls, then the later ones of the run before */
        for (long back = 1; !is_found && back < calls; back++) {
            of = (g->call - back + calls) % calls;
            const float weight = lab26_draw(g->numbers, of, i).weight;
            if (weight == last)
                continue;
            last = weight;
            g->steps[i] = (struct lab26_step){.is_on = 1, .weight = weight};
            is_found = differs_in(g, i + 1, steps_left - 1);
        }
        g->steps[i] = own;
        if (is_found) {
            g->changed.step = i;
            g->changed.weight_of = of;
            return true;
        }
    }
    return false;
}

/* Fails in the words of the fact's mistake, with what the call did. */
#define FAIL_THAT(fact, ...)                                                                       \
    do {                                                                                           \
        judge_actual(__VA_ARGS__);                                                                 \
        judge_expected(LAB26_AS_ASKED);                                                            \
        judge_fail_that(fact);                                                                     \
    } while (0)

static void blame_step(struct guess *g, int most)
{
    int n = 1;
    while (n <= most && !differs_in(g, 0, n))
        n++;
    if (n > most)
        return;
    const long step = g->changed.step, of = g->changed.weight_of;
    if (!lab26_draw(g->numbers, g->call, step).is_on)
        FAIL_THAT("not_disabled", "in call %ld, step %ld is off, and its kernel ran", g->call,
                  step);
    if (of == g->call)
        FAIL_THAT("not_enabled", "in call %ld, step %ld is on, and its kernel did not run", g->call,
                  step);
    FAIL_THAT("old_weight", "in call %ld, step %ld ran with the weight of call %ld%s", g->call,
              step, of, of > g->call ? " of the run before" : "");
}

/* Are the weights those of other steps of the call? */
static void blame_other_steps(struct guess *g)
{
    const long last = g->numbers->n_steps - 1, from[] = {-last, -1, 1};
    static const char *const words[] = {"step 0", "the step before it", "the step after it"};
    for (size_t k = 0; k < sizeof from / sizeof from[0]; k++) {
        take_steps(g, g->call);
        for (long i = 0; i <= last; i++) {
            const long of = i + from[k] < 0 ? 0 : i + from[k] > last ? last : i + from[k];
            g->steps[i].weight = lab26_draw(g->numbers, g->call, of).weight;
        }
        if (is_result(g))
            FAIL_THAT("weight_of_step", "in call %ld, each step ran with the weight of %s", g->call,
                      words[k]);
    }
}

/* Does a node keep a weight if the call has that of the first call? Two runs lead to it. */
static void blame_first_weights(struct guess *g)
{
    take_steps(g, 0);
    for (int run = 0; run < 2; run++)
        for (long k = 0; k < (run ? g->call + 1 : g->numbers->n_calls); k++)
            for (long i = 0; i < g->numbers->n_steps; i++) {
                const struct lab26_step step = lab26_draw(g->numbers, k, i);
                g->steps[i].is_on = step.is_on;
                if (step.is_on && step.weight != lab26_draw(g->numbers, 0, i).weight)
                    g->steps[i].weight = step.weight;
            }
    if (is_result(g))
        judge_fail_that("weight_forgotten");
}

/* Is it the result of all weights or the inputs of another call? */
static void blame_other_call(struct guess *g, const float *first_in)
{
    const float *own_in = g->in;
    for (long of = 0; of < g->numbers->n_calls; of++) {
        if (of == g->call)
            continue;
        take_steps(g, of);
        if (is_result(g))
            FAIL_THAT("old_weight", "in call %ld, all steps ran with the weights of call %ld",
                      g->call, of);
        take_steps(g, g->call);
        g->in = first_in + 2 * (size_t)(of * g->numbers->n);
        if (is_result(g))
            FAIL_THAT("same_buffers", "call %ld got the inputs of call %ld", g->call, of);
        g->in = own_in;
    }
}

/* Does no step come back that was off once, or does each step run? */
static void blame_switches(struct guess *g)
{
    take_steps(g, g->call);
    for (long of = 0; of < g->call; of++)
        for (long i = 0; i < g->numbers->n_steps; i++)
            g->steps[i].is_on &= lab26_draw(g->numbers, of, i).is_on;
    if (is_result(g))
        FAIL_THAT("not_enabled", "in call %ld, the steps that were off before did not run",
                  g->call);
    for (long i = 0; i < g->numbers->n_steps; i++)
        g->steps[i].is_on = 1;
    if (is_result(g))
        FAIL_THAT("not_disabled",
                  "in call %ld, the kernels of all steps ran, also of those that "
                  "are off",
                  g->call);
}

/* Does the buffer of a call begin with these values? A few elements are enough. */
static bool begins_with(struct judged *j, long call, const double *expected)
{
    const float *out = judge_buffer(j, "out") + 2 * (size_t)(call * judge_numbers(j)->n);
    for (size_t i = 0; i < 8; i++)
        if (!(fabs(out[i] - expected[i]) <= 2e-5))
            return false;
    return true;
}

/* Does the buffer of a call have the result of another one? */
static bool has_result(struct judged *j, const double *expected, long call, long of)
{
    return begins_with(j, call, expected + 2 * (size_t)(of * judge_numbers(j)->n));
}

/* Nothing is in the buffer of the last call, and all others are right. */
static void expect_changed_before(struct judged *j, const double *expected)
{
    const long last = judge_numbers(j)->n_calls - 1;
    if (!isnan(judge_buffer(j, "out")[2 * (size_t)(last * judge_numbers(j)->n)]))
        return;
    for (long k = 0; k < last; k++)
        if (!has_result(j, expected, k, k))
            return;
    judge_actual("the results of calls 0 to %ld, and none of call %ld", last - 1, last);
    judge_expected("the result of each call");
    judge_fail_that("changed_late");
}

void lab26_expect_own_buffers(struct judged *j, const double *expected)
{
    const long last = judge_numbers(j)->n_calls - 1;
    expect_changed_before(j, expected);
    if (begins_with(j, 0, expected + judge_numbers(j)->n))
        judge_fail_that("begins_with_q");
    if (!has_result(j, expected, 0, last))
        return;
    judge_actual("the buffer of call 0 has the result of call %ld", last);
    judge_expected("the result of each call in its own buffer");
    judge_fail_that("same_buffers");
}

const char *lab26_looks_like(struct judged *j, size_t call, size_t row, size_t column)
{
    const struct numbers *numbers = judge_numbers(j);
    const size_t first = 2 * (size_t)numbers->n * call;
    (void)row;
    (void)column;
    struct guess g = {.numbers = numbers,
                      .in = judge_buffer(j, "in") + first,
                      .out = judge_buffer(j, "out") + first,
                      .call = (long)call,
                      .steps = judge_room((size_t)numbers->n_steps, sizeof *g.steps)};
    take_steps(&g, g.call);
    if (is_result(&g))
        judge_fail_that("elements_left_out");
    if (!judge_device_is_simulated())
        blame_step(&g, numbers->n_steps > 40 ? 1 : 3); /* more would take too long */
    blame_switches(&g);
    blame_other_steps(&g);
    blame_first_weights(&g);
    blame_other_call(&g, judge_buffer(j, "in"));
    judge_asks("other_steps");
    judge_expect_nothing_noted();
    return "other_parameters";
}
