/* device_launch_kernels.cu: graphs launched from kernels. */
#include "device_launch_kernels.h"
#include "simgpu/kernel.h"

/* ---- kernels --------------------------------------------------------------------------------- */

static __global__ void note(unsigned long long *slot)
{
    *slot = device_time_ns();
}

static __global__ void fire(unsigned long long *slot, cudaGraphExec_t exec)
{
    *slot = device_time_ns();
    cudaGraphLaunch(exec, cudaStreamGraphFireAndForget);
}

static __global__ void tail(unsigned long long *slot, cudaGraphExec_t exec)
{
    *slot = device_time_ns();
    cudaGraphLaunch(exec, cudaStreamGraphTailLaunch);
}

static __global__ void rounds(int *left, int n)
{
    *left = n;
}

static __global__ void again(int *left)
{
    if (--*left > 0)
        cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
}

/* ---- launchers ------------------------------------------------------------------------------- */

static cudaError_t launch_one(const void *kernel, void **args, cudaStream_t stream)
{
    return cudaLaunchKernel(kernel, dim3(1), dim3(1), args, 0, stream);
}

cudaError_t launch_note(unsigned long long *slot, cudaStream_t stream)
{
    void *args[] = {&slot};
    return launch_one((const void *)note, args, stream);
}

cudaError_t launch_fire(unsigned long long *slot, cudaGraphExec_t exec, cudaStream_t stream)
{
    void *args[] = {&slot, &exec};
    return launch_one((const void *)fire, args, stream);
}

cudaError_t launch_tail(unsigned long long *slot, cudaGraphExec_t exec, cudaStream_t stream)
{
    void *args[] = {&slot, &exec};
    return launch_one((const void *)tail, args, stream);
}

cudaError_t launch_rounds(int *left, int n, cudaStream_t stream)
{
    void *args[] = {&left, &n};
    return launch_one((const void *)rounds, args, stream);
}

cudaError_t launch_again(int *left, cudaStream_t stream)
{
    void *args[] = {&left};
    return launch_one((const void *)again, args, stream);
}

/* ---- declared footprints --------------------------------------------------------------------- */

FOOTPRINT note_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                         unsigned long long *slot)
{
    simgpu_touch(work, SIMGPU_WRITE, slot, 1);
}

FOOTPRINT launcher_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                             unsigned long long *slot, cudaGraphExec_t)
{
    simgpu_touch(work, SIMGPU_WRITE, slot, 1);
    work->launches_graphs = 1;
}

FOOTPRINT rounds_footprint(struct simgpu_work *work, const struct simgpu_launch *, int *left, int)
{
    simgpu_touch(work, SIMGPU_WRITE, left, 1);
}

FOOTPRINT again_footprint(struct simgpu_work *work, const struct simgpu_launch *, int *left)
{
    simgpu_touch(work, SIMGPU_READ_WRITE, left, 1);
    work->launches_graphs = 1;
}

DECLARE_KERNEL(note, note_footprint, 16);
DECLARE_KERNEL(fire, launcher_footprint, 32);
DECLARE_KERNEL(tail, launcher_footprint, 32);
DECLARE_KERNEL(rounds, rounds_footprint, 16);
DECLARE_KERNEL(again, again_footprint, 32);
