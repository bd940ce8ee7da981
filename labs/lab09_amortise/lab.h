/*
 * Lab 09: a service that runs for hours. Each request has a shape, and a graph is made for a shape.
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
 * Every function returns the first error that it cannot handle; the grader ends there.
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
    const float *in;     /* pinned host memory; its address says nothing about the shape */
    float *out;          /* pinned host memory: `in`, smoothed n_steps times */
    cudaStream_t stream; /* of the client who sent the request */
};

/* Three measurements of one shape, each with its wait for the result. */
struct lab09_times {
    double stream_us; /* one request with stream launches */
    double graph_us;  /* one request with a launch of an executable graph that is uploaded */
    double once_us;   /* capture, instantiation and upload */
};

struct lab09 {
    /* given */
    int max_execs;  /* executable graphs that may exist at the same time */
    int max_floats; /* of all workspaces together */

    /* A workspace of n floats in device memory. The next allocation may get the memory of a
       workspace as soon as it was released: the pool waits for nothing. NULL: the pool is full. */
    float *(*allocate)(int n);
    void (*release)(float *workspace);

    /* A library's function: enqueues the n_steps kernels of a shape in the stream. The input lies
       at workspace, the other n floats are at workspace + n; the result is at workspace if n_steps
       is even, else at workspace + n. Some of its versions cannot be captured: then it returns an
       error during the capture, and only then. */
    cudaError_t (*enqueue)(float *workspace, struct lab09_shape shape, cudaStream_t stream);

    /* yours: whatever you keep from setup to teardown */
    struct lab09_state *state;
};

/* From which launch on (1, 2, …) is a graph no slower in total than stream launches? 0: never. */
int lab09_break_even(const struct lab09_times *times);

/* Not timed. Creates an empty cache. */
cudaError_t lab09_setup(struct lab09 *lab);

/* Not timed, before the first request: makes and uploads a graph for each shape, and returns when
   the uploads are done. All shapes fit into the budget. */
cudaError_t lab09_warm(struct lab09 *lab, const struct lab09_shape *shapes, int n_shapes);

/*
 * Enqueues a request in its stream and returns; `out` is there when the stream is done. Called by
 * one thread. Other threads use the device meanwhile. The work of earlier requests may still be
 * running, in this stream or in another. If the capture fails, serves the request with stream
 * launches, leaves no error behind for cudaGetLastError, and tries again the next time.
 */
cudaError_t lab09_serve(struct lab09 *lab, const struct lab09_request *request);

/* Waits for the requests of one stream. Any thread may call it, also during a capture. */
cudaError_t lab09_wait(struct lab09 *lab, cudaStream_t stream);

/* Not timed; all streams are done. Frees everything. */
cudaError_t lab09_teardown(struct lab09 *lab);

#endif
