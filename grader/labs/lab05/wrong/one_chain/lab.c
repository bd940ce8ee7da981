/*
 * Wrong: all batches are captured in one stream: the graph is a chain.
 */
#include <stdlib.h>

#include "check.h"
#include "kernels.h"
#include "lab.h"

/* What one batch needs on the device. */
struct set {
    float *a, *b, *c;
    cudaEvent_t done; /* recorded behind a batch's last use of the set */
};

struct lab05_state {
    size_t matrix_bytes;
    struct set *sets;      /* n_buffers of them, the ring; batch i uses set i % n_buffers */
    cudaStream_t *streams; /* n_streams of them; batch i uses stream i % n_streams. The first is
                              the capture's origin, and the one to launch in */
    cudaEvent_t forked;    /* recorded in the origin, behind the graph's first node */
    cudaEvent_t joined;    /* recorded in each of the others, behind the last work in it */
    cudaGraphExec_t exec;
};

static cudaError_t create_set(struct set *set, size_t matrix_bytes)
{
    TRY(cudaMalloc((void **)&set->a, matrix_bytes));
    TRY(cudaMalloc((void **)&set->b, matrix_bytes));
    TRY(cudaMalloc((void **)&set->c, matrix_bytes));
    return cudaEventCreateWithFlags(&set->done, cudaEventDisableTiming);
}

static cudaError_t destroy_set(struct set *set)
{
    TRY(cudaEventDestroy(set->done));
    TRY(cudaFree(set->c));
    TRY(cudaFree(set->b));
    return cudaFree(set->a);
}

static cudaError_t capture(struct lab05 *lab);

cudaError_t lab05_setup(struct lab05 *lab)
{
    struct lab05_state *state = calloc(1, sizeof *state);
    if (!state)
        return cudaErrorMemoryAllocation;
    lab->state = state;
    state->matrix_bytes = (size_t)lab->n * lab->n * sizeof(float);
    state->sets = calloc(lab->n_buffers, sizeof *state->sets);
    state->streams = calloc(lab->n_streams, sizeof *state->streams);
    if (!state->sets || !state->streams)
        return cudaErrorMemoryAllocation;
    for (int i = 0; i < lab->n_buffers; i++)
        TRY(create_set(&state->sets[i], state->matrix_bytes));
    for (int i = 0; i < lab->n_streams; i++)
        TRY(cudaStreamCreateWithFlags(&state->streams[i], cudaStreamNonBlocking));
    TRY(cudaEventCreateWithFlags(&state->forked, cudaEventDisableTiming));
    TRY(cudaEventCreateWithFlags(&state->joined, cudaEventDisableTiming));
    TRY(capture(lab));
    return cudaGraphInstantiate(&state->exec, lab->graph, 0);
}

/* Puts batch i in its stream and does not wait. In a capture, what is put there becomes nodes. */
static cudaError_t queue_batch(struct lab05 *lab, int i)
{
    struct lab05_state *state = lab->state;
    struct set *set = &state->sets[i % lab->n_buffers];
    cudaStream_t stream = state->streams[0];
    size_t bytes = state->matrix_bytes;
    size_t first = (size_t)i * lab->n * lab->n; /* where the batch begins in a, b and c */

    /* the batch that had the set before may have been given to another stream */
    TRY(cudaStreamWaitEvent(stream, set->done, 0));
    TRY(cudaMemcpyAsync(set->a, lab->a + first, bytes, cudaMemcpyHostToDevice, stream));
    TRY(cudaMemcpyAsync(set->b, lab->b + first, bytes, cudaMemcpyHostToDevice, stream));
    TRY(launch_matmul(set->c, set->a, set->b, lab->n, stream));
    TRY(cudaMemcpyAsync(lab->c + first, set->c, bytes, cudaMemcpyDeviceToHost, stream));
    return cudaEventRecord(set->done, stream);
}

/* The other streams enter the capture: what they get next comes behind what is in the origin. */
static cudaError_t fork_streams(struct lab05 *lab)
{
    struct lab05_state *state = lab->state;

    TRY(cudaEventRecord(state->forked, state->streams[0]));
    for (int i = 1; i < lab->n_streams; i++)
        TRY(cudaStreamWaitEvent(state->streams[i], state->forked, 0));
    return cudaSuccess;
}

/* And leave it: what the origin gets next comes behind what is in all of them. */
static cudaError_t join_streams(struct lab05 *lab)
{
    struct lab05_state *state = lab->state;

    for (int i = 1; i < lab->n_streams; i++) {
        TRY(cudaEventRecord(state->joined, state->streams[i]));
        TRY(cudaStreamWaitEvent(state->streams[0], state->joined, 0));
    }
    return cudaSuccess;
}

static cudaError_t capture(struct lab05 *lab)
{
    cudaStream_t origin = lab->state->streams[0];

    TRY(cudaStreamBeginCapture(origin, cudaStreamCaptureModeGlobal));
    TRY(cudaMemsetAsync(lab->status, LAB05_RUNNING, 1, origin));
    TRY(fork_streams(lab));
    for (int i = 0; i < lab->n_batches; i++)
        TRY(queue_batch(lab, i));
    TRY(join_streams(lab));
    TRY(cudaMemsetAsync(lab->status, LAB05_DONE, 1, origin));
    return cudaStreamEndCapture(origin, &lab->graph);
}

cudaError_t lab05_run(struct lab05 *lab)
{
    TRY(cudaGraphLaunch(lab->state->exec, lab->state->streams[0]));
    return cudaStreamSynchronize(lab->state->streams[0]);
}

cudaError_t lab05_teardown(struct lab05 *lab)
{
    struct lab05_state *state = lab->state;

    TRY(cudaGraphExecDestroy(state->exec));
    TRY(cudaGraphDestroy(lab->graph));
    TRY(cudaEventDestroy(state->joined));
    TRY(cudaEventDestroy(state->forked));
    for (int i = 0; i < lab->n_streams; i++)
        TRY(cudaStreamDestroy(state->streams[i]));
    for (int i = 0; i < lab->n_buffers; i++)
        TRY(destroy_set(&state->sets[i]));
    free(state->streams);
    free(state->sets);
    free(state);
    return cudaSuccess;
}
