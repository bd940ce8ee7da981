/*
 * Lab 12: a pipeline over several GPUs, as one graph. See lab.h and README.md.
 */
#include <stdbool.h>
#include <stdlib.h>

#include "check.h"
#include "kernels.h"
#include "lab.h"

/* Memory for one micro-batch on a device. A layer reads one of x and y, and writes the other. */
struct slot {
    float *x, *y;
    cudaEvent_t computed; /* recorded in `compute`, after the last layer of the stage */
    cudaEvent_t sent;     /* recorded in `send`, after the copy to the next device, or to the host:
                             the micro-batch has arrived there, and this slot is free */
};

/* All of these belong to the stage's device. */
struct stage {
    int first_layer, n_layers;
    float *w;             /* the weights of its layers */
    struct slot *slots;   /* n_buffers; micro-batch i uses slot i % n_buffers */
    cudaStream_t compute; /* for its layers */
    cudaStream_t send;    /* for the copies of its results */
};

struct lab12_state {
    struct stage *stages;  /* n_devices of them */
    cudaStream_t origin;   /* of device 0, for the copies of x. The capture begins in it, and the
                              graph is launched into it */
    cudaEvent_t *received; /* of device 0, one for each slot of stage 0: recorded in `origin`, after
                              the copy of x to the slot */
    cudaGraphExec_t exec;
};

/* The rows of one micro-batch. */
struct part {
    size_t first; /* index of its first float in x and y */
    size_t bytes;
    int rows;
};

static struct part part_of(const struct lab12 *lab, int i)
{
    int from = (int)((long)i * lab->rows / lab->n_micro);
    int to = (int)((long)(i + 1) * lab->rows / lab->n_micro);
    struct part p = {.first = (size_t)from * (size_t)lab->n, .rows = to - from};
    p.bytes = (size_t)p.rows * (size_t)lab->n * sizeof(float);
    return p;
}

/* The buffer with the result of a stage: x after an even number of layers, otherwise y. */
static float *result_of(const struct stage *stage, const struct slot *slot)
{
    return stage->n_layers % 2 == 0 ? slot->x : slot->y;
}

int lab12_micro_batches(int n_stages, double most_bubble)
{
#ifdef SOLUTION
    const double idle = n_stages - 1, rounding = 1e-9;
    int n = 1;

    while (idle / (n + idle) > most_bubble + rounding)
        n++;
    return n;
#else
    /* YOUR STEP 1: the smallest M >= 1 with (n_stages - 1) / (M + n_stages - 1) <= most_bubble.
       With one stage the left side is 0 for every M. */
    (void)n_stages;
    (void)most_bubble;
    return 0;
#endif
}

/* ---- peer access ----------------------------------------------------------------------------- */

#ifdef SOLUTION
/* Enables or disables the access of device s to the memory of the next device, if possible. */
static cudaError_t set_peer_access(int s, bool on)
{
    int possible = 0;

    TRY(cudaDeviceCanAccessPeer(&possible, s, s + 1));
    if (!possible)
        return cudaSuccess;
    TRY(cudaSetDevice(s));
    return on ? cudaDeviceEnablePeerAccess(s + 1, 0) : cudaDeviceDisablePeerAccess(s + 1);
}

#endif
static cudaError_t set_all_peer_access(const struct lab12 *lab, bool on)
{
#ifdef SOLUTION
    for (int s = 0; s + 1 < lab->n_devices; s++)
        TRY(set_peer_access(s, on));
    return cudaSetDevice(0);
#else
    /* YOUR STEP 2: for each device but the last: if cudaDeviceCanAccessPeer reports that it is
       possible, make the device current, and enable (or disable) access to the next device. At the
       end make device 0 current. */
    (void)lab;
    (void)on;
    return cudaErrorNotYetImplemented;
#endif
}

/* ---- stages ---------------------------------------------------------------------------------- */

static cudaError_t create_slot(struct slot *slot, size_t bytes)
{
    TRY(cudaMalloc((void **)&slot->x, bytes));
    TRY(cudaMalloc((void **)&slot->y, bytes));
    TRY(cudaEventCreateWithFlags(&slot->computed, cudaEventDisableTiming));
    return cudaEventCreateWithFlags(&slot->sent, cudaEventDisableTiming);
}

static cudaError_t destroy_slot(struct slot *slot)
{
    TRY(cudaEventDestroy(slot->sent));
    TRY(cudaEventDestroy(slot->computed));
    TRY(cudaFree(slot->y));
    return cudaFree(slot->x);
}

