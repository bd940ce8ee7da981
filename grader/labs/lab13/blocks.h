/*
 * blocks.h: did each row of each step belong where it was, and did the step need all its rows? By
 * the journal of embed.
 */
#ifndef LAB13_BLOCKS_H
#define LAB13_BLOCKS_H

#include "judge/judge.h"

/* For scenarios: fails on the first row that writes where it must not. */
void lab13_verify_blocks(struct judge *j);

/* After a run: fails if a fifth of its steps had more rows than another one that had room enough.
 */
void lab13_expect_small_steps(struct judge *j);

#endif
