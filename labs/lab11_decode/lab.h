/*
 * Lab 11: a language model generates text, one token of each sequence per step.
 *
 *     begin     prompts -> KV cache                    given: lab->prefill
 *               token, position, length, slot -> device memory
 *     decode    step, step, step, …                    the same kernels with the same arguments
 *     read      tokens -> host                         once, after the last step
 *
 *     step = embed - [ qkv - attend - project - up - down ] x layers - head - advance
 *
 * kernels/decode.h has the model and the kernels. A step reads all weights and computes little, so
 * at small batch sizes its kernels are short, and launches are a large part of its time. A graph
 * replays the same kernels with the same arguments, so all that changes from step to step has to
 * be in device memory.
 *
 * A graph also has a fixed number of rows. There is one graph for each bucket (1, 2, 4, … rows). A
 * batch is decoded by the smallest bucket with enough rows. The rows that are left over belong to
 * no sequence: they use the slot of the cache that belongs to nobody.
 *
 * Every function returns the first error it meets; the grader ends there.
 */
#ifndef LAB11_H
#define LAB11_H

#include "decode.h"

enum { LAB11_MAX_BUCKETS = 8 };

/* How lab11_decode enqueues its steps. */
enum lab11_how {
    LAB11_STREAM, /* a launch for each kernel */
    LAB11_GRAPH,  /* a graph launch for each step; for more rows than the largest bucket has:
                     LAB11_STREAM */
    LAB11_LOOP    /* extra: one launch for all steps of the batch, of a graph with a WHILE node; it
                     ends early if all sequences have stopped */
};

/* Sequences that are decoded together: one number of each. Pinned host memory. */
struct lab11_batch {
    int n;                    /* sequences, 1 to max_rows */
    int steps;                /* tokens to generate for each, at most; 1 to max_steps */
    int stop;                 /* a sequence ends with this token; -1: with none */
    const int *slot;          /* of the cache: all different */
    const int *prompt_length; /* 1 or more; with `steps` together at most n_positions */
    const int *const *prompt; /* its tokens */
};

struct lab11 {
    /* given */
    struct decode_model model; /* its weights are in device memory */
    int n_slots;               /* of the cache, without the one that belongs to nobody */
    int max_rows, max_steps;
    int n_buckets;
    int buckets[LAB11_MAX_BUCKETS]; /* rows, ascending; the last may be less than max_rows */

    /* Enqueues kernels that put the first n tokens of a sequence into a slot of the cache. */
    cudaError_t (*prefill)(struct lab11 *lab, int slot, const int *tokens, int n,
                           cudaStream_t stream);

    /* The pool of scratch memory. It hands out memory that was released, if a piece is large
       enough; else it allocates a new one. It waits for nothing, and may not be called during a
       capture. */
    float *(*allocate)(size_t floats);
    void (*release)(float *memory);

    /* yours, from setup to teardown; the grader looks at them */
    struct decode_cache cache;
    cudaGraph_t graphs[LAB11_MAX_BUCKETS]; /* a step of as many rows as the bucket has */

    /* yours: whatever you keep from setup to teardown */
    struct lab11_state *state;
};

/* Not timed. Allocates the cache and all that steps need. Captures, instantiates and uploads a
   graph for each bucket. */
cudaError_t lab11_setup(struct lab11 *lab);

/* Enqueues what prepares the decoding of a batch, and returns. Its pointers stay valid until
   lab11_read returns; what they point at is not changed. */
cudaError_t lab11_begin(struct lab11 *lab, const struct lab11_batch *batch);

/* Enqueues that many steps for the batch, and returns. LAB11_LOOP: steps is that of the batch. */
cudaError_t lab11_decode(struct lab11 *lab, int steps, enum lab11_how how);

/* Copies the tokens of all steps since lab11_begin to pinned host memory, [steps][max_rows], and
   returns when they are there. After the end of a sequence: DECODE_STOPPED. Columns that belong
   to no sequence may hold anything. */
cudaError_t lab11_read(struct lab11 *lab, int *tokens);

/* Not timed. Frees everything. */
cudaError_t lab11_teardown(struct lab11 *lab);

#endif
