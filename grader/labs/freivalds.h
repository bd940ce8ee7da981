/* freivalds.h: is C = A B? In n^2 steps, where computing the product would take n^3. */
#pragma once

#include <stddef.h>

struct product {
    const float *a, *b, *c; /* n x n, row major */
    size_t n;               /* a multiple of 4 */
};

/* Compares C x with A (B x), where x is made of n random numbers from [0, 1), which it changes. The
 * rows of C that cannot be right by more than rounding, at most `most` of them; returns how many. A
 * single wrong element of a row is always found; several in one row might make up for each other,
 * for one x in millions. Without memory all rows are suspect. */
size_t freivalds(const struct product *p, double *x, size_t *rows, size_t most);

/* y = A x, of so many rows and n columns, a multiple of 4; by all threads. */
void freivalds_times(double *y, const float *matrix, const double *x, size_t rows, size_t n);
