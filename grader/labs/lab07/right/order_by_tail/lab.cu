/*
 * Right: an in_order packet behind others is launched as a tail, which waits for them; and this
 * graph, as a second tail, for that.
 */
#include "lab.h"
#include "simgpu/kernel.h"

/* Launches a graph from the device, and keeps the first error for the host. */
static __device__ void launch(cudaGraphExec_t exec, cudaStream_t how, int *status)
{
    __threadfence(); /* what this thread has written is there for the graph */
    cudaError_t error = cudaGraphLaunch(exec, how);
    if (error != cudaSuccess)
        atomicCAS(status, cudaSuccess, error);
}

/* ---- the length of a vector ------------------------------------------------------------------ */

static __global__ void launcher(struct lab07_plan plan, int *status)
{
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
}

/* ---- rounds ---------------------------------------------------------------------------------- */

static __global__ void again(int *rounds_left, int *status)
{
    *rounds_left -= 1;
    if (*rounds_left > 0)
        launch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch, status);
}

/* ---- packets --------------------------------------------------------------------------------- */

static __global__ void scheduler(struct ring *ring, struct hand *hands,
                                 const cudaGraphExec_t *handlers, int *status)
{
    const unsigned begin = ring->taken, put = ring->put;
    unsigned next = begin, busy = 0; /* a bit for each type whose handler runs */

    while (next != put) {
        const struct packet packet = ring->slots[next % RING_SLOTS];
        const unsigned type = 1u << packet.type;
        if (busy & type)
            break;
        hands[packet.type].packet = packet;
        launch(handlers[packet.type],
               packet.in_order ? cudaStreamGraphTailLaunch : cudaStreamGraphFireAndForget, status);
        busy |= type;
        next++;
        if (packet.in_order)
            break;
    }
    ring->taken = next;
    /* also where the ring looks empty: what was launched may put packets into it */
    if (next != begin)
        launch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch, status);
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

/* ---- for the simulated device: what the kernels touch, and that they launch graphs ----------- */

FOOTPRINT launcher_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                             struct lab07_plan plan, int *)
{
    simgpu_touch(work, SIMGPU_READ, plan.workers, (size_t)plan.n_workers);
    simgpu_touch(work, SIMGPU_READ_WRITE, plan.next, 1);
    work->launches_graphs = 1;
}

FOOTPRINT again_footprint(struct simgpu_work *work, const struct simgpu_launch *, int *rounds_left,
                          int *)
{
    simgpu_touch(work, SIMGPU_READ_WRITE, rounds_left, 1);
    work->launches_graphs = 1;
}

FOOTPRINT scheduler_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                              struct ring *ring, struct hand *hands,
                              const cudaGraphExec_t *handlers, int *)
{
    simgpu_touch(work, SIMGPU_READ_WRITE, ring, 1);
    simgpu_touch(work, SIMGPU_WRITE, hands, PACKET_TYPES);
    simgpu_touch(work, SIMGPU_READ, handlers, PACKET_TYPES);
    const double sector_bytes = 32; /* memory gives no less, for a slot, a hand, a handler */
    work->dram_bytes = 3 * PACKET_TYPES * sector_bytes;
    work->launches_graphs = 1;
}

DECLARE_KERNEL(launcher, launcher_footprint, 32);
DECLARE_KERNEL(again, again_footprint, 16);
DECLARE_KERNEL(scheduler, scheduler_footprint, 40);
