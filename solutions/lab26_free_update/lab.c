/*
 * Lab 26: a pipeline that changes from call to call. See lab.h and README.md.
 */
#include <stdlib.h>

#include "check.h"
#include "kernels.h"
#include "lab.h"

#ifdef SOLUTION
/*
 * One executable graph with all steps. The state knows what each of its nodes does now, and a call
 * changes those that must do something else. A step that is off keeps its weight: it is compared
 * when the step is on again.
 */
struct step {
    cudaGraphNode_t node;
    struct lab26_step now; /* what the node of the executable graph does */
};

struct lab26_state {
    size_t bytes; /* of an item */
    float *device;
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec; /* from the first call on */
    cudaGraphNode_t copy_in, copy_out;
    struct step *steps;
};

/* A node after the last one. */
static cudaError_t add_step(struct lab26 *lab, int i, float weight, const cudaGraphNode_t *last)
{
    struct lab26_state *state = lab->state;
    struct step *step = &state->steps[i];
    float *p = state->device, *q = p + lab->n, *y = i % 2 ? q : p, *x = i % 2 ? p : q;
    int n = lab->n;
    const unsigned threads = 256;
    void *args[] = {&y, &x, &weight, &n};
    struct cudaKernelNodeParams params = {.func = (void *)kernel_saxpy(),
                                          .gridDim = {((unsigned)n + threads - 1) / threads, 1, 1},
                                          .blockDim = {threads, 1, 1},
                                          .kernelParams = args};
    if (last)
        return cudaGraphAddKernelNode(&step->node, state->graph, last, 1, &params);
    return cudaGraphExecKernelNodeSetParams(state->exec, step->node, &params);
}

static cudaError_t set_weight(struct lab26 *lab, int i, float weight)
{
    return add_step(lab, i, weight, NULL);
}

/* The first item's graph, with all steps on. */
static cudaError_t instantiate(struct lab26 *lab, const struct lab26_item *item)
{
    struct lab26_state *state = lab->state;
    const cudaGraphNode_t *last = &state->copy_in;
    TRY(cudaGraphAddMemcpyNode1D(&state->copy_in, state->graph, NULL, 0, state->device, item->in,
                                 state->bytes, cudaMemcpyHostToDevice));
    for (int i = 0; i < lab->n_steps; i++) {
        state->steps[i].now = (struct lab26_step){1, item->steps[i].weight};
        TRY(add_step(lab, i, item->steps[i].weight, last));
        last = &state->steps[i].node;
    }
    TRY(cudaGraphAddMemcpyNode1D(&state->copy_out, state->graph, last, 1, item->out, state->device,
                                 state->bytes, cudaMemcpyDeviceToHost));
    return cudaGraphInstantiate(&state->exec, state->graph, 0);
}

/* The executable graph does what the item asks for. */
static cudaError_t change(struct lab26 *lab, const struct lab26_item *item)
{
    struct lab26_state *state = lab->state;
    TRY(cudaGraphExecMemcpyNodeSetParams1D(state->exec, state->copy_in, state->device, item->in,
                                           state->bytes, cudaMemcpyHostToDevice));
    TRY(cudaGraphExecMemcpyNodeSetParams1D(state->exec, state->copy_out, item->out, state->device,
                                           state->bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < lab->n_steps; i++) {
        struct step *step = &state->steps[i];
        const struct lab26_step next = item->steps[i];
        if (next.is_on && next.weight != step->now.weight) {
            TRY(set_weight(lab, i, next.weight));
            step->now.weight = next.weight;
        }
        if (!next.is_on != !step->now.is_on) {
            TRY(cudaGraphNodeSetEnabled(state->exec, step->node, next.is_on != 0));
            step->now.is_on = next.is_on;
        }
    }
    return cudaSuccess;
}

cudaError_t lab26_setup(struct lab26 *lab)
{
    struct lab26_state *state = lab->state = calloc(1, sizeof *state);
    if (!state)
        return cudaErrorMemoryAllocation;
    state->bytes = 2 * (size_t)lab->n * sizeof(float);
    state->steps = calloc(lab->n_steps, sizeof *state->steps);
    if (!state->steps)
        return cudaErrorMemoryAllocation;
    TRY(cudaMalloc((void **)&state->device, state->bytes));
    TRY(cudaStreamCreateWithFlags(&state->stream, cudaStreamNonBlocking));
    return cudaGraphCreate(&state->graph, 0);
}

cudaError_t lab26_call(struct lab26 *lab, const struct lab26_item *item)
{
    struct lab26_state *state = lab->state;
    if (!state->exec)
        TRY(instantiate(lab, item));
    TRY(change(lab, item));
    TRY(cudaGraphLaunch(state->exec, state->stream));
    return cudaStreamSynchronize(state->stream);
}

cudaError_t lab26_teardown(struct lab26 *lab)
{
    struct lab26_state *state = lab->state;
    if (state->exec)
        TRY(cudaGraphExecDestroy(state->exec));
    TRY(cudaGraphDestroy(state->graph));
    TRY(cudaStreamDestroy(state->stream));
    TRY(cudaFree(state->device));
    free(state->steps);
    free(state);
    return cudaSuccess;
}
#else
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
#endif
