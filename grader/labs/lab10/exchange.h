/*
 * exchange.h: the figures that the adapter of lab 10 reports to its suite.
 */
#ifndef LAB10_EXCHANGE_H
#define LAB10_EXCHANGE_H

struct figures {
    /* the submission's report */
    double iterations, checks, precision, change;

    /* how kernels set the values of conditional nodes in a run; only the simulated device knows */
    double loops_start;             /* 1: each WHILE begins with 1 in each launch */
    double loop_ones;               /* a WHILE to another value than 0 */
    double check_zeros, check_ones; /* an IF to 0, and to another value */
    double switch_sets;             /* a SWITCH, … */
    double switch_value;            /* … the last time to this */

    /* the floor */
    double host_us, host_iterations; /* the host's own loop */
    double sweeps_us;                /* its sweeps alone, as a straight graph */
};

#endif
