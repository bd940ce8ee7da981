/*
 * stream.c: queues of operations. A stream runs what it is given one after the other; what else it
 * waits for is decided when an operation is submitted (op.c).
 */
#include <stdlib.h>
#include <string.h>

#include "graph.h"

static int n_created; /* streams so far, for their numbers */

static struct stream *stream_new(struct device *d, unsigned flags, int priority)
{
    struct stream *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->id = ++n_created;
    s->device = d;
    s->flags = flags;
    s->priority = priority;
    s->sync_policy = POLICY_UNSET;
    s->memory = memory_attributes_fresh();
    s->lane = order_lane_after(&sim.host);
    s->refs = 1;
    s->prev = d->streams_end;
    *s->prev = s;
    d->streams_end = &s->next;
    d->n_streams++;
    handle_add(s, HANDLE_STREAM);
    return s;
}

struct stream *stream_legacy(struct device *d)
{
    if (!d->legacy) {
        d->legacy = stream_new(d, 0, 0);
        if (!d->legacy)
            fatal("out of memory for the default stream");
        handle_remove(d->legacy);
        d->legacy->legacy = true;
        d->legacy->id = 0;
        n_created--;
    }
    return d->legacy;
}

static bool is_blocking(const struct stream *s)
{
    return !(s->flags & cudaStreamNonBlocking);
}

/* All of s is done, and s will be no more: who waits for the device comes after it all the same. */
static void keep_order(const struct stream *s)
{
    struct stamp *gone = &s->device->gone[is_blocking(s) ? 0 : 1];
    if (!sim.checks || order_before(&s->stamp, &sim.host))
        return;
    if (!gone->seq)
        *gone = order_stamp(order_lane_new(), NULL, 0);
    order_join(gone, &s->stamp);
}

void stream_put(struct stream *s)
{
    if (--s->refs > 0)
        return;
    keep_order(s);
    if (s->next)
        s->next->prev = s->prev;
    else
        s->device->streams_end = s->prev;
    *s->prev = s->next;
    s->device->n_streams--;
    order_drop(&s->stamp);
    order_lane_free(s->lane);
    free(s);
}

static struct stream *stream_per_thread(struct thread_state *t)
{
    struct stream **mine = &t->per_thread[t->device];
    if (!*mine) {
        *mine = stream_new(&sim.devices[t->device], 0, 0);
        if (*mine)
            handle_remove(*mine);
    }
    return *mine;
}

void stream_thread_end(struct thread_state *t)
{
    for (int i = 0; i < MAX_DEVICES; i++)
        if (t->per_thread[i])
            stream_put(t->per_thread[i]);
}

struct stream *stream_of(cudaStream_t handle)
{
    struct thread_state *t = thread_self();
    if (handle == cudaStreamPerThread || (!handle && t->default_is_per_thread))
        return stream_per_thread(t);
    if (!handle || handle == cudaStreamLegacy)
        return stream_legacy(&sim.devices[t->device]);
    return handle_type_of(handle) == HANDLE_STREAM ? (struct stream *)handle : NULL;
}

/* ---- creation -------------------------------------------------------------------------------- */

int stream_clamp_priority(int priority)
{
    if (priority > 0)
        return 0;
    return priority < PRIORITY_GREATEST ? PRIORITY_GREATEST : priority;
}

static cudaError_t create(cudaStream_t *out, unsigned flags, int priority)
{
    if (!out || (flags & ~(unsigned)cudaStreamNonBlocking))
        return cudaErrorInvalidValue;
    struct device *d = &sim.devices[thread_self()->device];
    stream_legacy(d); /* so that numbers count from 1 whatever is used first */
    struct stream *s = stream_new(d, flags, stream_clamp_priority(priority));
    *out = (cudaStream_t)s;
    return s ? cudaSuccess : cudaErrorMemoryAllocation;
}

EXPORT cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    cudaError_t e;
    if (!api_enter(COST_STREAM_CREATE, "cudaStreamCreate", &e))
        return e;
    return api_leave(create(stream, cudaStreamDefault, 0));
}

EXPORT cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    cudaError_t e;
    if (!api_enter(COST_STREAM_CREATE, "cudaStreamCreateWithFlags", &e))
        return e;
    return api_leave(create(stream, flags, 0));
}

EXPORT cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority)
{
    cudaError_t e;
    if (!api_enter(COST_STREAM_CREATE, "cudaStreamCreateWithPriority", &e))
        return e;
    return api_leave(create(stream, flags, priority));
}

void stream_destroy(struct stream *s)
{
    capture_lose_origin(s);
    handle_remove(s);
    s->destroyed = true;
    stream_put(s);
}

EXPORT cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    cudaError_t e;
    if (call_is_for_nothing(!stream))
        return api_refuse("cudaStreamDestroy", cudaErrorInvalidResourceHandle);
    if (!api_enter(COST_STREAM_DESTROY, "cudaStreamDestroy", &e))
        return e;
    if (stream == cudaStreamLegacy && (e = capture_refuses_legacy()) != cudaSuccess)
        return api_leave(e);
    if (handle_type_of(stream) != HANDLE_STREAM)
        return api_leave(cudaErrorInvalidResourceHandle);
    stream_destroy((struct stream *)stream);
    return api_leave(cudaSuccess);
}

