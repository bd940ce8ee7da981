/*
 * Lab 01: one batch after the other. See lab.h and README.md.
 */
#include <stdlib.h>

#include "check.h"
#include "kernels.h"
#include "lab.h"

struct lab01_state {
    size_t matrix_bytes;
    float *dev_a, *dev_b, *dev_c; /* one batch on the device; every batch uses it again */
    cudaStream_t stream;          /* what is queued in it runs in that order */

    /* the borders between the stages of a batch, in the order in which the stream reaches them */
    cudaEvent_t begin, uploaded, computed, downloaded;
};

/* The caller fills and reads these; the copy engines must be able to as well. */
static cudaError_t allocate_host(struct lab01 *lab)
{
    /*
     * YOUR STEP 1: allocate lab->a, lab->b and lab->c, n_batches matrices each. With malloc the
     * results would be right, but see what the report says then. TRY() goes around every CUDA call.
     */
    (void)lab;
    return cudaErrorNotYetImplemented;
}

static cudaError_t allocate_device(struct lab01_state *state)
{
    /*
     * YOUR STEP 2: allocate the three device matrices, create the stream and the four events.
     * One batch is on the device at a time, so one matrix each is enough.
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

/* Puts batch i in the stream, with an event at every border, and does not wait. */
static cudaError_t queue_batch(struct lab01 *lab, int i)
{
    /*
     * YOUR STEP 3: in state->stream: A[i] and B[i] to the device, launch_matmul, C[i] back. Record
     * begin before the first of them and one event behind each stage.
     */
    (void)lab;
    (void)i;
    return cudaErrorNotYetImplemented;
}

/* The batch is done: adds what its events say to the times of the stages. */
static cudaError_t add_times(const struct lab01_state *state, struct lab01_times *times)
{
    /*
     * YOUR STEP 4: cudaEventElapsedTime between neighbouring events, added to the three times.
     * It answers in milliseconds; the times are microseconds.
     */
    (void)state;
    (void)times;
    return cudaErrorNotYetImplemented;
}

cudaError_t lab01_run(struct lab01 *lab, struct lab01_times *times)
{
    *times = (struct lab01_times){0};
    /*
     * YOUR STEP 5: for every batch: queue it, wait until it is done, add its times.
     * What to wait for? The last thing that you queued.
     */
    TRY(queue_batch(lab, 0));
    TRY(add_times(lab->state, times));
    return cudaErrorNotYetImplemented;
}

cudaError_t lab01_teardown(struct lab01 *lab)
{
    /* YOUR STEP 6: give back all that steps 1 and 2 took. */
    free(lab->state);
    return cudaErrorNotYetImplemented;
}
