/*
 * decoder.h: what the suite and the adapter of lab 11 know of each other.
 */
#ifndef LAB11_DECODER_H
#define LAB11_DECODER_H

#include "labs/lab11_decode/lab.h"

enum {
    LAB11_SEED = 11,      /* of the weights */
    LAB11_UNTOUCHED = -77 /* where lab11_read wrote no token */
};

/* In place of enum lab11_how: two steps with stream launches are watched. None of it runs, and what
   lab11_begin left in device memory is compared with what the batch needs. */
enum { LAB11_WATCHED = 100 };

/* The first of these that is true of a batch. */
enum lab11_watched {
    LAB11_ALL_RIGHT,
    LAB11_OTHER_CACHE, /* than after lab11_setup */
    LAB11_FEWER_STEPS,
    LAB11_OTHER_KERNEL, /* than lab.h draws, or none */
    LAB11_OTHER_LAYER,
    LAB11_NEVER_WAITS, /* a kernel */
    LAB11_NOT_COPIED,  /* no row has its token or its slot */
    LAB11_TOKEN,       /* of a row, … */
    LAB11_POSITION,
    LAB11_LENGTH,
    LAB11_SLOT,
    LAB11_STEP, /* of the batch's progress, … */
    LAB11_STEPS,
    LAB11_STOP,
    LAB11_LEFT_TOKEN, /* of a row without a sequence, in a graph: not valid, … */
    LAB11_LEFT_POSITION,
    LAB11_LEFT_LENGTH,
    LAB11_LEFT_SLOT,
    LAB11_WAITS_FIRST /* most kernels do */
};

/* Buckets have 1, 2, 4, … rows. */
static inline int lab11_bucket_rows(int i)
{
    return 1 << i;
}

/* The rows of batch b of so many. The number "sizes" has two decimal digits for each. */
static inline int lab11_rows_of(long sizes, int batches, int b)
{
    for (int i = batches - 1; i > b; i--)
        sizes /= 100;
    return (int)(sizes % 100);
}

/* What is in the cache before the first batch, at number i of the keys or values: exact as bf16. */
static inline float lab11_cache_before(size_t i)
{
    return (float)(1 + i % 199);
}

#endif
