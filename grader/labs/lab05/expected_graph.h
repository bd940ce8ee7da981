/* expected_graph.h: what is asked of the graph of lab 05. */
#pragma once

#include "judge/judge.h"
#include "query/graph.h"

/* Whose graph it is. */
struct ring {
    int n_batches, n_streams, n_sets;
};

/* The report shows it beside what is expected, with this difference or NULL. Its nodes know their
   batch (dag_take_batches), also for what follows; each fails for what is wrong with it. */
void expected_graph_show(struct judged *j, const struct dag *g, const struct ring *r,
                         const struct dag_difference *difference);

/* Every batch is in it; `bytes` of a and of b are copied in for each. */
void expected_graph_nodes(const struct dag *g, const struct ring *r, double bytes);

/* The first node sets the status byte, and so does the last. */
void expected_graph_ends(const struct dag *g);

/* As many branches as streams can run concurrently. */
void expected_graph_width(const struct dag *g, const struct ring *r);

/* Each batch waits for the one that used its set before, and for no other one without need. */
void expected_graph_path(struct judged *j, const struct dag *g, const struct ring *r);
