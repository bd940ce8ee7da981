/* exchange.h: what the suite and the adapter of lab 10 exchange. */
#pragma once

#include <stdbool.h>

#include "alone.h"

struct numbers {
    enum alone_kernel kernel; /* is judged alone; 0: lab.c is judged, and what follows counts */
    long n;
    int sweeps, max_iterations;
    float shift, tolerance;

    /* b, in [-scale, scale) */
    int scale, scale_next; /* scale_next: in every second run; 0: there, too, scale */
    bool same_b;           /* in each run, and for submission and reference */
    bool quiet_middle;     /* it is 0 there */
    bool largest_last;     /* the last one is twice as large as all others can be */
};

struct figures {
    /* the submission's report */
    double iterations, checks, precision, change, largest;

    /* how kernels set the values of conditional nodes in a run; only the simulated device knows */
    double loops_start;             /* 1: each WHILE begins with 1 in each launch */
    double loop_ones;               /* a WHILE to another value than 0 */
    double check_zeros, check_ones; /* an IF to 0, and to another value */
    double switch_sets;             /* a SWITCH to any value */
    double switch_value;            /* the last value that a SWITCH was set to */

    /* the floor */
    double host_us, host_iterations; /* the host's own loop */
    double sweeps_us;                /* its sweeps alone, as a straight graph */
};
