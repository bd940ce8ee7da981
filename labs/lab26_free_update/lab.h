/*
 * Lab 26: the free part of lab 06. A pipeline whose calls differ in anything between one number and
 * everything. How the graph changes is yours.
 *
 *     H2D - step 0 - step 1 - step 2 - ... - step n_steps - 1 - D2H
 *      *               *        off            *                 *
 *
 * A * is a difference from the call before.
 *
 * Each call has other buffers, and some other weights, and switches some steps on or off. The host
 * needs the result before it continues.
 *
 * Each function returns the first error it gets. The grader then stops and does not clean up.
 */
#ifndef LAB26_H
#define LAB26_H

#include <cuda_runtime_api.h>

struct lab26_step {
    int is_on; /* 0: the step is left out */
    float weight;
};

struct lab26_item {
    const float *in;                /* pinned host memory, 2 n floats: p, directly followed by q */
    float *out;                     /* the same for the results */
    const struct lab26_step *steps; /* n_steps of them; no longer valid when lab26_call returns */
};

struct lab26 {
    /* given */
    int n;
    int n_steps;
    size_t memory_bytes; /* all device memory that the lab may have, at any time: one item and a
                            half, so 3 n floats */

    /* yours: whatever you keep from setup to teardown */
    struct lab26_state *state;
};

/* Not timed. Creates and allocates what you need. */
cudaError_t lab26_setup(struct lab26 *lab);

/* Timed. From p and q of item->in: for each step i that is on, in this order, p += weight q for
   step 0, 2, 4, …, and q += weight p for step 1, 3, 5, …; each by one launch_saxpy, or its kernel
   in a graph. When it returns, item->out holds p and q. */
cudaError_t lab26_call(struct lab26 *lab, const struct lab26_item *item);

/* Not timed. Frees everything that was allocated or created. */
cudaError_t lab26_teardown(struct lab26 *lab);

#endif
