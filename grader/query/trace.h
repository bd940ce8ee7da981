/* trace.h: questions that suites ask of a trace (common/trace.h).
 *
 * An engine is h2d, d2h, d2d, p2p, sm, host or api. A `name` argument may be NULL (any) or end in
 * '*' (any with that beginning). Times are microseconds of the trace. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/trace.h"

/* Does the row lie on this engine (NULL: any) and bear this name? */
bool trace_is(const struct trace_row *row, const char *engine, const char *name);

size_t trace_count(const struct trace *t, const char *engine, const char *name);
double trace_bytes(const struct trace *t, const char *engine, const char *name);

/* First row by start, last row by end; NULL where there is none. */
const struct trace_row *trace_first(const struct trace *t, const char *engine, const char *name);
const struct trace_row *trace_last(const struct trace *t, const char *engine, const char *name);

/* Time during which the engine had at least one such row running; and all durations added up. */
double trace_busy_us(const struct trace *t, const char *engine, const char *name);
double trace_sum_us(const struct trace *t, const char *engine, const char *name);

/* Time during which both engines were busy; and as a part of the less busy one's, 0 to 1. */
double trace_overlap_us(const struct trace *t, const char *engine, const char *other);
double trace_overlap_fraction(const struct trace *t, const char *engine, const char *other);

/* Distinct streams that device work (all but api rows) was on; is any of it on the legacy one? */
size_t trace_streams(const struct trace *t);
bool trace_uses_legacy_stream(const struct trace *t);

/* Runtime calls of this name; those that began after from_us and before to_us. */
size_t trace_calls(const struct trace *t, const char *name);
size_t trace_calls_between(const struct trace *t, const char *name, double from_us, double to_us);

/* Those that allocate memory, or create a stream or an event, before to_us. */
size_t trace_creations(const struct trace *t, double to_us);
size_t trace_setup_calls(const struct trace *t); /* all of them but stream-ordered allocations */

/* The first call that makes the host wait (cuda*Synchronize, cudaMemcpy, …, a query) and began in
   the interval; NULL where there is none. */
const struct trace_row *trace_host_wait(const struct trace *t, double from_us, double to_us);
