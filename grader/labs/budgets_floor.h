/* budgets_floor.h: for the adapters of labs 23 and 25: the matrices, and each stage alone. */
#pragma once

#include "budgets_figures.h"
#include "labs/stages.h"

static inline struct batches budgets_given(struct subject *s)
{
    const struct numbers *numbers = subject_numbers(s);
    const size_t matrix = (size_t)numbers->n * (size_t)numbers->n;
    float *a = subject_buffer(s, "a_and_b");
    return (struct batches){.n = (int)numbers->n,
                            .n_batches = (int)numbers->n_batches,
                            .n_sets = 1,
                            .stride = matrix,
                            .a = a,
                            .b = a + (size_t)numbers->n_batches * matrix,
                            .c = subject_buffer(s, "c")};
}

/* For SUBJECT_LAB. */
static inline int budgets_floor(struct subject *s)
{
    struct batches batches = budgets_given(s);
    cudaError_t e = batches_create(&batches);
    e = e ? e : stages_time(s, &batches);
    e = e ? e : batches_destroy(&batches);
    return subject_own_call(s, "measuring each stage alone", e);
}
