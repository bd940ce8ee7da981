/*
 * decode.h: one step of a decoder-only transformer, kernel by kernel.
 *
 * The model reads and writes bytes. A step takes one token of each row (a row is one sequence of a
 * batch) and gives the next token of each row:
 *
 *     embed - [ qkv - attend - project - up - down ] x layers - head - advance
 *
 *     embed     x = embedding of the token + embedding of its position
 *     qkv       q, k, v = Wqkv norm(x); k and v go into the cache
 *     attend    a = the values of the row's sequence, weighted by softmax(q . key / 8), per head
 *     project   x = x + Wproject a
 *     up        h = gelu(Wup norm(x))
 *     down      x = x + Wdown h
 *     head      logits = Whead norm(x)
 *     advance   the token with the largest logit is the next one; position, length, stop
 *
 * norm(x) = x / sqrt(mean of x^2 + 1e-5), whose gains are part of the weights after it. Weights,
 * cache, a and h are bf16 (bf16.h), all else is float. d = 64 x heads, and h has 4 d floats.
 *
 * Each kernel needs the results of the kernel before it. Pointers are device memory.
 */
#ifndef DECODE_H
#define DECODE_H

#include <cuda_runtime_api.h>
#include <stddef.h>

#include "bf16.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    DECODE_TOKENS = 256,   /* of the vocabulary: bytes */
    DECODE_HEAD_SIZE = 64, /* numbers of a query, a key and a value */
    DECODE_STOPPED = -1    /* in place of a token: the row's sequence had stopped before */
};

struct decode_model {
    int n_layers, n_heads;
    int n_positions; /* of a sequence, at most */
    /* Matrices, row by row; a row has the weights of one result:
         embedding of tokens [256][d], of positions [n_positions][d]
         for each layer: qkv [3 d][d], project [d][d], up [4 d][d], down [d][4 d]
         head [256][d] */
    uint16_t *weights;
};

/* Keys and values [layer][slot][head][position][64]. A slot belongs to one sequence. One more slot,
   number n_slots, belongs to nobody: rows without a sequence read and write there. */
struct decode_cache {
    int n_slots;
    uint16_t *keys, *values;
};

/* One number for each row. In a row without a sequence they are in range, too: embed asserts that
   (cudaErrorAssert). */
struct decode_rows {
    int *token;    /* to be embedded in the next step */
    int *position; /* of that token in its sequence, from 0 on */
    int *length;   /* positions that attend reads: position + 1 */
    int *slot;     /* of the cache; n_slots: this row has no sequence, or it has stopped */
};

/* How far the steps are. */
struct decode_progress {
    int step;  /* steps done */
    int steps; /* steps that the batch asks for */
    int stop;  /* a sequence ends with this token; -1: with none */
};

/* What the kernels of a step hand on, for each row; what is multiplied with weights as it is, is
   bf16. */
struct decode_scratch {
    float *x;      /* d */
    float *q;      /* d */
    uint16_t *a;   /* d */
    uint16_t *h;   /* 4 d */
    float *logits; /* 256 */
};

/* All that a kernel gets. */
struct decode_step {
    struct decode_model model;
    struct decode_cache cache;
    struct decode_rows rows;
    struct decode_scratch scratch;
    struct decode_progress *progress;
    int *tokens; /* [max_steps][row_pitch]: advance writes those of step progress->step, if it is
                    less than max_steps */
    int max_steps;
    int row_pitch; /* tokens from one step to the next; n_rows or more */
    int n_rows;
};

/* How a kernel follows the kernel before it in the stream. All but DECODE_AFTER need a GPU of
   compute capability 9.0, and are DECODE_AFTER on an older one. */
enum decode_start {
    DECODE_AFTER,         /* full dependency: begins when the kernel before it has ended */
    DECODE_WEIGHTS_FIRST, /* programmatic: loads its weights, then waits for the kernel before it
                             (cudaGridDependencySynchronize). attend, which has no weights, reads
                             what earlier steps wrote; so the first kernel of each step has to be
                             DECODE_AFTER. */
    DECODE_WAIT_FIRST,    /* programmatic: waits for the kernel before it, then does all else */
    DECODE_NEVER_WAITS    /* programmatic, without a wait: for a kernel that needs nothing of the
                             kernels before it */
};

HOST_DEVICE_FUNCTION int decode_width(const struct decode_model *m)
{
    return m->n_heads * DECODE_HEAD_SIZE;
}

/* How many numbers: all weights; keys (or values) of one layer; scratch memory for n_rows rows. */
size_t decode_weights(const struct decode_model *m);
size_t decode_layer_keys(const struct decode_model *m, const struct decode_cache *c);
size_t decode_scratch_floats(const struct decode_model *m, int n_rows);

/* Divides that many floats of scratch memory among the members. */
struct decode_scratch decode_scratch_at(const struct decode_model *m, float *memory, int n_rows);

/* Random weights, the same for the same seed; and in host memory. */
cudaError_t launch_decode_weights(const struct decode_model *m, unsigned seed, cudaStream_t stream);
void reference_decode_weights(const struct decode_model *m, unsigned seed, uint16_t *weights);

/* ---- the kernels of a step ------------------------------------------------------------------- */
/* As in kernels.h: enqueued, not waited for. InvalidValue: a pointer is NULL or a size not
   positive, or there is no such layer. */

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

/*
 * For each row that has a sequence: its next token goes to tokens and to rows.token, position and
 * length grow by 1. If the token is the stop token, or the sequence is full, the row's slot becomes
 * n_slots, its token and position 0, its length 1. For each other row: DECODE_STOPPED goes to
 * tokens. Then progress->step grows by 1.
 *
 * loop: the handle of a WHILE node, which ends when no row has a sequence, or progress->step is
 * progress->steps. 0: none.
 */
cudaError_t launch_decode_advance(const struct decode_step *s, enum decode_start start,
                                  cudaGraphConditionalHandle loop, cudaStream_t stream);

/* ---- the same in double, on the CPU ---------------------------------------------------------- */

/*
 * The sequence of one slot: its first token is at position 0. keys and values have n_layers x
 * n_positions x d numbers, [layer][position][head][64], of which a step fills one position; logits
 * has 256.
 */
struct reference_sequence {
    double *keys, *values, *logits;
};

/* The step of one token. weights: in host memory. */
void reference_decode_step(const struct decode_model *m, const uint16_t *weights,
                           const struct reference_sequence *sequence, int token, int position);

#ifdef __cplusplus
}
#endif
#endif
