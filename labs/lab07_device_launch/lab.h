/*
 * Lab 07: kernels that launch graphs, with nobody on the host to wait for.
 *
 *     length     launcher - - -> worker 0    - - -> sum - - -> root        (and launcher again,
 *                         - - -> worker 1                                   where there are more
 *                         - - -> ...                                        workers than may be)
 *
 *     rounds     saxpy - again - - -> saxpy - again - - -> saxpy - again   (and so on)
 *
 *     packets    scheduler - - -> handlers - - -> scheduler - - -> handlers  (until none is left)
 *
 * A dashed arrow is a launch by the device. What is launched is given, as graphs; what launches it
 * is yours: three kernels of one thread, in lab.cu. Host code, in lab.c, gets everything ready, and
 * then launches one graph a call.
 *
 * Every function returns the first error it meets, also one that a launch on the device met; the
 * grader ends there and cleans up nothing.
 */
#ifndef LAB07_H
#define LAB07_H

#include "handlers.h"

/* So many graphs may one run of a graph launch to fire and forget. */
enum { LAB07_MOST_FIRED = 120 };

struct lab07 {
    /* given, for lab07_length: graphs (handlers.h) */
    int n_workers;              /* may be more than LAB07_MOST_FIRED */
    const cudaGraph_t *workers; /* n_workers of them; each works on a piece of its own */
    cudaGraph_t sum;            /* of what the workers have found */
    cudaGraph_t root;           /* of that sum */

    /* given, for lab07_rounds: device memory */
    int n;
    float *y;
    const float *x;
    float alpha;
    int *rounds_left; /* how many rounds are to be made, at least 1; yours to count down */

    /* given, for lab07_packets */
    struct ring *ring;           /* device memory: packets wait here, at least one */
    struct hand *hands;          /* device memory: PACKET_TYPES of them */
    const cudaGraph_t *handlers; /* PACKET_TYPES graphs; number t handles what is in hands[t] */

    /* yours: whatever you keep from setup to teardown */
    struct lab07_state *state;
};

/* Not timed. Executable graphs may wait for the first call. */
cudaError_t lab07_setup(struct lab07 *lab);

/*
 * The length of a vector: all workers, at the same time as far as that is possible; when all are
 * done the sum; then the root.
 */
cudaError_t lab07_length(struct lab07 *lab);

/* y = y + alpha * x, as often as *rounds_left says, which only the device knows. */
cudaError_t lab07_rounds(struct lab07 *lab);

/*
 * Has all packets in the ring handled, also those that handlers put there meanwhile: in the order
 * of the ring where a packet is in_order, else at the same time where their types are different.
 */
cudaError_t lab07_packets(struct lab07 *lab);

/* Not timed. Gives back everything that was taken; the graphs that were given are not yours. */
cudaError_t lab07_teardown(struct lab07 *lab);

/* ---- lab.cu ---------------------------------------------------------------------------------- */

#ifdef __cplusplus
extern "C" {
#endif

/* What the launcher of lab07_length works with. Pointers are device memory. */
struct lab07_plan {
    const cudaGraphExec_t *workers; /* n_workers executable graphs */
    int n_workers;
    cudaGraphExec_t sum, root;
    int *next; /* the worker to go on with; 0 when a call begins and when it ends */
};

/*
 * Each puts a kernel of one thread into the stream, which launches graphs and so must run as part
 * of one. *status, in device memory: 0, or the first error that a launch by the device met.
 */
cudaError_t lab07_queue_launcher(const struct lab07_plan *plan, int *status, cudaStream_t stream);
cudaError_t lab07_queue_again(int *rounds_left, int *status, cudaStream_t stream);
cudaError_t lab07_queue_scheduler(struct ring *ring, struct hand *hands,
                                  const cudaGraphExec_t *handlers, int *status,
                                  cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
