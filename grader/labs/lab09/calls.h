/*
 * calls.h: the calls of a traced run of the service.
 */
#ifndef LAB09_CALLS_H
#define LAB09_CALLS_H

#include <stdbool.h>

#include "query/trace.h"

/* The most executable graphs that existed at the same time in a run from an empty cache. */
size_t lab09_most_execs(const struct trace *t);

/* Does the run create events or streams, or allocate memory, before its last graph launch? */
bool lab09_creates(const struct trace *t);

/* Is no event recorded after the copy out of the last request, the last use of its workspace? */
bool lab09_is_done_early(const struct trace *t);

#endif
