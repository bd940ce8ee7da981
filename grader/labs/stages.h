/* stages.h: for adapters whose figures, declared in the lab's exchange.h, have h2d_us, kernel_us
 * and d2h_us: the floor, each stage of all batches alone. */
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
