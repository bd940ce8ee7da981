/*
 * adapter_steps.h: which steps the calls of a run have run, as the simulated device sees its
 * kernels. Elsewhere nothing is known of that.
 */
#ifndef LAB26_ADAPTER_STEPS_H
#define LAB26_ADAPTER_STEPS_H

#include "subject/subject.h"

/* Before a run; after each of its calls; after the last one: reports the first step that a call did
 * not run as it asked for, as struct figures says. */
void lab26_steps_begin(const struct subject *s);
void lab26_steps_of_call(void);
void lab26_steps_report(struct subject *s);

#endif
