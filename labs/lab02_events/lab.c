/*
 * Lab 02: a producer and a consumer, ordered by events. See lab.h and README.md.
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
    /* YOUR STEP 1: the slot's device memory and its two events, which need not measure time. */
    (void)slot;
    (void)item_bytes;
    return cudaErrorNotYetImplemented;
}

static cudaError_t destroy_slot(struct slot *slot)
{
    /* YOUR STEP 1, too: give back what create_slot took. */
    (void)slot;
    return cudaErrorNotYetImplemented;
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
    /*
     * YOUR STEP 2: in the producer's stream: in[i] to dev_in, launch_produce from there into the
     * slot. Which of the two must wait until the slot has been read? How will the consumer know?
     */
    (void)lab;
    (void)i;
    return cudaErrorNotYetImplemented;
}

/* Item i out of its slot, in the consumer's stream. */
static cudaError_t queue_consume(struct lab02 *lab, int i)
{
    /*
     * YOUR STEP 3: in the consumer's stream: wait for the item, launch_consume from the slot into
     * dev_out, dev_out to out[i]. From which moment on may the producer have the slot back?
     */
    (void)lab;
    (void)i;
    return cudaErrorNotYetImplemented;
}

cudaError_t lab02_enqueue(struct lab02 *lab)
{
    /* YOUR STEP 4: every item through both streams. In which order must the calls be made? */
    TRY(queue_produce(lab, 0));
    TRY(queue_consume(lab, 0));
    return cudaErrorNotYetImplemented;
}

cudaError_t lab02_wait(struct lab02 *lab)
{
    /* YOUR STEP 5: wait for the one piece of work that comes after all the other. */
    (void)lab;
    return cudaErrorNotYetImplemented;
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
