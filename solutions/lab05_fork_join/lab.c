/*
 * Lab 05: fork, branches, join: all batches in one graph. See lab.h and README.md.
 */
#include <stdlib.h>

#include "check.h"
#include "kernels.h"
#include "lab.h"

/* Device buffers of one batch. */
struct set {
#ifdef SOLUTION
    float *ab; /* A, directly followed by B: one copy for both */
    float *c;
#else
    float *a, *b, *c;
#endif
    cudaEvent_t done; /* recorded after a batch's last use of the set */
};

struct lab05_state {
    size_t matrix_bytes;
    struct set *sets;      /* n_buffers of them, the ring; batch i uses set i % n_buffers */
    cudaStream_t *streams; /* n_streams of them; batch i uses stream i % n_streams. The first is
                              the capture's origin; the graph is launched into it */
    cudaEvent_t forked;    /* recorded in the origin, after the graph's first node */
    cudaEvent_t joined;    /* recorded in each other stream, after its last operation */
    cudaGraphExec_t exec;
};

static cudaError_t create_set(struct set *set, size_t matrix_bytes)
{
#ifdef SOLUTION
    TRY(cudaMalloc((void **)&set->ab, 2 * matrix_bytes));
    TRY(cudaMalloc((void **)&set->c, matrix_bytes));
    return cudaEventCreateWithFlags(&set->done, cudaEventDisableTiming);
#else
    /* YOUR STEP 1: as in your lab 03. */
    (void)set;
    (void)matrix_bytes;
    return cudaErrorNotYetImplemented;
#endif
}

static cudaError_t destroy_set(struct set *set)
{
#ifdef SOLUTION
    TRY(cudaEventDestroy(set->done));
    TRY(cudaFree(set->c));
    return cudaFree(set->ab);
#else
    /* YOUR STEP 1, too: as in your lab 03. */
    (void)set;
    return cudaErrorNotYetImplemented;
#endif
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

/* Enqueues batch i in its stream and does not wait. During capture, its operations become nodes. */
static cudaError_t enqueue_batch(struct lab05 *lab, int i)
{
#ifdef SOLUTION
    struct lab05_state *state = lab->state;
    struct set *set = &state->sets[i % lab->n_buffers];
    cudaStream_t stream = state->streams[i % lab->n_streams];
    size_t bytes = state->matrix_bytes;
    size_t matrix = (size_t)lab->n * lab->n;
    size_t first = i * matrix; /* where the batch begins in a, b and c */

    /* the last batch that used the set may be in another stream */
    TRY(cudaStreamWaitEvent(stream, set->done, 0));
    /* two rows: A[i] and B[i]; the pitch is the distance from a to b */
    TRY(cudaMemcpy2DAsync(set->ab, bytes, lab->a + first, (lab->b - lab->a) * sizeof(float), bytes,
                          2, cudaMemcpyHostToDevice, stream));
    TRY(launch_matmul(set->c, set->ab, set->ab + matrix, lab->n, stream));
    TRY(cudaMemcpyAsync(lab->c + first, set->c, bytes, cudaMemcpyDeviceToHost, stream));
    return cudaEventRecord(set->done, stream);
#else
    /* YOUR STEP 1, too: as in your lab 03; struct lab03 becomes struct lab05. */
    (void)lab;
    (void)i;
    return cudaErrorNotYetImplemented;
#endif
}

/* The other streams join the capture: their next operations depend on the origin's last one. */
static cudaError_t fork_streams(struct lab05 *lab)
{
#ifdef SOLUTION
    struct lab05_state *state = lab->state;

    TRY(cudaEventRecord(state->forked, state->streams[0]));
    for (int i = 1; i < lab->n_streams; i++)
        TRY(cudaStreamWaitEvent(state->streams[i], state->forked, 0));
    return cudaSuccess;
#else
    /* YOUR STEP 2: one record in the origin, and a wait in every other stream. */
    (void)lab;
    return cudaErrorNotYetImplemented;
#endif
}

/* The origin's next operation depends on the last operation of every stream. */
static cudaError_t join_streams(struct lab05 *lab)
{
#ifdef SOLUTION
    struct lab05_state *state = lab->state;

    for (int i = 1; i < lab->n_streams; i++) {
        TRY(cudaEventRecord(state->joined, state->streams[i]));
        TRY(cudaStreamWaitEvent(state->streams[0], state->joined, 0));
    }
    return cudaSuccess;
#else
    /* YOUR STEP 3: for every other stream, a record in it and a wait in the origin. */
    (void)lab;
    return cudaErrorNotYetImplemented;
#endif
}

static cudaError_t capture(struct lab05 *lab)
{
#ifdef SOLUTION
    cudaStream_t origin = lab->state->streams[0];

    TRY(cudaStreamBeginCapture(origin, cudaStreamCaptureModeGlobal));
    TRY(cudaMemsetAsync(lab->status, LAB05_RUNNING, 1, origin));
    TRY(fork_streams(lab));
    for (int i = 0; i < lab->n_batches; i++)
        TRY(enqueue_batch(lab, i));
    TRY(join_streams(lab));
    TRY(cudaMemsetAsync(lab->status, LAB05_DONE, 1, origin));
    return cudaStreamEndCapture(origin, &lab->graph);
#else
    /*
     * YOUR STEP 4: between cudaStreamBeginCapture and cudaStreamEndCapture, both for the origin:
     * set the status byte (lab.h), fork, enqueue all batches, join, set the status byte.
     */
    TRY(fork_streams(lab));
    TRY(enqueue_batch(lab, 0));
    TRY(join_streams(lab));
    return cudaErrorNotYetImplemented;
#endif
}

cudaError_t lab05_run(struct lab05 *lab)
{
#ifdef SOLUTION
    TRY(cudaGraphLaunch(lab->state->exec, lab->state->streams[0]));
    return cudaStreamSynchronize(lab->state->streams[0]);
#else
    /* YOUR STEP 5: launch the graph into the origin, and wait. */
    (void)lab;
    return cudaErrorNotYetImplemented;
#endif
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
