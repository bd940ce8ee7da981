/*
 * copy_batch.c: many copies in one call. They are made in order, up to the first one with an error,
 * as on an H200.
 */
#include "api.h"

static bool attribute_is_good(const struct cudaMemcpyAttributes *a)
{
    return !(a->flags & ~(unsigned)cudaMemcpyFlagPreferOverlapWithCompute) &&
           a->srcAccessOrder >= cudaMemcpySrcAccessOrderStream &&
           a->srcAccessOrder <= cudaMemcpySrcAccessOrderAny;
}

/* Do the attributes cover the copies as they must: the first from copy 0 on, each further one from
 * a later copy? */
static bool attributes_fit(const struct cudaMemcpyAttributes *a, const size_t *first, size_t n,
                           size_t count)
{
    if (!a || !first || n == 0 || n > count || first[0] != 0)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && (first[i] <= first[i - 1] || first[i] >= count))
            return false;
        if (!attribute_is_good(&a[i]))
            return false;
    }
    return true;
}

static cudaError_t copy_one(void *dst, const void *src, size_t bytes, cudaStream_t stream)
{
    struct copy_shape s = copy_shape_1d(dst, src, bytes);
    return bytes ? copy_submit(&s, cudaMemcpyDefault, stream, COPY_BATCH) : cudaErrorInvalidValue;
}

static cudaError_t copy_all(void *const *dsts, const void *const *srcs, const size_t *sizes,
                            size_t n, cudaStream_t stream)
{
    struct stream *s;
    cudaError_t e = stream_for_work(stream, &s);
    if (e != cudaSuccess)
        return e;
    if (s->legacy)
        return cudaErrorInvalidValue;
    if (s->capture) /* refused, and yet the capture goes on */
        return cudaErrorStreamCaptureUnsupported;
    for (size_t i = 0; i < n && e == cudaSuccess; i++)
        e = copy_one(dsts[i], srcs[i], sizes[i], stream);
    return e;
}

EXPORT cudaError_t cudaMemcpyBatchAsync(void *const *dsts, const void *const *srcs,
                                        const size_t *sizes, size_t count,
                                        struct cudaMemcpyAttributes *attributes, size_t *first,
                                        size_t n_attributes, cudaStream_t stream)
{
    cudaError_t e;
    if (!api_enter(CALL_cudaMemcpyBatchAsync, &e))
        return e;
    if (!dsts || !srcs || !sizes || count == 0 ||
        !attributes_fit(attributes, first, n_attributes, count))
        return api_leave(cudaErrorInvalidValue);
    return api_leave(copy_all(dsts, srcs, sizes, count, stream));
}

#if CUDART_VERSION >= 13020
/* As documented, not asked of a GPU: an asynchronous copy; its attributes are hints. */
EXPORT cudaError_t cudaMemcpyWithAttributesAsync(void *dst, const void *src, size_t bytes,
                                                 struct cudaMemcpyAttributes *attributes,
                                                 cudaStream_t stream)
{
    cudaError_t e;
    if (!api_enter(CALL_cudaMemcpyWithAttributesAsync, &e))
        return e;
    if (!attributes || !attribute_is_good(attributes))
        return api_leave(cudaErrorInvalidValue);
    const struct copy_shape s = copy_shape_1d(dst, src, bytes);
    return api_leave(copy_submit(&s, cudaMemcpyDefault, stream, COPY_ASYNC));
}
#endif
