/*
 * expected_graph.h: what is asked of the graph of lab 10: its SWITCH, WHILE and IF nodes, and what
 * their bodies hold.
 */
#ifndef LAB10_EXPECTED_GRAPH_H
#define LAB10_EXPECTED_GRAPH_H

#include "judge/judge.h"
#include "query/graph.h"

/* The submission's graph, which the report shows beside what is expected. */
struct dag *lab10_look_at_graph(struct judged *j);

/* Each ends the check if something is missing or wrong. `sweeps` of each iteration. */
void lab10_expect_bodies(const struct dag *g, size_t sweeps);
/* Each node waits for those whose results it uses. */
void lab10_expect_order(const struct dag *g);

#endif
