/* interval.c: order statistics. */
#include "interval.h"

#include <math.h>
#include <stdlib.h>

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

int interval_rank(int n, double confidence)
{
    double below = 0; /* P(X < k) */
    int k = 0;
    for (; k <= n / 2; k++) {
        double p = exp(lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0) - n * log(2.0));
        if (1 - 2 * (below + p) < confidence)
            break;
        below += p;
    }
    return k;
}

/* The interval from the values with these ranks, counted from both ends; k = 0: no bounds. */
static struct interval from_ranks(double *values, int n, int k)
{
    qsort(values, (size_t)n, sizeof values[0], by_size);
    return (struct interval){.median =
                                 n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2,
                             .low = k ? values[k - 1] : -HUGE_VAL,
                             .high = k ? values[n - k] : HUGE_VAL};
}

struct interval interval_of_median(double *values, int n, double confidence)
{
    return from_ranks(values, n, interval_rank(n, confidence));
}

/* The same rank for U of two samples of n. Of the equally likely orders of 2 n values as many have
   U = u as the Gaussian binomial coefficient of 2 n over n has for its term of degree u. */
static int ratio_rank(int n, double confidence)
{
    double orders[INTERVAL_MOST_RATIO * INTERVAL_MOST_RATIO + 1] = {1};
    const int most = n * n;
    double all = 0, below = 0;
    for (int i = 1; i <= n; i++) {
        for (int u = most; u >= n + i; u--)
            orders[u] -= orders[u - n - i];
        for (int u = i; u <= most; u++)
            orders[u] += orders[u - i];
    }
    for (int u = 0; u <= most; u++)
        all += orders[u];
    int k = 0;
    while (k <= most / 2 && 1 - 2 * (below + orders[k]) / all >= confidence)
        below += orders[k++];
    return k;
}

struct interval interval_of_ratio(const double *a, const double *b, int n, double confidence)
{
    double ratios[INTERVAL_MOST_RATIO * INTERVAL_MOST_RATIO];
    for (int i = 0; i < n * n; i++)
        ratios[i] = a[i / n] / b[i % n];
    return from_ranks(ratios, n * n, ratio_rank(n, confidence));
}
