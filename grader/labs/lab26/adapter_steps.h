/* adapter_steps.h: which steps the calls of a run have run, as the simulated device sees its
 * kernels. Elsewhere nothing is known of that. */
#pragma once

#include "subject/subject.h"

/* Before a run, whose first call is number `first` since setup; after each of its calls. Notes the
   first step that a call did not run as it asked for. */
void steps_begin(struct subject *s, long first);
void steps_of_call(void);
