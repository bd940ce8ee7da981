/*
 * Lab 25: products within a memory budget, in one graph. See lab.h and README.md.
 */
#include <stdlib.h>

#include "check.h"
#include "kernels.h"
#include "lab.h"

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
