/*
 * Lab 03: copies and kernels at the same time. See lab.h and README.md.
 */
#include <stdlib.h>

#include "check.h"
#include "kernels.h"
#include "lab.h"

/* Device buffers of one batch. */
struct set {
    float *a, *b, *c;
    cudaEvent_t done; /* recorded after a batch's last use of the set */
};

struct lab03_state {
    size_t matrix_bytes;
    struct set *sets;      /* n_buffers of them, the ring; batch i uses set i % n_buffers */
    cudaStream_t *streams; /* n_streams of them; batch i uses stream i % n_streams */
};

static cudaError_t create_set(struct set *set, size_t matrix_bytes)
{
    /* YOUR STEP 1: allocate device memory for one batch, and create the event. */
    (void)set;
    (void)matrix_bytes;
    return cudaErrorNotYetImplemented;
}

static cudaError_t destroy_set(struct set *set)
{
    /* YOUR STEP 1, too: free what create_set allocated and created. */
    (void)set;
    return cudaErrorNotYetImplemented;
}

cudaError_t lab03_setup(struct lab03 *lab)
{
    struct lab03_state *state = calloc(1, sizeof *state);
    if (!state)
        return cudaErrorMemoryAllocation;
    lab->state = state;
    state->matrix_bytes = (size_t)lab->n * lab->n * sizeof(float);
    state->sets = calloc(lab->n_buffers, sizeof *state->sets);
    state->streams = calloc(lab->n_streams, sizeof *state->streams);
    if (!state->sets || !state->streams)
        return cudaErrorMemoryAllocation;
    for (int i = 0; i < lab->n_buffers; i++)
        TRY(create_set(&state->sets[i], state->matrix_bytes));
    for (int i = 0; i < lab->n_streams; i++)
        TRY(cudaStreamCreateWithFlags(&state->streams[i], cudaStreamNonBlocking));
    return cudaSuccess;
}

/* Enqueues batch i in its stream and does not wait. */
static cudaError_t enqueue_batch(struct lab03 *lab, int i)
{
    /*
     * YOUR STEP 2: batch i in stream i % n_streams, with set i % n_buffers. Wait until the set is
     * free, copy A[i] and B[i] to the device, launch_matmul, copy C[i] back. Then record the event
     * that marks the set as free.
     */
    (void)lab;
    (void)i;
    return cudaErrorNotYetImplemented;
}

cudaError_t lab03_run(struct lab03 *lab)
{
    /* YOUR STEP 3: enqueue all batches first. Then wait for all streams. */
    TRY(enqueue_batch(lab, 0));
    return cudaErrorNotYetImplemented;
}

cudaError_t lab03_teardown(struct lab03 *lab)
{
    struct lab03_state *state = lab->state;

    for (int i = 0; i < lab->n_streams; i++)
        TRY(cudaStreamDestroy(state->streams[i]));
    for (int i = 0; i < lab->n_buffers; i++)
        TRY(destroy_set(&state->sets[i]));
    free(state->streams);
    free(state->sets);
    free(state);
    return cudaSuccess;
}
