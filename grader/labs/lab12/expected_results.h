/*
 * expected_results.h: is y the product of x and all weights?
 */
#ifndef LAB12_EXPECTED_RESULTS_H
#define LAB12_EXPECTED_RESULTS_H

#include "judge/judge.h"

/* Every element, against the product in double precision. */
void verify_all(struct judged *j);

/* Fails if weights that are primes (weights.h) show a mistake. */
void expect_primes(const struct judged *j);

/*
 * Every row, by a sum: y v = x (w[0] (w[1] (... v))), v a vector of random numbers (R. Freivalds,
 * "Probabilistic machines can use less running time", 1977). The product itself would take the CPU
 * too long.
 */
void verify_sums(struct judged *j);

#endif
