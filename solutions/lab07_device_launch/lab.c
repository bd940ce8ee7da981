/*
 * Lab 07, host code: prepares graphs for kernels to launch, and launches one graph per call. See
 * lab.h and README.md.
 */
#include <stdlib.h>

#include "check.h"
#include "kernels.h"
#include "lab.h"

/* Executable graphs, and a copy of the array in device memory, for kernels. */
struct table {
    cudaGraphExec_t *execs;
    int n;
    cudaGraphExec_t *on_device;
};

struct lab07_state {
    cudaStream_t stream;
    int *status; /* device memory: the first error of a launch by the device */
    int *answer; /* pinned host memory: a copy of *status */
    struct {
        struct table workers;
        cudaGraphExec_t sum, root, launcher;
        int *next; /* device memory, see struct lab07_plan */
    } length;
    cudaGraphExec_t loop;
    struct {
        struct table handlers;
        cudaGraphExec_t scheduler;
    } packets;
};

cudaError_t lab07_setup(struct lab07 *lab)
{
    struct lab07_state *state = calloc(1, sizeof *state);
    if (!state)
        return cudaErrorMemoryAllocation;
    lab->state = state;
    TRY(cudaStreamCreateWithFlags(&state->stream, cudaStreamNonBlocking));
    TRY(cudaMalloc((void **)&state->status, sizeof *state->status));
    TRY(cudaMalloc((void **)&state->length.next, sizeof *state->length.next));
    TRY(cudaMemsetAsync(state->length.next, 0, sizeof *state->length.next, state->stream));
    return cudaMallocHost((void **)&state->answer, sizeof *state->answer);
}

/* ---- executable graphs that kernels may launch ----------------------------------------------- */

static cudaError_t instantiate_for_device(struct lab07_state *state, cudaGraphExec_t *exec,
                                          cudaGraph_t graph)
{
#ifdef SOLUTION
    TRY(cudaGraphInstantiate(exec, graph, cudaGraphInstantiateFlagDeviceLaunch));
    TRY(cudaGraphUpload(*exec, state->stream));
    return cudaStreamSynchronize(state->stream);
#else
    /*
     * YOUR STEP 1: instantiate the graph for device launch, and upload it. The upload must be
     * complete before a kernel launches the graph.
     */
    (void)state;
    (void)exec;
    (void)graph;
    return cudaErrorNotYetImplemented;
#endif
}

static cudaError_t create_table(struct lab07_state *state, struct table *table,
                                const cudaGraph_t *graphs, int n)
{
    const size_t bytes = (size_t)n * sizeof *table->execs;

    table->execs = calloc((size_t)n, sizeof *table->execs);
    if (!table->execs)
        return cudaErrorMemoryAllocation;
    table->n = n;
    for (int i = 0; i < n; i++)
        TRY(instantiate_for_device(state, &table->execs[i], graphs[i]));
    TRY(cudaMalloc((void **)&table->on_device, bytes));
    return cudaMemcpyAsync(table->on_device, table->execs, bytes, cudaMemcpyHostToDevice,
                           state->stream);
}

/* Ends the capture and creates an executable graph; the graph itself is not kept. */
static cudaError_t end_capture(struct lab07_state *state, cudaGraphExec_t *exec)
{
    cudaGraph_t graph;

    TRY(cudaStreamEndCapture(state->stream, &graph));
    TRY(instantiate_for_device(state, exec, graph));
    return cudaGraphDestroy(graph);
}

/* Launches the graph and waits for it and for all graphs launched from it. */
static cudaError_t run(struct lab07_state *state, cudaGraphExec_t exec)
{
    const size_t bytes = sizeof *state->status;

    TRY(cudaMemsetAsync(state->status, 0, bytes, state->stream));
    TRY(cudaGraphLaunch(exec, state->stream));
    TRY(cudaMemcpyAsync(state->answer, state->status, bytes, cudaMemcpyDeviceToHost,
                        state->stream));
    TRY(cudaStreamSynchronize(state->stream));
    return (cudaError_t)*state->answer;
}

/* ---- the length of a vector ------------------------------------------------------------------ */

