/* serve.h: a decoder step for a server. Read decode.h first: the model and most kernels are the
 * same.
 *
 *     embed - [ qkv - attend - project - up - down ] x layers - head - sample
 *
 * qkv, project, up, down and head are those of decode.h, with &step->decode. The others are here.
 *
 * A row is one token of one sequence. The rows of a step may be:
 *
 *   - the last token of a sequence that generates: its next token is sampled from the row's logits;
 *   - a token of a prompt. Consecutive tokens of a prompt may be rows of the same step, because
 *     qkv writes the keys and values of all rows before attend reads any. The last token of the
 *     prompt gives the first logits; rows before it only fill the cache;
 *   - a padding row, which has no sequence: slot n_slots, token and position 0, samples 0.
 *
 * The cache is paged (struct decode_cache). A sequence needs a block only for positions that it
 * has reached, and a free block serves any sequence.
 *
 * The arrays that change from step to step are in device memory, so a graph of a step can be
 * replayed with other rows, other sequences and other blocks. */
#ifndef SERVE_H
#define SERVE_H

#include "decode.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SERVE_LAST = -1,  /* in place of a row's token: the token that its slot has sampled last */
    SERVE_NONE = -1,  /* in tokens: this row has sampled no token */
    SERVE_SHORT = 128 /* the most positions that launch_serve_attend reads for a row */
};

/* For each slot of the cache, in device memory: the state of its sampler. */
struct serve_samplers {
    int *last;                /* the token that was sampled last; sample writes it */
    unsigned *drawn;          /* number of tokens sampled so far: 0 at first; sample adds 1 */
    unsigned long long *seed; /* seed and drawn determine the next random numbers */
    float *temperature;       /* 0: the token with the largest logit */
};

/* The arguments of the kernels of a step. Pointers are device memory; arrays without another size
   have an element for each row. */
struct serve_step {
    struct decode_step decode; /* model, cache, scratch, n_rows; of rows: token, position, slot. Its
                                  other members are not used */
    struct serve_samplers samplers;
    int *samples; /* 1: sample the token that follows this row; 0: do not */
    int *tokens;  /* sample writes the token of each row here, or SERVE_NONE */
    float *parts; /* scratch memory of launch_serve_attend_long: serve_parts_floats() */
};

/* Keys and values of one block, in all layers; number of floats in `parts` for n_rows rows. */
size_t serve_block_bytes(const struct decode_model *m);
size_t serve_parts_floats(const struct decode_model *m, int n_rows);

/* ---- kernels --------------------------------------------------------------------------------- */
/* As in decode.h: they do not wait; cudaErrorInvalidValue: a pointer is NULL, a size is not
   positive, there is no such layer, or the cache is not paged. */

/* Asserts that the numbers of each row are valid: token, position, slot, and the entry of the block
   table for this position (cudaErrorAssert). */
cudaError_t launch_serve_embed(const struct serve_step *s, enum decode_start start,
                               cudaStream_t stream);

/* Each row attends to the positions of its sequence up to its own: at most SERVE_SHORT, or the
   kernel asserts. */
cudaError_t launch_serve_attend(const struct serve_step *s, int layer, enum decode_start start,
                                cudaStream_t stream);

/* The same for sequences of any length, in two kernels: the first one divides each sequence into
 * parts of SERVE_SHORT positions, the second one combines the parts. The first kernel's grid
 * depends on the longest row. lengths: for each row, the number of positions that it reads
 * (position + 1; 1 for padding rows); an array in host memory, which the call has read when it
 * returns. cudaErrorInvalidValue: a number is below 1 or above n_positions.
 *
 * A graph would replay the grid of an earlier length. So the call refuses a capture, as libraries
 * do that choose a launch on the host: cudaErrorStreamCaptureUnsupported. */
cudaError_t launch_serve_attend_long(const struct serve_step *s, int layer, const int *lengths,
                                     cudaStream_t stream);

/* For each row with samples 1: samples a token, writes it to `tokens` and to the slot's `last`,
 * adds 1 to the slot's `drawn`, and moves the row to its next position: token SERVE_LAST, position
 * + 1. Other rows stay as they are. At most one row of a slot may have samples 1. */
cudaError_t launch_serve_sample(const struct serve_step *s, enum decode_start start,
                                cudaStream_t stream);

/* ---- the same in double, on the CPU ---------------------------------------------------------- */

/* The score of each token: the one with the largest score is sampled. score = logit if the
   temperature is 0, else logit / temperature + a random number that depends on seed, drawn and
   token (with a Gumbel distribution: so P(token) is softmax(logit / temperature)). */
void reference_serve_scores(double *scores, const double *logits, double temperature,
                            unsigned long long seed, unsigned drawn);

/* ---- the journal: which blocks a run has written, and how it has sampled --------------------- */

/* A row of a step. Rows of one step are in any order. */
struct serve_journal_entry {
    unsigned long long seed; /* of the row's slot; 0 for padding rows */
    int slot, position, block, token;
    int is_last; /* the row has SERVE_LAST, and `token` is the one that its slot sampled last */
    int n_rows;  /* of the step */
    int samples;
};

/* A row that has sampled: its position, and the numbers of its slot. */
struct serve_journal_sample {
    unsigned long long seed;
    int position;
    float temperature;
    unsigned drawn; /* before the token */
};

enum { SERVE_JOURNAL_ENTRIES = 1 << 14 };

struct serve_journal {
    int n;      /* may be more than fit */
    int n_done; /* rows that sample has been through */
    int n_samples;
    struct serve_journal_entry entries[SERVE_JOURNAL_ENTRIES];
    struct serve_journal_sample samples[SERVE_JOURNAL_ENTRIES];
};

/* From now on, launches of embed add their rows to this journal, in memory of the device or pinned,
   and launches of sample count them there, and add their samples; NULL: in none. For graders. */
void serve_set_journal(struct serve_journal *journal);

#ifdef __cplusplus
}
#endif
#endif
