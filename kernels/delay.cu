/* delay.cu: a kernel with a given duration and no other work, for examples and tests in which only
 * time matters.
 *
 * One thread reads the GPU's clock (%globaltimer, which advances in steps of some hundred
 * nanoseconds) until the time is over. On the simulated device the footprint sets the duration. */
#ifndef REFERENCE_ONLY
#include "kernels.h"
#include "simgpu/kernel.h"

/* ---- kernel ---------------------------------------------------------------------------------- */

static __global__ void delay(unsigned long long ns)
{
    unsigned long long start = device_time_ns();
    while (device_time_ns() - start < ns)
        continue;
}

/* ---- launcher -------------------------------------------------------------------------------- */

cudaError_t launch_delay(float us, cudaStream_t stream)
{
    const float longest_us = 60e6f; /* longer delays are refused */
    if (!(us >= 0.0f && us <= longest_us))
        return cudaErrorInvalidValue;
    unsigned long long ns = (unsigned long long)((double)us * 1e3);
    void *args[] = {&ns};
    return cudaLaunchKernel((const void *)delay, dim3(1), dim3(1), args, 0, stream);
}

/* ---- declared footprint ---------------------------------------------------------------------- */

FOOTPRINT delay_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                          unsigned long long ns)
{
    work->delay_us = (double)ns * 1e-3;
}

DECLARE_KERNEL(delay, delay_footprint, 16);
#endif
