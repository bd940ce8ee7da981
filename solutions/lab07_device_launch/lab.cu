/*
 * Lab 07, device code: three kernels that launch graphs. See lab.h and README.md.
 *
 * In device code:
 *     cudaGraphLaunch(exec, stream)   requests a launch; returns an error if it is refused
 *     cudaGetCurrentGraphExec()       returns the executable graph that this kernel is part of
 * The stream is one of
 *     cudaStreamGraphFireAndForget    runs immediately, concurrently with all other work
 *     cudaStreamGraphTailLaunch       runs when this graph is complete, and with it all graphs
 *                                     that it launched fire-and-forget
 */
#include <cuda_runtime.h>

#include "lab.h"

/* Launches a graph from the device, and stores the first error for the host. */
static __device__ void launch(cudaGraphExec_t exec, cudaStream_t how, int *status)
{
#ifdef SOLUTION
    __threadfence(); /* makes the writes of this thread visible to the graph */
    cudaError_t error = cudaGraphLaunch(exec, how);
    if (error != cudaSuccess)
        atomicCAS(status, cudaSuccess, error);
#else
    /*
     * YOUR STEP 2: make the writes of this thread visible to the launched graph (__threadfence),
     * launch it, and check the result. If there is an error, store it in *status: no other call
     * reports it.
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
    int worker = *plan.next, end = min(worker + LAB07_MAX_FIRE_AND_FORGET, plan.n_workers);
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
     * YOUR STEP 3: launch all workers so that they run concurrently, then the sum, then the root.
     * Which of them are fire-and-forget launches, and which are tails?
     */
    (void)plan;
    (void)launch;
    atomicCAS(status, cudaSuccess, cudaErrorNotYetImplemented);
    /*
     * YOUR STEP 4: more than LAB07_MAX_FIRE_AND_FORGET workers. Which graph must run when the first
     * of them are complete? How does it find the next worker?
     */
    if (plan.n_workers > LAB07_MAX_FIRE_AND_FORGET)
        atomicCAS(status, cudaSuccess, cudaErrorNotYetImplemented);
#endif
}

/* ---- the loop -------------------------------------------------------------------------------- */

static __global__ void again(int *iterations_left, int *status)
{
#ifdef SOLUTION
    *iterations_left -= 1;
    if (*iterations_left > 0)
        launch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch, status);
#else
    /* YOUR STEP 6: an iteration is complete. If another one remains, relaunch this graph. */
    (void)iterations_left;
    atomicCAS(status, cudaSuccess, cudaErrorNotYetImplemented);
#endif
}

/* ---- packets --------------------------------------------------------------------------------- */

static __global__ void scheduler(struct ring *ring, struct argument_slot *arguments,
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
        arguments[packet.type].packet = packet;
        launch(handlers[packet.type], cudaStreamGraphFireAndForget, status);
        busy |= type;
        next++;
        if (packet.in_order)
            break;
    }
    ring->taken = next;
    /* even if the ring looks empty: a launched handler may add packets */
    if (next != begin)
        launch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch, status);
#else
    /*
     * YOUR STEP 8: take packets from the ring, copy each to its handler's argument slot, and
     * launch the handler, as long as that is allowed. Which packet must wait for the handlers
     * that you have just launched? Then relaunch this graph for the rest. When is it over?
     */
    (void)ring;
    (void)arguments;
    (void)handlers;
    atomicCAS(status, cudaSuccess, cudaErrorNotYetImplemented);
#endif
}

/* ---- launchers, for host code ---------------------------------------------------------------- */

static cudaError_t enqueue(const void *kernel, void **args, cudaStream_t stream)
{
    return cudaLaunchKernel(kernel, dim3(1), dim3(1), args, 0, stream);
}

cudaError_t lab07_enqueue_launcher(const struct lab07_plan *plan, int *status, cudaStream_t stream)
{
    struct lab07_plan copy = *plan;
    void *args[] = {&copy, &status};
    return enqueue((const void *)launcher, args, stream);
}

cudaError_t lab07_enqueue_again(int *iterations_left, int *status, cudaStream_t stream)
{
    void *args[] = {&iterations_left, &status};
    return enqueue((const void *)again, args, stream);
}

cudaError_t lab07_enqueue_scheduler(struct ring *ring, struct argument_slot *arguments,
                                    const cudaGraphExec_t *handlers, int *status,
                                    cudaStream_t stream)
{
    void *args[] = {&ring, &arguments, &handlers, &status};
    return enqueue((const void *)scheduler, args, stream);
}
