/* interval.h: the median of measurements and its confidence interval, with no assumption on the
 * shape of the noise. */
#pragma once

/* Where the true median lies. */
struct interval {
    double median;    /* of the sample */
    double low, high; /* values of the sample; -inf and inf where it is too small */
};

/* The bounds hold with at least this probability (0.99). Ordered values x(1) <= … <= x(n) of
 * independent measurements have the true median between x(k) and x(n + 1 - k) with probability 1 -
 * 2 P(X < k), X binomial (n, 1/2): W. J. Conover, Practical Nonparametric Statistics, 3rd ed.,
 * section 3.2. Sorts `values` in place; n >= 1. */
struct interval interval_of_median(double *values, int n, double confidence);

/* That k, the greatest there is; 0: n is too small for any. */
int interval_rank(int n, double confidence);
