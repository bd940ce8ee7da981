/*
 * Lab 05: fork, branches, join: all batches in one graph. See lab.h and README.md.
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

struct lab05_state {
    size_t matrix_bytes;
    struct set *sets;      /* n_buffers of them, the ring; batch i uses set i % n_buffers */
    cudaStream_t *streams; /* n_streams of them; batch i uses stream i % n_streams. The first is
                              the capture's origin; the graph is launched into it */
    cudaEvent_t forked;    /* recorded in the origin, after the graph's first node */
    cudaEvent_t joined;    /* recorded in each other stream, after its last operation */
    cudaGraphExec_t exec;
};

static cudaError_t create_set(struct set *set, size_t matrix_bytes)
{
    /* YOUR STEP 1: as in your lab 03. */
    (void)set;
    (void)matrix_bytes;
    return cudaErrorNotYetImplemented;
}

static cudaError_t destroy_set(struct set *set)
{
    /* YOUR STEP 1, too: as in your lab 03. */
    (void)set;
    return cudaErrorNotYetImplemented;
}

static cudaError_t capture(struct lab05 *lab);

cudaError_t lab05_setup(struct lab05 *lab)
{
    struct lab05_state *state = calloc(1, sizeof *state);
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
    TRY(cudaEventCreateWithFlags(&state->forked, cudaEventDisableTiming));
    TRY(cudaEventCreateWithFlags(&state->joined, cudaEventDisableTiming));
    TRY(capture(lab));
    return cudaGraphInstantiate(&state->exec, lab->graph, 0);
}

/* Enqueues batch i in its stream and does not wait. During capture, its operations become nodes. */
static cudaError_t enqueue_batch(struct lab05 *lab, int i)
{
    /* YOUR STEP 1, too: as in your lab 03; struct lab03 becomes struct lab05. */
    (void)lab;
    (void)i;
    return cudaErrorNotYetImplemented;
}

/* The other streams join the capture: their next operations depend on the origin's last one. */
static cudaError_t fork_streams(struct lab05 *lab)
{
    /* YOUR STEP 2: one record in the origin, and a wait in every other stream. */
    (void)lab;
    return cudaErrorNotYetImplemented;
}

/* The origin's next operation depends on the last operation of every stream. */
static cudaError_t join_streams(struct lab05 *lab)
{
    /* YOUR STEP 3: for every other stream, a record in it and a wait in the origin. */
    (void)lab;
    return cudaErrorNotYetImplemented;
}

static cudaError_t capture(struct lab05 *lab)
{
    /*
     * YOUR STEP 4: between cudaStreamBeginCapture and cudaStreamEndCapture, both for the origin:
     * set the status byte (lab.h), fork, enqueue all batches, join, set the status byte.
     */
    TRY(fork_streams(lab));
    TRY(enqueue_batch(lab, 0));
    TRY(join_streams(lab));
    return cudaErrorNotYetImplemented;
}

cudaError_t lab05_run(struct lab05 *lab)
{
    /* YOUR STEP 5: launch the graph into the origin, and wait. */
    (void)lab;
    return cudaErrorNotYetImplemented;
}

cudaError_t lab05_teardown(struct lab05 *lab)
{
    struct lab05_state *state = lab->state;

    TRY(cudaGraphExecDestroy(state->exec));
    TRY(cudaGraphDestroy(lab->graph));
    TRY(cudaEventDestroy(state->joined));
    TRY(cudaEventDestroy(state->forked));
    for (int i = 0; i < lab->n_streams; i++)
        TRY(cudaStreamDestroy(state->streams[i]));
    for (int i = 0; i < lab->n_buffers; i++)
        TRY(destroy_set(&state->sets[i]));
    free(state->streams);
    free(state->sets);
    free(state);
    return cudaSuccess;
}
