/*
 * situations_kernels.cu: the kernels that situations launch.
 */
#include "situations_kernels.h"

__global__ void store_value(int *to, int value)
{
    *to = value;
}

__global__ void reverse_shared(int *to)
{
    __shared__ int words[1024];
    words[threadIdx.x] = (int)threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0)
        *to = words[blockDim.x - 1];
}

const void *situation_store(void)
{
    return (const void *)store_value;
}

const void *situation_shared(void)
{
    return (const void *)reverse_shared;
}
