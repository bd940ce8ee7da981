/* pool_location.c: pools selected by a location and a type of memory. Only the pinned memory of a
 * device is modeled. For it, these calls equal the calls that name a device. */
#include "api.h"

/* Is that such a place? If not, the error is the call's answer. */
static bool is_modelled(enum call_id call, bool complete, const struct cudaMemLocation *l,
                        enum cudaMemAllocationType type, cudaError_t *e)
{
    if (complete && l && l->type == cudaMemLocationTypeDevice && device_exists(l->id) &&
        type == cudaMemAllocationTypePinned)
        return true;
    if (api_enter(call, e))
        *e = api_leave(cudaErrorInvalidValue);
    return false;
}

EXPORT cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *out, struct cudaMemLocation *location,
                                            enum cudaMemAllocationType type)
{
    API_ENTERED(is_modelled(CALL_cudaMemGetDefaultMemPool, out != NULL, location, type, &e));
    return cudaDeviceGetDefaultMemPool(out, location->id);
}

EXPORT cudaError_t cudaMemGetMemPool(cudaMemPool_t *out, struct cudaMemLocation *location,
                                     enum cudaMemAllocationType type)
{
    API_ENTERED(is_modelled(CALL_cudaMemGetMemPool, out != NULL, location, type, &e));
    return cudaDeviceGetMemPool(out, location->id);
}

EXPORT cudaError_t cudaMemSetMemPool(struct cudaMemLocation *location,
                                     enum cudaMemAllocationType type, cudaMemPool_t pool)
{
    API_ENTERED(is_modelled(CALL_cudaMemSetMemPool, pool != NULL, location, type, &e));
    return cudaDeviceSetMemPool(location->id, pool);
}
