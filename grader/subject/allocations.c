/* allocations.c: the submission calls these functions, which call the runtime's and keep a list: of
 * memory, because a GPU tells only how much is free, which depends on all programs that use it; of
 * streams, events and pools, because it does not tell them at all. */
#include "interpose.h"
#include "objects.h"

#define CALLER __builtin_return_address(0)

cudaError_t cudaMalloc(void **at, size_t bytes)
{
    FIND_REAL(cudaMalloc);
    return object_created(real(at, bytes), SIMGPU_OBJECT_MEMORY, at, bytes, CALLER);
}

cudaError_t cudaMallocManaged(void **at, size_t bytes, unsigned flags)
{
    FIND_REAL(cudaMallocManaged);
    return object_created(real(at, bytes, flags), SIMGPU_OBJECT_MEMORY, at, bytes, CALLER);
}

cudaError_t cudaMallocPitch(void **at, size_t *pitch, size_t width, size_t height)
{
    FIND_REAL(cudaMallocPitch);
    const cudaError_t error = real(at, pitch, width, height);
    return object_created(error, SIMGPU_OBJECT_MEMORY, at, error ? 0 : *pitch * height, CALLER);
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *out, struct cudaExtent extent)
{
    FIND_REAL(cudaMalloc3D);
    const cudaError_t error = real(out, extent);
    const size_t bytes = error ? 0 : out->pitch * extent.height * extent.depth;
    return object_created(error, SIMGPU_OBJECT_MEMORY, &out->ptr, bytes, CALLER);
}

static size_t array_bytes(const struct cudaChannelFormatDesc *desc, size_t width, size_t height,
                          size_t depth)
{
    const size_t bits = (size_t)(desc->x + desc->y + desc->z + desc->w);
    return width * (height ? height : 1) * (depth ? depth : 1) * bits / 8;
}

cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                            size_t width, size_t height, unsigned flags)
{
    FIND_REAL(cudaMallocArray);
    const cudaError_t error = real(array, desc, width, height, flags);
    return object_created(error, SIMGPU_OBJECT_MEMORY, array,
                          error ? 0 : array_bytes(desc, width, height, 1), CALLER);
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                              struct cudaExtent extent, unsigned flags)
{
    FIND_REAL(cudaMalloc3DArray);
    const cudaError_t error = real(array, desc, extent, flags);
    return object_created(error, SIMGPU_OBJECT_MEMORY, array,
                          error ? 0 : array_bytes(desc, extent.width, extent.height, extent.depth),
                          CALLER);
}

cudaError_t cudaMallocAsync(void **at, size_t bytes, cudaStream_t stream)
{
    FIND_REAL(cudaMallocAsync);
    return object_created(real(at, bytes, stream), SIMGPU_OBJECT_MEMORY, at, bytes, CALLER);
}

cudaError_t cudaMallocFromPoolAsync(void **at, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream)
{
    FIND_REAL(cudaMallocFromPoolAsync);
    return object_created(real(at, bytes, pool, stream), SIMGPU_OBJECT_MEMORY, at, bytes, CALLER);
}

cudaError_t cudaFree(void *at)
{
    FIND_REAL(cudaFree);
    return object_destroyed(real(at), at);
}

cudaError_t cudaFreeArray(cudaArray_t array)
{
    FIND_REAL(cudaFreeArray);
    return object_destroyed(real(array), array);
}

cudaError_t cudaFreeAsync(void *at, cudaStream_t stream)
{
    FIND_REAL(cudaFreeAsync);
    return object_destroyed(real(at, stream), at);
}

/* ---- pinned memory --------------------------------------------------------------------------- */

cudaError_t cudaMallocHost(void **at, size_t bytes)
{
    FIND_REAL(cudaMallocHost);
    return object_created(real(at, bytes), SIMGPU_OBJECT_PINNED, at, bytes, CALLER);
}

cudaError_t cudaHostAlloc(void **at, size_t bytes, unsigned flags)
{
    FIND_REAL(cudaHostAlloc);
    return object_created(real(at, bytes, flags), SIMGPU_OBJECT_PINNED, at, bytes, CALLER);
}

cudaError_t cudaFreeHost(void *at)
{
    FIND_REAL(cudaFreeHost);
    return object_destroyed(real(at), at);
}

/* ---- streams --------------------------------------------------------------------------------- */

static void (*watching)(cudaError_t error, const cudaStream_t *stream);

void subject_watch_streams(void (*watch)(cudaError_t error, const cudaStream_t *stream))
{
    watching = watch;
}

static cudaError_t stream_created(cudaError_t error, const cudaStream_t *stream, const void *caller)
{
    if (watching)
        watching(error, stream);
    return object_created(error, SIMGPU_OBJECT_STREAM, stream, 0, caller);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    FIND_REAL(cudaStreamCreate);
    return stream_created(real(stream), stream, CALLER);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    FIND_REAL(cudaStreamCreateWithFlags);
    return stream_created(real(stream, flags), stream, CALLER);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority)
{
    FIND_REAL(cudaStreamCreateWithPriority);
    return stream_created(real(stream, flags, priority), stream, CALLER);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    FIND_REAL(cudaStreamDestroy);
    return object_destroyed(real(stream), stream);
}

/* ---- events ---------------------------------------------------------------------------------- */

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    FIND_REAL(cudaEventCreate);
    return object_created(real(event), SIMGPU_OBJECT_EVENT, event, 0, CALLER);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    FIND_REAL(cudaEventCreateWithFlags);
    return object_created(real(event, flags), SIMGPU_OBJECT_EVENT, event, 0, CALLER);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    FIND_REAL(cudaEventDestroy);
    return object_destroyed(real(event), event);
}

/* ---- pools ----------------------------------------------------------------------------------- */

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *properties)
{
    FIND_REAL(cudaMemPoolCreate);
    return object_created(real(pool, properties), SIMGPU_OBJECT_POOL, pool, 0, CALLER);
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
    FIND_REAL(cudaMemPoolDestroy);
    return object_destroyed(real(pool), pool);
}
