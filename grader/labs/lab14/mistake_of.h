/*
 * mistake_of.h: which mistake of lab 14 an event or a graph shows.
 */
#ifndef LAB14_MISTAKE_OF_H
#define LAB14_MISTAKE_OF_H

#include "judge/judge.h"
#include "labs/lab14/mistakes.h"

/* For JUDGE_LAB. */
const struct judge_mistake *lab14_mistake_of(const struct session_event *e);

#endif
