/* decide.c: the rule for times of pairs of processes. */
#include "decide.h"

#include <math.h>

/* Processes of one program were seen to differ so much: on an H200 (driver 580.159.04, 2026-11-22)
 * by 1.27 on CPUs of their own, by 1.05 on the same one (cpus.c). */
static const double spread = 1.27;

/* A pair at most this share of the limit is far enough from it. */
static const double near = 0.98;

/* To fail, and as many pairs as it takes to be sure of a difference that chance can make, too. All
 * of 8 independent pairs are above the true ratio with a probability of 1 / 256; the first two have
 * a process in common. */
static const double fail_confidence = 0.99;
enum { SURE = 9 };

/* To pass: 0.9 that the ratio is not above. */
static const double pass_confidence = 0.80;

/* Of 3 values the least and the greatest: 1 - 2 / 2^3 if they were independent, less what rounding
 * takes. The first two have a process in common. */
static const double all_of_three = 0.74;

/* Of 8 values the second and the seventh: 1 - 2 x 9 / 2^8. Of 4 the least and the greatest: 1 - 2 /
 * 2^4. */
static const double pair_confidence = 0.87;

bool decide_is_enough(const double *ratios, int n, double at_most)
{
    double greatest = 0;
    for (int i = 0; i < n; i++)
        greatest = fmax(greatest, ratios[i]);
    return n >= DECIDE_REPETITIONS || (n == DECIDE_FEW && greatest <= near * at_most);
}

struct interval decide_pair(double *ratios, int n)
{
    return interval_of_median(ratios, n, pair_confidence);
}

/* Where the ratio of the two programs lies, by all pairs. */
static struct interval by_pairs(const struct decide_times *t, double confidence)
{
    double ratios[DECIDE_MOST];
    for (int i = 0; i < t->n; i++)
        ratios[i] = t->pair[i].median;
    return interval_of_median(ratios, t->n, confidence);
}

struct interval decide_interval(const struct decide_times *t)
{
    if (t->n > DECIDE_QUICK)
        return by_pairs(t, t->n > DECIDE_QUICK + 1 ? pass_confidence : all_of_three);
    struct interval all = t->pair[0];
    for (int i = 1; i < t->n; i++) {
        all.median = (all.median + t->pair[i].median) / 2;
        all.low = fmin(all.low, t->pair[i].low);
        all.high = fmax(all.high, t->pair[i].high);
    }
    return all;
}

static double greatest_ratio(const struct decide_times *t)
{
    double greatest = t->pair[0].median;
    for (int i = 1; i < t->n; i++)
        greatest = fmax(greatest, t->pair[i].median);
    return greatest;
}

/* Clearly below the limit, also if one reference process was slower than others are. Repetitions
 * that are spread across the limit count less than a fresh pair. */
static bool is_clear(const struct decide_times *t, double at_most)
{
    if (t->n == 1)
        return t->pair[0].high <= at_most / spread;
    if (t->n == DECIDE_QUICK)
        return t->pair[0].high <= near * at_most && t->pair[1].high <= near * at_most;
    return t->n == DECIDE_QUICK + 1 && greatest_ratio(t) <= near * at_most;
}

static double least_ratio(const struct decide_times *t)
{
    double least = t->pair[0].median;
    for (int i = 1; i < t->n; i++)
        least = fmin(least, t->pair[i].median);
    return least;
}

enum decision decide(const struct decide_times *t, double at_most)
{
    if (is_clear(t, at_most))
        return DECISION_WITHIN;
    if (t->n < DECIDE_QUICK + DECIDE_FRESH)
        return DECISION_OPEN;
    if (least_ratio(t) > spread * at_most)
        return DECISION_OVER;
    if (t->n >= SURE && by_pairs(t, fail_confidence).low > at_most)
        return DECISION_OVER;
    return by_pairs(t, pass_confidence).high <= at_most ? DECISION_WITHIN : DECISION_OPEN;
}
