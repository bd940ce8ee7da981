/*
 * Lab 06: a graph that is relaunched with other parameters. See lab.h and README.md.
 */
#include <stdlib.h>

#include "check.h"
#include "kernels.h"
#include "lab.h"

/* The workload in which one number changes. */
struct one {
    cudaGraph_t graph; /* kept: its node handles select the node of the exec */
    cudaGraphExec_t exec;
    cudaGraphNode_t blend;
    struct cudaKernelNodeParams params; /* of blend, as captured */
};

/* The workload with a branch. */
struct branch {
    cudaGraphExec_t exec; /* of lab->branch_graph */
    cudaGraphNode_t correct, apply;
};

struct lab06_state {
    size_t bytes;              /* n floats */
    cudaStream_t stream, side; /* both capture; graphs are launched into the first */
    cudaEvent_t fork, join;
    float *item;          /* device memory, 2 n floats: p and q */
    float *x, *u, *v, *c; /* device memory, n floats each: input, smoothed twice, correction */
    cudaGraphExec_t all;
    struct one one;
    struct branch branch;
};

cudaError_t lab06_setup(struct lab06 *lab)
{
    struct lab06_state *state = calloc(1, sizeof *state);
    if (!state)
        return cudaErrorMemoryAllocation;
    lab->state = state;
    state->bytes = lab->n * sizeof(float);
    TRY(cudaMalloc((void **)&state->item, 2 * state->bytes));
    TRY(cudaMalloc((void **)&state->x, state->bytes));
    TRY(cudaMalloc((void **)&state->u, state->bytes));
    TRY(cudaMalloc((void **)&state->v, state->bytes));
    TRY(cudaMalloc((void **)&state->c, state->bytes));
    TRY(cudaStreamCreateWithFlags(&state->stream, cudaStreamNonBlocking));
    TRY(cudaStreamCreateWithFlags(&state->side, cudaStreamNonBlocking));
    TRY(cudaEventCreateWithFlags(&state->fork, cudaEventDisableTiming));
    return cudaEventCreateWithFlags(&state->join, cudaEventDisableTiming);
}

/* Launches the graph and waits until it is complete. */
static cudaError_t launch(struct lab06_state *state, cudaGraphExec_t exec)
{
    TRY(cudaGraphLaunch(exec, state->stream));
    return cudaStreamSynchronize(state->stream);
}

/* ---- everything changes ---------------------------------------------------------------------- */

/* Enqueues the work of an item. */
static cudaError_t enqueue_item(struct lab06 *lab, const struct lab06_item *item)
{
    struct lab06_state *state = lab->state;
    float *half[] = {state->item, state->item + lab->n};

    TRY(cudaMemcpyAsync(state->item, item->in, 2 * state->bytes, cudaMemcpyHostToDevice,
                        state->stream));
    for (int k = 0; k < item->n_steps; k++)
        TRY(launch_saxpy(half[k % 2], half[(k + 1) % 2], item->weights[k], lab->n, state->stream));
    return cudaMemcpyAsync(item->out, state->item, 2 * state->bytes, cudaMemcpyDeviceToHost,
                           state->stream);
}

/* Makes state->all execute the graph: by an update if possible, else by an instantiation. */
static cudaError_t update_all(struct lab06_state *state, cudaGraph_t graph)
{
    /*
     * YOUR STEP 2: the first call has nothing to update: instantiate. Later calls use
     * cudaGraphExecUpdate. If the number of nodes differs, which error does it return, and how do
     * you continue?
     */
    (void)state;
    (void)graph;
    return cudaErrorNotYetImplemented;
}

cudaError_t lab06_all(struct lab06 *lab, const struct lab06_item *item)
{
    /* YOUR STEP 1: capture enqueue_item, pass the graph to update_all, launch. */
    (void)update_all;
    (void)enqueue_item;
    (void)launch;
    (void)lab;
    (void)item;
    return cudaErrorNotYetImplemented;
}

/* ---- one number changes ---------------------------------------------------------------------- */

