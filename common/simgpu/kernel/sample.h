/* sample.h: how the threads of a warp access memory together, looked at in a few blocks of a
 * recorded grid. A record knows bytes; the time of a kernel also depends on how many sectors of 32
 * bytes and lines of 128 bytes each access of a warp needs.
 *
 * The CPU runs the threads of a warp one after the other. The k-th access of one lane is taken to
 * be part of the same instruction as the k-th access of the lane before. */
#ifndef SAMPLE_H
#define SAMPLE_H

#include "record.h"

enum {
    SAMPLE_BLOCKS = 8,  /* about this many blocks of a grid are sampled */
    SAMPLE_ONE_IN = 32, /* if no other blocks are recorded, at most one block in 32 is sampled */
    SAMPLE_BLOCK_ACCESSES = 1 << 16, /* at most so many accesses of a block are sampled */
    SAMPLE_THREADS = 1024,
    SAMPLE_ORDINALS = 512, /* of the accesses of one thread */
    SAMPLE_TAGS = 8192,    /* sectors that the first-level cache holds */
    WARP = 32
};

/* Of one recorder. */
struct sample {
    struct sample_counts counts;
    uint64_t in_block;               /* accesses of this block so far */
    uint32_t n[SAMPLE_THREADS];      /* accesses of each thread */
    uint64_t latest[SAMPLE_THREADS]; /* the sector that each touched last */
    uintptr_t before[SAMPLE_THREADS / WARP][SAMPLE_ORDINALS]; /* address, of the lane before */
    uint32_t most;              /* accesses of a thread of this grid so far */
    uint64_t tags[SAMPLE_TAGS]; /* sector, and above it the number of the block */
    uint64_t block;
};

/* A grid begins; a block. */
void sample_begin_grid(struct sample *s);
void sample_begin_block(struct sample *s);
/* An access of the running thread; `counts`: to memory that the record counts. False: enough has
 * been seen of this block. */
bool sample_access(struct sample *s, uintptr_t at, size_t words, enum recorded how, bool counts);
/* Adds `more`. */
void sample_add(struct sample_counts *to, const struct sample_counts *more);

#endif
