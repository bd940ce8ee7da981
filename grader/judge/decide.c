/* decide.c: the rule for times of pairs of processes. */
#include "decide.h"

#include <math.h>

/* A first pair at most this share of the limit is far enough from it. */
static const double near = 0.98;

/* Processes of one program were seen to differ by 1.25 (decide.h). Beyond that, every process of
 * the one slower than every process of the other is no chance after few pairs. */
static const double spread = 1.25;

/* To fail, and as many pairs as it takes to be sure of a difference that chance can make, too: that
 * all 8 of one are above all 8 of the other has a probability of 2 / 12870. */
static const double fail_confidence = 0.99;
enum { SURE = 8 };

/* To pass: 0.9 that the ratio is not above. */
static const double pass_confidence = 0.80;

/* Of 7 values the second and the sixth: 1 - 2 x 8 / 2^7. */
static const double first_confidence = 0.87;

struct interval decide_first(double ratios[DECIDE_REPETITIONS])
{
    return interval_of_median(ratios, DECIDE_REPETITIONS, first_confidence);
}

struct interval decide_interval(const struct decide_times *t)
{
    if (t->n == 1)
        return t->first;
    return interval_of_ratio(t->submission_us, t->reference_us, t->n, fail_confidence);
}

/* The least of all ratios between processes of the one and of the other. */
static double least_ratio(const struct decide_times *t)
{
    double submission_us = t->submission_us[0], reference_us = t->reference_us[0];
    for (int i = 1; i < t->n; i++) {
        submission_us = fmin(submission_us, t->submission_us[i]);
        reference_us = fmax(reference_us, t->reference_us[i]);
    }
    return submission_us / reference_us;
}

enum decision decide(const struct decide_times *t, double at_most)
{
    if (t->n == 1 && t->first.high <= near * at_most)
        return DECISION_WITHIN;
    if (t->n < 1 + DECIDE_FRESH)
        return DECISION_OPEN;
    if (least_ratio(t) > spread * at_most)
        return DECISION_OVER;
    if (t->n >= SURE && decide_interval(t).low > at_most)
        return DECISION_OVER;
    struct interval i = interval_of_ratio(t->submission_us, t->reference_us, t->n, pass_confidence);
    return i.high <= at_most ? DECISION_WITHIN : DECISION_OPEN;
}
