/* managed.c: managed memory. Host and devices share one copy of it. Pages do not migrate, so
 * prefetching and advice change nothing; advice is kept for queries. Kernels access it at the speed
 * of device memory. */
#include <string.h>

#include "api.h"

static cudaError_t take(void **out, size_t bytes, unsigned flags)
{
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)
        return cudaErrorInvalidValue;
    cudaError_t e = memory_new(out, bytes, MEMORY_MANAGED, "cudaMallocManaged");
    if (e != cudaSuccess || !*out)
        return e;
    memset(*out, 0, bytes);
    memory_find(*out)->advice = (struct advice){.location = cudaInvalidDeviceId};
    return cudaSuccess;
}

API_CALL(cudaMallocManaged, (void **out, size_t bytes, unsigned flags), take(out, bytes, flags))

/* ---- calls for managed memory ---------------------------------------------------------------- */

static bool is_managed(const void *p, size_t bytes)
{
    const struct allocation *a = memory_find(p);
    return a && (a->kind == MEMORY_MANAGED || a->kind == MEMORY_VARIABLE) && bytes &&
           memory_holds(a, p, bytes);
}

static cudaError_t location_error(const struct cudaMemLocation *l)
{
    return l->type == cudaMemLocationTypeDevice && !device_exists(l->id) ? cudaErrorInvalidDevice
                                                                         : cudaSuccess;
}

EXPORT cudaError_t cudaMemPrefetchAsync(const void *p, size_t bytes,
                                        struct cudaMemLocation location, unsigned flags,
                                        cudaStream_t stream)
{
    struct stream *s;
    API_ENTER(cudaMemPrefetchAsync);
    API_TRY(location_error(&location));
    API_TRY(stream_for_work(stream, &s));
    API_TRY(capture_cannot_take(s));
    return api_leave(is_managed(p, bytes) && flags == 0 ? cudaSuccess : cudaErrorInvalidValue);
}

static void keep_advice(struct advice *a, enum cudaMemoryAdvise advice, int location)
{
    switch (advice) {
    case cudaMemAdviseSetReadMostly:
    case cudaMemAdviseUnsetReadMostly:
        a->read_mostly = advice == cudaMemAdviseSetReadMostly;
        break;
    case cudaMemAdviseSetPreferredLocation:
        a->location = location;
        break;
    case cudaMemAdviseUnsetPreferredLocation:
        a->location = cudaInvalidDeviceId;
        break;
    default:
        if (device_exists(location) && advice == cudaMemAdviseSetAccessedBy)
            a->accessed_by |= 1u << location;
        else if (device_exists(location))
            a->accessed_by &= ~(1u << location);
    }
}

EXPORT cudaError_t cudaMemAdvise(const void *p, size_t bytes, enum cudaMemoryAdvise advice,
                                 struct cudaMemLocation location)
{
    API_ENTER(cudaMemAdvise);
    bool known = advice >= cudaMemAdviseSetReadMostly && advice <= cudaMemAdviseUnsetAccessedBy;
    struct allocation *a = memory_find(p);
    bool on_device = location.type == cudaMemLocationTypeDevice;
    API_REFUSE_IF(!known || !is_managed(p, bytes) || location_error(&location) != cudaSuccess,
                  cudaErrorInvalidValue);
    if (a)
        keep_advice(&a->advice, advice, on_device ? location.id : cudaCpuDeviceId);
    return api_leave(cudaSuccess);
}

/* Which device accesses it is answered one after the other; no device ends the list. */
static int advised(const struct advice *a, enum cudaMemRangeAttribute number, int place)
{
    int n = 0;
    if (number == cudaMemRangeAttributeReadMostly)
        return a && a->read_mostly;
    if (number == cudaMemRangeAttributePreferredLocation)
        return a ? a->location : cudaInvalidDeviceId;
    for (int d = 0; a && number == cudaMemRangeAttributeAccessedBy && d < sim.n_devices; d++)
        if (a->accessed_by & (1u << d) && n++ == place)
            return d;
    return cudaInvalidDeviceId;
}

static cudaError_t attribute(void *value, size_t value_bytes, enum cudaMemRangeAttribute number,
                             const void *p, size_t bytes)
{
    const struct allocation *a = memory_find(p);
    int item;
    if (!value || value_bytes == 0 || value_bytes % sizeof item || !is_managed(p, bytes))
        return cudaErrorInvalidValue;
    for (size_t at = 0; at < value_bytes; at += sizeof item) {
        item = advised(a ? &a->advice : NULL, number, (int)(at / sizeof item));
        memcpy((char *)value + at, &item, sizeof item);
    }
    return cudaSuccess;
}

API_CALL(cudaMemRangeGetAttribute,
         (void *value, size_t value_bytes, enum cudaMemRangeAttribute number, const void *p,
          size_t bytes),
         attribute(value, value_bytes, number, p, bytes))

EXPORT cudaError_t cudaMemRangeGetAttributes(void **values, size_t *value_bytes,
                                             enum cudaMemRangeAttribute *numbers, size_t n,
                                             const void *p, size_t bytes)
{
    API_ENTER(cudaMemRangeGetAttributes);
    API_REFUSE_IF(!values || !value_bytes || !numbers || n == 0, cudaErrorInvalidValue);
    for (size_t i = 0; i < n && e == cudaSuccess; i++)
        e = attribute(values[i], value_bytes[i], numbers[i], p, bytes);
    return api_leave(e);
}

EXPORT cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *p, size_t bytes,
                                            unsigned flags)
{
    struct stream *s;
    API_ENTER(cudaStreamAttachMemAsync);
    API_TRY(stream_for_call(stream, &s));
    API_TRY(capture_cannot_take(s));
    bool known =
        flags == cudaMemAttachGlobal || flags == cudaMemAttachHost || flags == cudaMemAttachSingle;
    return api_leave(known && is_managed(p, bytes ? bytes : 1) ? cudaSuccess
                                                               : cudaErrorInvalidValue);
}
