/* memcpy.c: copies. */
#include "api.h"

static bool host_reads_in_call(const struct copy_job *c)
{
    return c->path == PATH_H2D && c->pageable;
}

/* What the call waits for. */
static enum host_wait wait_of(const struct copy_job *c, enum copy_call call)
{
    const bool is_sync = call == COPY_SYNC || call == COPY_PEER_SYNC;
    switch (c->path) {
    case PATH_H2D:
        return c->pageable ? (is_sync ? WAITS_PAGEABLE_H2D : WAITS_PAGEABLE_H2D_ASYNC)
                           : (is_sync ? WAITS_PINNED_H2D : WAITS_PINNED_H2D_ASYNC);
    case PATH_D2H:
        return c->pageable ? (is_sync ? WAITS_PAGEABLE_D2H : WAITS_PAGEABLE_D2H_ASYNC)
                           : (is_sync ? WAITS_PINNED_D2H : WAITS_PINNED_D2H_ASYNC);
    case PATH_H2H:
        return call == COPY_BATCH && !c->pageable ? WAITS_H2H_BATCH : WAITS_H2H;
    case PATH_PEER:
        return WAITS_PEER;
    default:
        return WAITS_D2D;
    }
}

cudaError_t copy_submit(const struct copy_shape *shape, enum cudaMemcpyKind kind,
                        cudaStream_t stream, enum copy_call call)
{
    struct stream *s;
    struct work w;
    if (shape->width == 0 || shape->rows == 0 || shape->depth == 0)
        return cudaSuccess;
    TRY(copy_shape_error(shape, kind));
    TRY(stream_for_work(stream, &s));
    bool names_devices = call == COPY_PEER_SYNC || call == COPY_PEER_ASYNC;
    if (!names_devices && !copy_is_allowed(shape, thread_self()->device))
        return cudaErrorInvalidValue;
    TRY(copy_plan(&w, shape, kind, s->device->id));
    struct thread_state *t = thread_self();
    if (t->symbol_kind)
        w.copy.kind = (enum cudaMemcpyKind)(t->symbol_kind - 1);
    if (s->capture)
        return work_submit(&w, s);
    if (!graph_memory_exists(w.copy.dst) || !graph_memory_exists(w.copy.src))
        return cudaErrorInvalidValue;
    if (w.copy.path == PATH_D2D)
        call_charge(COST_MEMCPY_D2D);
    if (w.copy.pageable)
        t->clock += cost_pageable_call();
    const enum host_wait row = wait_of(&w.copy, call);
    const bool least = host_waits_least(row, s);
    w.copy.is_open = w.copy.pageable && w.copy.path == PATH_D2H && host_may_go_on(row);
    if (host_reads_in_call(&w.copy))
        copy_stage(&w.copy);
    stream_submit(&w, s);
    host_wait(row, least, s, &w);
    return cudaSuccess;
}

static struct copy_shape shape_2d(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                                  size_t width, size_t rows)
{
    return (struct copy_shape){
        dst, src, width, rows, 1, dst_pitch, src_pitch, dst_pitch * rows, src_pitch * rows, true};
}

EXPORT cudaError_t cudaMemcpy(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind)
{
    API_ENTER_EARLY(cudaMemcpy, bytes ? NOT_EARLY : EARLY_IF_LOST, cudaSuccess);
    struct copy_shape s = copy_shape_1d(dst, src, bytes);
    return api_leave(copy_submit(&s, kind, NULL, COPY_SYNC));
}

EXPORT cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t bytes,
                                   enum cudaMemcpyKind kind, cudaStream_t stream)
{
    API_ENTER_EARLY(cudaMemcpyAsync, bytes ? NOT_EARLY : EARLY_IF_LOST, cudaSuccess);
    struct copy_shape s = copy_shape_1d(dst, src, bytes);
    return api_leave(copy_submit(&s, kind, stream, COPY_ASYNC));
}

EXPORT cudaError_t cudaMemcpy2D(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind)
{
    API_ENTER(cudaMemcpy2D);
    struct copy_shape s = shape_2d(dst, dst_pitch, src, src_pitch, width, height);
    return api_leave(copy_submit(&s, kind, NULL, COPY_SYNC));
}

EXPORT cudaError_t cudaMemcpy2DAsync(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                                     size_t width, size_t height, enum cudaMemcpyKind kind,
                                     cudaStream_t stream)
{
    API_ENTER(cudaMemcpy2DAsync);
    struct copy_shape s = shape_2d(dst, dst_pitch, src, src_pitch, width, height);
    return api_leave(copy_submit(&s, kind, stream, COPY_ASYNC));
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
    API_ENTER(cudaMemcpyPeer);
    API_REFUSE_IF(!devices_exist(dst_device, src_device), cudaErrorInvalidDevice);
    struct copy_shape s = copy_shape_1d(dst, src, bytes);
    return api_leave(copy_submit(&s, cudaMemcpyDeviceToDevice, NULL, COPY_PEER_SYNC));
}

EXPORT cudaError_t cudaMemcpyPeerAsync(void *dst, int dst_device, const void *src, int src_device,
                                       size_t bytes, cudaStream_t stream)
{
    API_ENTER(cudaMemcpyPeerAsync);
    API_TRY(peer_error(dst_device, src_device, stream));
    struct copy_shape s = copy_shape_1d(dst, src, bytes);
    return api_leave(copy_submit(&s, cudaMemcpyDeviceToDevice, stream, COPY_PEER_ASYNC));
}

EXPORT cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
    API_ENTER(cudaMemcpy3D);
    struct copy_shape s;
    e = copy_shape_3d(&s, p);
    return api_leave(e != cudaSuccess ? e : copy_submit(&s, p->kind, NULL, COPY_SYNC));
}

EXPORT cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
    API_ENTER(cudaMemcpy3DAsync);
    struct copy_shape s;
    e = copy_shape_3d(&s, p);
    return api_leave(e != cudaSuccess ? e : copy_submit(&s, p->kind, stream, COPY_ASYNC));
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
    struct copy_shape s;
    cudaError_t e = peer_error(p->dstDevice, p->srcDevice, stream);
    if (e != cudaSuccess || (e = copy_shape_3d(&s, &q)) != cudaSuccess)
        return e;
    return copy_submit(&s, q.kind, stream, call);
}

API_CALL(cudaMemcpy3DPeer, (const struct cudaMemcpy3DPeerParms *p),
         copy_3d_peer(p, NULL, COPY_PEER_SYNC))
API_CALL(cudaMemcpy3DPeerAsync, (const struct cudaMemcpy3DPeerParms *p, cudaStream_t stream),
         copy_3d_peer(p, stream, COPY_PEER_ASYNC))
