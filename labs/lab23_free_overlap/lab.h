/*
 * Lab 23: the free part of lab 03. The same products, within a memory budget. The design is yours.
 *
 *     pinned host memory      device: memory_bytes in all      pinned host memory
 *     a, b  ------ H2D ---->  [ A B ] [ A B ] ... [ C ]  ------ D2H ---->  c
 *
 * C[i] = A[i] x B[i], each product by one launch_matmul. The whole problem does not fit on the
 * device. The budget is a number of matrices, from three on. It is seldom a multiple of three, so a
 * ring of whole sets (a, b, c) leaves a part of it unused.
 *
 * Each function returns the first error it gets. The grader then stops and does not clean up.
 */
#ifndef LAB23_H
#define LAB23_H

#include <cuda_runtime_api.h>

struct lab23 {
    /* given */
    int n; /* matrices are n x n floats, row major; a multiple of 32 */
    int n_batches;
    size_t memory_bytes; /* the budget: all device memory that the lab has allocated, at any time;
                            a multiple of a matrix, three or more */
    const float *a, *b;  /* inputs, n_batches matrices each, in one piece of pinned host memory:
                            all of a, directly followed by b */
    float *c;            /* results, pinned host memory, n_batches matrices */

    /* yours: whatever you keep from setup to teardown */
    struct lab23_state *state;
};

/* Not timed. Creates streams and events, and allocates device memory. */
cudaError_t lab23_setup(struct lab23 *lab);

/* Timed, and called more than once. When it returns, c holds every product. */
cudaError_t lab23_run(struct lab23 *lab);

/* Not timed. Frees everything that lab23_setup allocated or created. */
cudaError_t lab23_teardown(struct lab23 *lab);

#endif
