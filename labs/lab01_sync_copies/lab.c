/*
 * Lab 01: one batch at a time. See lab.h and README.md.
 */
#include <stdlib.h>

#include "check.h"
#include "kernels.h"
#include "lab.h"

struct lab01_state {
    size_t matrix_bytes;
    float *dev_a, *dev_b, *dev_c; /* one batch on the device; all batches use it */
    cudaStream_t stream;          /* runs its operations in order */

    /* before, between and after the stages of a batch, in stream order */
    cudaEvent_t begin, uploaded, computed, downloaded;
};

/* The caller and the copy engines read and write these buffers. */
static cudaError_t allocate_host(struct lab01 *lab)
{
    /*
     * YOUR STEP 1: allocate lab->a, lab->b and lab->c, n_batches matrices each, as pinned memory.
     * Put TRY() around every CUDA call.
     */
    (void)lab;
    return cudaErrorNotYetImplemented;
}

static cudaError_t allocate_device(struct lab01_state *state)
{
    /*
     * YOUR STEP 2: allocate the three device matrices, create the stream and the four events.
     * Only one batch is on the device at a time, so one matrix each is enough.
     */
    (void)state;
    return cudaErrorNotYetImplemented;
}

cudaError_t lab01_setup(struct lab01 *lab)
{
    lab->state = calloc(1, sizeof *lab->state);
    if (!lab->state)
        return cudaErrorMemoryAllocation;
    lab->state->matrix_bytes = (size_t)lab->n * lab->n * sizeof(float);
    TRY(allocate_host(lab));
    return allocate_device(lab->state);
}

/* Enqueues batch i, with an event before and after each stage, and does not wait. */
static cudaError_t enqueue_batch(struct lab01 *lab, int i)
{
    /*
     * YOUR STEP 3: in state->stream: copy A[i] and B[i] to the device, launch_matmul, copy C[i]
     * back. Record `begin` before the first copy, and one event after each stage.
     */
    (void)lab;
    (void)i;
    return cudaErrorNotYetImplemented;
}

/* Call it when the batch is complete: adds the times between its events. */
static cudaError_t add_times(const struct lab01_state *state, struct lab01_times *times)
{
    /*
     * YOUR STEP 4: add cudaEventElapsedTime of each pair of adjacent events to the three times.
     * It returns milliseconds; the times are in microseconds.
     */
    (void)state;
    (void)times;
    return cudaErrorNotYetImplemented;
}

cudaError_t lab01_run(struct lab01 *lab, struct lab01_times *times)
{
    *times = (struct lab01_times){0};
    /*
     * YOUR STEP 5: for each batch: enqueue it, wait until it is complete, add its times. Wait for
     * the operation that you enqueued last.
     */
    TRY(enqueue_batch(lab, 0));
    TRY(add_times(lab->state, times));
    return cudaErrorNotYetImplemented;
}

cudaError_t lab01_teardown(struct lab01 *lab)
{
    /* YOUR STEP 6: free everything that steps 1 and 2 allocated or created. */
    free(lab->state);
    return cudaErrorNotYetImplemented;
}
