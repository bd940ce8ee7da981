/* decoder.h: what the suite and the adapter of lab 11 know of each other. */
#pragma once

#include "labs/lab11_decode/lab.h"

enum {
    LAB11_SEED = 11,      /* of the weights */
    LAB11_UNTOUCHED = -77 /* where lab11_read wrote no token */
};

/* In place of enum lab11_how: so many steps with stream launches are watched. None of it runs, and
   what lab11_begin left in device memory is compared with what the batch needs. */
enum { LAB11_WATCHED = 100, LAB11_WATCHED_STEPS = 2 };

/* Buckets have 1, 2, 4, … rows. */
static inline int lab11_bucket_rows(int i)
{
    return 1 << i;
}

/* Kernel number i of the n of a step, as lab.h draws it. */
static inline const char *lab11_kernel_of_step(int i, int n)
{
    static const char *const of_layer[] = {"decode_qkv", "decode_attend", "decode_project",
                                           "decode_up", "decode_down"};
    return i == 0       ? "decode_embed"
           : i == n - 1 ? "decode_advance"
           : i == n - 2 ? "decode_head"
                        : of_layer[(i - 1) % 5];
}

/* What is in the cache before the first batch, at number i of the keys or values: exact as bf16. */
static inline float lab11_cache_before(size_t i)
{
    return (float)(1 + i % 199);
}
