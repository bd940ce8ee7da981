/*
 * Lab 26: a pipeline that changes from call to call. See lab.h and README.md.
 */
#include <stdlib.h>

#include "check.h"
#include "kernels.h"
#include "lab.h"

/*
 * The program of this file is right, and slow: it launches each step into a stream. Change it, or
 * replace it.
 */
struct lab26_state {
    float *device;
    cudaStream_t stream;
};

cudaError_t lab26_setup(struct lab26 *lab)
{
    struct lab26_state *state = lab->state = calloc(1, sizeof *state);
    if (!state)
        return cudaErrorMemoryAllocation;
    TRY(cudaMalloc((void **)&state->device, 2 * (size_t)lab->n * sizeof(float)));
    return cudaStreamCreateWithFlags(&state->stream, cudaStreamNonBlocking);
}

cudaError_t lab26_call(struct lab26 *lab, const struct lab26_item *item)
{
    struct lab26_state *state = lab->state;
    const size_t bytes = 2 * (size_t)lab->n * sizeof(float);
    float *p = state->device, *q = p + lab->n;
    TRY(cudaMemcpyAsync(p, item->in, bytes, cudaMemcpyHostToDevice, state->stream));
    for (int i = 0; i < lab->n_steps; i++) {
        const struct lab26_step *step = &item->steps[i];
        if (step->is_on)
            TRY(launch_saxpy(i % 2 ? q : p, i % 2 ? p : q, step->weight, lab->n, state->stream));
    }
    TRY(cudaMemcpyAsync(item->out, p, bytes, cudaMemcpyDeviceToHost, state->stream));
    return cudaStreamSynchronize(state->stream);
}

cudaError_t lab26_teardown(struct lab26 *lab)
{
    struct lab26_state *state = lab->state;
    TRY(cudaStreamDestroy(state->stream));
    TRY(cudaFree(state->device));
    free(state);
    return cudaSuccess;
}
