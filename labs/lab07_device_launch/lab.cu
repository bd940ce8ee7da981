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
    /*
     * YOUR STEP 2: launch, and look at what that returns. Nobody else does: an error that is not
     * kept in *status is an error that nobody hears of.
     */
    (void)exec;
    (void)how;
    atomicCAS(status, cudaSuccess, cudaErrorNotYetImplemented);
}

/* ---- the length of a vector ------------------------------------------------------------------ */

static __global__ void launcher(struct lab07_plan plan, int *status)
{
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
}

/* ---- rounds ---------------------------------------------------------------------------------- */

static __global__ void again(int *rounds_left, int *status)
{
    /* YOUR STEP 6: a round is made. Is there another one? Then the graph launches itself. */
    (void)rounds_left;
    atomicCAS(status, cudaSuccess, cudaErrorNotYetImplemented);
}

/* ---- packets --------------------------------------------------------------------------------- */

static __global__ void scheduler(struct ring *ring, struct hand *hands,
                                 const cudaGraphExec_t *handlers, int *status)
{
    /*
     * YOUR STEP 8: take packets from the ring, put each into its handler's hand, and launch the
     * handler, as long as that is allowed: which packet has to wait for those that you have just
     * launched? For them, launch this graph once more; and once more until when?
     */
    (void)ring;
    (void)hands;
    (void)handlers;
    atomicCAS(status, cudaSuccess, cudaErrorNotYetImplemented);
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
