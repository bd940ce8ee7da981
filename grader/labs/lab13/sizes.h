/*
 * sizes.h: did the steps of a run need all their rows? By the journal of embed.
 */
#ifndef LAB13_SIZES_H
#define LAB13_SIZES_H

#include "judge/judge.h"

/* After a run: fails if a fifth of its steps had more rows than another one that had room enough.
 */
void lab13_expect_small_steps(struct judged *j);

#endif
