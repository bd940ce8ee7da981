/* hazards.h: the edges of a graph compared with the hazards between its operations. */
#pragma once

#include "judge/judge.h"
#include "query/graph.h"

/* If it is known which operation each node is: fails if the graph lacks the order of a hazard, and
   has no edge at all, or edges against the program order, or edges that are no hazard: between
   operations that only read the same buffer, or, unless streams make such edges, between operations
   that share no buffer. Its facts stay, for a race. */
void lab28_expect_edges(const struct judged *j, const struct dag *g);

/* The next step if such a graph is too slow: unless streams made them, the edges that are no
 * hazard. */
void lab28_next_for_edges(const struct judged *j, const struct dag *g);
