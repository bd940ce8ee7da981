/*
 * steps.h: a step as a graph, and the steps of a batch in a trace.
 */
#ifndef LAB11_STEPS_H
#define LAB11_STEPS_H

#include "judge/judge.h"

/* Fails if the graph has several steps, or prefill. */
void lab11_expect_one_step(struct judge *j);

/* Fails unless the graph has the kernels of a step, and nothing else. */
void lab11_expect_step(struct judge *j);

/* The steps of the last batch lie between the marks of the adapter. */
void lab11_steps_interval(const struct trace *t, double *from_us, double *to_us);

/* Kernels in this interval, of graphs or of none. */
size_t lab11_kernels_between(const struct trace *t, double from_us, double to_us, bool in_graph);

/* Fails if these steps make what lab11_setup should have made. */
void lab11_expect_nothing_made(const struct trace *t, int steps);

/* Fails if anything of a run makes it, lab11_begin and lab11_read included. */
void lab11_expect_nothing_made_between(const struct trace *t);

/* Fails, because these steps have more kernels than they need: more launches, more than a step in
   each graph, or the prefill. */
void lab11_fail_for_more_kernels(const struct trace *t, size_t steps);

/* Traces a run, and fails unless each step is the launch of a graph. `none`: why, if there is no
   launch. */
void lab11_expect_graph_launches(struct judge *j, const char *none);

/* Fails if these steps leave a kernel out. */
void lab11_expect_whole_steps(const struct judge *j, const struct trace *t);

/* Is anything in the legacy stream, other than copies that the host waits for? */
bool lab11_uses_legacy_stream(const struct trace *t);

/* How many steps the first batch of the last run needs, which has n sequences: until each has its
 * stop token, or all. */
size_t lab11_steps_needed(const struct judge *j, size_t n);

#endif
