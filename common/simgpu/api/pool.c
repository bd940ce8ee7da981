/* pool.c: memory pools and stream-ordered allocation. */
#include <string.h>

#include "api.h"

/* A pool that allocates memory; NULL: it is none, or was imported. */
static struct mempool *own_pool(cudaMemPool_t handle)
{
    struct mempool *pool = pool_of(handle);
    return pool && !pool->exporter ? pool : NULL;
}

static cudaError_t allocate(void **out, size_t bytes, struct mempool *pool, cudaStream_t stream)
{
    struct stream *s;
    if (!out)
        return cudaErrorInvalidValue;
    cudaError_t e = stream_for_work(stream, &s);
    if (e != cudaSuccess || (!s->capture && (e = capture_unsafe_call()) != cudaSuccess))
        return e;
    *out = NULL;
    if (bytes == 0)
        return cudaSuccess;
    if (s->capture)
        return capture_alloc(s, bytes, out);
    if ((double)bytes > sim.profile.memory_bytes)
        return cudaErrorMemoryAllocation;
    return stream_allocate(out, bytes, pool ? pool : pool_current(s->device), s);
}

API_CALL(cudaMallocAsync, (void **out, size_t bytes, cudaStream_t stream),
         allocate(out, bytes, NULL, stream))

EXPORT cudaError_t cudaMallocFromPoolAsync(void **out, size_t bytes, cudaMemPool_t handle,
                                           cudaStream_t stream)
{
    API_ENTER(cudaMallocFromPoolAsync);
    struct mempool *pool = own_pool(handle);
    return api_leave(pool ? allocate(out, bytes, pool, stream) : cudaErrorInvalidValue);
}

static cudaError_t release(void *p, cudaStream_t stream)
{
    struct stream *s;
    cudaError_t e = stream_for_work(stream, &s);
    if (e != cudaSuccess || (!s->capture && (e = capture_unsafe_call()) != cudaSuccess))
        return e;
    if (!p)
        return cudaSuccess;
    if (s->capture)
        return capture_free(s, p);
    struct allocation *a = memory_find(p);
    if (a && a->kind == MEMORY_GRAPH)
        return graph_memory_free(p);
    if (!a || a->lo != (uint64_t)(uintptr_t)p || (!a->pool && a->kind != MEMORY_DEVICE))
        return cudaErrorInvalidValue;
    if (a->kind == MEMORY_SHARED && !shared_release(a))
        return cudaSuccess;
    const bool at_once = a->kind == MEMORY_DEVICE;
    host_wait_device(at_once ? WAITS_FREE_ASYNC_DEVICE : WAITS_FREE_ASYNC, &devices[a->device]);
    if (at_once)
        memory_free_now(a);
    else
        stream_free(a, s);
    return cudaSuccess;
}

API_CALL(cudaFreeAsync, (void *p, cudaStream_t stream), release(p, stream))

