/* stages.h: for adapters whose figures, declared in the lab's exchange.h, have h2d_us, kernel_us
 * and d2h_us: the batches of a scenario, and the floor, each stage of all of them alone. */
#pragma once

#include "common/check.h"
#include "subject/batches.h"
#include "subject/subject.h"

static inline cudaError_t stages_time(struct subject *s, struct batches *b)
{
    double h2d = 0, kernel = 0, d2h = 0;
    TRY(batches_time_stages(b, &h2d, &kernel, &d2h));
    subject_value(s, h2d_us, h2d);
    subject_value(s, kernel_us, kernel);
    subject_value(s, d2h_us, d2h);
    return cudaSuccess;
}

/* Those of the buffers a_and_b and c (products.h), with one set. */
static inline struct batches stages_given(struct subject *s)
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
static inline int stages_floor(struct subject *s)
{
    struct batches batches = stages_given(s);
    cudaError_t e = batches_create(&batches);
    e = e ? e : stages_time(s, &batches);
    e = e ? e : batches_destroy(&batches);
    return subject_own_call(s, "measuring each stage alone", e);
}
