/*
 * stages.h: for adapters whose figures, declared in the lab's exchange.h, have h2d_us, kernel_us
 * and d2h_us: the floor, each stage of all batches alone.
 */
#ifndef STAGES_H
#define STAGES_H

#include <cuda_runtime_api.h>

#include "subject/subject.h"

/* The times in microseconds, or the error with which measuring them ended. */
static inline int stages_report(struct subject *s, cudaError_t e, double h2d, double kernel,
                                double d2h)
{
    if (e)
        return subject_failed(s, "measuring each stage alone: %s", cudaGetErrorName(e));
    subject_value(s, h2d_us, h2d);
    subject_value(s, kernel_us, kernel);
    subject_value(s, d2h_us, d2h);
    return 0;
}

#endif
