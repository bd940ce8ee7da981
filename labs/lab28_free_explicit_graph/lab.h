/*
 * Lab 28: the free part of lab 08. A graph from a list of operations, whose edges you derive.
 *
 *     program order       buffers             a graph that is right
 *     0  B = produce(A)   0 writes B          0 --> 1 --> 3
 *     1  C = consume(B)   1 reads B                       ^
 *     2  D = produce(A)   2 reads A           2 ----------+
 *     3  A = consume(C)   3 writes A
 *
 * The operations are given in program order. The graph must leave the same contents in all buffers
 * as running them serially, and run as many of them concurrently as the data permits.
 *
 * Each function returns the first error it gets. The grader then stops and does not clean up.
 */
#ifndef LAB28_H
#define LAB28_H

#include <cuda_runtime_api.h>

enum lab28_kind {
    LAB28_PRODUCE, /* launch_produce(out, in, steps, n) */
    LAB28_CONSUME  /* launch_consume(out, in, n) */
};

/* It reads all of buffer `in` and writes all of buffer `out`, which is another one. */
struct lab28_op {
    enum lab28_kind kind;
    int out, in; /* numbers of buffers */
    int steps;   /* of LAB28_PRODUCE */
};

struct lab28 {
    /* given, valid until lab28_teardown */
    int n; /* floats in each buffer */
    int n_buffers;
    float *const *buffers; /* device memory: allocate no other */
    int n_ops;
    const struct lab28_op *ops; /* in program order */

    /* yours, set by lab28_setup and alive until lab28_teardown: a graph with one kernel for each
       operation. The grader instantiates it, sets the contents of the buffers before each launch,
       and reads them afterwards */
    cudaGraph_t graph;

    /* yours: whatever you keep from setup to teardown */
    struct lab28_state *state;
};

/* Not timed. Makes the graph, node by node or by a capture. */
cudaError_t lab28_setup(struct lab28 *lab);

/* Not timed. Frees everything that lab28_setup allocated or created, the graph included. */
cudaError_t lab28_teardown(struct lab28 *lab);

#endif
