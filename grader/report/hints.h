/* hints.h: labs/labNN/hints.md: three hints for each step, each says more than the one before.
 *
 *     ## Step 2: the fork
 *
 *     1. What to look at.
 *     2. The call.
 *     3. Nearly the code.
 *
 * A section without a step is for checks that fail although every step is written. Which checks and
 * mistakes belong to a step is in steps.tsv, which labs/mistakes.awk makes. */
#pragma once

#include <stdbool.h>

enum { HINT_LEVELS = 3, HINT_BYTES = 2048 };

struct hint {
    char title[160]; /* "Step 2: the fork" */
    char levels[HINT_LEVELS][HINT_BYTES];
};

/* The files of a lab. */
struct hint_files {
    const char *hints, *steps;
};

/* The step of a check or of a mistake; 0: the section without a step; -1: it has none. */
int hints_step(const char *steps, const char *name);

/* For this mistake or, if it has none, for this check; "": there is no mistake. */
bool hints_for(struct hint *out, const struct hint_files *files, const char *mistake,
               const char *check);

/* The section of this step; 0: the one without a step. 0, or -1 if there is none. */
int hints_find(struct hint *out, const char *path, int step);
