/*
 * expected_results.h: what the calls of a run of lab 06 are to compute.
 */
#ifndef LAB06_EXPECTED_RESULTS_H
#define LAB06_EXPECTED_RESULTS_H

#include "judge/judge.h"

/* Fails on the first result that is wrong; first of all in words for what all wrong calls have in
   common: a change that never came, came a call late, or left a node on. */
void lab06_verify(struct judged *j);

/* The same without a verdict, for checks that want to say more. */
bool lab06_is_right(struct judged *j);

#endif
