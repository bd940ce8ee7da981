/* expected.h: what is asked of the service of lab 09. */
#pragma once

#include <stdbool.h>

#include "judge/judge.h"
#include "model.h"
#include "query/trace.h"

/* cache.c: does the cache of lab 09 find, keep and evict what it should? */

/* Scenarios of their own. Is each shape found that was requested before, and no other one? */
void lab09_expect_lookup(struct judged *j);

/* Of a first run, with room for all shapes: is each shape found again? */
void lab09_expect_found(struct judged *j);

/* The same as lab09_expect_lookup, and are all hits, misses and evictions those of the model? */
void lab09_expect_lru(struct judged *j);

/* Of the present scenario: the cache before its first request. A miss must allocate a workspace. */
struct model lab09_model_of(struct judged *j);
void lab09_expect_allocated(struct judged *j, size_t request);

/* Fails if so many executable graphs existed at the same time, and fewer may. */
void lab09_expect_execs(struct judged *j, size_t execs);

/* updates.c: are the evicted executable graphs of lab 09 updated? */

/* Scenarios of their own. With each miss that evicts a graph with as many kernels, is that one
   updated? And where an update fails, is it replaced? */
void lab09_expect_updates(void);

/* calls.c: the calls of a traced run of the service. */

/* The most executable graphs that existed at the same time in a run from an empty cache. */
size_t lab09_most_execs(const struct trace *t);

/* Does the run create events or streams, or allocate memory, before its last graph launch? */
bool lab09_creates(const struct trace *t);

/* Is no event recorded after the copy out of the last request, the last use of its workspace? */
bool lab09_is_done_early(const struct trace *t);

/* break_even.c: does lab09_break_even predict from which launch on a graph pays? */

/* After judge_floor. Fails if an answer to given times is wrong, or a prediction more than one
   launch away from what was measured. */
void lab09_expect_break_even(struct judged *j);
