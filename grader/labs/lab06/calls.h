/*
 * calls.h: what the traces of runs of lab 06 show of the calls.
 */
#ifndef LAB06_CALLS_H
#define LAB06_CALLS_H

#include "judge/judge.h"

/* A run after the first, in which everything has been instantiated. */
const struct trace *calls_trace(struct judged *j);

/* Calls that change nodes of an executable graph, each by itself. */
size_t calls_set_nodes(const struct trace *t);
bool calls_set_after_launch(const struct trace *t);

/* Fail in words about the function that was called. */
void calls_expect_no_instantiation(const struct judged *j, const struct trace *t);
void calls_expect_launches(const struct judged *j, const struct trace *t);

#endif
