/*
 * work.h: has a run computed what it delivered? By the trace of the run.
 */
#ifndef LAB13_WORK_H
#define LAB13_WORK_H

#include "judge/judge.h"
#include "query/trace.h"

/* Fails if the kernels of the steps had fewer rows than the tokens of the requests need, in all, or
   when one of them was delivered. */
void lab13_expect_work(const struct judged *j, const struct trace *t);

#endif
