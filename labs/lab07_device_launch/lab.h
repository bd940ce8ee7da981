/*
 * Lab 07: kernels that launch graphs, without the host.
 *
 *     length     launcher - - -> worker 0    - - -> sum - - -> root     (with more than 120
 *                         - - -> worker 1                                workers, launcher runs
 *                         - - -> ...                                     more than once)
 *
 *     loop       saxpy - again - - -> saxpy - again - - -> saxpy - again - - -> ...
 *
 *     packets    scheduler - - -> handlers - - -> scheduler - - -> handlers - - -> ...
 *
 * A dashed arrow is a launch by the device. The launched graphs are given. You write the launching
 * kernels: three kernels of one thread, in lab.cu. Your host code, in lab.c, prepares everything
 * and then launches one graph per call.
 *
 * Each function returns the first error it gets, including errors of launches by the device. The
 * grader then stops and does not clean up.
 */
#ifndef LAB07_H
#define LAB07_H

#include "handlers.h"

/* The number of graphs that one run of a graph can launch fire-and-forget. */
enum { LAB07_MAX_FIRE_AND_FORGET = 120 };

struct lab07 {
    /* given, for lab07_length: graphs (handlers.h) */
    int n_workers;              /* may be more than LAB07_MAX_FIRE_AND_FORGET */
    const cudaGraph_t *workers; /* n_workers of them, one for each piece of the vector */
    cudaGraph_t sum;            /* adds up the workers' results */
    cudaGraph_t root;           /* the square root of the sum */

    /* given, for lab07_loop: device memory */
    int n;
    float *y;
    const float *x;
    float alpha;
    int *iterations_left; /* the number of iterations to run, at least 1; 0 when the call returns */

    /* given, for lab07_packets */
    struct ring *ring;               /* device memory: the waiting packets, at least one */
    struct argument_slot *arguments; /* device memory: PACKET_TYPES argument slots */
    const cudaGraph_t *handlers;     /* PACKET_TYPES graphs; handler t reads arguments[t] */

    /* yours: whatever you keep from setup to teardown */
    struct lab07_state *state;
};

/* Not timed. You may instantiate graphs here or in the first call. */
cudaError_t lab07_setup(struct lab07 *lab);

/*
 * The length of a vector: all workers, as concurrently as possible; then the sum, when all workers
 * are complete; then the root.
 */
cudaError_t lab07_length(struct lab07 *lab);

/*
 * y = y + alpha * x, *iterations_left times. That number is only in device memory, and another one
 * in each call.
 */
cudaError_t lab07_loop(struct lab07 *lab);

/*
 * Handles all packets in the ring, including those that handlers add. An in_order packet is handled
 * in the order of the ring. Other packets run concurrently if their types differ.
 */
cudaError_t lab07_packets(struct lab07 *lab);

/* Not timed. Frees everything that you allocated or created. Do not destroy the given graphs. */
cudaError_t lab07_teardown(struct lab07 *lab);

/* ---- lab.cu ---------------------------------------------------------------------------------- */

#ifdef __cplusplus
extern "C" {
#endif

/* The arguments of the launcher of lab07_length. Pointers are device memory. */
struct lab07_plan {
    const cudaGraphExec_t *workers; /* n_workers executable graphs */
    int n_workers;
    cudaGraphExec_t sum, root;
    int *next; /* the next worker to launch; 0 when a call begins and when it ends */
};

/*
 * Each enqueues a kernel of one thread. The kernel launches graphs, so it must be part of a graph
 * itself. *status, in device memory: 0, or the first error of a launch by the device.
 */
cudaError_t lab07_enqueue_launcher(const struct lab07_plan *plan, int *status, cudaStream_t stream);
cudaError_t lab07_enqueue_again(int *iterations_left, int *status, cudaStream_t stream);
cudaError_t lab07_enqueue_scheduler(struct ring *ring, struct argument_slot *arguments,
                                    const cudaGraphExec_t *handlers, int *status,
                                    cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
