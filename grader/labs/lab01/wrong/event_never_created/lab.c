/*
 * Wrong: one event is recorded that was never created.
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
    size_t bytes = lab->n_batches * lab->state->matrix_bytes;

    /* pinned: a copy engine can work on it alone, without the host in between */
    TRY(cudaMallocHost((void **)&lab->a, bytes));
    TRY(cudaMallocHost((void **)&lab->b, bytes));
    TRY(cudaMallocHost((void **)&lab->c, bytes));
    return cudaSuccess;
}

static cudaError_t allocate_device(struct lab01_state *state)
{
    TRY(cudaMalloc((void **)&state->dev_a, state->matrix_bytes));
    TRY(cudaMalloc((void **)&state->dev_b, state->matrix_bytes));
    TRY(cudaMalloc((void **)&state->dev_c, state->matrix_bytes));
    TRY(cudaStreamCreate(&state->stream));
    TRY(cudaEventCreate(&state->begin));
    TRY(cudaEventCreate(&state->uploaded));
    TRY(cudaEventCreate(&state->downloaded));
    return cudaSuccess;
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
    struct lab01_state *state = lab->state;
    size_t bytes = state->matrix_bytes;
    size_t first = (size_t)i * lab->n * lab->n; /* where the batch begins in a, b and c */
    cudaStream_t stream = state->stream;

    TRY(cudaEventRecord(state->begin, stream));
    TRY(cudaMemcpyAsync(state->dev_a, lab->a + first, bytes, cudaMemcpyHostToDevice, stream));
    TRY(cudaMemcpyAsync(state->dev_b, lab->b + first, bytes, cudaMemcpyHostToDevice, stream));
    TRY(cudaEventRecord(state->uploaded, stream));
    TRY(launch_matmul(state->dev_c, state->dev_a, state->dev_b, lab->n, stream));
    TRY(cudaEventRecord(state->computed, stream));
    TRY(cudaMemcpyAsync(lab->c + first, state->dev_c, bytes, cudaMemcpyDeviceToHost, stream));
    return cudaEventRecord(state->downloaded, stream);
}

/* The batch is done: adds what its events say to the times of the stages. */
static cudaError_t add_times(const struct lab01_state *state, struct lab01_times *times)
{
    float h2d_ms, kernel_ms, d2h_ms;

    TRY(cudaEventElapsedTime(&h2d_ms, state->begin, state->uploaded));
    TRY(cudaEventElapsedTime(&kernel_ms, state->uploaded, state->computed));
    TRY(cudaEventElapsedTime(&d2h_ms, state->computed, state->downloaded));
    times->h2d_us += 1000 * h2d_ms;
    times->kernel_us += 1000 * kernel_ms;
    times->d2h_us += 1000 * d2h_ms;
    return cudaSuccess;
}

cudaError_t lab01_run(struct lab01 *lab, struct lab01_times *times)
{
    *times = (struct lab01_times){0};
    for (int i = 0; i < lab->n_batches; i++) {
        TRY(queue_batch(lab, i));
        TRY(cudaEventSynchronize(lab->state->downloaded)); /* only now are c and the times there */
        TRY(add_times(lab->state, times));
    }
    return cudaSuccess;
}

cudaError_t lab01_teardown(struct lab01 *lab)
{
    struct lab01_state *state = lab->state;

    TRY(cudaEventDestroy(state->begin));
    TRY(cudaEventDestroy(state->uploaded));
    TRY(cudaEventDestroy(state->downloaded));
    TRY(cudaStreamDestroy(state->stream));
    TRY(cudaFree(state->dev_a));
    TRY(cudaFree(state->dev_b));
    TRY(cudaFree(state->dev_c));
    TRY(cudaFreeHost(lab->a));
    TRY(cudaFreeHost(lab->b));
    TRY(cudaFreeHost(lab->c));
    free(state);
    return cudaSuccess;
}
