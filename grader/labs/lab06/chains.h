/*
 * chains.h: the two chains of kernels of lab 06: that of an item, and the smoothing.
 */
#ifndef LAB06_CHAINS_H
#define LAB06_CHAINS_H

#include "judge/judge.h"

/* The result of a call of lab06_all: 2 n numbers. */
void lab06_item(struct judged *j, size_t call, double *result);

/* For judge_results.looks_like: the chain that gives what the call has in place of that. */
const char *lab06_wrong_item(struct judged *j, size_t call, size_t row, size_t column);

/* The input of a call of lab06_one or lab06_branch after so many smoothing kernels: n numbers. */
void lab06_smooth(struct judged *j, size_t call, size_t n_smooth, double *result);

#endif
