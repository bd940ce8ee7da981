/*
 * decoder.h: what the suite and the adapter of lab 11 know of each other.
 */
#ifndef LAB11_DECODER_H
#define LAB11_DECODER_H

#include <stdbool.h>

#include "labs/lab11_decode/lab.h"

enum {
    LAB11_SEED = 11,      /* of the weights */
    LAB11_UNTOUCHED = -77 /* where lab11_read wrote no token */
};

/* In place of enum lab11_how: so many steps with stream launches are watched. None of it runs, and
   what lab11_begin left in device memory is compared with what the batch needs. */
enum { LAB11_WATCHED = 100, LAB11_WATCHED_STEPS = 2 };

/* The first of these that is true of a batch. */
enum lab11_watched {
    LAB11_ALL_RIGHT,
    LAB11_OTHER_CACHE,      /* than after lab11_setup */
    LAB11_GRAPHS_BY_STREAM, /* LAB11_STREAM launches a graph */
    LAB11_OTHER_KERNEL,     /* than lab.h draws, or none */
    LAB11_OTHER_LAYER,
    LAB11_HANDLE,        /* of a loop, with stream launches */
    LAB11_OTHER_STEPS,   /* more or fewer than it was asked for */
    LAB11_SMALL_SCRATCH, /* for fewer rows than the step has */
    LAB11_FEW_ROWS,      /* in a step with stream launches, than the batch has sequences */
    LAB11_COPIED_EARLY,  /* the memory was written after the call that copies it */
    LAB11_NOT_COPIED,    /* nothing of the rows; or not from pinned memory */
    LAB11_PART_COPIED,   /* not all of the rows, or not their progress */
    LAB11_PAST_END,      /* padding rows are written past the last row */
    LAB11_NOT_FILLED,    /* a row has no value of its sequence */
    LAB11_PADDED,        /* such a row has the values of a padding row */
    LAB11_TOKEN,         /* to LAB11_SLOT: this field of a row */
    LAB11_POSITION,
    LAB11_LENGTH,
    LAB11_SLOT,
    LAB11_STEP,  /* of the batch's progress */
    LAB11_STOP,  /* of the batch's progress */
    LAB11_STEPS, /* only a loop needs it */
    LAB11_OTHER_STREAM,
    LAB11_NEVER_WAITS,   /* a kernel */
    LAB11_PADDING_TOKEN, /* to LAB11_PADDING_SLOT: this field of a row without a sequence, in a
                            graph, is not valid */
    LAB11_PADDING_POSITION,
    LAB11_PADDING_LENGTH,
    LAB11_PADDING_SLOT,
    LAB11_WAITS_FIRST /* a kernel */
};

/* With these, tokens are wrong: right ones are luck. Others have checks of their own. */
static inline bool lab11_spoils_tokens(enum lab11_watched found)
{
    return found > LAB11_ALL_RIGHT && found <= LAB11_STOP;
}

/* Buckets have 1, 2, 4, … rows. */
static inline int lab11_bucket_rows(int i)
{
    return 1 << i;
}

/* What is in the cache before the first batch, at number i of the keys or values: exact as bf16. */
static inline float lab11_cache_before(size_t i)
{
    return (float)(1 + i % 199);
}

#endif
