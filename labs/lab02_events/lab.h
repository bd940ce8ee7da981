/*
 * Lab 02: a producer and a consumer, ordered by events.
 *
 *     producer   [H2D 0][produce 0][H2D 1][produce 1][H2D 2]   [produce 2] ...
 *                                 \                            ^
 *                          ready 0 \                          / freed 0
 *                                   v                        /
 *     consumer                      [       consume 0       ][D2H 0][consume 1] ...
 *
 * Here with two slots. Only the events of item 0 are drawn.
 *
 * Two streams share `n_slots` device slots. The producer copies in[i] to the device and computes
 * item i into slot i % n_slots; the consumer turns that slot into a result and copies it back to
 * out[i]. The consumer must not start before the item is in the slot; the producer must not write a
 * slot that is still being read. Use events for both orders: the host enqueues all the work without
 * waiting.
 *
 * Each function returns the first error it gets. The grader then stops and does not clean up.
 */
#ifndef LAB02_H
#define LAB02_H

#include <cuda_runtime_api.h>

struct lab02 {
    /* given */
    int n; /* floats per item */
    int n_items;
    int n_slots;     /* device slots between producer and consumer; fewer than items */
    int steps;       /* work of the producer, an argument of launch_produce */
    const float *in; /* pinned host memory, n_items items, item i at in + i * n */
    float *out;      /* pinned host memory, n_items items, item i at out + i * n */

    /* yours: whatever you keep from setup to teardown */
    struct lab02_state *state;
};

/* Not timed. Creates two streams, the events and the device memory. */
cudaError_t lab02_setup(struct lab02 *lab);

/* Enqueues all the work in the two streams and returns without waiting for any of it. Called again
   only after lab02_wait. */
cudaError_t lab02_enqueue(struct lab02 *lab);

/* Returns when out holds every result. */
cudaError_t lab02_wait(struct lab02 *lab);

/* Not timed. Frees everything that lab02_setup allocated or created. */
cudaError_t lab02_teardown(struct lab02 *lab);

#endif
