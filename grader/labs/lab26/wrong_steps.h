/*
 * wrong_steps.h: which steps or buffers a wrong result of lab 26 suggests.
 */
#ifndef LAB26_WRONG_STEPS_H
#define LAB26_WRONG_STEPS_H

#include "judge/judge.h"

/* Fails if all results went to the buffer of the first call, or each call ran the one before. */
void lab26_expect_own_buffers(struct judged *j, const double *expected);

/* For judge_results: fails, or returns the mistake. */
const char *lab26_looks_like(struct judged *j, size_t call, size_t row, size_t column);

#endif
