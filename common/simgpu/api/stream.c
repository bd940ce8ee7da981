/* stream.c: create, destroy, query and synchronize streams. */
#include "api.h"

static cudaError_t create(cudaStream_t *out, unsigned flags, int priority)
{
    if (!out || !refusal_knows(flags, cudaStreamNonBlocking))
        return cudaErrorInvalidValue;
    struct device *d = &devices[thread_self()->device];
    stream_legacy(d); /* so that numbers count from 1 whatever is used first */
    struct stream *s = stream_create(d, flags, stream_clamp_priority(priority));
    *out = (cudaStream_t)s;
    return s ? cudaSuccess : cudaErrorMemoryAllocation;
}

API_CALL(cudaStreamCreate, (cudaStream_t * stream), create(stream, cudaStreamDefault, 0))

EXPORT cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    if (kernel_is_running()) {
        if (!stream || flags != cudaStreamNonBlocking)
            return cudaErrorInvalidValue;
        *stream = STREAM_FIRE_AND_FORGET;
        return cudaSuccess;
    }
    API_ENTER(cudaStreamCreateWithFlags);
    return api_leave(create(stream, flags, 0));
}

API_CALL(cudaStreamCreateWithPriority, (cudaStream_t * stream, unsigned flags, int priority),
         create(stream, flags, priority))

void stream_destroy(struct stream *s)
{
    capture_lose_origin(s);
    handle_remove(s);
    stream_put(s);
}

EXPORT cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    if (kernel_is_running())
        return cudaSuccess;
    API_ENTER_EARLY(cudaStreamDestroy, stream ? NOT_EARLY : EARLY_IF_LOST,
                    cudaErrorInvalidResourceHandle);
    if (stream == cudaStreamLegacy &&
        (e = capture_refuses_legacy(&devices[thread_self()->device])) != cudaSuccess)
        return api_leave(e);
    API_REFUSE_IF(handle_type_of(stream) != HANDLE_STREAM, cudaErrorInvalidResourceHandle);
    host_wait_device(WAITS_STREAM_DESTROY, ((struct stream *)stream)->device);
    stream_destroy((struct stream *)stream);
    return api_leave(cudaSuccess);
}

/* Enters a call that asks something about a stream; `answer`: where to. False: the call is over. */
static bool ask(enum call_id call, cudaStream_t handle, const void *answer, struct stream **out,
                cudaError_t *e)
{
    if (!api_enter(call, e))
        return false;
    *out = stream_of(handle);
    *e = !*out     ? cudaErrorInvalidResourceHandle
         : !answer ? cudaErrorInvalidValue
                   : stream_for_call(handle, out);
    if (!*e)
        return true;
    *e = api_leave(*e);
    return false;
}

EXPORT cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority)
{
    struct stream *s;
    API_ENTERED(ask(CALL_cudaStreamGetPriority, stream, priority, &s, &e));
    API_REFUSE_IF(s->capture && s->capture->invalidated, cudaErrorStreamCaptureInvalidated);
    *priority = s->priority;
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags)
{
    struct stream *s;
    API_ENTERED(ask(CALL_cudaStreamGetFlags, stream, flags, &s, &e));
    API_TRY(capture_cannot_take(s));
    *flags = s->flags;
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id)
{
    struct stream *s;
    API_ENTERED(ask(CALL_cudaStreamGetId, stream, id, &s, &e));
    *id = (unsigned long long)s->id + 1;
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device)
{
    struct stream *s;
    API_ENTERED(ask(CALL_cudaStreamGetDevice, stream, device, &s, &e));
    *device = s->device->id;
    return api_leave(cudaSuccess);
}

/* Is anything pending that a synchronise of this stream would wait for? */
static bool is_busy(const struct stream *s)
{
    if (s->n_pending)
        return true;
    if (s->legacy)
        for (const struct stream *other = s->device->streams; other; other = other->next)
            if (other->n_pending && stream_is_blocking(other))
                return true;
    return false;
}

EXPORT cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    API_ENTER(cudaStreamQuery);
    struct stream *s = stream_of(stream);
    API_REFUSE_IF(!s, cudaErrorInvalidResourceHandle);
    API_TRY(capture_refuses_sync(s));
    sim_run_until(thread_self()->clock);
    if (is_busy(s))
        return api_leave_not_ready();
    stream_known_done(s);
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    API_ENTER(cudaStreamSynchronize);
    struct stream *s = stream_of(stream);
    API_REFUSE_IF(!s, cudaErrorInvalidResourceHandle);
    API_TRY(capture_refuses_sync(s));
    stream_wait_idle(s);
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaDeviceSynchronize(void)
{
    API_ENTER(cudaDeviceSynchronize);
    API_TRY(capture_refuses_device_sync(&devices[thread_self()->device]));
    device_wait_idle(&devices[thread_self()->device]);
    return api_leave(cudaSuccess);
}
