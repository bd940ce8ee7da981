/* device_shapes_kernels.cu: the kernel of device_shapes_kernels.h. */
#include "simgpu/kernel.h"

#include "device_shapes_kernels.h"

static __global__ void ordered(struct ran *mine, struct order *order)
{
    mine->start_ns = device_time_ns();
    if (!order)
        return;
    for (int i = 0; i < order->n; i++)
        if (cudaGraphLaunch(order->execs[i], order->mode) != cudaSuccess)
            order->refused++;
    if (order->again > 0) {
        order->again--;
        if (cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch) != cudaSuccess)
            order->refused++;
    }
    mine->end_ns = device_time_ns();
}

const void *ordered_kernel(void)
{
    return reinterpret_cast<const void *>(ordered);
}

FOOTPRINT ordered_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                            struct ran *mine, struct order *order)
{
    simgpu_touch(work, SIMGPU_WRITE, mine, 1);
    if (order)
        simgpu_touch(work, SIMGPU_READ_WRITE, order, 1);
    work->dram_bytes = 16; /* of what it may touch it touches little */
    work->launches_graphs = 1;
}

DECLARE_KERNEL(ordered, ordered_footprint, 32);
