/* captures.h: a run that is to launch a graph, and nothing else, which more than one lab asks for.
 */
#pragma once

#include "judge/judge.h"

/* Fails if there are any, of a run; `function`: the submission's that was run. */
void captures_expect_instantiated(size_t instantiations, const char *function);

/* Fails unless so many launches of a graph are all that the trace of a run shows; `function`: the
 * submission's that was run. */
void captures_expect_launches(const struct trace *t, size_t expected, const char *function);
