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
#ifdef SOLUTION
    size_t bytes = lab->n_batches * lab->state->matrix_bytes;

    /* pinned: the copy engines access it without the help of the host */
    TRY(cudaMallocHost((void **)&lab->a, bytes));
    TRY(cudaMallocHost((void **)&lab->b, bytes));
    TRY(cudaMallocHost((void **)&lab->c, bytes));
    return cudaSuccess;
#else
    /*
     * YOUR STEP 1: allocate lab->a, lab->b and lab->c, n_batches matrices each, as pinned memory.
     * Put TRY() around every CUDA call.
     */
    (void)lab;
    return cudaErrorNotYetImplemented;
#endif
}

static cudaError_t allocate_device(struct lab01_state *state)
{
#ifdef SOLUTION
    TRY(cudaMalloc((void **)&state->dev_a, state->matrix_bytes));
    TRY(cudaMalloc((void **)&state->dev_b, state->matrix_bytes));
    TRY(cudaMalloc((void **)&state->dev_c, state->matrix_bytes));
    TRY(cudaStreamCreate(&state->stream));
    TRY(cudaEventCreate(&state->begin));
    TRY(cudaEventCreate(&state->uploaded));
    TRY(cudaEventCreate(&state->computed));
    TRY(cudaEventCreate(&state->downloaded));
    return cudaSuccess;
#else
    /*
     * YOUR STEP 2: allocate the three device matrices, create the stream and the four events.
     * Only one batch is on the device at a time, so one matrix each is enough.
     */
    (void)state;
    return cudaErrorNotYetImplemented;
#endif
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
#ifdef SOLUTION
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
#else
    /*
     * YOUR STEP 3: in state->stream: copy A[i] and B[i] to the device, launch_matmul, copy C[i]
     * back. Record `begin` before the first copy, and one event after each stage.
     */
    (void)lab;
    (void)i;
    return cudaErrorNotYetImplemented;
#endif
}

/* Call it when the batch is complete: adds the times between its events. */
static cudaError_t add_times(const struct lab01_state *state, struct lab01_times *times)
{
#ifdef SOLUTION
    float h2d_ms, kernel_ms, d2h_ms;

    TRY(cudaEventElapsedTime(&h2d_ms, state->begin, state->uploaded));
    TRY(cudaEventElapsedTime(&kernel_ms, state->uploaded, state->computed));
    TRY(cudaEventElapsedTime(&d2h_ms, state->computed, state->downloaded));
    times->h2d_us += h2d_ms * 1000;
    times->kernel_us += kernel_ms * 1000;
    times->d2h_us += d2h_ms * 1000;
    return cudaSuccess;
#else
    /*
     * YOUR STEP 4: add cudaEventElapsedTime of each pair of adjacent events to the three times.
     * It returns milliseconds; the times are in microseconds.
     */
    (void)state;
    (void)times;
    return cudaErrorNotYetImplemented;
#endif
}

cudaError_t lab01_run(struct lab01 *lab, struct lab01_times *times)
{
    *times = (struct lab01_times){0};
#ifdef SOLUTION
    for (int i = 0; i < lab->n_batches; i++) {
        TRY(enqueue_batch(lab, i));
        TRY(cudaEventSynchronize(lab->state->downloaded)); /* now c and the events are complete */
        TRY(add_times(lab->state, times));
    }
    return cudaSuccess;
#else
    /*
     * YOUR STEP 5: for each batch: enqueue it, wait until it is complete, add its times. Wait for
     * the operation that you enqueued last.
     */
    TRY(enqueue_batch(lab, 0));
    TRY(add_times(lab->state, times));
    return cudaErrorNotYetImplemented;
#endif
}

cudaError_t lab01_teardown(struct lab01 *lab)
{
#ifdef SOLUTION
    struct lab01_state *state = lab->state;

    TRY(cudaEventDestroy(state->begin));
    TRY(cudaEventDestroy(state->uploaded));
    TRY(cudaEventDestroy(state->computed));
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
#else
    /* YOUR STEP 6: free everything that steps 1 and 2 allocated or created. */
    free(lab->state);
    return cudaErrorNotYetImplemented;
#endif
}
