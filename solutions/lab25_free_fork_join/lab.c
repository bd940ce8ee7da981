/*
 * Lab 25: products within a memory budget, in one graph. See lab.h and README.md.
 */
#include <stdlib.h>

#include "check.h"
#include "kernels.h"
#include "lab.h"

#ifdef SOLUTION
/*
 * A matrix of device memory may hold an input now and a result later. So there is one queue of
 * matrices: those that are unused, or will be, in that order. Each stage has a stream. With five
 * matrices 0 to 4:
 *
 *     H2D       [A 0][B 1]    [A 3][B 4]    [A 1][B 2]    ...
 *     compute             [ C 2 ]        [ C 0 ]      [ C 3 ]
 *     D2H                        [C 2]         [C 0]         -> time
 *
 * Matrices 0 and 1 are unused after the first kernel, and matrix 2 after the first copy back.
 */
struct matrix {
    float *at;
    cudaEvent_t unused; /* recorded after its last use */
};

struct lab25_state {
    size_t matrix_bytes;
    float *memory; /* all of the budget */
    struct matrix *queue;
    size_t n_matrices, n_taken, n_returned;
    cudaEvent_t filled, computed, joined;
    cudaStream_t in, compute, out;
};

/* The first matrix of the queue. Work that the stream gets from now on may write to it. */
static cudaError_t take(struct lab25_state *state, struct matrix *matrix, cudaStream_t stream)
{
    *matrix = state->queue[state->n_taken++ % state->n_matrices];
    return cudaStreamWaitEvent(stream, matrix->unused, 0);
}

/* To the end of the queue, after its last use in the stream. */
static cudaError_t put_back(struct lab25_state *state, struct matrix matrix, cudaStream_t stream)
{
    state->queue[state->n_returned++ % state->n_matrices] = matrix;
    return cudaEventRecord(matrix.unused, stream);
}

/*
 * Copies both inputs of batch i. One call for both is faster. But then the copy of A also waits for
 * the matrix of B, so two calls are faster if there is memory for less than two batches.
 */
static cudaError_t copy_inputs(const struct lab25 *lab, int i, struct matrix *a, struct matrix *b)
{
    struct lab25_state *state = lab->state;
    const size_t bytes = state->matrix_bytes, first = i * bytes / sizeof(float);
    if (state->n_matrices < 6) {
        TRY(take(state, a, state->in));
        TRY(cudaMemcpyAsync(a->at, lab->a + first, bytes, cudaMemcpyHostToDevice, state->in));
        TRY(take(state, b, state->in));
        return cudaMemcpyAsync(b->at, lab->b + first, bytes, cudaMemcpyHostToDevice, state->in);
    }
    TRY(take(state, a, state->in));
    TRY(take(state, b, state->in));
    if (b->at < a->at) { /* the rows of a copy are in the order of their addresses */
        const struct matrix other = *a;
        *a = *b;
        *b = other;
    }
    return cudaMemcpy2DAsync(a->at, (b->at - a->at) * sizeof(float), lab->a + first,
                             (lab->b - lab->a) * sizeof(float), bytes, 2, cudaMemcpyHostToDevice,
                             state->in);
}

static cudaError_t enqueue_batch(const struct lab25 *lab, int i)
{
    struct lab25_state *state = lab->state;
    const size_t bytes = state->matrix_bytes;
    struct matrix a, b, c;

    TRY(copy_inputs(lab, i, &a, &b));
    TRY(cudaEventRecord(state->filled, state->in));

    TRY(take(state, &c, state->compute));
    TRY(cudaStreamWaitEvent(state->compute, state->filled, 0));
    TRY(launch_matmul(c.at, a.at, b.at, lab->n, state->compute));
    TRY(put_back(state, a, state->compute));
    TRY(put_back(state, b, state->compute));
    TRY(cudaEventRecord(state->computed, state->compute));

    TRY(cudaStreamWaitEvent(state->out, state->computed, 0));
    TRY(cudaMemcpyAsync(lab->c + i * bytes / sizeof(float), c.at, bytes, cudaMemcpyDeviceToHost,
                        state->out));
    return put_back(state, c, state->out);
}