EXPORT cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *out, int device)
{
    API_ENTER(cudaDeviceGetDefaultMemPool);
    API_REFUSE_IF(!out, cudaErrorInvalidValue);
    API_REFUSE_IF(device < 0 || device >= sim.n_devices, cudaErrorInvalidDevice);
    *out = (cudaMemPool_t)pool_default(&devices[device]);
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *out, int device)
{
    API_ENTER(cudaDeviceGetMemPool);
    API_REFUSE_IF(!out, cudaErrorInvalidValue);
    API_REFUSE_IF(device < 0 || device >= sim.n_devices, cudaErrorInvalidValue);
    *out = (cudaMemPool_t)pool_current(&devices[device]);
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t handle)
{
    API_ENTER(cudaDeviceSetMemPool);
    struct mempool *pool = own_pool(handle);
    API_REFUSE_IF(device < 0 || device >= sim.n_devices, cudaErrorInvalidDevice);
    API_REFUSE_IF(!pool || pool->device->id != device, cudaErrorInvalidValue);
    devices[device].pool = pool;
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaMemPoolCreate(cudaMemPool_t *out, const struct cudaMemPoolProps *props)
{
    API_ENTER(cudaMemPoolCreate);
    API_REFUSE_IF(!out || !props || props->allocType != cudaMemAllocationTypePinned,
                  cudaErrorInvalidValue);
    API_REFUSE_IF(props->location.type != cudaMemLocationTypeDevice || props->location.id < 0 ||
                      props->location.id >= sim.n_devices,
                  cudaErrorInvalidValue);
    API_REFUSE_IF(props->handleTypes & ~cudaMemHandleTypePosixFileDescriptor,
                  cudaErrorNotSupported);
    struct mempool *pool = pool_new(&devices[props->location.id]);
    *out = (cudaMemPool_t)pool;
    if (pool) {
        pool->max_bytes = props->maxSize;
        pool->is_shareable = props->handleTypes != cudaMemHandleTypeNone;
    }
    return api_leave(pool ? cudaSuccess : cudaErrorMemoryAllocation);
}

EXPORT cudaError_t cudaMemPoolDestroy(cudaMemPool_t handle)
{
    API_ENTER(cudaMemPoolDestroy);
    struct mempool *pool = pool_of(handle);
    API_REFUSE_IF(!pool || pool == pool->device->default_pool, cudaErrorInvalidValue);
    if (pool->device->pool == pool)
        pool->device->pool = NULL;
    handle_remove(pool);
    pool_put(pool);
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaMemPoolTrimTo(cudaMemPool_t handle, size_t keep)
{
    API_ENTER(cudaMemPoolTrimTo);
    struct mempool *pool = pool_of(handle);
    API_REFUSE_IF(!pool, cudaErrorInvalidValue);
    pool_trim(pool, keep);
    return api_leave(cudaSuccess);
}

static uint64_t *counter(struct mempool *pool, enum cudaMemPoolAttr attribute)
{
    switch (attribute) {
    case cudaMemPoolAttrReleaseThreshold:
        return &pool->release_threshold;
    case cudaMemPoolAttrReservedMemCurrent:
        return &pool->reserved;
    case cudaMemPoolAttrReservedMemHigh:
        return &pool->reserved_high;
    case cudaMemPoolAttrUsedMemCurrent:
        return &pool->used;
    case cudaMemPoolAttrUsedMemHigh:
        return &pool->used_high;
    default:
        return NULL;
    }
}

static bool is_reuse(enum cudaMemPoolAttr attribute)
{
    return attribute >= cudaMemPoolReuseFollowEventDependencies &&
           attribute <= cudaMemPoolReuseAllowInternalDependencies;
}

EXPORT cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t handle, enum cudaMemPoolAttr attribute,
                                           void *value)
{
    API_ENTER(cudaMemPoolGetAttribute);
    struct mempool *pool = pool_of(handle);
    API_REFUSE_IF(!pool || !value, cudaErrorInvalidValue);
    const uint64_t *count = counter(pool, attribute);
    if (count)
        memcpy(value, count, sizeof *count);
    else if (is_reuse(attribute))
        *(int *)value = pool->reuse[attribute - cudaMemPoolReuseFollowEventDependencies];
    else
        return api_leave(cudaErrorInvalidValue);
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t handle, enum cudaMemPoolAttr attribute,
                                           void *value)
{
    API_ENTER(cudaMemPoolSetAttribute);
    struct mempool *pool = pool_of(handle);
    API_REFUSE_IF(!pool || !value, cudaErrorInvalidValue);
    if (is_reuse(attribute)) {
        pool->reuse[attribute - cudaMemPoolReuseFollowEventDependencies] = *(int *)value != 0;
        return api_leave(cudaSuccess);
    }
    uint64_t given;
    memcpy(&given, value, sizeof given);
    if (attribute == cudaMemPoolAttrReleaseThreshold)
        pool->release_threshold = given;
    else if (attribute == cudaMemPoolAttrReservedMemHigh && given == 0)
        pool->reserved_high = pool->reserved;
    else if (attribute == cudaMemPoolAttrUsedMemHigh && given == 0)
        pool->used_high = pool->used;
    else
        return api_leave(cudaErrorInvalidValue);
    return api_leave(cudaSuccess);
}
