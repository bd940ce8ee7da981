/*
 * Lab 25: the free part of lab 05. The same products in one graph, within a memory budget. The
 * design of the graph is yours.
 *
 *     pinned host memory      device: memory_bytes in all      pinned host memory
 *     a, b  ------ H2D ---->  [ A B ] [ A B ] ... [ C ]  ------ D2H ---->  c
 *
 * C[i] = A[i] x B[i], each product by one launch_matmul. The budget is a number of matrices, from
 * three on. It is seldom a multiple of three, so a ring of whole sets (a, b, c) leaves a part of it
 * unused.
 *
 * Each function returns the first error it gets. The grader then stops and does not clean up.
 */
#ifndef LAB25_H
#define LAB25_H

#include <cuda_runtime_api.h>

struct lab25 {
    /* given */
    int n; /* matrices are n x n floats, row major; a multiple of 32 */
    int n_batches;
    size_t memory_bytes; /* the budget: all device memory that the lab has allocated, at any time;
                            a multiple of a matrix, three or more. Memory of allocation nodes counts
                            as much as the device reserves for it */
    const float *a, *b;  /* inputs, n_batches matrices each, in one piece of pinned host memory:
                            all of a, directly followed by b */
    float *c;            /* results, pinned host memory, n_batches matrices */

    /* yours, set by lab25_setup and alive until lab25_teardown: the graph of all batches, captured
       or built node by node. The grader instantiates it, launches it several times, one launch
       after another, and waits */
    cudaGraph_t graph;

    /* yours: whatever else you keep from setup to teardown */
    struct lab25_state *state;
};

/* Not timed. Allocates device memory and makes the graph. */
cudaError_t lab25_setup(struct lab25 *lab);

/* Not timed. Frees everything that lab25_setup allocated or created, the graph included. */
cudaError_t lab25_teardown(struct lab25 *lab);

#endif
