/*
 * situations_kernels.cu: the kernels that situations launch.
 */
#include "situations_kernels.h"
#include "simgpu/kernel.h"

/* ---- kernels --------------------------------------------------------------------------------- */

static __global__ void store_value(int *to, int value)
{
    *to = value;
}

static __global__ void last_thread(int *to)
{
    __shared__ int numbers[1024];
    numbers[threadIdx.x] = (int)threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0)
        *to = numbers[blockDim.x - 1];
}

/* ---- their entries --------------------------------------------------------------------------- */

const void *situation_store(void)
{
    return (const void *)store_value;
}

const void *situation_shared(void)
{
    return (const void *)last_thread;
}

/* ---- declared footprints --------------------------------------------------------------------- */

FOOTPRINT store_value_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                                int *to, int)
{
    simgpu_touch(work, SIMGPU_WRITE, to, 1);
}

FOOTPRINT last_thread_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                                int *to)
{
    simgpu_touch(work, SIMGPU_WRITE, to, 1);
}

DECLARE_KERNEL(store_value, store_value_footprint, 10);
DECLARE_KERNEL(last_thread, last_thread_footprint, 10, 4096);
