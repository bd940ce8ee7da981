/*
 * managed.c: managed memory is not modelled (cudaDevAttrManagedMemory is 0). Wrong arguments get
 * their own errors.
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
