/*
 * managed.c: managed memory is not modelled (cudaDevAttrManagedMemory is 0). Wrong arguments get
 * their own errors.
 */
#include "api.h"

EXPORT cudaError_t cudaMallocManaged(void **out, size_t bytes, unsigned flags)
{
    static bool said;
    cudaError_t e;
    if (!api_enter(CALL_cudaMallocManaged, &e))
        return e;
    if (!out || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
        return api_leave(cudaErrorInvalidValue);
    *out = NULL;
    return api_leave(bytes ? error_not_modelled("cudaMallocManaged", &said) : cudaSuccess);
}

/* ---- calls for managed memory: there is none that they could be about ------------------------ */

static cudaError_t location_error(const struct cudaMemLocation *l)
{
    return l->type == cudaMemLocationTypeDevice && !device_exists(l->id) ? cudaErrorInvalidDevice
                                                                         : cudaSuccess;
}

EXPORT cudaError_t cudaMemPrefetchAsync(const void *p, size_t bytes,
                                        struct cudaMemLocation location, unsigned flags,
                                        cudaStream_t stream)
{
    cudaError_t e;
    struct stream *s;
    (void)p, (void)bytes, (void)flags;
    if (!api_enter(CALL_cudaMemPrefetchAsync, &e))
        return e;
    if ((e = location_error(&location)) != cudaSuccess ||
        (e = stream_for_work(stream, &s)) != cudaSuccess ||
        (e = capture_cannot_take(s)) != cudaSuccess)
        return api_leave(e);
    return api_leave(cudaErrorInvalidValue);
}

EXPORT cudaError_t cudaMemAdvise(const void *p, size_t bytes, enum cudaMemoryAdvise advice,
                                 struct cudaMemLocation location)
{
    cudaError_t e;
    (void)p, (void)bytes, (void)advice, (void)location;
    if (!api_enter(CALL_cudaMemAdvise, &e))
        return e;
    return api_leave(cudaErrorInvalidValue);
}

EXPORT cudaError_t cudaMemRangeGetAttribute(void *value, size_t value_bytes,
                                            enum cudaMemRangeAttribute attribute, const void *p,
                                            size_t bytes)
{
    cudaError_t e;
    (void)value, (void)value_bytes, (void)attribute, (void)p, (void)bytes;
    if (!api_enter(CALL_cudaMemRangeGetAttribute, &e))
        return e;
    return api_leave(cudaErrorInvalidValue);
}

EXPORT cudaError_t cudaMemRangeGetAttributes(void **values, size_t *value_bytes,
                                             enum cudaMemRangeAttribute *attributes, size_t n,
                                             const void *p, size_t bytes)
{
    cudaError_t e;
    (void)values, (void)value_bytes, (void)attributes, (void)n, (void)p, (void)bytes;
    if (!api_enter(CALL_cudaMemRangeGetAttributes, &e))
        return e;
    return api_leave(cudaErrorInvalidValue);
}
