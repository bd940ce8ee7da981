/*
 * judge_time.c: is the submission as fast as the reference?
 *
 * On a GPU the two take turns, A B B A A B B A …, so that what changes slowly (clocks,
 * temperature, a neighbour) meets both alike, and the verdict rests on the ratios of the pairs and
 * the interval of their median (interval.h).
 */
#include <math.h>
#include <stdlib.h>

#include "interval.h"
#include "judge_inside.h"

enum { WARM_UPS = 2, FIRST_LOOK = 8, MOST_PAIRS = 32 };

static const double confidence = 0.99;
static const double below_floor = 0.95; /* a floor is measured, too: a little less is noise */

struct pairs {
    double ratio[MOST_PAIRS], submission_us[MOST_PAIRS], reference_us[MOST_PAIRS];
    int n;
};

static double figure(struct judge *j, const char *value)
{
    struct judge_run run = judge_run(j);
    return value ? judge_value(j, value) : run.time_us;
}

static void run_pair(const struct judge_race *race, struct pairs *p)
{
    bool submission_first = p->n % 2 == 0;
    double reference_us = submission_first ? 0 : figure(race->reference, race->value);
    double submission_us = figure(race->submission, race->value);
    if (submission_first)
        reference_us = figure(race->reference, race->value);
    if (!(reference_us > 0))
        judge_trouble("the reference solution's time is not above zero");
    p->submission_us[p->n] = submission_us;
    p->reference_us[p->n] = reference_us;
    p->ratio[p->n++] = submission_us / reference_us;
}

/* By value: the order of the pairs is kept. */
static struct judge_times sum_up(struct pairs p)
{
    struct interval ratio = interval_of_median(p.ratio, p.n, confidence);
    return (struct judge_times){
        .ratio = ratio.median,
        .low = p.n == 1 ? ratio.median : ratio.low, /* virtual time: exact */
        .high = p.n == 1 ? ratio.median : ratio.high,
        .time_us = interval_of_median(p.submission_us, p.n, confidence).median,
        .reference_us = interval_of_median(p.reference_us, p.n, confidence).median,
        .pairs = p.n};
}

static struct judge_times take_turns(const struct judge_race *race)
{
    struct pairs p = {.n = 0};
    for (int i = 0; i < WARM_UPS; i++) {
        judge_run(race->submission);
        judge_run(race->reference);
    }
    struct judge_times t = {0};
    for (int look = FIRST_LOOK; look <= MOST_PAIRS; look *= 2) {
        while (p.n < look)
            run_pair(race, &p);
        t = sum_up(p);
        if (t.high <= race->at_most || t.low > race->at_most)
            return t;
    }
    return t;
}

struct judge_times judge_expect_time(const struct judge_race *race)
{
    const char *than = race->than ? race->than : "the reference's time";
    struct pairs one = {.n = 0};
    struct judge_times t;
    if (judge_device_is_simulated()) {
        run_pair(race, &one);
        t = sum_up(one);
    } else {
        t = take_turns(race);
    }
    judge_measured(t.ratio, race->at_most, "ratio");
    judge_seen("%.1f us, %.3f of %s", t.time_us, t.ratio, than);
    judge_wanted("at most %.3f of %s, %.1f us", race->at_most, than, t.reference_us);
    if (t.pairs > 1)
        judge_seen("%.1f us, %.3f of %s (99 %% certain: %.3f to %.3f; %d pairs)", t.time_us,
                   t.ratio, than, t.low, t.high, t.pairs);
    if (race->floor_us > 0 && t.time_us < below_floor * race->floor_us) {
        judge_wanted("at least the %.1f us that the copies and kernels alone take here",
                     race->floor_us);
        judge_next("is all the work done in every run, inside the timed part?");
        judge_fail("faster than the hardware can be: some of the work was not done");
    }
    if (t.low > race->at_most)
        judge_fail("%s", race->slow);
    if (!(t.high <= race->at_most)) {
        judge_next("run ./grade again, with nothing else on the machine");
        judge_inconclusive("the timing is too noisy to tell");
    }
    judge_note("%.1f us, %.3f of %s", t.time_us, t.ratio, than);
    return t;
}
