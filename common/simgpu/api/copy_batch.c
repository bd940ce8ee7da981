/* copy_batch.c: many copies in one call. They are made in order, up to the first one with an error,
 * as on an H200. */
#include "api.h"

static cudaError_t copy_one(void *dst, const void *src, size_t bytes, cudaStream_t stream)
{
    struct copy_shape s = copy_shape_1d(dst, src, bytes);
    return bytes ? copy_submit(&s, cudaMemcpyDefault, stream, COPY_BATCH) : cudaErrorInvalidValue;
}

/* Can the stream have a batch of copies? */
static cudaError_t stream_error(cudaStream_t stream)
{
    struct stream *s;
    TRY(stream_for_work(stream, &s));
    if (s->legacy)
        return cudaErrorInvalidValue;
    /* refused, and yet the capture continues */
    return s->capture ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

static cudaError_t copy_all(void *const *dsts, const void *const *srcs, const size_t *sizes,
                            size_t n, cudaStream_t stream)
{
    cudaError_t e = stream_error(stream);
    for (size_t i = 0; i < n && e == cudaSuccess; i++)
        e = copy_one(dsts[i], srcs[i], sizes[i], stream);
    return e;
}

EXPORT cudaError_t cudaMemcpyBatchAsync(void *const *dsts, const void *const *srcs,
                                        const size_t *sizes, size_t count,
                                        struct cudaMemcpyAttributes *attributes, size_t *first,
                                        size_t n_attributes, cudaStream_t stream)
{
    API_ENTER(cudaMemcpyBatchAsync);
    API_REFUSE_IF(!dsts || !srcs || !sizes || count == 0 ||
                      !copy_attributes_fit(attributes, first, n_attributes, count),
                  cudaErrorInvalidValue);
    return api_leave(copy_all(dsts, srcs, sizes, count, stream));
}

/* ---- up to three dimensions: as documented, not asked of a GPU ------------------------------- */

static const struct array *array_of(const struct cudaMemcpy3DOperand *o)
{
    return o->type == cudaMemcpyOperandTypeArray ? array_find(o->op.array.array) : NULL;
}

/* One side of a copy, as cudaMemcpy3D has it: an array with a position, or memory. */
static bool operand(const struct cudaMemcpy3DOperand *o, const struct cudaExtent *extent,
                    size_t element, cudaArray_t *array, struct cudaPos *at,
                    struct cudaPitchedPtr *memory)
{
    if (o->type == cudaMemcpyOperandTypeArray) {
        *array = o->op.array.array;
        *at = (struct cudaPos){o->op.array.offset.x, o->op.array.offset.y, o->op.array.offset.z};
        return array_of(o) != NULL;
    }
    const size_t row = o->op.ptr.rowLength ? o->op.ptr.rowLength : extent->width,
                 layer = o->op.ptr.layerHeight ? o->op.ptr.layerHeight : extent->height;
    *memory = (struct cudaPitchedPtr){o->op.ptr.ptr, row * element, row, layer};
    return o->type == cudaMemcpyOperandTypePointer && o->op.ptr.ptr && row >= extent->width &&
           layer >= extent->height;
}

static cudaError_t shape_of(const struct cudaMemcpy3DBatchOp *op, struct copy_shape *shape)
{
    const struct array *to = array_of(&op->dst), *from = array_of(&op->src);
    const size_t element = to ? to->format.bytes : from ? from->format.bytes : 1;
    const struct cudaMemcpyAttributes attributes = {.srcAccessOrder = op->srcAccessOrder,
                                                    .flags = op->flags};
    struct cudaMemcpy3DParms p = {.extent = op->extent, .kind = cudaMemcpyDefault};
    if (!copy_attributes_good(&attributes) || !op->extent.width || !op->extent.height ||
        !op->extent.depth ||
        !operand(&op->dst, &op->extent, element, &p.dstArray, &p.dstPos, &p.dstPtr) ||
        !operand(&op->src, &op->extent, element, &p.srcArray, &p.srcPos, &p.srcPtr))
        return cudaErrorInvalidValue;
    return copy_shape_3d(shape, &p);
}

EXPORT cudaError_t cudaMemcpy3DBatchAsync(size_t count, struct cudaMemcpy3DBatchOp *ops,
                                          unsigned long long flags, cudaStream_t stream)
{
    API_ENTER(cudaMemcpy3DBatchAsync);
    API_REFUSE_IF(!ops || count == 0 || flags, cudaErrorInvalidValue);
    e = stream_error(stream);
    for (size_t i = 0; i < count && e == cudaSuccess; i++) {
        struct copy_shape s;
        e = shape_of(&ops[i], &s);
        e = e ? e : copy_submit(&s, cudaMemcpyDefault, stream, COPY_BATCH);
    }
    return api_leave(e);
}

/* ---- with attributes, which are hints: as documented, not asked of a GPU --------------------- */

#if CUDART_VERSION >= 13020
EXPORT cudaError_t cudaMemcpyWithAttributesAsync(void *dst, const void *src, size_t bytes,
                                                 struct cudaMemcpyAttributes *attributes,
                                                 cudaStream_t stream)
{
    API_ENTER(cudaMemcpyWithAttributesAsync);
    API_REFUSE_IF(!attributes || !copy_attributes_good(attributes), cudaErrorInvalidValue);
    const struct copy_shape s = copy_shape_1d(dst, src, bytes);
    return api_leave(copy_submit(&s, cudaMemcpyDefault, stream, COPY_ASYNC));
}

EXPORT cudaError_t cudaMemcpy3DWithAttributesAsync(struct cudaMemcpy3DBatchOp *op,
                                                   unsigned long long flags, cudaStream_t stream)
{
    API_ENTER(cudaMemcpy3DWithAttributesAsync);
    struct copy_shape s;
    e = op && !flags ? shape_of(op, &s) : cudaErrorInvalidValue;
    return api_leave(e ? e : copy_submit(&s, cudaMemcpyDefault, stream, COPY_ASYNC));
}
#endif
