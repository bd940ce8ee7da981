/* decide.h: decides whether a submission is slower than the limit, or only one of its processes is
 * slow.
 *
 * The same program can run at another speed in each of its processes, for the whole life of the
 * process. Repetitions in one pair of processes cannot show that. So the unit of randomness is the
 * pair of processes (T. Kalibera, R. Jones, "Rigorous benchmarking in reasonable time", 2013): each
 * pair counts once, with the median of the ratios of its repetitions, and the interval covers the
 * spread between pairs. */
#pragma once

#include <stdbool.h>

#include "interval.h"

enum {
    DECIDE_REPETITIONS = 8, /* of each pair of processes; even, and so the next one: see pairs.c */
    DECIDE_FEW = 4,         /* of a pair, if all of them are clearly below the limit */
    DECIDE_QUICK = 2, /* pairs that may be enough to pass, or one more; the second one has a fresh
                         reference */
    DECIDE_FRESH = 3, /* pairs of fresh processes after these, before any failure */
    DECIDE_MOST = 16
};

/* Pairs of processes so far. */
struct decide_times {
    int n;
    struct interval pair[DECIDE_MOST]; /* submission / reference, of a pair's repetitions */
    double submission_us[DECIDE_MOST], reference_us[DECIDE_MOST]; /* medians */
};

enum decision {
    DECISION_OPEN, /* start another pair; with DECIDE_MOST of them: it cannot be decided */
    DECISION_WITHIN,
    DECISION_OVER
};

/* Is the submission's time at most `at_most` times the reference's? */
enum decision decide(const struct decide_times *t, double at_most);

/* What the decision rests on: the repetitions of the quick pairs, or all pairs. */
struct interval decide_interval(const struct decide_times *t);

/* Are these repetitions of a pair enough? Their interval covers the median as often as that of all.
 */
bool decide_is_enough(const double *ratios, int n, double at_most);

/* The interval of the ratios of one pair's repetitions. Sorts them. */
struct interval decide_pair(double *ratios, int n);
