/*
 * Lab 23: products within a memory budget. See lab.h and README.md.
 */
#include <stdlib.h>

#include "check.h"
#include "kernels.h"
#include "lab.h"

#ifdef SOLUTION
/*
 * Inputs are needed until their product is computed, a result until it is copied back. So there are
 * two rings: one of pairs (A, directly followed by B), and one of results. Each stage has a stream.
 *
 *     H2D       [ pair 0 ][ pair 1 ][ pair 0 ][ pair 1 ]
 *     compute             [ 0 -> c 0 ] [ 1 -> c 0 ] ...
 *     D2H                             [c 0]       [c 0]        -> time
 */
struct slot {
    float *at;
    cudaEvent_t filled, emptied;
};

struct ring {
    struct slot *slots;
    int n;
};

struct lab23_state {
    size_t matrix_bytes;
    float *memory; /* all of the budget */
    struct ring pairs, results;
    cudaStream_t in, compute, out;
};

/* n slots of so many floats each, one after another from `at` on. */
static cudaError_t create_ring(struct ring *ring, int n, float *at, size_t floats)
{
    *ring = (struct ring){.slots = calloc(n, sizeof *ring->slots), .n = n};
    if (!ring->slots)
        return cudaErrorMemoryAllocation;
    for (int i = 0; i < n; i++) {
        struct slot *slot = &ring->slots[i];
        slot->at = at + i * floats;
        TRY(cudaEventCreateWithFlags(&slot->filled, cudaEventDisableTiming));
        TRY(cudaEventCreateWithFlags(&slot->emptied, cudaEventDisableTiming));
    }
    return cudaSuccess;
}

static cudaError_t destroy_ring(struct ring *ring)
{
    for (int i = 0; i < ring->n; i++) {
        TRY(cudaEventDestroy(ring->slots[i].emptied));
        TRY(cudaEventDestroy(ring->slots[i].filled));
    }
    free(ring->slots);
    return cudaSuccess;
}

/* Of 5 matrices: 2 pairs and 1 result; of 8: 3 pairs and 2 results. */
static int pairs_of(int n_matrices)
{
    return (n_matrices + 1) / 3;
}

cudaError_t lab23_setup(struct lab23 *lab)
{
    struct lab23_state *state = calloc(1, sizeof *state);
    const size_t matrix = (size_t)lab->n * lab->n;
    if (!state)
        return cudaErrorMemoryAllocation;
    lab->state = state;
    state->matrix_bytes = matrix * sizeof(float);
    const int n_matrices = (int)(lab->memory_bytes / state->matrix_bytes),
              n_pairs = pairs_of(n_matrices);
    TRY(cudaMalloc((void **)&state->memory, n_matrices * state->matrix_bytes));
    TRY(create_ring(&state->pairs, n_pairs, state->memory, 2 * matrix));
    TRY(create_ring(&state->results, n_matrices - 2 * n_pairs, state->memory + 2 * n_pairs * matrix,
                    matrix));
    TRY(cudaStreamCreateWithFlags(&state->in, cudaStreamNonBlocking));
    TRY(cudaStreamCreateWithFlags(&state->compute, cudaStreamNonBlocking));
    return cudaStreamCreateWithFlags(&state->out, cudaStreamNonBlocking);
}

static cudaError_t enqueue_batch(const struct lab23 *lab, int i)
{
    struct lab23_state *state = lab->state;
    struct slot *pair = &state->pairs.slots[i % state->pairs.n],
                *result = &state->results.slots[i % state->results.n];
    const size_t bytes = state->matrix_bytes, matrix = (size_t)lab->n * lab->n;

    TRY(cudaStreamWaitEvent(state->in, pair->emptied, 0));
    TRY(cudaMemcpy2DAsync(pair->at, bytes, lab->a + i * matrix, (lab->b - lab->a) * sizeof(float),
                          bytes, 2, cudaMemcpyHostToDevice, state->in));
    TRY(cudaEventRecord(pair->filled, state->in));

    TRY(cudaStreamWaitEvent(state->compute, pair->filled, 0));
    TRY(cudaStreamWaitEvent(state->compute, result->emptied, 0));
    TRY(launch_matmul(result->at, pair->at, pair->at + matrix, lab->n, state->compute));
    TRY(cudaEventRecord(pair->emptied, state->compute));
    TRY(cudaEventRecord(result->filled, state->compute));

    TRY(cudaStreamWaitEvent(state->out, result->filled, 0));
    TRY(cudaMemcpyAsync(lab->c + i * matrix, result->at, bytes, cudaMemcpyDeviceToHost,
                        state->out));
    return cudaEventRecord(result->emptied, state->out);
}

cudaError_t lab23_run(struct lab23 *lab)
{
    for (int i = 0; i < lab->n_batches; i++)
        TRY(enqueue_batch(lab, i));
    return cudaStreamSynchronize(lab->state->out); /* each copy back comes after its batch */
}

cudaError_t lab23_teardown(struct lab23 *lab)
{
    struct lab23_state *state = lab->state;
    TRY(cudaStreamDestroy(state->out));
    TRY(cudaStreamDestroy(state->compute));
    TRY(cudaStreamDestroy(state->in));
    TRY(destroy_ring(&state->results));
    TRY(destroy_ring(&state->pairs));
    TRY(cudaFree(state->memory));
    free(state);
    return cudaSuccess;
}
#else
/*
 * The program of this file is right, and slow: it has one set of matrices and one stream. Change
 * it, or replace it.
 */
struct lab23_state {
    float *a, *b, *c;
    cudaStream_t stream;
};

cudaError_t lab23_setup(struct lab23 *lab)
{
    struct lab23_state *state = calloc(1, sizeof *state);
    const size_t bytes = (size_t)lab->n * lab->n * sizeof(float);
    if (!state)
        return cudaErrorMemoryAllocation;
    lab->state = state;
    TRY(cudaMalloc((void **)&state->a, bytes));
    TRY(cudaMalloc((void **)&state->b, bytes));
    TRY(cudaMalloc((void **)&state->c, bytes));
    return cudaStreamCreateWithFlags(&state->stream, cudaStreamNonBlocking);
}

cudaError_t lab23_run(struct lab23 *lab)
{
    struct lab23_state *state = lab->state;
    const size_t matrix = (size_t)lab->n * lab->n, bytes = matrix * sizeof(float);
    for (int i = 0; i < lab->n_batches; i++) {
        const size_t first = i * matrix;
        TRY(cudaMemcpyAsync(state->a, lab->a + first, bytes, cudaMemcpyHostToDevice,
                            state->stream));
        TRY(cudaMemcpyAsync(state->b, lab->b + first, bytes, cudaMemcpyHostToDevice,
                            state->stream));
        TRY(launch_matmul(state->c, state->a, state->b, lab->n, state->stream));
        TRY(cudaMemcpyAsync(lab->c + first, state->c, bytes, cudaMemcpyDeviceToHost,
                            state->stream));
    }
    return cudaStreamSynchronize(state->stream);
}

cudaError_t lab23_teardown(struct lab23 *lab)
{
    struct lab23_state *state = lab->state;
    TRY(cudaStreamDestroy(state->stream));
    TRY(cudaFree(state->c));
    TRY(cudaFree(state->b));
    TRY(cudaFree(state->a));
    free(state);
    return cudaSuccess;
}
#endif
