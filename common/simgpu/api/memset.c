/* memset.c: filling device memory. */
#include "api.h"

/* What a call without Async waits for. A variable without a device is a managed one. */
static enum host_wait wait_of(const struct allocation *a)
{
    if (a->kind == MEMORY_PINNED || a->kind == MEMORY_REGISTERED)
        return WAITS_MEMSET_PINNED;
    const bool is_managed =
        a->kind == MEMORY_MANAGED || (a->kind == MEMORY_VARIABLE && a->device == NO_DEVICE);
    return is_managed ? WAITS_MEMSET_MANAGED : WAITS_MEMSET;
}

static cudaError_t fill(void *p, size_t pitch, int value, size_t width, size_t rows,
                        cudaStream_t stream, bool sync)
{
    struct stream *s;
    if (width == 0 || rows == 0)
        return cudaSuccess;
    cudaError_t e = stream_for_work(stream, &s);
    if (e != cudaSuccess)
        return e;
    struct work w;
    e = memset_work(&w, &(struct memset_job){p, width, rows, pitch, (unsigned)value & 0xff, 1});
    if (e != cudaSuccess)
        return e;
    if (s->capture) /* its address is checked when the graph is instantiated */
        return work_submit(&w, s);
    if (!memset_reaches(&w.memset, s->device->id) || !graph_memory_exists(p))
        return cudaErrorInvalidValue;
    if (!memset_is_small(w.bytes))
        call_charge(COST_MEMSET_LARGE);
    stream_submit(&w, s);
    host_wait(sync ? wait_of(memory_find(p)) : WAITS_MEMSET_ASYNC, false, s, &w);
    return cudaSuccess;
}

EXPORT cudaError_t cudaMemset(void *p, int value, size_t bytes)
{
    API_ENTER_EARLY(cudaMemset, bytes ? NOT_EARLY : EARLY_IF_LOST, cudaSuccess);
    return api_leave(fill(p, bytes, value, bytes, 1, NULL, true));
}

EXPORT cudaError_t cudaMemsetAsync(void *p, int value, size_t bytes, cudaStream_t stream)
{
    API_ENTER_EARLY(cudaMemsetAsync, bytes ? NOT_EARLY : EARLY_IF_LOST, cudaSuccess);
    return api_leave(fill(p, 0, value, bytes, 1, stream, false));
}

API_CALL(cudaMemset2D, (void *p, size_t pitch, int value, size_t width, size_t height),
         fill(p, pitch, value, width, height, NULL, true))
API_CALL(cudaMemset2DAsync,
         (void *p, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream),
         fill(p, pitch, value, width, height, stream, false))

/* Slices follow each other without a gap, so a box is as many rows; a box narrower than its
 * allocation is not. */
static cudaError_t fill_3d(struct cudaPitchedPtr p, int value, struct cudaExtent e,
                           cudaStream_t stream, bool sync)
{
    if (e.depth == 0)
        return cudaSuccess;
    size_t rows;
    if (__builtin_mul_overflow(e.height, e.depth, &rows) || (e.depth > 1 && e.height > p.ysize))
        return cudaErrorInvalidValue;
    if (e.height == p.ysize || e.depth == 1 || rows == 0)
        return fill(p.ptr, p.pitch, value, e.width, rows, stream, sync);
    for (size_t z = 0; z < e.depth; z++) {
        cudaError_t error = fill((char *)p.ptr + z * p.pitch * p.ysize, p.pitch, value, e.width,
                                 e.height, stream, sync);
        if (error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}

API_CALL(cudaMemset3D, (struct cudaPitchedPtr p, int value, struct cudaExtent extent),
         fill_3d(p, value, extent, NULL, true))
API_CALL(cudaMemset3DAsync,
         (struct cudaPitchedPtr p, int value, struct cudaExtent extent, cudaStream_t stream),
         fill_3d(p, value, extent, stream, false))
