/* expected.h: what is asked of lab 10. */
#pragma once

#include "alone.h"
#include "judge/judge.h"

/* expected_alone.c: what plan, step and decide of lab 10 must do, each judged without lab.c. */

/* Ends the check if the kernel fails a case. */
void lab10_expect_alone(enum alone_kernel kernel);

/* expected_graph.c: what is asked of the graph of lab 10: its SWITCH, WHILE and IF nodes, and what
   their bodies hold. */

/* The submission's graph, which the report shows beside what is expected. */
struct dag *lab10_look_at_graph(struct judged *j);

/* Each ends the check if something is missing or wrong. `sweeps` of each iteration. */
void lab10_expect_bodies(const struct dag *g, size_t sweeps);
/* Each node waits for those whose results it uses. */
void lab10_expect_order(const struct dag *g);

/* expected_results.c: how long lab 10 is to iterate, what x is then, and what it says of a
   submission that did something else. */

/* For judge_scenario.fill: b is uniform in -1 to 1, times the scenario's scale; or, where it has a
   scale_next, times that in every second run. In a scenario with same_b it is always the same; with
   quiet_middle the rows in the middle have none, where waves from above and below arrive later. */
void lab10_fill(struct judged *j);

/* For judge_scenario.verify: precision, iterations and x; and checks and the last change, too. */
void lab10_verify(struct judged *j);
void lab10_verify_checks(struct judged *j);