/* The first wait for `filled` forks compute, the first one for `computed` forks out. */
static cudaError_t capture(struct lab25 *lab)
{
    struct lab25_state *state = lab->state;
    TRY(cudaStreamBeginCapture(state->in, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < lab->n_batches; i++)
        TRY(enqueue_batch(lab, i));
    TRY(cudaEventRecord(state->joined, state->out)); /* the last copy back: after all kernels */
    TRY(cudaStreamWaitEvent(state->in, state->joined, 0));
    return cudaStreamEndCapture(state->in, &lab->graph);
}

cudaError_t lab25_setup(struct lab25 *lab)
{
    struct lab25_state *state = calloc(1, sizeof *state);
    const size_t matrix = (size_t)lab->n * lab->n;
    if (!state)
        return cudaErrorMemoryAllocation;
    lab->state = state;
    state->matrix_bytes = matrix * sizeof(float);
    state->n_matrices = lab->memory_bytes / state->matrix_bytes;
    state->queue = calloc(state->n_matrices, sizeof *state->queue);
    if (!state->queue)
        return cudaErrorMemoryAllocation;
    TRY(cudaMalloc((void **)&state->memory, state->n_matrices * state->matrix_bytes));
    for (size_t i = 0; i < state->n_matrices; i++) {
        state->queue[i].at = state->memory + i * matrix;
        TRY(cudaEventCreateWithFlags(&state->queue[i].unused, cudaEventDisableTiming));
    }
    TRY(cudaEventCreateWithFlags(&state->filled, cudaEventDisableTiming));
    TRY(cudaEventCreateWithFlags(&state->computed, cudaEventDisableTiming));
    TRY(cudaEventCreateWithFlags(&state->joined, cudaEventDisableTiming));
    TRY(cudaStreamCreateWithFlags(&state->in, cudaStreamNonBlocking));
    TRY(cudaStreamCreateWithFlags(&state->compute, cudaStreamNonBlocking));
    TRY(cudaStreamCreateWithFlags(&state->out, cudaStreamNonBlocking));
    return capture(lab);
}

cudaError_t lab25_teardown(struct lab25 *lab)
{
    struct lab25_state *state = lab->state;
    TRY(cudaGraphDestroy(lab->graph));
    TRY(cudaStreamDestroy(state->out));
    TRY(cudaStreamDestroy(state->compute));
    TRY(cudaStreamDestroy(state->in));
    TRY(cudaEventDestroy(state->joined));
    TRY(cudaEventDestroy(state->computed));
    TRY(cudaEventDestroy(state->filled));
    for (size_t i = 0; i < state->n_matrices; i++)
        TRY(cudaEventDestroy(state->queue[i].unused));
    TRY(cudaFree(state->memory));
    free(state->queue);
    free(state);
    return cudaSuccess;
}
#else
/*
 * The program of this file is right, and slow: its graph is a chain, with one set of matrices.
 * Change it, or replace it.
 */
struct lab25_state {
    float *a, *b, *c;
    cudaStream_t stream;
};

static cudaError_t capture(struct lab25 *lab)
{
    struct lab25_state *state = lab->state;
    const size_t matrix = (size_t)lab->n * lab->n, bytes = matrix * sizeof(float);
    TRY(cudaStreamBeginCapture(state->stream, cudaStreamCaptureModeThreadLocal));
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
    return cudaStreamEndCapture(state->stream, &lab->graph);
}

cudaError_t lab25_setup(struct lab25 *lab)
{
    struct lab25_state *state = calloc(1, sizeof *state);
    const size_t bytes = (size_t)lab->n * lab->n * sizeof(float);
    if (!state)
        return cudaErrorMemoryAllocation;
    lab->state = state;
    TRY(cudaMalloc((void **)&state->a, bytes));
    TRY(cudaMalloc((void **)&state->b, bytes));
    TRY(cudaMalloc((void **)&state->c, bytes));
    TRY(cudaStreamCreateWithFlags(&state->stream, cudaStreamNonBlocking));
    return capture(lab);
}

cudaError_t lab25_teardown(struct lab25 *lab)
{
    struct lab25_state *state = lab->state;
    TRY(cudaGraphDestroy(lab->graph));
    TRY(cudaStreamDestroy(state->stream));
    TRY(cudaFree(state->c));
    TRY(cudaFree(state->b));
    TRY(cudaFree(state->a));
    free(state);
    return cudaSuccess;
}
#endif
