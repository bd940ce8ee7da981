/* array.c: CUDA arrays, and copies to and from them. */
#include "api.h"

/* Layered and cube arrays, those of graphics and sparse ones are not modeled. */
static cudaError_t make(cudaArray_t *out, const struct cudaChannelFormatDesc *format,
                        struct cudaExtent extent, unsigned flags, const char *call)
{
    static bool said;
    if (!out || !format)
        return cudaErrorInvalidValue;
    if (flags & ~(unsigned)(cudaArraySurfaceLoadStore | cudaArrayTextureGather))
        return error_not_modelled("an array that is layered, a cube map or sparse", &said);
    TRY(capture_unsafe_call());
    return array_make((struct array **)out, format, extent, flags, thread_self()->device, call);
}

API_CALL(cudaMallocArray,
         (cudaArray_t * out, const struct cudaChannelFormatDesc *format, size_t width,
          size_t height, unsigned flags),
         make(out, format, (struct cudaExtent){width, height, 0}, flags, "cudaMallocArray"))
API_CALL(cudaMalloc3DArray,
         (cudaArray_t * out, const struct cudaChannelFormatDesc *format, struct cudaExtent extent,
          unsigned flags),
         make(out, format, extent, flags, "cudaMalloc3DArray"))

EXPORT cudaError_t cudaFreeArray(cudaArray_t handle)
{
    API_ENTER(cudaFreeArray);
    struct array *a = array_find(handle);
    if (!handle || !a)
        return api_leave(handle ? cudaErrorInvalidValue : cudaSuccess);
    const struct allocation *memory = memory_find(a->base);
    if (memory)
        host_wait_device(WAITS_FREE, &devices[memory->device]);
    array_free(a);
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *format, struct cudaExtent *extent,
                                    unsigned *flags, cudaArray_t handle)
{
    API_ENTER(cudaArrayGetInfo);
    const struct array *a = array_find(handle);
    API_REFUSE_IF(!a, cudaErrorInvalidResourceHandle);
    if (format)
        *format = a->format.description;
    if (extent)
        *extent = a->extent;
    if (flags)
        *flags = a->flags;
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *out, cudaArray_const_t handle)
{
    API_ENTER(cudaGetChannelDesc);
    const struct array *a = array_find(handle);
    API_REFUSE_IF(!a || !out, a ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    *out = a->format.description;
    return api_leave(cudaSuccess);
}

/* ---- copies: offset and width are in bytes --------------------------------------------------- */

/* The rows of an array from this place on, in the place of an address; false: they leave it. */
static bool rows_of(const void *handle, size_t x_bytes, size_t y, size_t width, size_t rows,
                    char **first, size_t *pitch)
{
    const struct array *a = array_find(handle);
    if (!a || a->extent.depth > 0)
        return false;
    const size_t height = a->extent.height ? a->extent.height : 1;
    *first = (char *)a->base + y * a->row_bytes + x_bytes;
    *pitch = a->row_bytes;
    return x_bytes <= a->row_bytes && width <= a->row_bytes - x_bytes && y <= height &&
           rows <= height - y && x_bytes % a->format.bytes == 0 && width % a->format.bytes == 0;
}

static cudaError_t copy_rows(char *to, size_t to_pitch, const char *from, size_t from_pitch,
                             size_t width, size_t rows, enum cudaMemcpyKind kind,
                             cudaStream_t stream, enum copy_call call)
{
    const struct copy_shape s = {.dst = to,
                                 .src = from,
                                 .width = width,
                                 .rows = rows,
                                 .depth = 1,
                                 .dst_pitch = to_pitch,
                                 .src_pitch = from_pitch};
    return copy_submit(&s, kind, stream, call);
}

static cudaError_t copy_to(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                           size_t width, size_t rows, enum cudaMemcpyKind kind, cudaStream_t stream,
                           enum copy_call call)
{
    char *first;
    size_t row_bytes;
    if (!rows_of(to, x, y, width, rows, &first, &row_bytes))
        return cudaErrorInvalidValue;
    return copy_rows(first, row_bytes, from, pitch, width, rows, kind, stream, call);
}

static cudaError_t copy_from(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                             size_t width, size_t rows, enum cudaMemcpyKind kind,
                             cudaStream_t stream, enum copy_call call)
{
    char *first;
    size_t row_bytes;
    if (!rows_of(from, x, y, width, rows, &first, &row_bytes))
        return cudaErrorInvalidValue;
    return copy_rows(to, pitch, first, row_bytes, width, rows, kind, stream, call);
}

API_CALL(cudaMemcpy2DToArray,
         (cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
          size_t rows, enum cudaMemcpyKind kind),
         copy_to(to, x, y, from, pitch, width, rows, kind, NULL, COPY_SYNC))
API_CALL(cudaMemcpy2DToArrayAsync,
         (cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
          size_t rows, enum cudaMemcpyKind kind, cudaStream_t stream),
         copy_to(to, x, y, from, pitch, width, rows, kind, stream, COPY_ASYNC))

API_CALL(cudaMemcpy2DFromArray,
         (void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
          size_t rows, enum cudaMemcpyKind kind),
         copy_from(to, pitch, from, x, y, width, rows, kind, NULL, COPY_SYNC))
API_CALL(cudaMemcpy2DFromArrayAsync,
         (void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
          size_t rows, enum cudaMemcpyKind kind, cudaStream_t stream),
         copy_from(to, pitch, from, x, y, width, rows, kind, stream, COPY_ASYNC))

EXPORT cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                            cudaArray_const_t from, size_t from_x, size_t from_y,
                                            size_t width, size_t rows, enum cudaMemcpyKind kind)
{
    char *first;
    size_t row_bytes;
    API_ENTER(cudaMemcpy2DArrayToArray);
    return api_leave(
        !rows_of(from, from_x, from_y, width, rows, &first, &row_bytes)
            ? cudaErrorInvalidValue
            : copy_to(to, to_x, to_y, first, row_bytes, width, rows, kind, NULL, COPY_SYNC));
}