static cudaError_t create_length(struct lab07 *lab)
{
    struct lab07_state *state = lab->state;
    struct lab07_plan plan = {.n_workers = lab->n_workers, .next = state->length.next};

    TRY(create_table(state, &state->length.workers, lab->workers, lab->n_workers));
    TRY(instantiate_for_device(state, &state->length.sum, lab->sum));
    TRY(instantiate_for_device(state, &state->length.root, lab->root));
    plan.workers = state->length.workers.on_device;
    plan.sum = state->length.sum;
    plan.root = state->length.root;
    TRY(cudaStreamBeginCapture(state->stream, cudaStreamCaptureModeThreadLocal));
    TRY(lab07_enqueue_launcher(&plan, state->status, state->stream));
    return end_capture(state, &state->length.launcher);
}

cudaError_t lab07_length(struct lab07 *lab)
{
    struct lab07_state *state = lab->state;

    if (!state->length.launcher)
        TRY(create_length(lab));
    return run(state, state->length.launcher);
}

/* ---- the loop -------------------------------------------------------------------------------- */

static cudaError_t create_loop(struct lab07 *lab)
{
#ifdef SOLUTION
    struct lab07_state *state = lab->state;

    TRY(cudaStreamBeginCapture(state->stream, cudaStreamCaptureModeThreadLocal));
    TRY(launch_saxpy(lab->y, lab->x, lab->alpha, lab->n, state->stream));
    TRY(lab07_enqueue_again(lab->iterations_left, state->status, state->stream));
    return end_capture(state, &state->loop);
#else
    /* YOUR STEP 5: capture one iteration: launch_saxpy, then the kernel that decides to go on. */
    (void)lab;
    return cudaErrorNotYetImplemented;
#endif
}

cudaError_t lab07_loop(struct lab07 *lab)
{
    struct lab07_state *state = lab->state;

    if (!state->loop)
        TRY(create_loop(lab));
    return run(state, state->loop);
}

/* ---- packets --------------------------------------------------------------------------------- */

static cudaError_t create_packets(struct lab07 *lab)
{
#ifdef SOLUTION
    struct lab07_state *state = lab->state;
    struct table *handlers = &state->packets.handlers;

    TRY(create_table(state, handlers, lab->handlers, PACKET_TYPES));
    TRY(cudaStreamBeginCapture(state->stream, cudaStreamCaptureModeThreadLocal));
    TRY(lab07_enqueue_scheduler(lab->ring, lab->arguments, handlers->on_device, state->status,
                                state->stream));
    return end_capture(state, &state->packets.scheduler);
#else
    /* YOUR STEP 7: a table of the handlers, and a graph of the scheduler. See create_length. */
    (void)lab;
    return cudaErrorNotYetImplemented;
#endif
}

cudaError_t lab07_packets(struct lab07 *lab)
{
    struct lab07_state *state = lab->state;

    if (!state->packets.scheduler)
        TRY(create_packets(lab));
    return run(state, state->packets.scheduler);
}

/* ---- the end --------------------------------------------------------------------------------- */

static cudaError_t destroy(cudaGraphExec_t exec)
{
    return exec ? cudaGraphExecDestroy(exec) : cudaSuccess;
}

static cudaError_t destroy_table(struct table *table)
{
    for (int i = 0; i < table->n; i++)
        TRY(destroy(table->execs[i]));
    free(table->execs);
    return cudaFree(table->on_device);
}

cudaError_t lab07_teardown(struct lab07 *lab)
{
    struct lab07_state *state = lab->state;

    TRY(destroy(state->packets.scheduler));
    TRY(destroy_table(&state->packets.handlers));
    TRY(destroy(state->loop));
    TRY(destroy(state->length.launcher));
    TRY(destroy(state->length.root));
    TRY(destroy(state->length.sum));
    TRY(destroy_table(&state->length.workers));
    TRY(cudaFreeHost(state->answer));
    TRY(cudaFree(state->length.next));
    TRY(cudaFree(state->status));
    TRY(cudaStreamDestroy(state->stream));
    free(state);
    return cudaSuccess;
}
