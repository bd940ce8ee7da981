/* break_even.c: does lab09_break_even predict from which launch on a graph pays? */
#include "expected.h"

#include <math.h>

#include "exchange.h"
#include "service.h"

/* Answers to times that are given, in the order of lab09_given. */
static void expect_formula(const struct judged *j)
{
    const double first = judge_value(j, given[0]);
    judge_next("write step 1: a calculation with the three times, without any CUDA call");
    judge_expect(first >= 0, "lab09_break_even is not written yet");
    for (int i = 0; i < LAB09_GIVEN; i++) {
        const struct lab09_given *g = &lab09_given[i];
        const double answer = judge_value(j, given[i]);
        judge_actual("launch %.0f for stream_us %g, graph_us %g, once_us %g", answer,
                     g->times.stream_us, g->times.graph_us, g->times.once_us);
        judge_expected("launch %d (0: never)", g->answer);
        if (answer == g->answer)
            continue;
        judge_fact_number("case_of_times", i);
        if (first > 0 && first == judge_value(j, given[1]))
            judge_fact("same_for_any_once_us");
        if (first == g->answer + 1)
            judge_fact("tie_is_late");
        judge_fail_that("wrong_prediction");
    }
    judge_forget();
}

static void expect_prediction(struct judged *j, int i)
{
    const double predicted = judge_value(j, predicted[i]), measured = judge_value(j, measured[i]);
    judge_actual("predicted launch %.0f, measured launch %.0f (%d kernels)", predicted, measured,
                 lab09_kernels[i]);
    judge_measured(fabs(predicted - measured), 1, "launches");
    judge_expect(fabs(predicted - measured) <= 1,
                 "The predicted break-even is more than one launch away from the measured one.");
}

void lab09_expect_break_even(struct judged *j)
{
    expect_formula(j);
    for (int i = 0; i < LAB09_KERNELS; i++)
        expect_prediction(j, i);
}
