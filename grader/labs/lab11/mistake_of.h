/*
 * mistake_of.h: which mistake of lab 11 an event shows, or what the adapter found out.
 */
#ifndef LAB11_MISTAKE_OF_H
#define LAB11_MISTAKE_OF_H

#include "judge/judge.h"
#include "labs/lab11/mistakes.h"
#include "session/session.h"

/* For JUDGE_LAB. */
const char *lab11_mistake_of(const struct session_event *e);

/* If the submission fails the running check in this way from now on, it is for this mistake. */
void lab11_suspect(enum session_cause cause, const char *mistake);

/* What the adapter found out with LAB11_WATCHED; NULL: nothing is wrong. Says what was actual and
   expected. */
const char *lab11_watched_mistake(const struct judge *j);

#endif