static cudaError_t create_stage(const struct lab12 *lab, int s)
{
#ifdef SOLUTION
    struct stage *stage = &lab->state->stages[s];
    size_t layer = (size_t)lab->n * (size_t)lab->n;
    int most_rows = (lab->rows + lab->n_micro - 1) / lab->n_micro;

    TRY(cudaSetDevice(s));
    stage->first_layer = s * lab->n_layers / lab->n_devices;
    stage->n_layers = (s + 1) * lab->n_layers / lab->n_devices - stage->first_layer;
    size_t bytes = (size_t)stage->n_layers * layer * sizeof(float);
    TRY(cudaMalloc((void **)&stage->w, bytes));
    TRY(cudaMemcpy(stage->w, lab->w + (size_t)stage->first_layer * layer, bytes,
                   cudaMemcpyHostToDevice));
    TRY(cudaDeviceSynchronize()); /* lab->w is pageable: the copy may still be running */
    TRY(cudaStreamCreateWithFlags(&stage->compute, cudaStreamNonBlocking));
    TRY(cudaStreamCreateWithFlags(&stage->send, cudaStreamNonBlocking));
    stage->slots = calloc((size_t)lab->n_buffers, sizeof *stage->slots);
    if (!stage->slots)
        return cudaErrorMemoryAllocation;
    for (int i = 0; i < lab->n_buffers; i++)
        TRY(create_slot(&stage->slots[i], (size_t)most_rows * (size_t)lab->n * sizeof(float)));
    return cudaSetDevice(0);
#else
    /* YOUR STEP 3: make device s current. Set first_layer and n_layers (lab.h), copy the weights of
       these layers, and create the two streams and the slots. Each slot has memory for the largest
       micro-batch. At the end make device 0 current. */
    (void)s;
    (void)lab;
    (void)create_slot;
    return cudaErrorNotYetImplemented;
#endif
}

static cudaError_t destroy_stage(const struct lab12 *lab, int s)
{
    struct stage *stage = &lab->state->stages[s];

    for (int i = 0; i < lab->n_buffers; i++)
        TRY(destroy_slot(&stage->slots[i]));
    free(stage->slots);
    TRY(cudaStreamDestroy(stage->send));
    TRY(cudaStreamDestroy(stage->compute));
    return cudaFree(stage->w);
}

/* ---- the pipeline ---------------------------------------------------------------------------- */

/* Copies micro-batch i to its slot of stage 0. */
static cudaError_t enqueue_input(const struct lab12 *lab, int i)
{
#ifdef SOLUTION
    struct lab12_state *state = lab->state;
    int at = i % lab->n_buffers;
    struct part part = part_of(lab, i);

    /* the slot is free: its last micro-batch was copied to the next device */
    TRY(cudaStreamWaitEvent(state->origin, state->stages[0].slots[at].sent, 0));
    TRY(cudaMemcpyAsync(state->stages[0].slots[at].x, lab->x + part.first, part.bytes,
                        cudaMemcpyHostToDevice, state->origin));
    return cudaEventRecord(state->received[at], state->origin);
#else
    /* YOUR STEP 4: in the origin: wait until the slot of stage 0 is free (its `sent`), copy, record
       `received`. */
    (void)lab;
    (void)i;
    (void)part_of;
    return cudaErrorNotYetImplemented;
#endif
}

/* Enqueues the layers of stage s for micro-batch i. The micro-batch is in its slot when the event
   `arrived` is complete: `received` for stage 0, `sent` of the previous stage for the others. */
static cudaError_t enqueue_layers(const struct lab12 *lab, int s, int i, cudaEvent_t arrived)
{
#ifdef SOLUTION
    struct stage *stage = &lab->state->stages[s];
    struct slot *slot = &stage->slots[i % lab->n_buffers];
    float *from = slot->x, *to = slot->y;

    TRY(cudaSetDevice(s));
    TRY(cudaStreamWaitEvent(stage->compute, arrived, 0));
    for (int k = 0; k < stage->n_layers; k++) {
        const float *w = stage->w + (size_t)k * (size_t)lab->n * (size_t)lab->n;
        TRY(launch_dense(to, from, w, part_of(lab, i).rows, lab->n, stage->compute));
        float *next = from;
        from = to;
        to = next;
    }
    return cudaEventRecord(slot->computed, stage->compute);
#else
    /* YOUR STEP 5: make device s current. In its stream `compute`: wait for `arrived`, launch the
       layers, record `computed`. */
    (void)lab;
    (void)s;
    (void)i;
    (void)arrived;
    return cudaErrorNotYetImplemented;
#endif
}

