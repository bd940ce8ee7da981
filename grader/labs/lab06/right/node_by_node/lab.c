/*
 * Right in another way: an item of the same length sets the parameters of every node one by one,
 * without a capture; one number is set by the call for nodes of any kind; the branch is switched
 * only when it changes.
 */
#include <stdlib.h>

#include "check.h"
#include "kernels.h"
#include "lab.h"

/* The workload in which everything changes. */
struct all {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t in, *kernels, out; /* n_steps kernels */
    int n_steps;
};

/* The workload in which one number changes. */
struct one {
    cudaGraph_t graph; /* kept: its nodes are the names by which the exec is changed */
    cudaGraphExec_t exec;
    cudaGraphNode_t blend;
    struct cudaKernelNodeParams params; /* of blend, as captured */
};

/* The workload with a branch. */
struct branch {
    cudaGraphExec_t exec; /* of lab->branch_graph */
    cudaGraphNode_t correct, apply;
    int on;
};

struct lab06_state {
    size_t bytes;              /* n floats */
    cudaStream_t stream, side; /* graphs are launched into the first; both serve to capture */
    cudaEvent_t fork, join;
    float *item;          /* device memory, 2 n floats: p and q */
    float *x, *u, *v, *c; /* device memory, n floats each: input, smoothed twice, correction */
    struct all all;
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

/* Launches the graph and waits for what it computes. */
static cudaError_t launch(struct lab06_state *state, cudaGraphExec_t exec)
{
    TRY(cudaGraphLaunch(exec, state->stream));
    return cudaStreamSynchronize(state->stream);
}

/* ---- everything changes ---------------------------------------------------------------------- */

/* The node that was captured last in the stream: the one that the next work would wait for. */
static cudaError_t last_node(cudaStream_t stream, cudaGraphNode_t *node)
{
    enum cudaStreamCaptureStatus status;
    const cudaGraphNode_t *frontier;
    size_t n;

    TRY(cudaStreamGetCaptureInfo(stream, &status, NULL, NULL, &frontier, NULL, &n));
    if (status != cudaStreamCaptureStatusActive || n != 1)
        return cudaErrorInvalidValue;
    *node = frontier[0];
    return cudaSuccess;
}

static cudaError_t destroy(cudaGraph_t graph, cudaGraphExec_t exec)
{
    if (exec)
        TRY(cudaGraphExecDestroy(exec));
    return graph ? cudaGraphDestroy(graph) : cudaSuccess;
}

static cudaError_t create_all(struct lab06 *lab, const struct lab06_item *item)
{
    struct lab06_state *state = lab->state;
    struct all *all = &state->all;
    cudaStream_t stream = state->stream;
    float *half[] = {state->item, state->item + lab->n};
    size_t bytes = 2 * state->bytes;

    free(all->kernels);
    all->kernels = calloc(item->n_steps, sizeof *all->kernels);
    if (!all->kernels)
        return cudaErrorMemoryAllocation;
    all->n_steps = item->n_steps;
    TRY(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    TRY(cudaMemcpyAsync(state->item, item->in, bytes, cudaMemcpyHostToDevice, stream));
    TRY(last_node(stream, &all->in));
    for (int k = 0; k < item->n_steps; k++) {
        TRY(launch_saxpy(half[k % 2], half[(k + 1) % 2], item->weights[k], lab->n, stream));
        TRY(last_node(stream, &all->kernels[k]));
    }
    TRY(cudaMemcpyAsync(item->out, state->item, bytes, cudaMemcpyDeviceToHost, stream));
    TRY(last_node(stream, &all->out));
    TRY(cudaStreamEndCapture(stream, &all->graph));
    return cudaGraphInstantiate(&all->exec, all->graph, 0);
}

static cudaError_t set_all(struct lab06_state *state, const struct lab06_item *item)
{
    struct all *all = &state->all;
    size_t bytes = 2 * state->bytes;

    TRY(cudaGraphExecMemcpyNodeSetParams1D(all->exec, all->in, state->item, item->in, bytes,
                                           cudaMemcpyHostToDevice));
    for (int k = 0; k < item->n_steps; k++) {
        struct cudaKernelNodeParams params;
        float weight = item->weights[k];
        TRY(cudaGraphKernelNodeGetParams(all->kernels[k], &params));
        void *args[] = {params.kernelParams[0], params.kernelParams[1], &weight,
                        params.kernelParams[3]};
        params.kernelParams = args;
        TRY(cudaGraphExecKernelNodeSetParams(all->exec, all->kernels[k], &params));
    }
    return cudaGraphExecMemcpyNodeSetParams1D(all->exec, all->out, item->out, state->item, bytes,
                                              cudaMemcpyDeviceToHost);
}

cudaError_t lab06_all(struct lab06 *lab, const struct lab06_item *item)
{
    struct all *all = &lab->state->all;

    if (all->exec && all->n_steps == item->n_steps) {
        TRY(set_all(lab->state, item));
    } else {
        TRY(destroy(all->graph, all->exec));
        TRY(create_all(lab, item));
    }
    return launch(lab->state, all->exec);
}

/* ---- one number changes ---------------------------------------------------------------------- */

/* Puts n_smooth smoothing kernels into the stream, from x on; the last one writes *result. */
static cudaError_t queue_smooth(struct lab06 *lab, float **result)
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

static cudaError_t create_one(struct lab06 *lab)
{
    struct lab06_state *state = lab->state;
    struct one *one = &state->one;
    float *y;

    TRY(cudaStreamBeginCapture(state->stream, cudaStreamCaptureModeThreadLocal));
    TRY(cudaMemcpyAsync(state->x, lab->in, state->bytes, cudaMemcpyHostToDevice, state->stream));
    TRY(queue_smooth(lab, &y));
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
    /* the parameters of the kernel are those of launch_saxpy: y, x, alpha, n */
    void **captured = one->params.kernelParams;
    void *args[] = {captured[0], captured[1], &weight, captured[3]};
    struct cudaGraphNodeParams params = {.type = cudaGraphNodeTypeKernel};
    params.kernel.func = one->params.func;
    params.kernel.gridDim = one->params.gridDim;
    params.kernel.blockDim = one->params.blockDim;
    params.kernel.sharedMemBytes = one->params.sharedMemBytes;
    params.kernel.kernelParams = args;
    TRY(cudaGraphExecNodeSetParams(one->exec, one->blend, &params));
    return launch(lab->state, one->exec);
}

/* ---- a branch is on or off ------------------------------------------------------------------- */

static cudaError_t create_branch(struct lab06 *lab)
{
    struct lab06_state *state = lab->state;
    struct branch *branch = &state->branch;
    cudaStream_t stream = state->stream, side = state->side;
    float *y;

    TRY(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    TRY(cudaMemcpyAsync(state->x, lab->in, state->bytes, cudaMemcpyHostToDevice, stream));
    TRY(cudaEventRecord(state->fork, stream));
    TRY(cudaStreamWaitEvent(side, state->fork, 0));
    TRY(launch_produce(state->c, state->x, lab->correct_steps, lab->n, side));
    TRY(last_node(side, &branch->correct));
    TRY(cudaEventRecord(state->join, side));
    TRY(queue_smooth(lab, &y));
    TRY(cudaStreamWaitEvent(stream, state->join, 0));
    TRY(launch_saxpy(y, state->c, lab->strength, lab->n, stream));
    TRY(last_node(stream, &branch->apply));
    TRY(cudaMemcpyAsync(lab->result, y, state->bytes, cudaMemcpyDeviceToHost, stream));
    TRY(cudaStreamEndCapture(stream, &lab->branch_graph));
    branch->on = 1; /* every node begins enabled */
    return cudaGraphInstantiate(&branch->exec, lab->branch_graph, 0);
}

cudaError_t lab06_branch(struct lab06 *lab, int corrected)
{
    struct branch *branch = &lab->state->branch;

    if (!branch->exec)
        TRY(create_branch(lab));
    if (branch->on != corrected) {
        TRY(cudaGraphNodeSetEnabled(branch->exec, branch->correct, corrected));
        TRY(cudaGraphNodeSetEnabled(branch->exec, branch->apply, corrected));
        branch->on = corrected;
    }
    return launch(lab->state, branch->exec);
}

/* ---- the end --------------------------------------------------------------------------------- */

cudaError_t lab06_teardown(struct lab06 *lab)
{
    struct lab06_state *state = lab->state;

    TRY(destroy(state->all.graph, state->all.exec));
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
    free(state->all.kernels);
    free(state);
    return cudaSuccess;
}
