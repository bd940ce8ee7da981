/*
 * graphs.h: what is wrong with a graph of lab 12, as facts for the rules.
 */
#ifndef LAB12_GRAPHS_H
#define LAB12_GRAPHS_H

#include <stdbool.h>

#include "query/graph.h"

/* Records x_copied and y_copied: the floats that are copied, per float of the buffer. Is any copied
   more than once? */
bool graph_facts_of_repeats(const struct dag *g, size_t floats);

/* The same, and what else makes y wrong: output_read, no_copies, gaps_in_x, gaps_in_y (rows that no
   copy has), layers_split. `floats`: of x, and of y. Is any of it wrong? */
bool graph_facts_of_results(const struct dag *g, size_t floats, size_t n_layers);

/* The fact that keeps the stages of a pipeline from running side by side; NULL: none is known. */
const char *graph_order(const struct dag *g, int n_devices);

#endif
