/* measured.h: what the adapter of lab 09 measures itself, and the work that it measures. */
#pragma once

#include "labs/lab09_amortise/lab.h"
#include "subject/subject.h"

/* Enqueues the kernels of a shape. `input` is the first half of the workspace, or other memory. */
cudaError_t enqueue_steps(float *workspace, const float *input, struct lab09_shape shape,
                          cudaStream_t stream);

/* For SUBJECT_LAB: the figures given, predicted and measured. */
int floor_times(struct subject *s);
