/*
 * Lab 07, device code: three kernels that launch graphs. See lab.h and README.md.
 *
 * In device code:
 *     cudaGraphLaunch(exec, stream)   asks for a launch; returns an error if it cannot be
 *     cudaGetCurrentGraphExec()       the executable graph that this kernel is a part of
 * and the stream is one of
 *     cudaStreamGraphFireAndForget    now, beside whatever runs
 *     cudaStreamGraphTailLaunch       when this graph, and all that it fired, is done
 */
#include <cuda_runtime.h>

#include "lab.h"

/* Launches a graph from the device, and keeps the first error for the host. */
static __device__ void launch(cudaGraphExec_t exec, cudaStream_t how, int *status)
{
#ifdef SOLUTION
    __threadfence(); /* what this thread has written is there for the graph */
    cudaError_t error = cudaGraphLaunch(exec, how);
    if (error != cudaSuccess)
        atomicCAS(status, cudaSuccess, error);
#else
    /*
     * YOUR STEP 2: launch, and look at what that returns. Nobody else does: an error that is not
     * kept in *status is an error that nobody hears of.
     */
    (void)exec;
    (void)how;
    atomicCAS(status, cudaSuccess, cudaErrorNotYetImplemented);
#endif
}

/* ---- the length of a vector ------------------------------------------------------------------ */

static __global__ void launcher(struct lab07_plan plan, int *status)
{
#ifdef SOLUTION
    int worker = *plan.next, end = min(worker + LAB07_MOST_FIRED, plan.n_workers);
    for (; worker < end; worker++)
        launch(plan.workers[worker], cudaStreamGraphFireAndForget, status);
    if (worker < plan.n_workers) {
        *plan.next = worker;
        launch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch, status);
        return;
    }
    *plan.next = 0;
    launch(plan.sum, cudaStreamGraphTailLaunch, status);
    launch(plan.root, cudaStreamGraphTailLaunch, status);
#else
    /*
     * YOUR STEP 3: launch all workers so that they run at the same time, then the sum, then the
     * root. In which stream each, so that the sum is not too early?
     *
     * YOUR STEP 4: more than LAB07_MOST_FIRED workers. What runs when the first of them are done,
     * and how does it know where to go on?
     */
    (void)plan;
    (void)launch;
    atomicCAS(status, cudaSuccess, cudaErrorNotYetImplemented);
#endif
}

/* ---- rounds ---------------------------------------------------------------------------------- */

static __global__ void again(int *rounds_left, int *status)
{
#ifdef SOLUTION
    *rounds_left -= 1;
    if (*rounds_left > 0)
        launch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch, status);
#else
    /* YOUR STEP 6: a round is made. Is there another one? Then the graph launches itself. */
    (void)rounds_left;
    atomicCAS(status, cudaSuccess, cudaErrorNotYetImplemented);
#endif
}

/* ---- packets --------------------------------------------------------------------------------- */

static __global__ void scheduler(struct ring *ring, struct hand *hands,
                                 const cudaGraphExec_t *handlers, int *status)
{
#ifdef SOLUTION
    const unsigned begin = ring->taken, put = ring->put;
    unsigned next = begin, busy = 0; /* a bit for each type whose handler runs */

    while (next != put) {
        const struct packet packet = ring->slots[next % RING_SLOTS];
        const unsigned type = 1u << packet.type;
        if ((busy & type) || (packet.in_order && busy))
            break;
        hands[packet.type].packet = packet;
        launch(handlers[packet.type], cudaStreamGraphFireAndForget, status);
        busy |= type;
        next++;
        if (packet.in_order)
            break;
    }
    ring->taken = next;
    /* also where the ring looks empty: what was launched may put packets into it */
    if (next != begin)
        launch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch, status);
#else
    /*
     * YOUR STEP 8: take packets from the ring, put each into its handler's hand, and launch the
     * handler, as long as that is allowed: which packet has to wait for those that you have just
     * launched? For them, launch this graph once more; and once more until when?
     */
    (void)ring;
    (void)hands;
    (void)handlers;
    atomicCAS(status, cudaSuccess, cudaErrorNotYetImplemented);
#endif
}

/* ---- into a stream, for host code ------------------------------------------------------------ */

static cudaError_t queue(const void *kernel, void **args, cudaStream_t stream)
{
    return cudaLaunchKernel(kernel, dim3(1), dim3(1), args, 0, stream);
}

cudaError_t lab07_queue_launcher(const struct lab07_plan *plan, int *status, cudaStream_t stream)
{
    struct lab07_plan copy = *plan;
    void *args[] = {&copy, &status};
    return queue((const void *)launcher, args, stream);
}

cudaError_t lab07_queue_again(int *rounds_left, int *status, cudaStream_t stream)
{
    void *args[] = {&rounds_left, &status};
    return queue((const void *)again, args, stream);
}

cudaError_t lab07_queue_scheduler(struct ring *ring, struct hand *hands,
                                  const cudaGraphExec_t *handlers, int *status, cudaStream_t stream)
{
    void *args[] = {&ring, &hands, &handlers, &status};
    return queue((const void *)scheduler, args, stream);
}
