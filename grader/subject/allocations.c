/* allocations.c: the submission calls these functions, which call the runtime's and keep a list: of
 * memory, because a GPU tells only how much is free, which depends on all programs that use it; of
 * streams, events and pools, because it does not tell them at all. */
#include "interpose.h"
#include "objects.h"

#define CALLER __builtin_return_address(0)

/* Define such functions: parameters, arguments of the runtime's own, and what it creates (kind,
 * where the handle or address is then, bytes) or destroys. */
#define CREATES(name, parameters, arguments, kind, at, bytes)                                      \
    cudaError_t name parameters                                                                    \
    {                                                                                              \
        FIND_REAL(name);                                                                           \
        return object_created(real arguments, kind, at, bytes, CALLER);                            \
    }
#define DESTROYS(name, parameters, arguments, object)                                              \
    cudaError_t name parameters                                                                    \
    {                                                                                              \
        FIND_REAL(name);                                                                           \
        return object_destroyed(real arguments, object);                                           \
    }

CREATES(cudaMalloc, (void **at, size_t bytes), (at, bytes), SIMGPU_OBJECT_MEMORY, at, bytes)
CREATES(cudaMallocManaged, (void **at, size_t bytes, unsigned flags), (at, bytes, flags),
        SIMGPU_OBJECT_MEMORY, at, bytes)

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

CREATES(cudaMallocAsync, (void **at, size_t bytes, cudaStream_t stream), (at, bytes, stream),
        SIMGPU_OBJECT_MEMORY, at, bytes)
CREATES(cudaMallocFromPoolAsync, (void **at, size_t bytes, cudaMemPool_t pool, cudaStream_t stream),
        (at, bytes, pool, stream), SIMGPU_OBJECT_MEMORY, at, bytes)
DESTROYS(cudaFree, (void *at), (at), at)
DESTROYS(cudaFreeArray, (cudaArray_t array), (array), array)
DESTROYS(cudaFreeAsync, (void *at, cudaStream_t stream), (at, stream), at)

/* ---- pinned memory --------------------------------------------------------------------------- */

CREATES(cudaMallocHost, (void **at, size_t bytes), (at, bytes), SIMGPU_OBJECT_PINNED, at, bytes)
CREATES(cudaHostAlloc, (void **at, size_t bytes, unsigned flags), (at, bytes, flags),
        SIMGPU_OBJECT_PINNED, at, bytes)
DESTROYS(cudaFreeHost, (void *at), (at), at)

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

#define CREATES_STREAM(name, parameters, arguments)                                                \
    cudaError_t name parameters                                                                    \
    {                                                                                              \
        FIND_REAL(name);                                                                           \
        return stream_created(real arguments, stream, CALLER);                                     \
    }
CREATES_STREAM(cudaStreamCreate, (cudaStream_t * stream), (stream))
CREATES_STREAM(cudaStreamCreateWithFlags, (cudaStream_t * stream, unsigned flags), (stream, flags))
CREATES_STREAM(cudaStreamCreateWithPriority, (cudaStream_t * stream, unsigned flags, int priority),
               (stream, flags, priority))
DESTROYS(cudaStreamDestroy, (cudaStream_t stream), (stream), stream)

/* ---- events ---------------------------------------------------------------------------------- */

CREATES(cudaEventCreate, (cudaEvent_t * event), (event), SIMGPU_OBJECT_EVENT, event, 0)
CREATES(cudaEventCreateWithFlags, (cudaEvent_t * event, unsigned flags), (event, flags),
        SIMGPU_OBJECT_EVENT, event, 0)
DESTROYS(cudaEventDestroy, (cudaEvent_t event), (event), event)

/* ---- pools ----------------------------------------------------------------------------------- */

CREATES(cudaMemPoolCreate, (cudaMemPool_t * pool, const struct cudaMemPoolProps *properties),
        (pool, properties), SIMGPU_OBJECT_POOL, pool, 0)
DESTROYS(cudaMemPoolDestroy, (cudaMemPool_t pool), (pool), pool)
