/* memory.c: cudaMalloc and similar calls. */

#include "api.h"

enum { PITCH_ALIGNMENT = 512 }; /* of cudaMallocPitch, as seen on an H200 */

cudaError_t memory_new(void **out, size_t bytes, enum memory_kind kind, const char *call)
{
    if (!out)
        return cudaErrorInvalidValue;
    *out = NULL;
    if (bytes == 0)
        return cudaSuccess;
    TRY(capture_unsafe_call());
    if (kind == MEMORY_DEVICE)
        *out = memory_allocate(&devices[thread_self()->device], bytes, call);
    else if ((*out = memory_take_of_host(bytes)))
        memory_add(*out, bytes, kind, thread_self()->device, call);
    return *out ? cudaSuccess : cudaErrorMemoryAllocation;
}

EXPORT cudaError_t cudaMalloc(void **out, size_t bytes)
{
    const enum early when = !out ? EARLY : bytes ? NOT_EARLY : EARLY_IF_LOST;
    if (out && bytes == 0)
        *out = NULL;
    API_ENTER_EARLY(cudaMalloc, when, out ? cudaSuccess : cudaErrorInvalidValue);
    return api_leave(memory_new(out, bytes, MEMORY_DEVICE, "cudaMalloc"));
}

/* Rows of `width` bytes, each at an aligned address. More than can be counted is more than there
 * is. */
static cudaError_t take_rows(void **out, size_t *pitch, size_t width, size_t height, size_t depth,
                             const char *call)
{
    size_t bytes;
    *out = NULL;
    if (width > SIZE_MAX - PITCH_ALIGNMENT)
        return cudaErrorMemoryAllocation;
    size_t aligned = (width + PITCH_ALIGNMENT - 1) / PITCH_ALIGNMENT * PITCH_ALIGNMENT;
    if (__builtin_mul_overflow(aligned, height, &bytes) ||
        __builtin_mul_overflow(bytes, depth, &bytes))
        return cudaErrorMemoryAllocation;
    *pitch = aligned;
    return memory_new(out, bytes, MEMORY_DEVICE, call);
}

EXPORT cudaError_t cudaMallocPitch(void **out, size_t *pitch, size_t width, size_t height)
{
    API_ENTER(cudaMallocPitch);
    API_REFUSE_IF(!out || !pitch, cudaErrorInvalidValue);
    e = take_rows(out, pitch, width, height, 1, "cudaMallocPitch");
    if (height == 0)
        *pitch = 0;
    return api_leave(e);
}

EXPORT cudaError_t cudaMalloc3D(struct cudaPitchedPtr *out, struct cudaExtent extent)
{
    API_ENTER(cudaMalloc3D);
    API_REFUSE_IF(!out, cudaErrorInvalidValue);
    *out = (struct cudaPitchedPtr){NULL, 0, extent.width, extent.height};
    return api_leave(take_rows(&out->ptr, &out->pitch, extent.width, extent.height, extent.depth,
                               "cudaMalloc3D"));
}

EXPORT cudaError_t cudaFree(void *p)
{
    API_ENTER(cudaFree);
    if (!p)
        return api_leave(cudaSuccess);
    struct allocation *a = memory_find(p);
    if (a && a->kind == MEMORY_GRAPH) {
        host_wait_device(WAITS_FREE_GRAPH, &devices[a->device]);
        return api_leave(graph_memory_free(p));
    }
    API_REFUSE_IF(!a || a->lo != (uint64_t)(uintptr_t)p ||
                      (a->kind != MEMORY_DEVICE && a->kind != MEMORY_MANAGED && !a->pool),
                  cudaErrorInvalidValue);
    host_wait_device(a->kind == MEMORY_POOL      ? WAITS_FREE_POOL
                     : a->kind == MEMORY_MANAGED ? WAITS_FREE_MANAGED
                                                 : WAITS_FREE,
                     &devices[a->device]);
    if (a->kind == MEMORY_SHARED)
        shared_close(a);
    else if (a->kind == MEMORY_MANAGED)
        memory_give_of_host(a);
    else
        memory_free_now(a);
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    API_ENTER(cudaMemGetInfo);
    size_t total = (size_t)sim.profile.memory_bytes;
    if (total_bytes)
        *total_bytes = total;
    if (free_bytes)
        *free_bytes = total - (size_t)devices[thread_self()->device].used_bytes;
    return api_leave(cudaSuccess);
}

/* ---- the account ----------------------------------------------------------------------------- */

static struct memory_used used(bool anew)
{
    struct thread_state *t = thread_self();
    device_lock(t);
    variables_allocate();
    const struct memory_used u = memory_used;
    if (anew)
        memory_used.most = u.now;
    device_unlock(t);
    return u;
}

EXPORT int64_t simgpu_memory_now(void)
{
    return used(false).now;
}

EXPORT int64_t simgpu_memory_most(int anew)
{
    return used(anew).most;
}
