/*
 * pairs.c: two subjects timed side by side.
 *
 * On a GPU they take turns, A B B A A B B A …, so that what changes slowly (clocks, temperature, a
 * neighbor) meets both alike, and the ratios of the pairs are looked at, with the interval of
 * their median (interval.h).
 *
 * What a GPU does first after another process had it takes longer than what follows, and never
 * equally long: on an H200 (driver 580.159.04, 2026-11-21) ten batches of lab 05 took 540 to 720 us
 * so, and 497 to 507 us afterwards. Hence each timed part begins with a warm-up, one run that does
 * not count. And it lasts some milliseconds, beside which the way to the subject and back is
 * nothing.
 */
#include <math.h>

#include "interval.h"
#include "inside.h"

/* The numbers of pairs after which the interval is looked at. */
static const int looks[] = {10, 20, 40, 80, 160};
enum { LOOKS = sizeof looks / sizeof looks[0], MOST_PAIRS = 160, WARM_UPS = 2, MOST_REPEATS = 256 };

static const double confidence = 1 - 0.01 / LOOKS; /* 0.99 that no look of them errs */
static const double part_us = 5000;                /* that a timed part lasts, at least */
static const double patience_s = 4;                /* later than this no further pair begins */

struct pairs {
    double ratio[MOST_PAIRS], submission_us[MOST_PAIRS], reference_us[MOST_PAIRS];
    /* what a run takes as a share of the warm-up before it */
    double again[MOST_PAIRS], reference_again[MOST_PAIRS];
    int n;
};

static double figure(struct judge *j, const char *value, int repeats, double *again)
{
    double warm_up_us;
    struct judge_run run = judge_run_timed(j, repeats, &warm_up_us);
    *again = run.time_us / warm_up_us;
    return value ? judge_value(j, value) : run.time_us;
}

static void run_pair(const struct judge_race *race, int repeats, struct pairs *p)
{
    const int i = p->n++;
    for (int turn = 0; turn < 2; turn++)
        if ((turn + i) % 2 == 0)
            p->submission_us[i] = figure(race->submission, race->value, repeats, &p->again[i]);
        else
            p->reference_us[i] =
                figure(race->reference, race->value, repeats, &p->reference_again[i]);
    if (!(p->reference_us[i] > 0))
        judge_internal_error("the reference solution's time is not above zero");
    p->ratio[i] = p->submission_us[i] / p->reference_us[i];
}

/* By value: the order of the pairs is kept. */
static struct judge_times sum_up(struct pairs p)
{
    struct interval ratio = interval_of_median(p.ratio, p.n, confidence);
    return (struct judge_times){
        .ratio = ratio.median,
        .low = ratio.low,
        .high = ratio.high,
        .time_us = interval_of_median(p.submission_us, p.n, confidence).median,
        .reference_us = interval_of_median(p.reference_us, p.n, confidence).median,
        .again = interval_of_median(p.again, p.n, confidence).median,
        .reference_again = interval_of_median(p.reference_again, p.n, confidence).median,
        .pairs = p.n};
}

/* Runs in a timed part: enough for part_us, by the slower of the two. Warms both up. */
static int choose_repeats(const struct judge_race *race)
{
    double longest_us = 1;
    for (int i = 0; i < WARM_UPS; i++) {
        double submission_us = judge_run(race->submission).time_us,
               reference_us = judge_run(race->reference).time_us;
        longest_us = fmax(submission_us, reference_us); /* the last ones count */
    }
    return (int)fmin(ceil(part_us / longest_us), MOST_REPEATS);
}

static bool is_decided(const struct judge_times *t, double at_most)
{
    return t->high <= at_most || t->low > at_most;
}

static struct judge_times time_in_pairs(const struct judge_race *race)
{
    struct pairs p = {.n = 0};
    struct judge_times t = {0};
    const int repeats = choose_repeats(race);
    const int64_t until_ns = session_now_ns() + (int64_t)(patience_s * 1e9);
    for (int look = 0; look < LOOKS; look++) {
        while (p.n < looks[look] && (look == 0 || session_now_ns() < until_ns))
            run_pair(race, repeats, &p);
        t = sum_up(p);
        if (is_decided(&t, race->at_most) || p.n < looks[look])
            break;
    }
    return t;
}

/* Virtual time: once is enough. */
static struct judge_times run_once(const struct judge_race *race)
{
    struct judge_run submission = judge_run(race->submission);
    double time_us = race->value ? judge_value(race->submission, race->value) : submission.time_us;
    struct judge_run reference = judge_run(race->reference);
    double reference_us =
        race->value ? judge_value(race->reference, race->value) : reference.time_us;
    if (!(reference_us > 0))
        judge_internal_error("the reference solution's time is not above zero");
    double ratio = time_us / reference_us;
    return (struct judge_times){.ratio = ratio,
                                .low = ratio,
                                .high = ratio,
                                .time_us = time_us,
                                .reference_us = reference_us,
                                .again = 1,
                                .reference_again = 1,
                                .pairs = 1};
}

struct judge_times judge_time_pairs(const struct judge_race *race)
{
    return judge_device_is_simulated() ? run_once(race) : time_in_pairs(race);
}

struct judge_times judge_compare(struct judge *a, struct judge *b)
{
    return judge_time_pairs(
        &(struct judge_race){.submission = a, .reference = b, .at_most = INFINITY});
}
