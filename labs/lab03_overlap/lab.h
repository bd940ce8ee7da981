/*
 * Lab 03: overlapping copies and kernels.
 *
 *     H2D      [0][1][2][3][4] ...
 *     compute     [0][1][2][3][4] ...
 *     D2H            [0][1][2][3][4] ...                -> time
 *
 * The same batches as in lab 01, C[i] = A[i] x B[i], now over `n_streams` streams and a ring of
 * `n_buffers` sets of device buffers. Batch i uses set i % n_buffers: before batch i fills the set,
 * the last batch that used it must be done with it. The busiest of the three stages sets the
 * limit: T >= max(H2D, compute, D2H).
 *
 * Each function returns the first error it gets. The grader then stops and does not clean up.
 */
#ifndef LAB03_H
#define LAB03_H

#include <cuda_runtime_api.h>

struct lab03 {
    /* given */
    int n; /* matrices are n x n floats, row major; a multiple of 32 */
    int n_batches;
    int n_streams;      /* streams to use, at most */
    int n_buffers;      /* sets of device buffers (a, b, c) in the ring; allocate no others */
    const float *a, *b; /* inputs, n_batches matrices each, in one piece of pinned host memory:
                           all of a, directly followed by b */
    float *c;           /* results, pinned host memory, n_batches matrices */

    /* yours: whatever you keep from setup to teardown */
    struct lab03_state *state;
};

/* Not timed. Creates streams, events and the ring of device buffers. */
cudaError_t lab03_setup(struct lab03 *lab);

/* Timed, and called more than once. When it returns, c holds every product. */
cudaError_t lab03_run(struct lab03 *lab);

/* Not timed. Frees everything that lab03_setup allocated or created. */
cudaError_t lab03_teardown(struct lab03 *lab);

#endif
