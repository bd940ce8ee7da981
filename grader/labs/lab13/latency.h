/* latency.h: how requests arrive at a server, and which of its latencies counts. For lab 13's
 * adapter and for plots/figures/serve_load.c. */
#pragma once

#include <math.h>
#include <stdbool.h>

#include "common/clock.h"
#include "common/sort.h"
#include "labs/lab13_serve/lab.h"

/* Has the request arrived after a wait of at most wait_us? waited_us: how long it was. */
static inline bool lab13_arrives(const struct lab13_request *next, double wait_us,
                                 double *waited_us)
{
    const double left_us = next->arrival_us - clock_now_us();
    *waited_us = fmin(fmax(left_us, 0), fmax(wait_us, 0));
    clock_host_work(*waited_us);
    return left_us <= wait_us;
}

/* The 99th percentile of n times, which are sorted then; 0: there is none. */
static inline double lab13_percentile_99(double *times, int n)
{
    sort_numbers(times, n);
    return n > 0 ? times[(int)ceil(0.99 * n) - 1] : 0;
}
