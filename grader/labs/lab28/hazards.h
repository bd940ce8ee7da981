/*
 * hazards.h: the edges of a graph compared with the hazards between its operations.
 */
#ifndef LAB28_HAZARDS_H
#define LAB28_HAZARDS_H

#include "judge/judge.h"

/* For a graph whose node i is operation i: fails if the graph orders operations that only read the
   same buffer, and does not order others of which one writes what the other one uses. */
void lab28_expect_roles(struct judge *j);

#endif
