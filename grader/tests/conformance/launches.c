/* launches.c: kernel launches, see launches.h. */
#include "launches.h"

#include <stdint.h>
#include <string.h>

#include "situation_kernels.h"
#include "objects.h"

cudaError_t launch_store(cudaStream_t s, int *p, int value)
{
    void *args[] = {&p, &value};
    return launch_one(situation_store(), args, s);
}

struct cudaKernelNodeParams kernel_params(const void *func, void **args)
{
    return (struct cudaKernelNodeParams){.func = (void *)(uintptr_t)func,
                                         .gridDim = {1, 1, 1},
                                         .blockDim = {1, 1, 1},
                                         .kernelParams = args};
}

cudaError_t launch_one(const void *func, void **args, cudaStream_t s)
{
    return cudaLaunchKernel(func, (dim3){1, 1, 1}, (dim3){1, 1, 1}, args, 0, s);
}

const void *not_a_kernel(void)
{
    static const char here;
    return &here;
}

dim3 dim(unsigned x, unsigned y, unsigned z)
{
    return (dim3){x, y, z};
}

cudaError_t launch_shape(dim3 grid, dim3 block, size_t shared)
{
    static int *p;
    int value = 1;
    void *params[] = {&p, &value};
    if (!p)
        p = device_bytes(64);
    return cudaLaunchKernel(situation_store(), grid, block, params, shared, 0);
}

cudaError_t launch_with_attribute(cudaStream_t s, cudaLaunchAttributeID id, int value)
{
    cudaLaunchAttribute a;
    memset(&a, 0, sizeof a);
    a.id = id;
    a.val.cooperative = value; /* the same place as all other ints */
    cudaLaunchConfig_t c = {
        .gridDim = {1, 1, 1}, .blockDim = {1, 1, 1}, .stream = s, .attrs = &a, .numAttrs = 1};
    return cudaLaunchKernelExC(&c, situation_nothing(), NULL);
}
