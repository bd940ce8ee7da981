/*
 * captures.h: the mistakes with captured graphs that more than one lab knows.
 */
#ifndef CAPTURES_H
#define CAPTURES_H

#include "judge/judge.h"
#include "session/session.h"

/* Fails if there are any, of a run; `function`: the submission's that was run. */
void captures_expect_instantiated(size_t instantiations, const char *function);

/*
 * Fails unless so many launches of a graph are all that the trace of a run shows; `function`: the
 * submission's that was run.
 */
void captures_expect_launches(const struct trace *t, size_t expected, const char *function);

/* The failed call gave this error. `call`: its name; NULL: any. A GPU names no call: there any but
   NULL is false. */
bool captures_is(const struct session_event *e, int error, const char *call);

#endif
