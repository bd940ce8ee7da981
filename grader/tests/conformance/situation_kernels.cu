/* situation_kernels.cu: the kernels that situations launch. */
#include "situation_kernels.h"
#include "common/simgpu/kernel.h"
#include "grader/tests/simgpu/kernel_entry.h"

static __device__ int numbers[16];

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

static __global__ void add_value(int *to, int value)
{
    *to += value;
}

static __global__ void add_two(int *to, int a, int b)
{
    *to += a + b;
}

static __global__ void no_parameters()
{
}

static __global__ void set_condition(cudaGraphConditionalHandle condition, unsigned value)
{
    cudaGraphSetConditional(condition, value);
}

static __device__ void spin(int us)
{
    unsigned long long begin = device_time_ns();
    while (device_time_ns() - begin < 1000ull * us)
        continue;
}

static __global__ void note_times(struct situation_step s, unsigned long long *times)
{
    times[0] = device_time_ns();
    if (s.triggers)
        cudaTriggerProgrammaticLaunchCompletion();
    spin(s.before_us);
    if (s.waits)
        cudaGridDependencySynchronize();
    times[1] = device_time_ns();
    spin(s.after_us);
    times[2] = device_time_ns();
}

/* ---- their entries --------------------------------------------------------------------------- */

KERNEL_ENTRY(situation_store, store_value)
KERNEL_ENTRY(situation_shared, last_thread)
KERNEL_ENTRY(situation_plus, add_value)
KERNEL_ENTRY(situation_plus_two, add_two)
KERNEL_ENTRY(situation_nothing, no_parameters)
KERNEL_ENTRY(situation_set_condition, set_condition)
KERNEL_ENTRY(situation_note_times, note_times)

const void *situation_numbers(void)
{
    return numbers;
}

/* ---- declared footprints --------------------------------------------------------------------- */

FOOTPRINT store_value_footprint(struct simgpu_work *work, const struct simgpu_launch *, int *to,
                                int)
{
    simgpu_touch(work, SIMGPU_WRITE, to, 1);
}

FOOTPRINT last_thread_footprint(struct simgpu_work *work, const struct simgpu_launch *, int *to)
{
    simgpu_touch(work, SIMGPU_WRITE, to, 1);
}

FOOTPRINT add_value_footprint(struct simgpu_work *work, const struct simgpu_launch *, int *to, int)
{
    simgpu_touch(work, SIMGPU_READ_WRITE, to, 1);
}

FOOTPRINT add_two_footprint(struct simgpu_work *work, const struct simgpu_launch *, int *to, int,
                            int)
{
    simgpu_touch(work, SIMGPU_READ_WRITE, to, 1);
}

FOOTPRINT no_parameters_footprint(struct simgpu_work *, const struct simgpu_launch *)
{
}

FOOTPRINT set_condition_footprint(struct simgpu_work *, const struct simgpu_launch *,
                                  cudaGraphConditionalHandle, unsigned)
{
}

FOOTPRINT note_times_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                               struct situation_step s, unsigned long long *times)
{
    simgpu_touch(work, SIMGPU_WRITE, times, 3);
    work->delay_us = s.before_us + s.after_us;
    work->waits_for_grids = s.waits;
    work->wait_share = s.before_us / work->delay_us;
    work->triggers = s.triggers;
}

DECLARE_VARIABLE(numbers);
DECLARE_KERNEL(store_value, store_value_footprint, 10);
DECLARE_KERNEL(last_thread, last_thread_footprint, 10, 4096);
DECLARE_KERNEL(add_value, add_value_footprint, 10);
DECLARE_KERNEL(add_two, add_two_footprint, 10);
DECLARE_KERNEL(no_parameters, no_parameters_footprint, 10);
DECLARE_KERNEL(set_condition, set_condition_footprint, 10);
DECLARE_KERNEL(note_times, note_times_footprint, 10);
