/*
 * scenarios.h: the scenarios of lab 06. Checks have their say first, and have the results verified
 * afterwards: no scenario does that by itself.
 */
#ifndef LAB06_SCENARIOS_H
#define LAB06_SCENARIOS_H

#include "judge/judge.h"

/* Of lab06_all, lab06_one and lab06_branch: for results and graphs. */
extern const struct judge_scenario lab06_items, lab06_odd_items, lab06_weights, lab06_odd_weights,
    lab06_branches, lab06_odd_branches;

/* Of lab06_all: the number of kernels changes. */
extern const struct judge_scenario lab06_longer, lab06_shorter;

/* Before each call another one of the three functions is called. */
extern const struct judge_scenario lab06_item_turns, lab06_weight_turns, lab06_branch_turns;

/* Of lab06_branch, with a long correction: 6 calls, 3 of them corrected; 1 call. */
extern const struct judge_scenario lab06_branches_called, lab06_one_branch;

/* For times. */
extern const struct judge_scenario lab06_many_items, lab06_many_weights, lab06_many_branches;

#endif
