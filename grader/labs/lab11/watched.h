/*
 * watched.h: what lab11_begin copies, and what lab11_decode would do, launch by launch.
 */
#ifndef LAB11_WATCHED_H
#define LAB11_WATCHED_H

#include "decoder.h"
#include "subject/copies.h"

/* For SUBJECT_LAB. */
void watched_before_call(struct subject_call *call);

/* The first thing that is wrong. */
struct watched {
    enum lab11_watched found;
    int at;         /* which row, or which launch of a step; -1: neither */
    int is, should; /* what was found there, what should have been */
};

/* After lab11_begin of the batch, during which copies were watched (subject/copies.h): watches
   lab11_decode. An error is of lab11_decode, or of the copy of the rows. */
cudaError_t watch_batch(struct lab11 *lab, const struct lab11_batch *batch, struct watched *to);

/* The number of rows in a step of that batch with stream launches. */
int watched_rows(void);

#endif
