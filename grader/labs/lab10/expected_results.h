/*
 * expected_results.h: how long lab 10 is to iterate, what x is then, and what it says of a
 * submission that did something else.
 */
#ifndef LAB10_EXPECTED_RESULTS_H
#define LAB10_EXPECTED_RESULTS_H

#include "judge/judge.h"

/* For judge_scenario.fill: b is uniform in -1 to 1, times the scenario's scale; or, where it has a
   scale_next, times that in every second run. In a scenario with same_b it is always the same; with
   quiet_middle the rows in the middle have none, where waves from above and below arrive later. */
void lab10_fill(struct judged *j);

/* For judge_scenario.verify: precision, iterations and x; and checks and the last change, too. */
void lab10_verify(struct judged *j);
void lab10_verify_checks(struct judged *j);

#endif