/* Enqueues the copy of the result of stage s for micro-batch i to the next device, or to y. */
static cudaError_t enqueue_send(const struct lab12 *lab, int s, int i)
{
#ifdef SOLUTION
    struct stage *stage = &lab->state->stages[s];
    struct slot *slot = &stage->slots[i % lab->n_buffers];
    struct part part = part_of(lab, i);
    const float *result = result_of(stage, slot);

    TRY(cudaStreamWaitEvent(stage->send, slot->computed, 0));
    if (s + 1 == lab->n_devices) {
        TRY(cudaMemcpyAsync(lab->y + part.first, result, part.bytes, cudaMemcpyDeviceToHost,
                            stage->send));
    } else {
        struct slot *next = &stage[1].slots[i % lab->n_buffers];
        /* the slot of the next stage is free */
        TRY(cudaStreamWaitEvent(stage->send, next->sent, 0));
        TRY(cudaMemcpyAsync(next->x, result, part.bytes, cudaMemcpyDeviceToDevice, stage->send));
    }
    return cudaEventRecord(slot->sent, stage->send);
#else
    /* YOUR STEP 6: in the stream `send` of stage s: wait for `computed`, and until the slot of the
       next stage is free (its `sent`). Copy with cudaMemcpyAsync. Record `sent`. The last stage
       copies to y, and waits for no slot. */
    (void)lab;
    (void)s;
    (void)i;
    (void)result_of;
    return cudaErrorNotYetImplemented;
#endif
}

static cudaError_t capture(struct lab12 *lab)
{
    struct lab12_state *state = lab->state;

    TRY(cudaStreamBeginCapture(state->origin, cudaStreamCaptureModeGlobal));
#ifdef SOLUTION
    struct slot *last = state->stages[lab->n_devices - 1].slots;

    for (int i = 0; i < lab->n_micro; i++) {
        cudaEvent_t arrived = state->received[i % lab->n_buffers];
        TRY(enqueue_input(lab, i));
        for (int s = 0; s < lab->n_devices; s++) {
            TRY(enqueue_layers(lab, s, i, arrived));
            TRY(enqueue_send(lab, s, i));
            arrived = state->stages[s].slots[i % lab->n_buffers].sent;
        }
    }
    TRY(cudaSetDevice(0));
    /* the last copy to y comes after all other work: this wait joins all streams */
    TRY(cudaStreamWaitEvent(state->origin, last[(lab->n_micro - 1) % lab->n_buffers].sent, 0));
#else
    /* YOUR STEP 7: enqueue each micro-batch through all stages. `arrived` is `received` for stage
       0, and `sent` of the previous stage for the others. At the end make device 0 current, and let
       the origin wait for the last copy to y: this joins all streams. */
    TRY(enqueue_input(lab, 0));
    TRY(enqueue_layers(lab, 0, 0, state->received[0]));
    TRY(enqueue_send(lab, 0, 0));
#endif
    return cudaStreamEndCapture(state->origin, &lab->graph);
}

/* ---- setup, run, teardown -------------------------------------------------------------------- */

cudaError_t lab12_setup(struct lab12 *lab)
{
    struct lab12_state *state = calloc(1, sizeof *state);
    if (!state)
        return cudaErrorMemoryAllocation;
    lab->state = state;
    lab->n_micro = lab12_micro_batches(lab->n_devices, lab->most_bubble);
    if (lab->n_micro < 1)
        return cudaErrorNotYetImplemented;
    state->stages = calloc((size_t)lab->n_devices, sizeof *state->stages);
    state->received = calloc((size_t)lab->n_buffers, sizeof(cudaEvent_t));
    if (!state->stages || !state->received)
        return cudaErrorMemoryAllocation;
    TRY(set_all_peer_access(lab, true));
    for (int s = 0; s < lab->n_devices; s++)
        TRY(create_stage(lab, s));
    TRY(cudaStreamCreateWithFlags(&state->origin, cudaStreamNonBlocking));
    for (int i = 0; i < lab->n_buffers; i++)
        TRY(cudaEventCreateWithFlags(&state->received[i], cudaEventDisableTiming));
    TRY(capture(lab));
    return cudaGraphInstantiate(&state->exec, lab->graph, 0);
}

cudaError_t lab12_run(struct lab12 *lab)
{
#ifdef SOLUTION
    TRY(cudaGraphLaunch(lab->state->exec, lab->state->origin));
    return cudaStreamSynchronize(lab->state->origin);
#else
    /* YOUR STEP 8: launch the graph into the origin, and wait. */
    (void)lab;
    return cudaErrorNotYetImplemented;
#endif
}

cudaError_t lab12_teardown(struct lab12 *lab)
{
    struct lab12_state *state = lab->state;

    TRY(cudaGraphExecDestroy(state->exec));
    TRY(cudaGraphDestroy(lab->graph));
    for (int i = 0; i < lab->n_buffers; i++)
        TRY(cudaEventDestroy(state->received[i]));
    TRY(cudaStreamDestroy(state->origin));
    for (int s = 0; s < lab->n_devices; s++)
        TRY(destroy_stage(lab, s));
    TRY(set_all_peer_access(lab, false));
    free(state->received);
    free(state->stages);
    free(state);
    return cudaSuccess;
}