/* Enqueues n_smooth smoothing kernels. The first reads x, the last one writes *result. */
static cudaError_t enqueue_smooth(struct lab06 *lab, float **result)
{
    struct lab06_state *state = lab->state;
    float *turn[] = {state->u, state->v}, *from = state->x;

    for (int k = 0; k < lab->n_smooth; k++) {
        TRY(launch_consume(turn[k % 2], from, lab->n, state->stream));
        from = turn[k % 2];
    }
    *result = from;
    return cudaSuccess;
}

/* The last captured node of the stream: the next captured node would depend on it. */
static cudaError_t last_node(cudaStream_t stream, cudaGraphNode_t *node)
{
    /* YOUR STEP 3: cudaStreamGetCaptureInfo returns the nodes that the next node will depend on
       (README.md has the call). If it is not exactly one node, return an error. */
    (void)stream;
    (void)node;
    return cudaErrorNotYetImplemented;
}

static cudaError_t create_one(struct lab06 *lab)
{
    struct lab06_state *state = lab->state;
    struct one *one = &state->one;
    float *y;

    TRY(cudaStreamBeginCapture(state->stream, cudaStreamCaptureModeThreadLocal));
    TRY(cudaMemcpyAsync(state->x, lab->in, state->bytes, cudaMemcpyHostToDevice, state->stream));
    TRY(enqueue_smooth(lab, &y));
    TRY(launch_saxpy(y, state->x, 0.0f, lab->n, state->stream));
    TRY(last_node(state->stream, &one->blend));
    TRY(cudaMemcpyAsync(lab->result, y, state->bytes, cudaMemcpyDeviceToHost, state->stream));
    TRY(cudaStreamEndCapture(state->stream, &one->graph));
    TRY(cudaGraphKernelNodeGetParams(one->blend, &one->params));
    return cudaGraphInstantiate(&one->exec, one->graph, 0);
}

cudaError_t lab06_one(struct lab06 *lab, float weight)
{
    struct one *one = &lab->state->one;

    if (!one->exec)
        TRY(create_one(lab));
    /*
     * YOUR STEP 4: set the new weight in the exec's blend node, then launch. one->params holds the
     * captured parameters: which of its kernelParams stay, and which one changes?
     */
    (void)weight;
    return cudaErrorNotYetImplemented;
}

/* ---- a branch is on or off ------------------------------------------------------------------- */

static cudaError_t create_branch(struct lab06 *lab)
{
    /*
     * YOUR STEP 5: capture both branches and instantiate. The side stream forks after the copy in
     * and has launch_produce from x to c, with lab->correct_steps steps (kernels.h has the order
     * of its arguments). The stream has enqueue_smooth. After the join, launch_saxpy adds
     * strength * c to the smoothed values; then comes the copy back. The graph is
     * lab->branch_graph. Which node handles do you need later?
     */
    (void)lab;
    return cudaErrorNotYetImplemented;
}

cudaError_t lab06_branch(struct lab06 *lab, int corrected)
{
    struct branch *branch = &lab->state->branch;

    if (!branch->exec)
        TRY(create_branch(lab));
    /* YOUR STEP 6: enable or disable the right nodes, then launch. */
    (void)corrected;
    return cudaErrorNotYetImplemented;
}

/* ---- the end --------------------------------------------------------------------------------- */

static cudaError_t destroy(cudaGraph_t graph, cudaGraphExec_t exec)
{
    if (exec)
        TRY(cudaGraphExecDestroy(exec));
    return graph ? cudaGraphDestroy(graph) : cudaSuccess;
}

cudaError_t lab06_teardown(struct lab06 *lab)
{
    struct lab06_state *state = lab->state;

    TRY(destroy(NULL, state->all));
    TRY(destroy(state->one.graph, state->one.exec));
    TRY(destroy(lab->branch_graph, state->branch.exec));
    TRY(cudaEventDestroy(state->join));
    TRY(cudaEventDestroy(state->fork));
    TRY(cudaStreamDestroy(state->side));
    TRY(cudaStreamDestroy(state->stream));
    TRY(cudaFree(state->c));
    TRY(cudaFree(state->v));
    TRY(cudaFree(state->u));
    TRY(cudaFree(state->x));
    TRY(cudaFree(state->item));
    free(state);
    return cudaSuccess;
}
