/*
 * copy.c: copies and memsets. All of them are one job: slices of rows of bytes from one place to
 * another, over the path that the two pointers decide.
 */
#include <string.h>

#include "graph.h"

/* Where a copy goes and in what shape, before it is checked. */
struct shape {
    void *dst;
    const void *src;
    size_t width, rows, depth;
    size_t dst_pitch, src_pitch, dst_slice, src_slice;
};

static struct shape shape_1d(void *dst, const void *src, size_t bytes)
{
    return (struct shape){dst, src, bytes, 1, 1, bytes, bytes, bytes, bytes};
}

static struct shape shape_2d(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                             size_t width, size_t rows)
{
    return (struct shape){
        dst, src, width, rows, 1, dst_pitch, src_pitch, dst_pitch * rows, src_pitch * rows};
}

/* ---- what a pointer is ----------------------------------------------------------------------- */

enum place { PLACE_BAD, PLACE_PAGEABLE, PLACE_PINNED, PLACE_DEVICE };

static enum place place_of(const void *p, const struct shape *s, size_t pitch, size_t slice,
                           int *device)
{
    const struct allocation *a = memory_find(p);
    size_t bytes, left;
    if (!p || !memory_extent(&bytes, s->width, s->rows, pitch, s->depth, slice) ||
        bytes > UINTPTR_MAX - (uintptr_t)p)
        return PLACE_BAD;
    if (!a && variable_reaches(p, &left))
        return bytes <= left ? PLACE_DEVICE : PLACE_BAD;
    if (!a)
        return memory_is_device_address(p) ? PLACE_BAD : PLACE_PAGEABLE;
    *device = a->device;
    if (!memory_holds(a, p, bytes))
        return PLACE_BAD;
    return a->kind == MEMORY_PINNED || a->kind == MEMORY_REGISTERED ? PLACE_PINNED : PLACE_DEVICE;
}

/* The direction must not call ordinary host memory device memory; what the device knows decides by
 * itself. */
static bool direction_fits(enum cudaMemcpyKind kind, enum place dst, enum place src)
{
    if (kind == cudaMemcpyDefault)
        return true;
    bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    return !(to_device && dst == PLACE_PAGEABLE) && !(from_device && src == PLACE_PAGEABLE);
}

static enum copy_path path_of(enum place dst, enum place src, int dst_device, int src_device)
{
    if (dst == PLACE_DEVICE && src == PLACE_DEVICE)
        return dst_device == src_device ? PATH_D2D : PATH_PEER;
    if (dst == PLACE_DEVICE)
        return PATH_H2D;
    return src == PLACE_DEVICE ? PATH_D2H : PATH_H2H;
}

/* ---- the job --------------------------------------------------------------------------------- */

/* Only rows that follow each other overlap; a single one has just no room (plan). */
static bool rows_overlap(const struct shape *s)
{
    return (s->rows > 1 || s->depth > 1) && (s->width > s->dst_pitch || s->width > s->src_pitch);
}

