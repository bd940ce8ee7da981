/* slots.h: into how many different slots does a run produce? */
#ifndef LAB02_SLOTS_H
#define LAB02_SLOTS_H

#include "subject/calls.h"

/* For SUBJECT_LAB. */
void slots_before_call(struct subject_call *call);

/* A run begins. */
void slots_forget(void);

/* Different addresses that launches of produce were given to write to since then. */
int slots_used(void);

#endif
