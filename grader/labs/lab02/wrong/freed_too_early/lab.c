/*
 * Wrong: the consumer gives the slot back before the kernel that reads it.
 */
#include <stdlib.h>

#include "check.h"
#include "kernels.h"
#include "lab.h"

/* What producer and consumer share. */
struct slot {
    float *item;       /* device memory, n floats */
    cudaEvent_t ready; /* recorded by the producer: the item is in the slot */
    cudaEvent_t freed; /* recorded by the consumer: the slot has been read */
};

struct lab02_state {
    size_t item_bytes;
    float *dev_in;  /* only the producer's stream touches it, so one item is enough */
    float *dev_out; /* the same for the consumer's */
    cudaStream_t producer, consumer;
    struct slot *slots; /* n_slots of them; item i goes through slot i % n_slots */
};

static cudaError_t create_slot(struct slot *slot, size_t item_bytes)
{
    TRY(cudaMalloc((void **)&slot->item, item_bytes));
    /* they order work and measure nothing: without a time stamp they cost the device nothing */
    TRY(cudaEventCreateWithFlags(&slot->ready, cudaEventDisableTiming));
    return cudaEventCreateWithFlags(&slot->freed, cudaEventDisableTiming);
}

static cudaError_t destroy_slot(struct slot *slot)
{
    TRY(cudaEventDestroy(slot->freed));
    TRY(cudaEventDestroy(slot->ready));
    return cudaFree(slot->item);
}

cudaError_t lab02_setup(struct lab02 *lab)
{
    struct lab02_state *state = calloc(1, sizeof *state);
    if (!state)
        return cudaErrorMemoryAllocation;
    lab->state = state;
    state->item_bytes = lab->n * sizeof(float);
    state->slots = calloc(lab->n_slots, sizeof *state->slots);
    if (!state->slots)
        return cudaErrorMemoryAllocation;
    TRY(cudaMalloc((void **)&state->dev_in, state->item_bytes));
    TRY(cudaMalloc((void **)&state->dev_out, state->item_bytes));
    TRY(cudaStreamCreateWithFlags(&state->producer, cudaStreamNonBlocking));
    TRY(cudaStreamCreateWithFlags(&state->consumer, cudaStreamNonBlocking));
    for (int i = 0; i < lab->n_slots; i++)
        TRY(create_slot(&state->slots[i], state->item_bytes));
    return cudaSuccess;
}

/* Item i into its slot, in the producer's stream. */
static cudaError_t queue_produce(struct lab02 *lab, int i)
{
    struct lab02_state *state = lab->state;
    struct slot *slot = &state->slots[i % lab->n_slots];
    cudaStream_t stream = state->producer;

    TRY(cudaMemcpyAsync(state->dev_in, lab->in + (size_t)i * lab->n, state->item_bytes,
                        cudaMemcpyHostToDevice, stream));
    /* while the slot is new there is nothing to wait for: nobody waits for an unrecorded event */
    TRY(cudaStreamWaitEvent(stream, slot->freed, 0));
    TRY(launch_produce(slot->item, state->dev_in, lab->steps, lab->n, stream));
    return cudaEventRecord(slot->ready, stream);
}

/* Item i out of its slot, in the consumer's stream. */
static cudaError_t queue_consume(struct lab02 *lab, int i)
{
    struct lab02_state *state = lab->state;
    struct slot *slot = &state->slots[i % lab->n_slots];
    cudaStream_t stream = state->consumer;

    TRY(cudaStreamWaitEvent(stream, slot->ready, 0));
    TRY(cudaEventRecord(slot->freed, stream));
    TRY(launch_consume(state->dev_out, slot->item, lab->n, stream));
    return cudaMemcpyAsync(lab->out + (size_t)i * lab->n, state->dev_out, state->item_bytes,
                           cudaMemcpyDeviceToHost, stream);
}

cudaError_t lab02_enqueue(struct lab02 *lab)
{
    /* item by item: a wait is for the latest record before it, so the record must come first */
    for (int i = 0; i < lab->n_items; i++) {
        TRY(queue_produce(lab, i));
        TRY(queue_consume(lab, i));
    }
    return cudaSuccess;
}

cudaError_t lab02_wait(struct lab02 *lab)
{
    /* the consumer's last copy comes after everything else */
    return cudaStreamSynchronize(lab->state->consumer);
}

cudaError_t lab02_teardown(struct lab02 *lab)
{
    struct lab02_state *state = lab->state;

    for (int i = 0; i < lab->n_slots; i++)
        TRY(destroy_slot(&state->slots[i]));
    TRY(cudaStreamDestroy(state->consumer));
    TRY(cudaStreamDestroy(state->producer));
    TRY(cudaFree(state->dev_out));
    TRY(cudaFree(state->dev_in));
    free(state->slots);
    free(state);
    return cudaSuccess;
}
