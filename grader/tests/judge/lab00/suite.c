/* suite.c: the checks of lab 00. */
#include <stdlib.h>

#include "exchange.h"
#include "judge/judge.h"

JUDGE_LAB(.name = "lab00", .title = "the judge's own lab", .limit_s = 1.5, .total_s = 6,
          .may_skip = true);

static void verify(struct judged *j)
{
    size_t n = judge_numbers(j)->n, batches = judge_numbers(j)->n_batches;
    const float *in = judge_buffer(j, "in");
    double *want = malloc(n * batches * sizeof *want);
    for (size_t i = 0; i < n * batches; i++)
        want[i] = 2 * (double)in[i] + 1;
    judge_expect_results(j, &(struct judge_results){.buffer = "out",
                                                    .batches = batches,
                                                    .rows = 1,
                                                    .columns = n,
                                                    .expected = want,
                                                    .tolerance = 1e-6});
    free(want);
}

static const struct judge_scenario small = {LAB00_SMALL, .verify = verify};

static const struct judge_scenario uneven = {
    .name = "3 batches of 1021",
    .numbers = JUDGE_NUMBERS(.n = 1021, .n_batches = 3),
    .buffers = {{.name = "in", .direction = JUDGE_INPUT, .count = 3063, .low = 5, .high = 6},
                {.name = "out", .direction = JUDGE_OUTPUT, .count = 3063}},
    .verify = verify,
};

JUDGE_CHECK(lab00, results, 50, "every element is right, at every size")
{
    struct judged *j = judge_start(JUDGE_SUBMISSION, &small);
    for (int i = 0; i < 3; i++)
        judge_run(j);
    judge_prepare(j, &uneven);
    judge_run(j);
    judge_teardown(j);
    judge_asks("not_made");
    judge_forget();
}

JUDGE_CHECK(lab00, race_free, 20, "the ordering checks find nothing")
{
    struct judged *j = judge_start(JUDGE_SUBMISSION, &small);
    judge_run(j);
    judge_expect_no_findings(j);
}

static double least_us(struct judged *reference)
{
    judge_floor(reference);
    return judge_value(reference, least_us);
}

JUDGE_CHECK(lab00, time, 30, "a run costs no more than 1.1 times what the reference's costs")
{
    struct judged *submission = judge_start(JUDGE_SUBMISSION, &small);
    struct judged *reference = judge_start(JUDGE_REFERENCE, &small);
    judge_expect_time(&(struct judge_race){.submission = submission,
                                           .reference = reference,
                                           .value = FIGURE(cost_us),
                                           .at_most = 1.1,
                                           .floor_us = least_us,
                                           .slow = "the run does more than it must"});
}
