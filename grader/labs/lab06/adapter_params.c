/*
 * adapter_params.c: stands in for the calls that get and set the parameters of a kernel node.
 *
 * "This memory is owned by the node [...] and should not be modified directly" (CUDA Runtime API,
 * cudaGraphKernelNodeGetParams). The pointers in it would outlive the function that they point
 * into.
 */
#include "adapter_params.h"

#include <string.h>

#include "kernels/kernels.h"
#include "subject/interpose.h"

enum { ARGUMENTS = 4 }; /* of saxpy, whose node the lab asks about */

static struct {
    void **array;
    void *arguments[ARGUMENTS];
    bool overwritten;
} owned;

void params_begin(void)
{
    memset(&owned, 0, sizeof owned);
}

bool params_overwritten(void)
{
    return owned.overwritten;
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct cudaKernelNodeParams *params)
{
    FIND_REAL(cudaGraphKernelNodeGetParams);
    const cudaError_t error = real(node, params);
    if (error || params->func != kernel_saxpy() || !params->kernelParams)
        return error;
    owned.array = params->kernelParams;
    memcpy(owned.arguments, owned.array, sizeof owned.arguments);
    return cudaSuccess;
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams *params)
{
    FIND_REAL(cudaGraphExecKernelNodeSetParams);
    if (params && owned.array && params->kernelParams == owned.array)
        owned.overwritten |= memcmp(owned.arguments, owned.array, sizeof owned.arguments) != 0;
    return real(exec, node, params);
}
