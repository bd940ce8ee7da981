/* adapter_launches.h: what a submission instantiates, uploads and launches; for lab 07's adapter.
 *
 * An error of a launch by the device says that a rule was broken, but not which one: what came
 * before it does. On a GPU the adapter does not see launches by the device. */
#pragma once

#include <cuda_runtime_api.h>

#include "labs/lab07/causes.h"
#include "subject/calls.h"
#include "subject/subject.h"

struct lab07;

/* For SUBJECT_LAB. */
void launches_before_call(struct subject_call *call);
void launches_after_call(const struct subject_call *call);

/* A new submission, of these graphs; `endless`: the cause if launches by the device never end. */
void launches_begin(struct subject *s, const struct lab07 *lab, enum lab07_cause endless);

/* A run begins; it ends without an error. What its launches were is noted. */
void launches_run_begin(void);
void launches_report(void);

/* What the submission's function returned, and notes why; 0, or as subject_returned. */
int launches_returned(struct subject *s, const char *function, cudaError_t error);

/* From now on, the graphs that the submission was given may be destroyed. */
void launches_end(void);

/* The executable graph of this graph; NULL: there is none. */
cudaGraphExec_t launches_exec_of(cudaGraph_t graph);
