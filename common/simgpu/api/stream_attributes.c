/* stream_attributes.c: attributes of an existing stream. */
#include "api.h"

/* A call that is refused leaves *value as it was; one that is not writes no more than the attribute
 * takes. */
static cudaError_t get(const struct stream *s, cudaLaunchAttributeID id,
                       cudaLaunchAttributeValue *value)
{
    switch (id) {
    case cudaLaunchAttributePriority:
        value->priority = s->priority;
        return cudaSuccess;
    case cudaLaunchAttributeSynchronizationPolicy:
        value->syncPolicy = (enum cudaSynchronizationPolicy)s->sync_policy;
        return cudaSuccess;
    default:
        return memory_attributes_get(&s->memory, id, value);
    }
}

static cudaError_t set(struct stream *s, cudaLaunchAttributeID id,
                       const cudaLaunchAttributeValue *value)
{
    switch (id) {
    case cudaLaunchAttributePriority:
        s->priority = stream_clamp_priority(value->priority);
        return cudaSuccess;
    case cudaLaunchAttributeSynchronizationPolicy:
        if (value->syncPolicy < cudaSyncPolicyAuto ||
            value->syncPolicy > cudaSyncPolicyBlockingSync)
            return cudaErrorInvalidValue;
        s->sync_policy = value->syncPolicy;
        return cudaSuccess;
    default:
        return memory_attributes_set(&s->memory, id, value);
    }
}

EXPORT cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID id,
                                          cudaLaunchAttributeValue *value)
{
    API_ENTER(cudaStreamGetAttribute);
    struct stream *s;
    API_TRY(stream_for_call(stream, &s));
    return api_leave(value ? get(s, id, value) : cudaErrorInvalidValue);
}

EXPORT cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID id,
                                          const cudaLaunchAttributeValue *value)
{
    API_ENTER(cudaStreamSetAttribute);
    struct stream *s = stream_of(stream);
    API_REFUSE_IF(!s, cudaErrorInvalidResourceHandle);
    return api_leave(value ? set(s, id, value) : cudaErrorInvalidValue);
}

EXPORT cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from)
{
    API_ENTER(cudaStreamCopyAttributes);
    struct stream *a = stream_of(to), *b = stream_of(from);
    API_REFUSE_IF(!a || !b, cudaErrorInvalidResourceHandle);
    API_REFUSE_IF(a->device != b->device, cudaErrorInvalidValue);
    a->priority = b->priority;
    a->sync_policy = b->sync_policy;
    a->memory = b->memory;
    return api_leave(cudaSuccess);
}
