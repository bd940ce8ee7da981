/*
 * mistake_of.h: which mistake of lab 12 an event or a graph shows.
 */
#ifndef LAB12_MISTAKE_OF_H
#define LAB12_MISTAKE_OF_H

#include "judge/judge.h"
#include "labs/lab12/mistakes.h"
#include "query/graph.h"

/* For JUDGE_LAB. */
const char *lab12_mistake_of(const struct session_event *e);

/* Why a graph with these copies and layers leaves a wrong y, and which rows it copies more than
   once; NULL: not known, none. `floats`: of x, and of y. */
const char *lab12_mistake_of_results(const struct dag *g, size_t floats,
                                                     size_t n_layers);
const char *lab12_mistake_of_repeats(const struct dag *g, size_t floats);

/* What keeps the stages of a pipeline from running side by side, by its graph; NULL: not known. */
const char *lab12_mistake_of_graph(const struct dag *g, int n_devices);

/* Races from now on are for this mistake; NULL: for the one that their operations show. */
void lab12_suspect(const char *mistake);

#endif
