/*
 * Lab 23: products within a memory budget. See lab.h and README.md.
 */
#include <stdlib.h>

#include "check.h"
#include "kernels.h"
#include "lab.h"

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
