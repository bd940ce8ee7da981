/*
 * mistake_of.h: which mistake of lab 13 an event shows.
 */
#ifndef LAB13_MISTAKE_OF_H
#define LAB13_MISTAKE_OF_H

#include "judge/judge.h"
#include "labs/lab13/mistakes.h"
#include "session/session.h"

/* For JUDGE_LAB. */
const char *lab13_mistake_of(const struct session_event *e);

/* Of a run in which a request did not get all of its tokens, and which has ended without an error.
 */
const char *lab13_mistake_of_undelivered(const struct judge *j);

/* What fails from now on is for this mistake. lengths_refused: other requests of these sizes, but
   short ones, were served. */
void lab13_suspect(const char *mistake);

#endif
