/* texture.c: texture and surface objects. */
#include "kernel/texture.h"

#include "api.h"

static int64_t at_least_one(size_t n)
{
    return n ? (int64_t)n : 1;
}

static bool is_aligned(const void *p, enum cudaDeviceAttr alignment)
{
    int bytes = 0;
    return device_attribute(&bytes, alignment, 0) && (uintptr_t)p % (size_t)bytes == 0;
}

static cudaError_t of_array(struct texture *t, const void *handle)
{
    const struct array *a = array_find(handle);
    if (!a)
        return cudaErrorInvalidValue;
    t->base = a->base;
    t->format = a->format;
    t->dimensions = a->extent.depth ? 3 : a->extent.height ? 2 : 1;
    t->size[0] = (int64_t)a->extent.width;
    t->size[1] = at_least_one(a->extent.height);
    t->size[2] = at_least_one(a->extent.depth);
    t->step[0] = a->format.bytes;
    t->step[1] = a->row_bytes;
    t->step[2] = a->slice_bytes;
    return cudaSuccess;
}

static cudaError_t of_memory(struct texture *t, const struct cudaResourceDesc *r)
{
    const bool is_linear = r->resType == cudaResourceTypeLinear;
    t->is_linear = is_linear;
    t->base = is_linear ? r->res.linear.devPtr : r->res.pitch2D.devPtr;
    if (!texel_format_fill(&t->format, is_linear ? &r->res.linear.desc : &r->res.pitch2D.desc) ||
        !t->base || !is_aligned(t->base, cudaDevAttrTextureAlignment))
        return cudaErrorInvalidValue;
    t->dimensions = is_linear ? 1 : 2;
    t->step[0] = t->format.bytes;
    t->step[1] = is_linear ? 0 : r->res.pitch2D.pitchInBytes;
    t->size[0] =
        (int64_t)(is_linear ? r->res.linear.sizeInBytes / t->format.bytes : r->res.pitch2D.width);
    t->size[1] = is_linear ? 1 : (int64_t)r->res.pitch2D.height;
    t->size[2] = 1;
    if (!is_linear &&
        (!is_aligned((const void *)(uintptr_t)t->step[1], cudaDevAttrTexturePitchAlignment) ||
         t->step[1] < (size_t)t->size[0] * t->format.bytes))
        return cudaErrorInvalidValue;
    return t->size[0] > 0 && t->size[1] > 0 ? cudaSuccess : cudaErrorInvalidValue;
}

/* Can it be read as the description says? */
static cudaError_t description_error(const struct texture *t)
{
    const struct cudaTextureDesc *d = &t->description;
    const bool is_float = t->format.description.f == cudaChannelFormatKindFloat;
    if (d->readMode == cudaReadModeNormalizedFloat && !is_float && t->format.description.x == 32)
        return cudaErrorInvalidNormSetting;
    if (d->filterMode == cudaFilterModeLinear && !is_float &&
        d->readMode != cudaReadModeNormalizedFloat)
        return cudaErrorInvalidFilterSetting;
    return d->sRGB ? cudaErrorNotSupported : cudaSuccess;
}

static cudaError_t create(unsigned long long *out, const struct cudaResourceDesc *r,
                          const struct cudaTextureDesc *d, const struct cudaResourceViewDesc *view)
{
    static bool said_mipmap, said_view;
    cudaError_t e;
    struct texture t = {.resource = *r, .description = *d};
    if (view)
        return error_not_modelled("a texture with a resource view", &said_view);
    switch (r->resType) {
    case cudaResourceTypeArray:
        e = of_array(&t, r->res.array.array);
        break;
    case cudaResourceTypeLinear:
    case cudaResourceTypePitch2D:
        e = of_memory(&t, r);
        break;
    case cudaResourceTypeMipmappedArray:
        return error_not_modelled("a texture of a mipmapped array", &said_mipmap);
    default:
        return cudaErrorInvalidValue;
    }
    if (e == cudaSuccess)
        e = description_error(&t);
    if (e == cudaSuccess)
        *out = texture_add(&t);
    return e;
}

API_CALL(cudaCreateTextureObject,
         (cudaTextureObject_t * out, const struct cudaResourceDesc *resource,
          const struct cudaTextureDesc *description, const struct cudaResourceViewDesc *view),
         !out || !resource || !description ? cudaErrorInvalidValue
                                           : create(out, resource, description, view))

EXPORT cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *out,
                                           const struct cudaResourceDesc *resource)
{
    API_ENTER(cudaCreateSurfaceObject);
    API_REFUSE_IF(!out || !resource || resource->resType != cudaResourceTypeArray,
                  cudaErrorInvalidValue);
    const struct array *a = array_find(resource->res.array.array);
    API_REFUSE_IF(!a || !(a->flags & cudaArraySurfaceLoadStore), cudaErrorInvalidValue);
    struct texture t = {.is_surface = true, .resource = *resource};
    e = of_array(&t, a);
    *out = texture_add(&t);
    return api_leave(e);
}

static cudaError_t destroy(unsigned long long object, bool is_surface)
{
    struct texture *t = texture_find(object);
    if (object != 0 && (!t || t->is_surface != is_surface))
        return cudaErrorInvalidResourceHandle;
    if (t)
        t->is_live = false;
    return cudaSuccess;
}

API_CALL(cudaDestroyTextureObject, (cudaTextureObject_t object), destroy(object, false))
API_CALL(cudaDestroySurfaceObject, (cudaSurfaceObject_t object), destroy(object, true))

static const struct texture *live(unsigned long long object, bool is_surface)
{
    const struct texture *t = texture_find(object);
    return t && t->is_surface == is_surface ? t : NULL;
}

EXPORT cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *out,
                                                    cudaTextureObject_t object)
{
    API_ENTER(cudaGetTextureObjectResourceDesc);
    const struct texture *t = live(object, false);
    API_REFUSE_IF(!out || !t, cudaErrorInvalidValue);
    *out = t->resource;
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *out,
                                                   cudaTextureObject_t object)
{
    API_ENTER(cudaGetTextureObjectTextureDesc);
    const struct texture *t = live(object, false);
    API_REFUSE_IF(!out || !t, cudaErrorInvalidValue);
    *out = t->description;
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *out,
                                                    cudaSurfaceObject_t object)
{
    API_ENTER(cudaGetSurfaceObjectResourceDesc);
    const struct texture *t = live(object, true);
    API_REFUSE_IF(!out || !t, cudaErrorInvalidValue);
    *out = t->resource;
    return api_leave(cudaSuccess);
}
