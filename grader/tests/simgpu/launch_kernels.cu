/* launch_kernels.cu: see launch_kernels.h. */
#include "common/simgpu/kernel.h"

#include "kernel_entry.h"
#include "launch_kernels.h"

static __device__ void do_orders(struct launch_orders *o)
{
    for (int i = 0; i < o->n; i++)
        o->answers[i] = cudaGraphLaunch(o->execs[i], o->streams[i]);
    if (o->again > 0) {
        o->again--;
        cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
    }
}

static __global__ void launch_orders(struct launch_orders *o)
{
    do_orders(o);
}

static __global__ void launch_between(struct launch_orders *o, int *to)
{
    to[0] = 1;
    do_orders(o);
    to[1] = 2;
}

static __global__ void store(int *to, int value)
{
    *to = value;
}

static __global__ void next(int *to, const int *from)
{
    *to = *from + 1;
}

KERNEL_ENTRY(launch_orders_kernel, launch_orders)
KERNEL_ENTRY(launch_between_kernel, launch_between)
KERNEL_ENTRY(store_kernel, store)
KERNEL_ENTRY(next_kernel, next)

FOOTPRINT launch_orders_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                                  struct launch_orders *o)
{
    simgpu_touch(work, SIMGPU_READ_WRITE, o, 1);
    work->dram_bytes = 16; /* most of it is not looked at */
    work->launches_graphs = 1;
}

FOOTPRINT launch_between_footprint(struct simgpu_work *work, const struct simgpu_launch *launch,
                                   struct launch_orders *o, int *to)
{
    launch_orders_footprint(work, launch, o);
    simgpu_touch(work, SIMGPU_WRITE, to, 2);
}

FOOTPRINT store_footprint(struct simgpu_work *work, const struct simgpu_launch *, int *to, int)
{
    simgpu_touch(work, SIMGPU_WRITE, to, 1);
}

FOOTPRINT next_footprint(struct simgpu_work *work, const struct simgpu_launch *, int *to,
                         const int *from)
{
    simgpu_touch(work, SIMGPU_WRITE, to, 1);
    simgpu_touch(work, SIMGPU_READ, from, 1);
}

DECLARE_KERNEL(launch_orders, launch_orders_footprint, 16);
DECLARE_KERNEL(launch_between, launch_between_footprint, 16);
DECLARE_KERNEL(store, store_footprint, 10);
DECLARE_KERNEL(next, next_footprint, 10);
