/* watched.h: what lab11_begin copies, and what lab11_decode would do, launch by launch. */
#pragma once

#include "decoder.h"
#include "subject/copies.h"
#include "subject/subject.h"

/* For SUBJECT_LAB. */
void watched_before_call(struct subject_call *call);

/* After lab11_begin of the batch, during which copies were watched (subject/copies.h): watches
   lab11_decode, and notes the mistakes; only_tokens: those that make tokens wrong. An error is of
   lab11_decode, or of the copy of the rows. */
cudaError_t watch_batch(struct subject *s, struct lab11 *lab, const struct lab11_batch *batch,
                        bool only_tokens);

/* The number of rows in a step of that batch with stream launches. */
int watched_rows(void);
