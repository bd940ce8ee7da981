/* expected.h: what is asked of lab 11. */
#pragma once

#include "judge/judge.h"

/* expected_tokens.c: the batches of lab 11, and what a decoder on the CPU, in double, makes of
   them. */

/* For scenarios: fills slots, prompts, lengths and the stop token. */
void lab11_fill(struct judged *j);

/* Fails on the first wrong token, and says what it looks like. */
void lab11_verify_tokens(struct judged *j);

/* Fails if something was written to the cache that belongs to no sequence of the batches. */
void lab11_verify_cache(struct judged *j);

/* suite.c: fails if the device does not get the steps and the stop token of a batch. */
void lab11_expect_progress(struct judged *j);

/* steps.c: a step as a graph, and the steps of a batch in a trace. */

/* Fails if the graph has several steps, or prefill. */
void lab11_expect_one_step(struct judged *j);

/* Fails unless the graph has the kernels of a step, and nothing else. */
void lab11_expect_step(struct judged *j);

/* The steps of the last batch, which lie between the marks of the adapter; until the next call. */
const struct trace *lab11_steps(const struct trace *t);

/* Their kernels, of graphs or of none. */
size_t lab11_kernels(const struct trace *steps, bool in_graph);

/* Fails if the trace makes what lab11_setup should have made; `when`: the fact to record with it.
 */
void lab11_expect_nothing_made(const struct trace *t, const char *when);

/* Fails unless each of these steps has so many kernels. */
void lab11_expect_kernels(const struct trace *steps, size_t n_steps, size_t expected);

/* Traces a run, and fails unless each step is the launch of a graph. `none`: why, if there is no
   launch. */
void lab11_expect_graph_launches(struct judged *j, const char *none);

/* Fails if these steps leave a kernel out, or if kernels do not start serially. */
void lab11_expect_whole_steps(const struct judged *j, const struct trace *t);

/* How many steps a batch of the last run needs, which has n sequences: until each has its stop
   token, or all. */
size_t lab11_steps_needed(const struct judged *j, size_t batch, size_t n);
