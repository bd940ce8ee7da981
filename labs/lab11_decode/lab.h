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
 * kernels/decode.h has the model and the kernels. A step reads all weights and computes little. So
 * at small batch sizes its kernels are short, and launches are a large part of its time. A graph
 * replays the same kernels with the same arguments. So everything that changes from step to step
 * has to be in device memory.
 *
 * A graph has a fixed number of rows. There is one graph for each bucket (1, 2, 4, … rows). A batch
 * uses the smallest bucket with enough rows. Its other rows, the padding rows, belong to no
 * sequence. They use slot n_slots of the cache.
 *
 * Each function returns the first error it gets. The grader then stops and does not clean up.
 */
#ifndef LAB11_H
#define LAB11_H

#include "decode.h"

enum { LAB11_MAX_BUCKETS = 8 };

/* How lab11_decode enqueues its steps. */
enum lab11_how {
    LAB11_STREAM, /* a launch for each kernel */
    LAB11_GRAPH,  /* a graph launch for each step; as LAB11_STREAM if the batch has more rows than
                     the largest bucket */
    LAB11_LOOP    /* extra: one launch of a graph with a WHILE node, for all steps of the batch; the
                     loop ends early if all sequences have stopped. As LAB11_STREAM if the batch has
                     more rows than the largest bucket */
};

/* Sequences that are decoded together. The arrays have one element for each sequence, in pinned
   host memory. */
struct lab11_batch {
    int n;                    /* number of sequences, 1 to max_rows */
    int steps;                /* tokens to generate for each sequence, at most; 1 to max_steps */
    int stop;                 /* a sequence ends after this token; -1: there is no such token */
    const int *slot;          /* slots of the cache, all different */
    const int *prompt_length; /* 1 or more; prompt_length + steps is at most n_positions */
    const int *const *prompt; /* the tokens of each prompt */
};

struct lab11 {
    /* given */
    struct decode_model model; /* its weights are in device memory */
    int n_slots;               /* slots for sequences; the cache has one more, for padding rows */
    int max_rows, max_steps;
    int n_buckets;
    int buckets[LAB11_MAX_BUCKETS]; /* rows, ascending; the last may be less than max_rows */

    /* Enqueues kernels that write the keys and values of n tokens to a slot of the cache, from
       position 0 on. */
    cudaError_t (*prefill)(struct lab11 *lab, int slot, const int *tokens, int n,
                           cudaStream_t stream);

    /* The pool of scratch memory. `allocate` reuses a released piece that is large enough;
       otherwise it allocates a new one. Release each piece once. Neither function waits for the
       device. Do not call them during a capture. */
    float *(*allocate)(size_t floats);
    void (*release)(float *memory);

    /* yours, from setup to teardown; the grader inspects them */
    struct decode_cache cache;
    cudaGraph_t graphs[LAB11_MAX_BUCKETS]; /* for each bucket: one step with its number of rows */

    /* yours: whatever you keep from setup to teardown */
    struct lab11_state *state;
};

/* Not timed. Allocates the cache and all memory that steps need. Captures, instantiates and uploads
   a graph for each bucket. */
cudaError_t lab11_setup(struct lab11 *lab);

/* Enqueues the work that prepares a batch, and returns. The pointers of the batch stay valid, and
   their memory unchanged, until lab11_read returns. */
cudaError_t lab11_begin(struct lab11 *lab, const struct lab11_batch *batch);

/* Enqueues `steps` steps for the batch, and returns. With LAB11_LOOP, `steps` is batch->steps. */
cudaError_t lab11_decode(struct lab11 *lab, int steps, enum lab11_how how);

/* Copies the tokens of all steps since lab11_begin to pinned host memory, [steps][max_rows], and
   returns when the copy is complete. After the end of a sequence its tokens are DECODE_STOPPED.
   Columns that belong to no sequence may have any value. */
cudaError_t lab11_read(struct lab11 *lab, int *tokens);

/* Not timed. Frees everything. */
cudaError_t lab11_teardown(struct lab11 *lab);

#endif
