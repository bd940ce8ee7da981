/*
 * mistake_of.h: which mistake of lab 08 an event shows.
 */
#ifndef LAB08_MISTAKE_OF_H
#define LAB08_MISTAKE_OF_H

#include "judge/judge.h"
#include "labs/lab08/mistakes.h"
#include "session/session.h"

/* For JUDGE_LAB. */
const char *lab08_mistake_of(const struct session_event *e);

#endif