/* ---- questions ------------------------------------------------------------------------------- */

/* The stream that a question is about, with a place for the answer. */
static cudaError_t stream_asked(cudaStream_t handle, const void *answer, struct stream **out)
{
    *out = stream_of(handle);
    if (!*out)
        return cudaErrorInvalidResourceHandle;
    if (!answer)
        return cudaErrorInvalidValue;
    return stream_for_call(handle, out);
}

EXPORT cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority)
{
    cudaError_t e;
    if (!api_enter(COST_QUERY, "cudaStreamGetPriority", &e))
        return e;
    struct stream *s;
    if ((e = stream_asked(stream, priority, &s)) != cudaSuccess)
        return api_leave(e);
    if (s->capture && s->capture->invalidated)
        return api_leave(cudaErrorStreamCaptureInvalidated);
    *priority = s->priority;
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags)
{
    cudaError_t e;
    if (!api_enter(COST_QUERY, "cudaStreamGetFlags", &e))
        return e;
    struct stream *s;
    if ((e = stream_asked(stream, flags, &s)) != cudaSuccess)
        return api_leave(e);
    if ((e = capture_cannot_take(s)) != cudaSuccess)
        return api_leave(e);
    *flags = s->flags;
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id)
{
    cudaError_t e;
    if (!api_enter(COST_QUERY, "cudaStreamGetId", &e))
        return e;
    struct stream *s;
    if ((e = stream_asked(stream, id, &s)) != cudaSuccess)
        return api_leave(e);
    *id = (unsigned long long)s->id + 1;
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device)
{
    cudaError_t e;
    if (!api_enter(COST_QUERY, "cudaStreamGetDevice", &e))
        return e;
    struct stream *s;
    if ((e = stream_asked(stream, device, &s)) != cudaSuccess)
        return api_leave(e);
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
            if (other->n_pending && is_blocking(other))
                return true;
    return false;
}

static void know(const struct stamp *s)
{
    if (sim.checks && s->seq)
        order_join(&sim.host, s);
}

/* The calling thread has seen that all of s is done. */
static void know_done(const struct stream *s)
{
    know(&s->stamp);
    if (!s->legacy)
        return;
    know(&s->device->gone[0]);
    for (const struct stream *other = s->device->streams; other; other = other->next)
        if (is_blocking(other))
            know(&other->stamp);
}

void device_know_done(struct device *d)
{
    know(&d->gone[0]);
    know(&d->gone[1]);
    for (const struct stream *s = d->streams; s; s = s->next)
        know(&s->stamp);
}

EXPORT int simgpu_unwaited_stream(void)
{
    struct thread_state *t = thread_self();
    int id = -1;
    device_lock(t);
    for (int i = 0; i < sim.n_devices && sim.checks; i++)
        for (const struct stream *s = sim.devices[i].streams; s && id < 0; s = s->next)
            if (!order_before(&s->stamp, &sim.host))
                id = s->id;
    device_unlock(t);
    return id;
}

EXPORT cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    cudaError_t e;
    if (!api_enter(COST_STREAM_QUERY, "cudaStreamQuery", &e))
        return e;
    struct stream *s = stream_of(stream);
    if (!s)
        return api_leave(cudaErrorInvalidResourceHandle);
    e = capture_refuses_sync(s);
    if (e != cudaSuccess)
        return api_leave(e);
    hostfn_settle();
    if (is_busy(s))
        return api_leave(cudaErrorNotReady);
    know_done(s);
    return api_leave(cudaSuccess);
}

/* ---- waiting --------------------------------------------------------------------------------- */

/* A destroyed stream goes with its last operation, and other threads destroy streams while this one
 * waits. */
static void wait_blocking(struct device *d)
{
    for (struct stream *s = d->streams, *next; s; s = next) {
        s->refs++;
        if (s->tail && is_blocking(s))
            op_wait(s->tail);
        next = s->next;
        stream_put(s);
    }
}

void stream_wait_idle(struct stream *s)
{
    s->refs++;
    if (s->legacy)
        wait_blocking(s->device);
    if (s->tail)
        op_wait(s->tail);
    know_done(s);
    stream_put(s);
    mempool_trim_at_sync();
}

EXPORT cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    cudaError_t e;
    if (!api_enter(COST_SYNC, "cudaStreamSynchronize", &e))
        return e;
    struct stream *s = stream_of(stream);
    if (!s)
        return api_leave(cudaErrorInvalidResourceHandle);
    e = capture_refuses_sync(s);
    if (e != cudaSuccess)
        return api_leave(e);
    stream_wait_idle(s);
    return api_leave(cudaSuccess);
}

void device_wait_idle(struct device *d)
{
    while (d->n_pending) {
        struct stream *busy = d->streams;
        while (!busy->tail)
            busy = busy->next;
        op_wait(busy->tail);
    }
    device_know_done(d);
    mempool_trim_at_sync();
}

EXPORT cudaError_t cudaDeviceSynchronize(void)
{
    cudaError_t e;
    if (!api_enter(COST_SYNC, "cudaDeviceSynchronize", &e))
        return e;
    e = capture_refuses_device_sync();
    if (e != cudaSuccess)
        return api_leave(e);
    device_wait_idle(&sim.devices[thread_self()->device]);
    return api_leave(cudaSuccess);
}
