/*
 * Lab 05: fork, branches, join: all batches in one graph.
 *
 *                   +-> [H2D 0] -> [matmul 0] -> [D2H 0] -> [H2D 4] -> ... -+
 *                   +-> [H2D 1] -> [matmul 1] -> [D2H 1] -> [H2D 5] -> ... -+
 *     [running] ----+                                                       +----> [done]
 *                   +-> [H2D 2] -> [matmul 2] -> [D2H 2] -> ...             |
 *                   +-> [H2D 3] -> [matmul 3] -> [D2H 3] -> ... ------------+
 *
 * The same batches as in lab 03, C[i] = A[i] x B[i], over `n_streams` streams and a ring of
 * `n_buffers` sets of device buffers; batch i in stream i % n_streams, with set i % n_buffers. Now
 * you capture all of it, once, and one launch of the graph is the whole run.
 *
 * Each function returns the first error it gets. The grader then stops and does not clean up.
 */
#ifndef LAB05_H
#define LAB05_H

#include <cuda_runtime_api.h>

/* Values of the status byte: the state of the graph, for work that is ordered after it. */
enum lab05_status { LAB05_RUNNING = 1, LAB05_DONE = 2 };

struct lab05 {
    /* given */
    int n; /* matrices are n x n floats, row major; a multiple of 32 */
    int n_batches;
    int n_streams;      /* streams to capture, so branches of the graph; at most */
    int n_buffers;      /* sets of device buffers (a, b, c) in the ring; allocate no others */
    const float *a, *b; /* inputs, n_batches matrices each, in one piece of pinned host memory:
                           all of a, directly followed by b */
    float *c;           /* results, pinned host memory, n_batches matrices */
    void *status;       /* one byte of device memory. The graph's first node sets it to
                           LAB05_RUNNING (cudaMemsetAsync) and everything waits for that; its last
                           node waits for everything and sets it to LAB05_DONE */

    /* yours, set by lab05_setup and alive until lab05_teardown: the captured graph. The grader
       inspects its nodes and edges */
    cudaGraph_t graph;

    /* yours: whatever else you keep from setup to teardown */
    struct lab05_state *state;
};

/* Not timed. Creates streams, events and the ring of device buffers, captures all batches and
   instantiates the graph. */
cudaError_t lab05_setup(struct lab05 *lab);

/* Timed, and called more than once. One launch of the graph, and no other work; it allocates and
   creates nothing. When it returns, c holds every product. */
cudaError_t lab05_run(struct lab05 *lab);

/* Not timed. Frees everything that lab05_setup allocated or created. */
cudaError_t lab05_teardown(struct lab05 *lab);

#endif
