/*
 * Lab 04: capture, instantiate, replay; and what a serial capture costs. See lab.h and README.md.
 */
#include <stdlib.h>

#include "check.h"
#include "kernels.h"
#include "lab.h"

/* ---- part one: capture one batch, replay it -------------------------------------------------- */

struct lab04_state {
    size_t matrix_bytes;
    float *dev_a, *dev_b, *dev_c; /* one batch on the device; the graph stores these addresses */
    cudaStream_t stream;          /* captures the batch, and the graph is launched into it */
    cudaGraphExec_t exec;
};

/* Enqueues one batch, as in lab 01. During capture, its operations become nodes. */
static cudaError_t enqueue_batch(struct lab04 *lab)
{
    /* YOUR STEP 1: copy a and b to the device, launch_matmul, copy c back, in state->stream. */
    (void)lab;
    return cudaErrorNotYetImplemented;
}

static cudaError_t capture(struct lab04 *lab)
{
    /*
     * YOUR STEP 2: cudaStreamBeginCapture, the batch, cudaStreamEndCapture into lab->graph. Then
     * instantiate the graph: cudaGraphInstantiate creates state->exec, which you can launch.
     */
    TRY(enqueue_batch(lab));
    return cudaErrorNotYetImplemented;
}

cudaError_t lab04_setup(struct lab04 *lab)
{
    struct lab04_state *state = calloc(1, sizeof *state);
    if (!state)
        return cudaErrorMemoryAllocation;
    lab->state = state;
    state->matrix_bytes = (size_t)lab->n * lab->n * sizeof(float);
    TRY(cudaMalloc((void **)&state->dev_a, state->matrix_bytes));
    TRY(cudaMalloc((void **)&state->dev_b, state->matrix_bytes));
    TRY(cudaMalloc((void **)&state->dev_c, state->matrix_bytes));
    TRY(cudaStreamCreateWithFlags(&state->stream, cudaStreamNonBlocking));
    return capture(lab);
}

cudaError_t lab04_replay(struct lab04 *lab)
{
    /* YOUR STEP 3: launch state->exec, and wait until c is complete. */
    (void)lab;
    return cudaErrorNotYetImplemented;
}

cudaError_t lab04_teardown(struct lab04 *lab)
{
    /* YOUR STEP 4: free everything that lab04_setup allocated or created: the graph, the executable
       graph, the stream and the memory.
       Free lab->state last. */
    (void)lab;
    return cudaErrorNotYetImplemented;
}

/* ---- part two: eight broken captures --------------------------------------------------------- */

/*
 * YOUR STEP 5: none of the eight can be captured as it is. Each has one mistake; the fix may take
 * more than one line. (The function of capture 8 above it belongs to it.) The four functions below
 * are right. Fix one capture, grade, fix the next.
 */

static cudaError_t copy_in(struct lab04_parts *p, float *to, cudaStream_t stream)
{
    return cudaMemcpyAsync(to, p->in, p->n * sizeof(float), cudaMemcpyHostToDevice, stream);
}

static cudaError_t set_to_zero(struct lab04_parts *p, cudaStream_t stream)
{
    return cudaMemsetAsync(p->y, 0, p->n * sizeof(float), stream);
}

static cudaError_t add_twice(struct lab04_parts *p, const float *what, cudaStream_t stream)
{
    return launch_saxpy(p->y, what, 2.0f, (int)p->n, stream);
}

static cudaError_t copy_out(struct lab04_parts *p, cudaStream_t stream)
{
    return cudaMemcpyAsync(p->out, p->y, p->n * sizeof(float), cudaMemcpyDeviceToHost, stream);
}

/* Allocates memory for the inputs itself, because nothing else uses it. */
cudaError_t lab04_capture_1(struct lab04_parts *p, cudaGraph_t *graph)
{
    float *scratch;

    TRY(cudaStreamBeginCapture(p->origin, cudaStreamCaptureModeGlobal));
    TRY(cudaMalloc((void **)&scratch, p->n * sizeof(float)));
    TRY(copy_in(p, scratch, p->origin));
    TRY(set_to_zero(p, p->origin));
    TRY(add_twice(p, scratch, p->origin));
    TRY(cudaFree(scratch));
    TRY(copy_out(p, p->origin));
    return cudaStreamEndCapture(p->origin, graph);
}

/* Makes sure that x and y are complete before the kernel uses them. */
cudaError_t lab04_capture_2(struct lab04_parts *p, cudaGraph_t *graph)
{
    TRY(cudaStreamBeginCapture(p->origin, cudaStreamCaptureModeGlobal));
    TRY(copy_in(p, p->x, p->origin));
    TRY(set_to_zero(p, p->origin));
    TRY(cudaDeviceSynchronize());
    TRY(add_twice(p, p->x, p->origin));
    TRY(copy_out(p, p->origin));
    return cudaStreamEndCapture(p->origin, graph);
}

