/* budgets_floor.h: for the adapters of labs 23 and 25: each stage alone, all batches. */
#pragma once

#include "budgets_figures.h"
#include "labs/stages.h"

static inline int budgets_floor(struct subject *s, struct batches batches)
{
    batches.n_sets = 1;
    batches.stride = (size_t)batches.n * (size_t)batches.n;
    cudaError_t e = batches_create(&batches);
    e = e ? e : stages_time(s, &batches);
    e = e ? e : batches_destroy(&batches);
    return subject_own_call(s, "measuring each stage alone", e);
}
