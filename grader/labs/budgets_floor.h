/*
 * budgets_floor.h: for the adapters of labs 23 and 25: each stage alone, all batches.
 */
#ifndef BUDGETS_FLOOR_H
#define BUDGETS_FLOOR_H

#include "budgets_figures.h"
#include "labs/stages.h"
#include "subject/batches.h"

static inline int budgets_floor(struct subject *s, struct batches batches)
{
    double h2d_us = 0, kernel_us = 0, d2h_us = 0;
    batches.n_sets = 1;
    batches.stride = (size_t)batches.n * (size_t)batches.n;
    cudaError_t e = batches_create(&batches);
    e = e ? e : batches_time_stages(&batches, &h2d_us, &kernel_us, &d2h_us);
    e = e ? e : batches_destroy(&batches);
    return stages_report(s, e, h2d_us, kernel_us, d2h_us);
}

#endif
