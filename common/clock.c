/* clock.c: virtual time where the simulated device is linked, CLOCK_MONOTONIC where it is not.
 *
 * simgpu_now_ns is a weak reference: it is there or it is not, and that is the answer. */
#include "clock.h"

#include <time.h>

#include "simgpu/simgpu.h"

#pragma weak simgpu_now_ns
#pragma weak simgpu_host_work_ns

int clock_is_virtual(void)
{
    return simgpu_now_ns && simgpu_host_work_ns;
}

double clock_now_us(void)
{
    if (clock_is_virtual())
        return (double)simgpu_now_ns() / 1e3;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

void clock_host_work(double us)
{
    if (clock_is_virtual()) {
        simgpu_host_work_ns((int64_t)(us * 1e3));
        return;
    }
    double end = clock_now_us() + us;
    while (clock_now_us() < end)
        ;
}
