/* budgets.h: what the suites of labs 23 and 25 have in common: the products of labs 03 and 05
 * within a memory budget, judged by results, order, memory and time. */
#pragma once

#include "judge/judge.h"

/* Budgets, in matrices, that a ring of whole sets fits badly: one set and two matrices; two sets
   and two matrices. */
enum { BUDGETS_TIGHT = 5, BUDGETS_ROOMY = 8 };

/* Right results with budgets from three matrices on. `unfinished`: see judge_run_to_end; NULL: the
   adapter itself waits for the work. */
void budgets_expect_results(const char *unfinished);

/* No race and no leak. */
void budgets_expect_order(void);

/* No more device memory than the budget. */
void budgets_expect_memory(void);

/* At most 1.25 times the reference's time with the tight budget, 1.15 with the roomy one. too_slow
   records facts that the trace of a run shows. Only the simulated device asks it. */
void budgets_expect_time(long n_matrices, void (*too_slow)(struct judged *submission));

/* For too_slow: the fact copies_alone if the copies in one direction do not run beside kernels. */
void budgets_ask_copies(struct judged *j);
