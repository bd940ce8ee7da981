/*
 * decide.h: is a submission slower than it may be, or was one process slower than another?
 *
 * The same program can run at another speed in each of its processes, for the whole life of the
 * process: on an H200 a reference solution took 1.248 times its own time (99 % of the runs within
 * 1.229 and 1.261). Repetitions in one pair of processes cannot see that. So the unit of chance is
 * the process (T. Kalibera, R. Jones, "Rigorous benchmarking in reasonable time", 2013): each
 * process counts once, with the median of its repetitions, and the interval covers the spread
 * between processes.
 */
#ifndef DECIDE_H
#define DECIDE_H

#include "interval.h"

enum {
    DECIDE_REPETITIONS = 7, /* timed parts of each process */
    DECIDE_FRESH = 3,       /* fresh pairs of processes after the first, before any failure */
    DECIDE_MOST = INTERVAL_MOST_RATIO
};

/* Pairs of processes so far; each time is the median of a process. */
struct decide_times {
    int n;
    double submission_us[DECIDE_MOST], reference_us[DECIDE_MOST];
    struct interval first; /* of the ratios of the first pair's repetitions */
};

enum decision {
    DECISION_OPEN, /* start another pair; with DECIDE_MOST of them: it cannot be decided */
    DECISION_WITHIN,
    DECISION_OVER
};

/* Is the submission's time at most `at_most` times the reference's? */
enum decision decide(const struct decide_times *t, double at_most);

/* What the decision rests on: of the first pair alone, or of all. */
struct interval decide_interval(const struct decide_times *t);

/* The interval of the ratios of one pair's repetitions. Sorts them. */
struct interval decide_first(double ratios[DECIDE_REPETITIONS]);

#endif
