/* interval.c: order statistics. */
#include "interval.h"

#include <math.h>

#include "common/sort.h"

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

struct interval interval_of_median(double *values, int n, double confidence)
{
    const int k = interval_rank(n, confidence);
    sort_numbers(values, n);
    return (struct interval){.median =
                                 n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2,
                             .low = k ? values[k - 1] : -HUGE_VAL,
                             .high = k ? values[n - k] : HUGE_VAL};
}
