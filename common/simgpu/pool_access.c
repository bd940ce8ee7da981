/*
 * pool_access.c: which devices may touch a pool's memory. What is set is answered; all simulated
 * devices share one address space, so nothing is refused.
 */
#include "sim.h"

EXPORT cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
                                        struct cudaMemLocation *location)
{
    cudaError_t e;
    int own;
    if (!api_enter(COST_QUERY, "cudaMemPoolGetAccess", &e))
        return e;
    const unsigned char *access = mempool_access(pool, &own);
    if (!flags || !location || !access)
        return api_leave(cudaErrorInvalidValue);
    if (location->type != cudaMemLocationTypeDevice || !device_exists(location->id))
        return api_leave(cudaErrorInvalidValue);
    *flags = (enum cudaMemAccessFlags)access[location->id];
    return api_leave(cudaSuccess);
}

static cudaError_t access_error(const struct cudaMemAccessDesc *d, int own)
{
    if (d->location.type != cudaMemLocationTypeDevice || !device_exists(d->location.id))
        return cudaErrorInvalidValue;
    if (d->flags != cudaMemAccessFlagsProtNone && d->flags != cudaMemAccessFlagsProtReadWrite)
        return cudaErrorInvalidValue;
    if (d->location.id == own && d->flags == cudaMemAccessFlagsProtNone)
        return cudaErrorInvalidDevice; /* a device keeps its own pools */
    return cudaSuccess;
}

EXPORT cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *list,
                                        size_t n)
{
    cudaError_t e;
    int own;
    if (!api_enter(COST_QUERY, "cudaMemPoolSetAccess", &e))
        return e;
    unsigned char *access = mempool_access(pool, &own);
    if (!access || (n > 0 && !list))
        return api_leave(cudaErrorInvalidValue);
    for (size_t i = 0; i < n; i++) {
        e = access_error(&list[i], own);
        if (e != cudaSuccess)
            return api_leave(e);
    }
    for (size_t i = 0; i < n; i++)
        access[list[i].location.id] = (unsigned char)list[i].flags;
    return api_leave(cudaSuccess);
}
