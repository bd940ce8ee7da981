/*
 * slow.h: why does a timed run of lab 13 take longer than the reference's?
 */
#ifndef LAB13_SLOW_H
#define LAB13_SLOW_H

#include "judge/judge.h"
#include "query/trace.h"

/* Simulated device, of each timed run: fails if it computes less than its tokens need. */
void lab13_look(const struct judged *j, const struct trace *t);

/* Records the facts of a run that is too slow; the reference has the same scenario. */
void lab13_ask_why(struct judged *j, struct judged *reference);

#endif