static cudaError_t plan(struct copy_job *job, const struct shape *s, enum cudaMemcpyKind kind,
                        int *device)
{
    if ((unsigned)kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    if (rows_overlap(s))
        return cudaErrorInvalidPitchValue;
    if (s->width > s->dst_pitch || s->width > s->src_pitch)
        return cudaErrorInvalidValue;
    if (s->depth > 1 &&
        (s->dst_slice / s->dst_pitch < s->rows || s->src_slice / s->src_pitch < s->rows))
        return cudaErrorInvalidValue;
    int dst_device = *device, src_device = *device;
    enum place dst = place_of(s->dst, s, s->dst_pitch, s->dst_slice, &dst_device);
    enum place src = place_of(s->src, s, s->src_pitch, s->src_slice, &src_device);
    if (dst == PLACE_BAD || src == PLACE_BAD || !direction_fits(kind, dst, src))
        return cudaErrorInvalidValue;
    *job = (struct copy_job){.dst = s->dst,
                             .src = s->src,
                             .width = s->width,
                             .rows = s->rows,
                             .depth = s->depth,
                             .dst_pitch = s->dst_pitch,
                             .src_pitch = s->src_pitch,
                             .dst_slice = s->dst_slice,
                             .src_slice = s->src_slice,
                             .kind = kind,
                             .path = path_of(dst, src, dst_device, src_device),
                             .pageable = dst == PLACE_PAGEABLE || src == PLACE_PAGEABLE,
                             .in_device = dst == PLACE_DEVICE && src == PLACE_DEVICE,
                             .peer = dst_device};
    *device = dst == PLACE_DEVICE ? dst_device : src_device;
    return cudaSuccess;
}

static enum engine_kind engine_of(enum copy_path path)
{
    switch (path) {
    case PATH_H2D:
    case PATH_H2H:
        return ENGINE_H2D;
    case PATH_D2H:
    case PATH_PEER:
        return ENGINE_D2H;
    default:
        return ENGINE_D2D;
    }
}

static const char *copy_name(enum copy_path path)
{
    static const char *const names[] = {[PATH_H2D] = "memcpyH2D",
                                        [PATH_D2H] = "memcpyD2H",
                                        [PATH_D2D] = "memcpyD2D",
                                        [PATH_H2H] = "memcpyH2H",
                                        [PATH_PEER] = "memcpyPeer"};
    return names[path];
}

/*
 * Who waits in the call, as seen on an H200: a copy to the device returns once the host's bytes are
 * read, at the rate of staging if they are pageable, unless they are more than the staging buffers
 * hold; a copy to pageable memory, and one from host to host, when it is done.
 */
enum { STAGING_BYTES = 2 << 20 };

enum copy_call { CALL_SYNC, CALL_ASYNC, CALL_BATCH };

static bool host_reads_in_call(const struct copy_job *c)
{
    return c->path == PATH_H2D && c->pageable;
}

static bool host_waits(const struct copy_job *c, enum copy_call call)
{
    switch (c->path) {
    case PATH_H2D:
        return call == CALL_SYNC || (c->pageable && c->width * c->rows * c->depth > STAGING_BYTES);
    case PATH_D2H:
        return call == CALL_SYNC || c->pageable;
    case PATH_H2H:
        return call != CALL_BATCH || c->pageable;
    default:
        return false;
    }
}

static struct work work_of(const struct copy_job *job)
{
    struct work w = {.kind = OP_COPY,
                     .engine = engine_of(job->path),
                     .name = copy_name(job->path),
                     .copy = *job};
    w.bytes = job->width * job->rows * job->depth;
    if (job->path == PATH_H2D && w.bytes <= (uint64_t)sim.profile.inline_copy_bytes) {
        w.copy.inlined = true;
        w.engine = ENGINE_D2D;
    }
    return w;
}

static cudaError_t copy(const struct shape *shape, enum cudaMemcpyKind kind, cudaStream_t stream,
                        enum copy_call call)
{
    struct stream *s;
    if (shape->width == 0 || shape->rows == 0 || shape->depth == 0)
        return cudaSuccess;
    if ((unsigned)kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    if (rows_overlap(shape))
        return cudaErrorInvalidPitchValue;
    cudaError_t e = stream_for_work(stream, &s);
    if (e != cudaSuccess)
        return e;
    struct copy_job job;
    int device = s->device->id;
    e = plan(&job, shape, kind, &device);
    if (e != cudaSuccess)
        return e;
    struct work w = work_of(&job);
    if (thread_self()->symbol_kind)
        w.copy.kind = (enum cudaMemcpyKind)(thread_self()->symbol_kind - 1);
    if (s->capture)
        return work_submit(&w, s);
    if (!graph_memory_exists(job.dst) || !graph_memory_exists(job.src))
        return cudaErrorInvalidValue;
    if (job.path == PATH_D2D)
        api_charge(COST_MEMCPY_D2D);
    struct thread_state *t = thread_self();
    if (job.pageable)
        t->clock += us_to_ns(sim.profile.pageable_overhead_us);
    if (host_reads_in_call(&w.copy))
        effects_stage(&w.copy);
    e = work_submit(&w, s);
    if (e != cudaSuccess)
        return e;
    if (host_waits(&w.copy, call)) {
        if (s->tail)
            op_wait(s->tail);
    } else if (job.pageable && !w.copy.inlined) {
        t->clock += us_to_ns((double)w.bytes / (sim.profile.pageable_h2d_gbps * 1e3));
    }
    return cudaSuccess;
}

cudaError_t copy_bytes(void *dst, const void *src, size_t bytes, cudaStream_t stream)
{
    struct shape s = shape_1d(dst, src, bytes);
    return copy(&s, cudaMemcpyDefault, stream, CALL_BATCH);
}

/* ---- memcpy ---------------------------------------------------------------------------------- */

EXPORT cudaError_t cudaMemcpy(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind)
{
    cudaError_t e;
    if (call_is_for_nothing(bytes == 0))
        return cudaSuccess;
    if (!api_enter(COST_MEMCPY_ASYNC, "cudaMemcpy", &e))
        return e;
    struct shape s = shape_1d(dst, src, bytes);
    return api_leave(copy(&s, kind, NULL, CALL_SYNC));
}

EXPORT cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t bytes,
                                   enum cudaMemcpyKind kind, cudaStream_t stream)
{
    cudaError_t e;
    if (call_is_for_nothing(bytes == 0))
        return cudaSuccess;
    if (!api_enter(COST_MEMCPY_ASYNC, "cudaMemcpyAsync", &e))
        return e;
    struct shape s = shape_1d(dst, src, bytes);
    return api_leave(copy(&s, kind, stream, CALL_ASYNC));
}

EXPORT cudaError_t cudaMemcpy2D(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind)
{
    cudaError_t e;
    if (!api_enter(COST_MEMCPY_ASYNC, "cudaMemcpy2D", &e))
        return e;
    struct shape s = shape_2d(dst, dst_pitch, src, src_pitch, width, height);
    return api_leave(copy(&s, kind, NULL, CALL_SYNC));
}

EXPORT cudaError_t cudaMemcpy2DAsync(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                                     size_t width, size_t height, enum cudaMemcpyKind kind,
                                     cudaStream_t stream)
{
    cudaError_t e;
    if (!api_enter(COST_MEMCPY_ASYNC, "cudaMemcpy2DAsync", &e))
        return e;
    struct shape s = shape_2d(dst, dst_pitch, src, src_pitch, width, height);
    return api_leave(copy(&s, kind, stream, CALL_ASYNC));
}

static bool devices_exist(int dst, int src)
{
    return device_exists(dst) && device_exists(src);
}

/* Can the stream be given a copy between these devices? A capture cannot. */
static cudaError_t peer_error(int dst_device, int src_device, cudaStream_t stream)
{
    struct stream *s;
    if (!devices_exist(dst_device, src_device))
        return cudaErrorInvalidDevice;
    cudaError_t e = stream_for_work(stream, &s);
    return e != cudaSuccess ? e : capture_cannot_take(s);
}

EXPORT cudaError_t cudaMemcpyPeer(void *dst, int dst_device, const void *src, int src_device,
                                  size_t bytes)
{
    cudaError_t e;
    if (!api_enter(COST_MEMCPY_ASYNC, "cudaMemcpyPeer", &e))
        return e;
    if (!devices_exist(dst_device, src_device))
        return api_leave(cudaErrorInvalidDevice);
    struct shape s = shape_1d(dst, src, bytes);
    return api_leave(copy(&s, cudaMemcpyDeviceToDevice, NULL, CALL_SYNC));
}

EXPORT cudaError_t cudaMemcpyPeerAsync(void *dst, int dst_device, const void *src, int src_device,
                                       size_t bytes, cudaStream_t stream)
{
    cudaError_t e;
    if (!api_enter(COST_MEMCPY_ASYNC, "cudaMemcpyPeerAsync", &e))
        return e;
    if ((e = peer_error(dst_device, src_device, stream)) != cudaSuccess)
        return api_leave(e);
    struct shape s = shape_1d(dst, src, bytes);
    return api_leave(copy(&s, cudaMemcpyDeviceToDevice, stream, CALL_ASYNC));
}

/* Arrays are not modelled: both ends must be pitched pointers. */
static cudaError_t shape_3d(struct shape *out, const struct cudaMemcpy3DParms *p)
{
    if (!p)
        return cudaErrorInvalidValue;
    if (p->srcArray || p->dstArray)
        return cudaErrorNotSupported;
    const struct cudaPitchedPtr *d = &p->dstPtr, *s = &p->srcPtr;
    size_t dst_slice = d->pitch * d->ysize, src_slice = s->pitch * s->ysize;
    *out = (struct shape){
        (char *)d->ptr + p->dstPos.z * dst_slice + p->dstPos.y * d->pitch + p->dstPos.x,
        (char *)s->ptr + p->srcPos.z * src_slice + p->srcPos.y * s->pitch + p->srcPos.x,
        p->extent.width,
        p->extent.height,
        p->extent.depth,
        d->pitch,
        s->pitch,
        dst_slice,
        src_slice};
    bool empty = p->extent.width == 0 || p->extent.height == 0 || p->extent.depth == 0;
    return empty || (unsigned)p->kind > cudaMemcpyDefault || (d->ptr && s->ptr)
               ? cudaSuccess
               : cudaErrorInvalidValue;
}

cudaError_t copy_work(struct work *w, const struct cudaMemcpy3DParms *p)
{
    struct shape s = {0};
    struct copy_job job;
    int device = thread_self()->device;
    cudaError_t e = shape_3d(&s, p);
    if (e == cudaSuccess && (s.width == 0 || s.rows == 0 || s.depth == 0))
        e = cudaErrorInvalidValue;
    if (s.rows == 1 && s.depth == 1) { /* one that was read back has no pitch */
        s.dst_pitch = s.dst_pitch ? s.dst_pitch : s.width;
        s.src_pitch = s.src_pitch ? s.src_pitch : s.width;
    }
    if (e == cudaSuccess)
        e = plan(&job, &s, p->kind, &device);
    if (e == cudaSuccess)
        *w = work_of(&job);
    return e;
}

EXPORT cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
    cudaError_t e;
    if (!api_enter(COST_MEMCPY_ASYNC, "cudaMemcpy3D", &e))
        return e;
    struct shape s;
    e = shape_3d(&s, p);
    return api_leave(e != cudaSuccess ? e : copy(&s, p->kind, NULL, CALL_SYNC));
}

