/* Lab 00: the judge's own. out[i] = 2 in[i] + 1, batch after batch, on the CPU; no device at all.
 *
 * Not a lab for learners: grader/tests/judge/test_judge.c grades the submissions in
 * grader/tests/judge/hostile/ with it. */
#pragma once

#include <stddef.h>

#include "common/clock.h"

struct lab00 {
    /* given */
    int n; /* floats a batch */
    int n_batches;
    const float *in;
    float *out;

    /* the submission's */
    double cost_us; /* what a run claims to have cost; the reference says 100 */
};

int lab00_setup(struct lab00 *lab);
int lab00_run(struct lab00 *lab);
int lab00_teardown(struct lab00 *lab);

/* What a right run does, for submissions that are wrong in something else. */
static inline void lab00_compute(struct lab00 *lab)
{
    for (int i = 0; i < lab->n * lab->n_batches; i++)
        lab->out[i] = 2 * lab->in[i] + 1;
    lab->cost_us = 100;
}

enum { LAB00_SPIN_US = 10000 };

/* Lasts that long. */
static inline void lab00_spin(void)
{
    double until_us = clock_now_us() + LAB00_SPIN_US;
    while (clock_now_us() < until_us)
        ;
}
