/*
 * Wrong: one kernel makes all rounds. The result is right, and no graph launches itself.
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

static __global__ void all_rounds(float *y, const float *x, float alpha, int n, int *rounds_left)
{
    const int rounds = *rounds_left;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        for (int k = 0; k < rounds; k++)
            y[i] += alpha * x[i];
    if (threadIdx.x == 0)
        *rounds_left = 0;
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

extern "C" cudaError_t lab07_queue_all(const struct lab07 *lab, cudaStream_t stream)
{
    struct lab07 copy = *lab;
    void *args[] = {&copy.y, &copy.x, &copy.alpha, &copy.n, &copy.rounds_left};
    return cudaLaunchKernel((const void *)all_rounds, dim3(1), dim3(256), args, 0, stream);
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

FOOTPRINT all_rounds_footprint(struct simgpu_work *work, const struct simgpu_launch *, float *y,
                               const float *x, float, int n, int *rounds_left)
{
    simgpu_touch(work, SIMGPU_READ_WRITE, y, (size_t)n);
    simgpu_touch(work, SIMGPU_READ, x, (size_t)n);
    simgpu_touch(work, SIMGPU_READ_WRITE, rounds_left, 1);
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
DECLARE_KERNEL(all_rounds, all_rounds_footprint, 16);
DECLARE_KERNEL(scheduler, scheduler_footprint, 40);
