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
