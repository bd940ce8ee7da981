/*
 * Lab 02: a producer and a consumer, ordered by events. See lab.h and README.md.
 */
#include <stdlib.h>

#include "check.h"
#include "kernels.h"
#include "lab.h"

/* Shared by producer and consumer. */
struct slot {
    float *item;       /* device memory, n floats */
    cudaEvent_t ready; /* recorded by the producer: the item is in the slot */
    cudaEvent_t freed; /* recorded by the consumer: the slot has been read */
};

struct lab02_state {
    size_t item_bytes;
    float *dev_in;  /* only the producer's stream uses it, so one item is enough */
    float *dev_out; /* the same for the consumer's */
    cudaStream_t producer, consumer;
    struct slot *slots; /* n_slots of them; item i goes through slot i % n_slots */
};

static cudaError_t create_slot(struct slot *slot, size_t item_bytes)
{
#ifdef SOLUTION
    TRY(cudaMalloc((void **)&slot->item, item_bytes));
    /* without timing, an event costs the device nothing */
    TRY(cudaEventCreateWithFlags(&slot->ready, cudaEventDisableTiming));
    return cudaEventCreateWithFlags(&slot->freed, cudaEventDisableTiming);
#else
    /* YOUR STEP 1: allocate the slot's device memory and create its two events, without timing. */
    (void)slot;
    (void)item_bytes;
    return cudaErrorNotYetImplemented;
#endif
}

static cudaError_t destroy_slot(struct slot *slot)
{
#ifdef SOLUTION
    TRY(cudaEventDestroy(slot->freed));
    TRY(cudaEventDestroy(slot->ready));
    return cudaFree(slot->item);
#else
    /* YOUR STEP 1, too: free what create_slot allocated and created. */
    (void)slot;
    return cudaErrorNotYetImplemented;
#endif
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

/* Enqueues in the producer's stream: item i into its slot. */
static cudaError_t enqueue_produce(struct lab02 *lab, int i)
{
#ifdef SOLUTION
    struct lab02_state *state = lab->state;
    struct slot *slot = &state->slots[i % lab->n_slots];
    cudaStream_t stream = state->producer;

    TRY(cudaMemcpyAsync(state->dev_in, lab->in + (size_t)i * lab->n, state->item_bytes,
                        cudaMemcpyHostToDevice, stream));
    /* no-op for the first n_slots items: the event was never recorded */
    TRY(cudaStreamWaitEvent(stream, slot->freed, 0));
    TRY(launch_produce(slot->item, state->dev_in, lab->steps, lab->n, stream));
    return cudaEventRecord(slot->ready, stream);
#else
    /*
     * YOUR STEP 2: in the producer's stream: copy in[i] to dev_in, launch_produce from there into
     * the slot. Which of the two must wait until the slot has been read? Record an event for the
     * consumer.
     */
    (void)lab;
    (void)i;
    return cudaErrorNotYetImplemented;
#endif
}

/* Enqueues in the consumer's stream: item i out of its slot. */
static cudaError_t enqueue_consume(struct lab02 *lab, int i)
{
#ifdef SOLUTION
    struct lab02_state *state = lab->state;
    struct slot *slot = &state->slots[i % lab->n_slots];
    cudaStream_t stream = state->consumer;

    TRY(cudaStreamWaitEvent(stream, slot->ready, 0));
    TRY(launch_consume(state->dev_out, slot->item, lab->n, stream));
    TRY(cudaEventRecord(slot->freed, stream)); /* the copy below does not use the slot */
    return cudaMemcpyAsync(lab->out + (size_t)i * lab->n, state->dev_out, state->item_bytes,
                           cudaMemcpyDeviceToHost, stream);
#else
    /*
     * YOUR STEP 3: in the consumer's stream: wait for the item, launch_consume from the slot into
     * dev_out, copy dev_out to out[i]. After which operation may the producer reuse the slot?
     */
    (void)lab;
    (void)i;
    return cudaErrorNotYetImplemented;
#endif
}

cudaError_t lab02_enqueue(struct lab02 *lab)
{
#ifdef SOLUTION
    /* item by item: a wait refers to the latest record before it, so record first */
    for (int i = 0; i < lab->n_items; i++) {
        TRY(enqueue_produce(lab, i));
        TRY(enqueue_consume(lab, i));
    }
    return cudaSuccess;
#else
    /* YOUR STEP 4: enqueue every item in both streams. In which order do you make the calls? */
    TRY(enqueue_produce(lab, 0));
    TRY(enqueue_consume(lab, 0));
    return cudaErrorNotYetImplemented;
#endif
}

cudaError_t lab02_wait(struct lab02 *lab)
{
#ifdef SOLUTION
    /* the consumer's last copy completes after all other work */
    return cudaStreamSynchronize(lab->state->consumer);
#else
    /* YOUR STEP 5: wait for the operation that completes last. */
    (void)lab;
    return cudaErrorNotYetImplemented;
#endif
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
