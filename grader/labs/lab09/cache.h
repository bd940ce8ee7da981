/*
 * cache.h: does the cache of lab 09 find, keep and evict what it should?
 */
#ifndef LAB09_CACHE_H
#define LAB09_CACHE_H

#include "judge/judge.h"
#include "model.h"

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

#endif
