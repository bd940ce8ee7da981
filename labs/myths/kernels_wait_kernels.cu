/* kernels_wait_kernels.cu: a kernel that waits for a flag, and one that sets it. */
#include "kernels_wait_kernels.h"

enum { TICKS = 50 * 1000 * 1000 };

static __global__ void wait_for_flag(const volatile int *flag, int *found)
{
    const long long from = clock64();
    while (*flag == 0 && clock64() - from < TICKS)
        ;
    *found = *flag;
}

static __global__ void set_flag(volatile int *flag)
{
    *flag = 1;
    __threadfence_system();
}

cudaError_t launch_wait(const int *flag, int *found, cudaStream_t stream)
{
    wait_for_flag<<<1, 1, 0, stream>>>(flag, found);
    return cudaGetLastError();
}

cudaError_t launch_set(int *flag, cudaStream_t stream)
{
    set_flag<<<1, 1, 0, stream>>>(flag);
    return cudaGetLastError();
}
