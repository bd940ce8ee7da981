/* expected.h: what is asked of the service of lab 09. */
#pragma once

#include <stdbool.h>

#include "judge/judge.h"
#include "labs/lab09_amortise/lab.h"

/* model.c: the cache without a device: what a right submission does with each request. */

enum { MODEL_MOST = 64 };

struct model {
    int max_execs, max_floats;
    int n, floats;                         /* entries in use, floats of their workspaces */
    struct lab09_shape shapes[MODEL_MOST]; /* the least recently used first */
};

struct model_step {
    bool hit;
    int evicted;
    bool updated; /* an evicted executable graph has as many nodes: no instantiation */
};

struct model_step model_serve(struct model *m, struct lab09_shape shape);

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

/* The most executable graphs that existed at the same time in a run from an empty cache. */
size_t lab09_most_execs(const struct trace *t);

/* break_even.c: does lab09_break_even predict from which launch on a graph pays? */

/* After judge_floor. Fails if an answer to given times is wrong, or a prediction more than one
   launch away from what was measured. */
void lab09_expect_break_even(struct judged *j);
