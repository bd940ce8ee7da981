/*
 * work.h: has a run computed what it delivered? By the trace of the run.
 */
#ifndef LAB13_WORK_H
#define LAB13_WORK_H

#include "judge/judge.h"
#include "query/trace.h"

/* Fails if the kernels of a step had fewer rows, in all, than the tokens of the requests need. */
void lab13_expect_work(const struct judged *j, const struct trace *t);

#endif
