/* expected.h: the scenarios of lab 06, and what is asked of their runs. */
#pragma once

#include "judge/judge.h"

/* scenarios.c: the scenarios of lab 06. Checks have their say first, and have the results verified
   afterwards: no scenario does that by itself. */

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

/* expected_results.c: what the calls of a run of lab 06 are to compute. */

/* Fails on the first result that is wrong; first of all in words for what all wrong calls have in
   common: a change that never came, came a call late, or left a node on. */
void lab06_verify(struct judged *j);

/* The same without a verdict, for checks that want to say more. */
bool lab06_is_right(struct judged *j);

/* chains.c: the two chains of kernels of lab 06: that of an item, and the smoothing. */

/* The result of a call of lab06_all: 2 n numbers. */
void lab06_item(struct judged *j, size_t call, double *result);

/* For judge_results.looks_like: the chain that gives what the call has in place of that. */
const char *lab06_wrong_item(struct judged *j, size_t call, size_t row, size_t column);

/* The input of a call of lab06_one or lab06_branch after so many smoothing kernels: n numbers. */
void lab06_smooth(struct judged *j, size_t call, size_t n_smooth, double *result);

/* calls.c: what the traces of runs of lab 06 show of the calls. */

/* A run after the first, in which everything has been instantiated. */
const struct trace *calls_trace(struct judged *j);

/* Calls that change nodes of an executable graph, each by itself. */
size_t calls_set_nodes(const struct trace *t);
bool calls_set_after_launch(const struct trace *t);

/* Fail in words about the function that was called. */
void calls_expect_no_instantiation(const struct judged *j, const struct trace *t);
void calls_expect_launches(const struct judged *j, const struct trace *t);
