/*
 * Lab 09: a cache of executable graphs. Each request has a shape, and each graph is for one shape.
 *
 *     request (shape, in, out, stream)
 *         |
 *       cache: shape -> executable graph + workspace          at most max_execs and max_floats
 *         |        hit                    miss
 *         |         |        evict until it fits, capture, instantiate or update
 *         v         v                      |
 *     H2D into the workspace  -  graph launch  -  D2H         in the stream of the request
 *
 * Instantiation is expensive, so the service keeps executable graphs and replays them. The cache
 * has a budget: the least recently used entry is evicted first.
 *
 * Each function returns the first error that it cannot handle. The grader then stops and does not
 * clean up.
 */
#ifndef LAB09_H
#define LAB09_H

#include <cuda_runtime_api.h>

/* The shape of a request: two requests with equal members can use one graph. */
struct lab09_shape {
    int n;       /* floats in `in` and `out` */
    int n_steps; /* smoothing kernels, at least 1 */
};

struct lab09_request {
    struct lab09_shape shape;
    const float *in;     /* pinned host memory; every request may have another address */
    float *out;          /* pinned host memory: `in`, smoothed n_steps times */
    cudaStream_t stream; /* of the client that sent the request */
};

/* Three measurements of one shape, in microseconds; each includes the wait for the result. */
struct lab09_times {
    double stream_us; /* one request with stream launches */
    double graph_us;  /* one request with a launch of an uploaded executable graph */
    double once_us;   /* capture, instantiation and upload */
};

struct lab09 {
    /* given */
    int max_execs;  /* executable graphs that may exist at the same time */
    int max_floats; /* of all workspaces together */

    /* Allocate and release a workspace of n floats in device memory. Neither waits for the device:
       after a release, the next allocation may get the same memory immediately. `allocate` returns
       NULL if the pool is full. */
    float *(*allocate)(int n);
    void (*release)(float *workspace);

    /* A library function. It enqueues the n_steps kernels of a shape in the stream. The workspace
       has 2 n floats. The input is in the first half. The result is in the first half if n_steps is
       even, otherwise in the second half (workspace + n). Some versions of the library cannot be
       captured: during capture, and only then, this function returns an error. */
    cudaError_t (*enqueue)(float *workspace, struct lab09_shape shape, cudaStream_t stream);

    /* yours: whatever you keep from setup to teardown */
    struct lab09_state *state;
};

/* Returns the first launch (1, 2, …) from which on a graph is, in total, no slower than stream
   launches; 0 if there is none. */
int lab09_break_even(const struct lab09_times *times);

/* Not timed. Creates an empty cache. */
cudaError_t lab09_setup(struct lab09 *lab);

/* Not timed; called before the first request. Instantiates and uploads a graph for each shape.
   Returns when the uploads are complete. All shapes fit into the budget. */
cudaError_t lab09_warm(struct lab09 *lab, const struct lab09_shape *shapes, int n_shapes);

/*
 * Enqueues a request in its stream and returns. `out` is complete when the work of the stream is
 * complete. One thread calls this function, while other threads use the device. Earlier requests
 * may still be running, in this stream or in others.
 *
 * If the capture fails: serves the request with stream launches, and clears the error, so that
 * cudaGetLastError returns cudaSuccess. The next request of this shape captures again.
 */
cudaError_t lab09_serve(struct lab09 *lab, const struct lab09_request *request);

/* Waits for the requests of one stream. Any thread may call it, also while another one captures. */
cudaError_t lab09_wait(struct lab09 *lab, cudaStream_t stream);

/* Not timed; the work of all streams is complete. Frees everything. */
cudaError_t lab09_teardown(struct lab09 *lab);

#endif
