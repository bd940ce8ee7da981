/*
 * expected_results.h: is y right on each device?
 */
#ifndef LAB14_EXPECTED_RESULTS_H
#define LAB14_EXPECTED_RESULTS_H

#include "judge/judge.h"

/* For a scenario's verify. Every element, in double precision. */
void verify_all(struct judged *j);
/* Two rows, which are drawn, and the bits of all. */
void verify_rows(struct judged *j);
/* Has each device the bits that device 0 has? */
void verify_bits(struct judged *j);

/*
 * For a scenario with the number `digits`: the weights then make the partial sum of device d 2 *
 * 4^d times the input of the layer, and x is 0.5. So after one layer a digit of y says how often
 * device d's part was added, and after two layers y says which inputs the second one used.
 */
void fill_digits(struct judged *j);
/* Fail for the mistake that y shows, after one layer and after two; return if it shows none. */
void expect_digits(const struct judged *j);
void expect_second_layer(const struct judged *j);

#endif
