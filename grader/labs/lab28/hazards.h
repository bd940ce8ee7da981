/*
 * hazards.h: the edges of a graph compared with the hazards between its operations.
 */
#ifndef LAB28_HAZARDS_H
#define LAB28_HAZARDS_H

#include "judge/judge.h"

/* For a graph whose node i is operation i, or, if it is reversed, operation n_ops - 1 - i: fails if
   the graph lacks the order of a hazard, and has no edge at all, or edges against the program
   order, or edges that are no hazard: between operations that only read the same buffer, or, unless
   streams make such edges, between operations that share no buffer. */
void lab28_expect_edges(struct judge *j, bool is_captured, bool is_reversed);

/* The next step if such a graph is too slow: unless streams made them, the edges that are no
 * hazard. */
void lab28_name_edges(struct judge *j, bool is_captured, bool is_reversed);

#endif
