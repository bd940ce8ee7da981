/*
 * Wrong: the stages are timed with the host's clock around calls that return before the work is
 * done.
 */
#include <stdlib.h>

#include "check.h"
#include "clock.h"
#include "kernels.h"
#include "lab.h"

struct lab01_state {
    size_t matrix_bytes;
    float *dev_a, *dev_b, *dev_c; /* one batch on the device; every batch uses it again */
    cudaStream_t stream;          /* what is queued in it runs in that order */
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
    return cudaStreamCreate(&state->stream);
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

static cudaError_t run_batch(struct lab01 *lab, int i, struct lab01_times *times)
{
    struct lab01_state *state = lab->state;
    size_t bytes = state->matrix_bytes;
    size_t first = (size_t)i * lab->n * lab->n; /* where the batch begins in a, b and c */
    cudaStream_t stream = state->stream;

    double begin = clock_now_us();
    TRY(cudaMemcpyAsync(state->dev_a, lab->a + first, bytes, cudaMemcpyHostToDevice, stream));
    TRY(cudaMemcpyAsync(state->dev_b, lab->b + first, bytes, cudaMemcpyHostToDevice, stream));
    TRY(cudaStreamSynchronize(stream));
    double uploaded = clock_now_us();
    TRY(launch_matmul(state->dev_c, state->dev_a, state->dev_b, lab->n, stream));
    double computed = clock_now_us();
    TRY(cudaMemcpyAsync(lab->c + first, state->dev_c, bytes, cudaMemcpyDeviceToHost, stream));
    TRY(cudaStreamSynchronize(stream));
    double downloaded = clock_now_us();

    times->h2d_us += (float)(uploaded - begin);
    times->kernel_us += (float)(computed - uploaded);
    times->d2h_us += (float)(downloaded - computed);
    return cudaSuccess;
}

cudaError_t lab01_run(struct lab01 *lab, struct lab01_times *times)
{
    *times = (struct lab01_times){0};
    for (int i = 0; i < lab->n_batches; i++) {
        TRY(run_batch(lab, i, times));
    }
    return cudaSuccess;
}

cudaError_t lab01_teardown(struct lab01 *lab)
{
    struct lab01_state *state = lab->state;

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
