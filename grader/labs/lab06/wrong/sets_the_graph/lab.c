/*
 * Wrong: the weight is set in the node of the graph. The executable graph is a copy made when it
 * was instantiated, and never hears of it.
 */
#include <stdlib.h>

#include "check.h"
#include "kernels.h"
#include "lab.h"

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
};

struct lab06_state {
    size_t bytes;              /* n floats */
    cudaStream_t stream, side; /* graphs are launched into the first; both serve to capture */
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

/* Launches the graph and waits for what it computes. */
static cudaError_t launch(struct lab06_state *state, cudaGraphExec_t exec)
{
    TRY(cudaGraphLaunch(exec, state->stream));
    return cudaStreamSynchronize(state->stream);
}

/* ---- everything changes ---------------------------------------------------------------------- */

/* Puts the work of an item into the stream. */
static cudaError_t queue_item(struct lab06 *lab, const struct lab06_item *item)
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

/* state->all becomes what the graph says, by an update where that is possible. */
static cudaError_t update_all(struct lab06_state *state, cudaGraph_t graph)
{
    cudaGraphExecUpdateResultInfo info;

    if (state->all) {
        cudaError_t error = cudaGraphExecUpdate(state->all, graph, &info);
        if (error != cudaErrorGraphExecUpdateFailure)
            return error;
        cudaGetLastError(); /* an answer, not an accident: nobody shall find it later */
        TRY(cudaGraphExecDestroy(state->all));
        state->all = NULL;
    }
    return cudaGraphInstantiate(&state->all, graph, 0);
}

cudaError_t lab06_all(struct lab06 *lab, const struct lab06_item *item)
{
    struct lab06_state *state = lab->state;
    cudaGraph_t graph;

    TRY(cudaStreamBeginCapture(state->stream, cudaStreamCaptureModeThreadLocal));
    TRY(queue_item(lab, item));
    TRY(cudaStreamEndCapture(state->stream, &graph));
    TRY(update_all(state, graph));
    TRY(cudaGraphDestroy(graph)); /* the exec has all it needs */
    return launch(state, state->all);
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
    struct cudaKernelNodeParams params = one->params;
    params.kernelParams = args; /* read during the call, so args may be local */
    TRY(cudaGraphKernelNodeSetParams(one->blend, &params));
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
    return cudaGraphInstantiate(&branch->exec, lab->branch_graph, 0);
}

cudaError_t lab06_branch(struct lab06 *lab, int corrected)
{
    struct branch *branch = &lab->state->branch;

    if (!branch->exec)
        TRY(create_branch(lab));
    /* without its correction there is nothing to apply, but an old one that is still in c */
    TRY(cudaGraphNodeSetEnabled(branch->exec, branch->correct, corrected != 0));
    TRY(cudaGraphNodeSetEnabled(branch->exec, branch->apply, corrected != 0));
    return launch(lab->state, branch->exec);
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
