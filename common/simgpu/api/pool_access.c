/* pool_access.c: which devices may access a pool's memory. */
#include "api.h"

EXPORT cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t handle,
                                        struct cudaMemLocation *location)
{
    API_ENTER(cudaMemPoolGetAccess);
    const struct mempool *pool = pool_of(handle);
    API_REFUSE_IF(!flags || !location || !pool, cudaErrorInvalidValue);
    API_REFUSE_IF(location->type != cudaMemLocationTypeDevice || !device_exists(location->id),
                  cudaErrorInvalidValue);
    *flags = (enum cudaMemAccessFlags)pool->access[location->id];
    return api_leave(cudaSuccess);
}

static cudaError_t access_error(const struct cudaMemAccessDesc *d, int own)
{
    if (d->location.type != cudaMemLocationTypeDevice)
        return cudaErrorInvalidValue;
    if (!device_exists(d->location.id))
        return cudaErrorInvalidDevice;
    if (d->flags == cudaMemAccessFlagsProtRead)
        return cudaErrorNotSupported;
    if (d->flags != cudaMemAccessFlagsProtNone && d->flags != cudaMemAccessFlagsProtReadWrite)
        return cudaErrorInvalidValue;
    if (d->location.id == own && d->flags == cudaMemAccessFlagsProtNone)
        return cudaErrorInvalidDevice; /* a device keeps its own pools */
    if (d->location.id != own && !peer_is_possible(own, d->location.id))
        return cudaErrorInvalidDevice;
    return cudaSuccess;
}

EXPORT cudaError_t cudaMemPoolSetAccess(cudaMemPool_t handle, const struct cudaMemAccessDesc *list,
                                        size_t n)
{
    API_ENTER(cudaMemPoolSetAccess);
    struct mempool *pool = pool_of(handle);
    API_REFUSE_IF(!pool || (n > 0 && !list), cudaErrorInvalidValue);
    for (size_t i = 0; i < n; i++) {
        e = access_error(&list[i], pool->device->id);
        if (e != cudaSuccess)
            return api_leave(e);
    }
    for (size_t i = 0; i < n; i++)
        pool->access[list[i].location.id] = (unsigned char)list[i].flags;
    return api_leave(cudaSuccess);
}
