/*
 * break_even.h: does lab09_break_even predict from which launch on a graph pays?
 */
#ifndef LAB09_BREAK_EVEN_H
#define LAB09_BREAK_EVEN_H

#include "judge/judge.h"

/* After judge_floor. Fails if an answer to given times is wrong, or a prediction more than one
   launch away from what was measured. */
void lab09_expect_break_even(struct judged *j);

#endif