/* The copy in must be complete before anything else begins, so it is a copy that waits. */
cudaError_t lab04_capture_3(struct lab04_parts *p, cudaGraph_t *graph)
{
    TRY(cudaStreamBeginCapture(p->origin, cudaStreamCaptureModeGlobal));
    TRY(cudaMemcpy(p->x, p->in, p->n * sizeof(float), cudaMemcpyHostToDevice));
    TRY(set_to_zero(p, p->origin));
    TRY(add_twice(p, p->x, p->origin));
    TRY(copy_out(p, p->origin));
    return cudaStreamEndCapture(p->origin, graph);
}

/* Sets y to zero in the other stream, concurrently with the copy in. */
cudaError_t lab04_capture_4(struct lab04_parts *p, cudaGraph_t *graph)
{
    TRY(cudaStreamBeginCapture(p->origin, cudaStreamCaptureModeGlobal));
    TRY(cudaEventRecord(p->fork, p->origin));
    TRY(cudaStreamWaitEvent(p->other, p->fork, 0));
    TRY(set_to_zero(p, p->other));
    TRY(copy_in(p, p->x, p->origin));
    TRY(add_twice(p, p->x, p->origin));
    TRY(copy_out(p, p->origin));
    return cudaStreamEndCapture(p->origin, graph);
}

/* The same. The other stream may begin at the fork, so the fork is recorded first. */
cudaError_t lab04_capture_5(struct lab04_parts *p, cudaGraph_t *graph)
{
    TRY(cudaEventRecord(p->fork, p->origin));
    TRY(cudaStreamBeginCapture(p->origin, cudaStreamCaptureModeGlobal));
    TRY(cudaStreamWaitEvent(p->other, p->fork, 0));
    TRY(set_to_zero(p, p->other));
    TRY(cudaEventRecord(p->join, p->other));
    TRY(copy_in(p, p->x, p->origin));
    TRY(cudaStreamWaitEvent(p->origin, p->join, 0));
    TRY(add_twice(p, p->x, p->origin));
    TRY(copy_out(p, p->origin));
    return cudaStreamEndCapture(p->origin, graph);
}

/* Queries the event until the inputs have arrived. */
cudaError_t lab04_capture_6(struct lab04_parts *p, cudaGraph_t *graph)
{
    TRY(cudaStreamBeginCapture(p->origin, cudaStreamCaptureModeGlobal));
    TRY(copy_in(p, p->x, p->origin));
    TRY(cudaEventRecord(p->fork, p->origin));
    while (cudaEventQuery(p->fork) == cudaErrorNotReady)
        ;
    TRY(set_to_zero(p, p->origin));
    TRY(add_twice(p, p->x, p->origin));
    TRY(copy_out(p, p->origin));
    return cudaStreamEndCapture(p->origin, graph);
}

/* Sets y to zero in the origin. The rest is in the other stream, so the capture ends there. */
cudaError_t lab04_capture_7(struct lab04_parts *p, cudaGraph_t *graph)
{
    TRY(cudaStreamBeginCapture(p->origin, cudaStreamCaptureModeGlobal));
    TRY(set_to_zero(p, p->origin));
    TRY(cudaEventRecord(p->fork, p->origin));
    TRY(cudaStreamWaitEvent(p->other, p->fork, 0));
    TRY(copy_in(p, p->x, p->other));
    TRY(add_twice(p, p->x, p->other));
    TRY(copy_out(p, p->other));
    return cudaStreamEndCapture(p->other, graph);
}

static void count_replay(cudaStream_t stream, cudaError_t error, void *replays)
{
    (void)stream;
    (void)error;
    ++*(int *)replays;
}

/* Counts its replays on the host. */
cudaError_t lab04_capture_8(struct lab04_parts *p, cudaGraph_t *graph)
{
    TRY(cudaStreamBeginCapture(p->origin, cudaStreamCaptureModeGlobal));
    TRY(copy_in(p, p->x, p->origin));
    TRY(set_to_zero(p, p->origin));
    TRY(add_twice(p, p->x, p->origin));
    TRY(copy_out(p, p->origin));
    TRY(cudaStreamAddCallback(p->origin, count_replay, p->replays, 0));
    return cudaStreamEndCapture(p->origin, graph);
}

/* ---- part three: how long will the replays take? --------------------------------------------- */

struct lab04_prediction lab04_predict(const struct lab04_batches *known,
                                      const struct lab04_batches *asked)
{
    struct lab04_prediction prediction = {0};
    /* YOUR STEP 6: which fixed cost does a replay have besides its stages? Then how long do the
       replays of `asked` take? */
    (void)known;
    (void)asked;
    return prediction;
}
