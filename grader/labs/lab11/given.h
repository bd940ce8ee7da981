/* given.h: what a submission of lab 11 is given: the pool of scratch memory, and prefill. */
#pragma once

#include <stdbool.h>

#include "labs/lab11_decode/lab.h"

/* Members allocate, release and prefill of the lab, whose numbers are set. */
cudaError_t given_create(struct lab11 *lab);
cudaError_t given_destroy(void);

/* What prefill gives its kernels, without rows. */
struct decode_step given_step(const struct lab11 *lab);

/* Enqueues the kernels of a step up to its last layer. */
cudaError_t given_layers(const struct decode_step *step, cudaStream_t stream);

/* prefill's calls are noted from now on. The first row of the batch whose prompt was not put into
   its slot, but for its last token; -1: there is none. */
void given_prefill_forget(void);
int given_prefill_missing(const struct lab11_batch *batch);
/* Has prefill got the last token of a prompt, too, or a slot of no sequence? */
bool given_prefills_more(const struct lab11_batch *batch);

struct given_pool {
    double floats;       /* allocated from the device */
    double pieces;       /* the most in use at the same time */
    double bad_releases; /* of memory that was not in use */
};
struct given_pool given_pool(void);