EXPORT cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
    cudaError_t e;
    if (!api_enter(COST_MEMCPY_ASYNC, "cudaMemcpy3DAsync", &e))
        return e;
    struct shape s;
    e = shape_3d(&s, p);
    return api_leave(e != cudaSuccess ? e : copy(&s, p->kind, stream, CALL_ASYNC));
}

static cudaError_t copy_3d_peer(const struct cudaMemcpy3DPeerParms *p, cudaStream_t stream,
                                enum copy_call call)
{
    if (!p)
        return cudaErrorInvalidValue;
    const struct cudaMemcpy3DParms q = {.srcArray = p->srcArray,
                                        .srcPos = p->srcPos,
                                        .srcPtr = p->srcPtr,
                                        .dstArray = p->dstArray,
                                        .dstPos = p->dstPos,
                                        .dstPtr = p->dstPtr,
                                        .extent = p->extent,
                                        .kind = cudaMemcpyDeviceToDevice};
    struct shape s;
    cudaError_t e = peer_error(p->dstDevice, p->srcDevice, stream);
    if (e != cudaSuccess || (e = shape_3d(&s, &q)) != cudaSuccess)
        return e;
    return copy(&s, q.kind, stream, call);
}

EXPORT cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *p)
{
    cudaError_t e;
    if (!api_enter(COST_MEMCPY_ASYNC, "cudaMemcpy3DPeer", &e))
        return e;
    return api_leave(copy_3d_peer(p, NULL, CALL_SYNC));
}

EXPORT cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *p, cudaStream_t stream)
{
    cudaError_t e;
    if (!api_enter(COST_MEMCPY_ASYNC, "cudaMemcpy3DPeerAsync", &e))
        return e;
    return api_leave(copy_3d_peer(p, stream, CALL_ASYNC));
}
