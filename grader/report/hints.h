/*
 * hints.h: labs/labNN/hints.md: three hints for each step, each says more than the one before.
 *
 *     ## Step 2: the fork
 *
 *     Checks: fork_and_join, width
 *
 *     1. What to look at.
 *     2. The call.
 *     3. Nearly the code.
 *
 * "Checks:" may name mistakes, too (struct judge_mistake). A section without a step is about a
 * check that fails although every step is written.
 */
#ifndef HINTS_H
#define HINTS_H

enum { HINT_LEVELS = 3, HINT_BYTES = 2048 };

struct hint {
    char title[160]; /* "Step 2: the fork" */
    char levels[HINT_LEVELS][HINT_BYTES];
};

/* The first section with this step (if it is not 0), or else with this check or mistake. 0, or -1
   if there is none. */
int hints_find(struct hint *out, const char *path, int step, const char *check);

#endif
