/*
 * expected_results.h: is y right on each device?
 */
#ifndef LAB14_EXPECTED_RESULTS_H
#define LAB14_EXPECTED_RESULTS_H

#include "judge/judge.h"

/* For a scenario's verify. Every element, in double precision. */
void verify_all(struct judge *j);
/* Two rows, which are drawn, and the bits of all. */
void verify_rows(struct judge *j);
/* Has each device the bits that device 0 has? */
void verify_bits(struct judge *j);

/*
 * For a scenario with the number `digits`, one layer: the weights then make the partial sum of
 * device d 4^d everywhere, and x is 0.5. So a digit of y says how often device d's part was added.
 */
void fill_digits(struct judge *j);
/* Fails for the mistake that the digits show; returns if they show none. */
void expect_digits(const struct judge *j);

#endif
