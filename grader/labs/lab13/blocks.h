/*
 * blocks.h: did each row of each step belong where it was? By the journal of embed.
 */
#ifndef LAB13_BLOCKS_H
#define LAB13_BLOCKS_H

#include "judge/judge.h"

/* For scenarios: fails on the first row that writes where it must not. */
void lab13_verify_blocks(struct judged *j);

#endif
