/*
 * mistake_of.h: which mistake of lab 09 an event shows.
 */
#ifndef LAB09_MISTAKE_OF_H
#define LAB09_MISTAKE_OF_H

#include "judge/judge.h"
#include "labs/lab09/mistakes.h"
#include "session/session.h"

/* For JUDGE_LAB. */
const char *lab09_mistake_of(const struct session_event *e);
/* Of a race; `otherwise`: what a race means in the present scenario. */
const char *lab09_mistake_of_race(const struct simgpu_finding *f,
                                                  const char *otherwise);

#endif
