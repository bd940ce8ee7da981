/*
 * managed.c: managed memory is not modelled (cudaDevAttrManagedMemory is 0). Wrong arguments get their own errors.
 */
#include "sim.h"

EXPORT cudaError_t cudaMallocManaged(void **out, size_t bytes, unsigned flags)
{
    static bool said;
    cudaError_t e;
    if (!api_enter(COST_QUERY, "cudaMallocManaged", &e))
        return e;
    if (!out || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
        return api_leave(cudaErrorInvalidValue);
    *out = NULL;
    return api_leave(bytes ? error_not_modelled("cudaMallocManaged", &said) : cudaSuccess);
}

/* Only managed memory can be attached, and there is none. */
EXPORT cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *p, size_t bytes, unsigned flags)
{
    cudaError_t e;
    (void)p;
    (void)bytes;
    (void)flags;
    if (!api_enter(COST_QUERY, "cudaStreamAttachMemAsync", &e))
        return e;
    return api_leave(stream_of(stream) ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
}
