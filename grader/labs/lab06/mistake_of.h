/*
 * mistake_of.h: which mistake of lab 06 an event shows.
 */
#ifndef LAB06_MISTAKE_OF_H
#define LAB06_MISTAKE_OF_H

#include "judge/judge.h"
#include "labs/lab06/mistakes.h"
#include "session/session.h"

/* For JUDGE_LAB. */
const char *lab06_mistake_of(const struct session_event *e);

#endif
