/*
 * Wrong: only the first stream is waited for, as if it were the last to be done.
 */
#include <stdlib.h>

#include "check.h"
#include "kernels.h"
#include "lab.h"

/* What one batch needs on the device. */
struct set {
    float *a, *b, *c;
    cudaEvent_t done; /* recorded behind a batch's last use of the set */
};

struct lab03_state {
    size_t matrix_bytes;
    struct set *sets;      /* n_buffers of them, the ring; batch i uses set i % n_buffers */
    cudaStream_t *streams; /* n_streams of them; batch i uses stream i % n_streams */
};

static cudaError_t create_set(struct set *set, size_t matrix_bytes)
{
    TRY(cudaMalloc((void **)&set->a, matrix_bytes));
    TRY(cudaMalloc((void **)&set->b, matrix_bytes));
    TRY(cudaMalloc((void **)&set->c, matrix_bytes));
    return cudaEventCreateWithFlags(&set->done, cudaEventDisableTiming);
}

static cudaError_t destroy_set(struct set *set)
{
    TRY(cudaEventDestroy(set->done));
    TRY(cudaFree(set->c));
    TRY(cudaFree(set->b));
    return cudaFree(set->a);
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

/* Puts batch i in its stream and does not wait. */
static cudaError_t queue_batch(struct lab03 *lab, int i)
{
    struct lab03_state *state = lab->state;
    struct set *set = &state->sets[i % lab->n_buffers];
    cudaStream_t stream = state->streams[i % lab->n_streams];
    size_t bytes = state->matrix_bytes;
    size_t first = (size_t)i * lab->n * lab->n; /* where the batch begins in a, b and c */

    /* the batch that had the set before may have been given to another stream */
    TRY(cudaStreamWaitEvent(stream, set->done, 0));
    TRY(cudaMemcpyAsync(set->a, lab->a + first, bytes, cudaMemcpyHostToDevice, stream));
    TRY(cudaMemcpyAsync(set->b, lab->b + first, bytes, cudaMemcpyHostToDevice, stream));
    TRY(launch_matmul(set->c, set->a, set->b, lab->n, stream));
    TRY(cudaMemcpyAsync(lab->c + first, set->c, bytes, cudaMemcpyDeviceToHost, stream));
    return cudaEventRecord(set->done, stream);
}

cudaError_t lab03_run(struct lab03 *lab)
{
    for (int i = 0; i < lab->n_batches; i++)
        TRY(queue_batch(lab, i));
    return cudaStreamSynchronize(lab->state->streams[0]);
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
