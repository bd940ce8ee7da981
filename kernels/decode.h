/* decode.h: one step of a decoder-only transformer, kernel by kernel.
 *
 * The model reads and writes bytes. A row is one sequence of a batch. A step takes one token of
 * each row and computes the next token of each row:
 *
 *     embed - [ qkv - attend - project - up - down ] x layers - head - advance
 *
 *     embed     x = embedding of the token + embedding of its position
 *     qkv       q, k, v = Wqkv norm(x); k and v are written to the cache
 *     attend    a = the values of the row's sequence, weighted by softmax(q . key / 8), per head
 *     project   x = x + Wproject a
 *     up        h = gelu(Wup norm(x))
 *     down      x = x + Wdown h
 *     head      logits = Whead norm(x)
 *     advance   the token with the largest logit is the next one; position, length, stop
 *
 * norm(x) = x / sqrt(mean of x^2 + 1e-5); its gains are part of the weights after it. Weights,
 * cache, a and h are bf16 (bf16.h), everything else is float. d = 64 x heads, and h has 4 d
 * numbers.
 *
 * Each kernel needs the results of the kernel before it. Pointers are device memory. */
#ifndef DECODE_H
#define DECODE_H

#include <cuda_runtime_api.h>
#include <stddef.h>

#include "bf16.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    DECODE_TOKENS = 256,   /* size of the vocabulary: the bytes */
    DECODE_HEAD_SIZE = 64, /* numbers in a query, a key and a value */
    DECODE_BLOCK = 16,     /* positions in a block of a paged cache */
    DECODE_STOPPED = -1    /* instead of a token: the sequence of the row had stopped before */
};

struct decode_model {
    int n_layers, n_heads;
    int n_positions; /* the maximum length of a sequence */
    /* Matrices, row by row; a row has the weights of one result:
         embedding of tokens [256][d], of positions [n_positions][d]
         for each layer: qkv [3 d][d], project [d][d], up [4 d][d], down [d][4 d]
         head [256][d] */
    uint16_t *weights;
};

/* Keys and values [layer][slot][head][position][64]. A slot belongs to one sequence. One more slot,
 * number n_slots, belongs to no sequence: rows without a sequence use it.
 *
 * A paged cache (serve.h) has blocks of DECODE_BLOCK positions instead: [layer][block][head]
 * [DECODE_BLOCK][64]. The block table says which block has a position of a slot. One more block,
 * number n_blocks, belongs to no sequence. */
struct decode_cache {
    int n_slots;
    uint16_t *keys, *values;
    int *blocks;  /* the block table [n_slots + 1][decode_blocks()], in device memory; NULL: the
                     cache is not paged */
    int n_blocks; /* of a paged cache */
};

/* One number for each row. In a row without a sequence they are in range, too: embed asserts that
   (cudaErrorAssert). */
struct decode_rows {
    int *token;    /* the next step embeds it */
    int *position; /* of that token in its sequence, from 0 on */
    int *length;   /* number of positions that attend reads: position + 1 */
    int *slot;     /* of the cache; n_slots: the row has no sequence, or its sequence has stopped */
};

/* The progress of a batch. */
struct decode_progress {
    int step;  /* number of completed steps: 0 before the first one; advance adds 1 */
    int steps; /* number of steps to run; the loop of a WHILE node ends after them */
    int stop;  /* the stop token: a sequence ends after it; -1: there is none */
};

/* Results that one kernel of a step passes to the next, for each row. Vectors that are multiplied
   with weights are bf16. */
struct decode_scratch {
    float *x;      /* d */
    float *q;      /* d */
    uint16_t *a;   /* d */
    uint16_t *h;   /* 4 d */
    float *logits; /* 256 */
};

/* The arguments of the kernels of a step. */
struct decode_step {
    struct decode_model model;
    struct decode_cache cache;
    struct decode_rows rows;
    struct decode_scratch scratch;
    struct decode_progress *progress;
    int *tokens; /* [max_steps][row_pitch]: in step number progress->step, advance writes the row
                    with this number, if it is less than max_steps */
    int max_steps;
    int row_pitch; /* distance between the tokens of two steps; n_rows or more */
    int n_rows;
};

/* The dependency of a kernel on its predecessor in the stream. Programmatic dependencies need
   compute capability 9.0; on an older GPU all of them are DECODE_AFTER. */
