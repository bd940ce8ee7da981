/* adapter_values.h: conditional nodes that could not be made, and the values that kernels set; for
 * lab 10's adapter. On a GPU the adapter does not see values. */
#pragma once

#include <cuda_runtime_api.h>

#include "subject/calls.h"
#include "subject/subject.h"

/* For SUBJECT_LAB. */
void values_after_call(const struct subject_call *call);

/* A new submission. */
void values_begin(struct subject *s);

/* A run begins; it ends, and what was set becomes figures. */
void values_run_begin(void);
void values_report(struct subject *s);

/* What the submission's function returned, and why; 0, or as subject_returned. */
int values_returned(struct subject *s, const char *function, cudaError_t error);
