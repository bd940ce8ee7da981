/* slots.h: into how many different slots does a run produce? */
#ifndef LAB02_SLOTS_H
#define LAB02_SLOTS_H

/* A run begins. */
void slots_forget(void);

/* Different addresses that launches of produce were given to write to since then. */
int slots_used(void);

#endif