enum decode_start {
    DECODE_AFTER,         /* full dependency: starts when the predecessor is complete */
    DECODE_WEIGHTS_FIRST, /* programmatic: prefetches its weights into the L2 cache, then waits for
                             the predecessor (cudaGridDependencySynchronize). attend has no weights:
                             it first reads keys and values of earlier steps. So the first kernel of
                             each step has to be DECODE_AFTER. */
    DECODE_WAIT_FIRST,    /* programmatic: waits for the predecessor before anything else */
    DECODE_NEVER_WAITS    /* programmatic, without a wait: for a kernel that is independent of all
                             earlier kernels */
};

HOST_DEVICE_FUNCTION int decode_width(const struct decode_model *m)
{
    return m->n_heads * DECODE_HEAD_SIZE;
}

/* The blocks of n positions; of the longest sequence, in each row of a block table. */
HOST_DEVICE_FUNCTION int decode_blocks_of(int n)
{
    return (n + DECODE_BLOCK - 1) / DECODE_BLOCK;
}

HOST_DEVICE_FUNCTION int decode_blocks(const struct decode_model *m)
{
    return decode_blocks_of(m->n_positions);
}

/* Sizes, in numbers: all weights; the keys (or values) of one layer; scratch memory for n_rows
   rows. */
size_t decode_weights(const struct decode_model *m);
size_t decode_layer_keys(const struct decode_model *m, const struct decode_cache *c);
size_t decode_scratch_floats(const struct decode_model *m, int n_rows);

/* Divides decode_scratch_floats floats at `memory` among the members. */
struct decode_scratch decode_scratch_at(const struct decode_model *m, float *memory, int n_rows);

/* Random weights, the same for the same seed; on the device, and in host memory. */
cudaError_t launch_decode_weights(const struct decode_model *m, unsigned seed, cudaStream_t stream);
void reference_decode_weights(const struct decode_model *m, unsigned seed, uint16_t *weights);

/* ---- the kernels of a step ------------------------------------------------------------------- */
/* As in kernels.h, they enqueue a kernel and do not wait. cudaErrorInvalidValue: a pointer is NULL,
   a size is not positive, there is no such layer; embed, attend and advance: the cache is paged. */

cudaError_t launch_decode_embed(const struct decode_step *s, enum decode_start start,
                                cudaStream_t stream);
cudaError_t launch_decode_qkv(const struct decode_step *s, int layer, enum decode_start start,
                              cudaStream_t stream);
cudaError_t launch_decode_attend(const struct decode_step *s, int layer, enum decode_start start,
                                 cudaStream_t stream);
cudaError_t launch_decode_project(const struct decode_step *s, int layer, enum decode_start start,
                                  cudaStream_t stream);
cudaError_t launch_decode_up(const struct decode_step *s, int layer, enum decode_start start,
                             cudaStream_t stream);
cudaError_t launch_decode_down(const struct decode_step *s, int layer, enum decode_start start,
                               cudaStream_t stream);
cudaError_t launch_decode_head(const struct decode_step *s, enum decode_start start,
                               cudaStream_t stream);

/* For each row that has a sequence: writes its next token to tokens and to rows.token, and adds 1
 * to position and length. If the token is the stop token, or the sequence has n_positions tokens,
 * the row becomes a row without a sequence: slot n_slots, token and position 0, length 1. For each
 * row without a sequence: writes DECODE_STOPPED to tokens. Then adds 1 to progress->step.
 *
 * loop: the handle of a WHILE node. advance ends the loop when no row has a sequence, or when
 * progress->step is progress->steps. 0: there is no loop. */
cudaError_t launch_decode_advance(const struct decode_step *s, enum decode_start start,
                                  cudaGraphConditionalHandle loop, cudaStream_t stream);

/* ---- the same in double, on the CPU ---------------------------------------------------------- */

/* The sequence of one slot; its first token is at position 0. keys and values have n_layers x
 * n_positions x d numbers, [layer][position][head][64]. A step writes one position. logits has 256
 * numbers. */
struct reference_sequence {
    double *keys, *values, *logits;
};

/* One step for one token. The weights are in host memory. */
void reference_decode_step(const struct decode_model *m, const uint16_t *weights,
                           const struct reference_sequence *sequence, int token, int position);

#ifdef __cplusplus
}
#endif
#endif
