/*
 * sizes.h: what a server puts into its steps. By the journal of embed.
 */
#ifndef LAB13_SIZES_H
#define LAB13_SIZES_H

#include "judge/judge.h"

/* After a run in which more requests arrive than there is memory for: fails if its steps have more
   rows than they need, or fewer than they could have. */
void lab13_expect_full_steps(struct judged *j);

#endif
