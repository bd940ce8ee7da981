/* array.c: CUDA arrays, which textures and surfaces are made of. A GPU keeps them in an order of
 * its own; here they are rows of elements, without gaps. */
#include <stdlib.h>

#include "memory.h"

static size_t format_bytes(const struct cudaChannelFormatDesc *f)
{
    const int bits[] = {f->x, f->y, f->z, f->w};
    int n = 0;
    while (n < 4 && bits[n] > 0)
        n++;
    for (int i = 0; i < 4; i++)
        if (bits[i] != (i < n ? bits[0] : 0))
            return 0;
    bool is_good = n == 1 || n == 2 || n == 4;
    is_good = is_good &&
              (f->f == cudaChannelFormatKindFloat ? bits[0] == 16 || bits[0] == 32
                                                  : bits[0] == 8 || bits[0] == 16 || bits[0] == 32);
    return is_good && f->f <= cudaChannelFormatKindFloat ? (size_t)(n * bits[0] / 8) : 0;
}

bool texel_format_fill(struct texel_format *out, const struct cudaChannelFormatDesc *f)
{
    *out = (struct texel_format){.description = *f, .bytes = format_bytes(f)};
    out->n_channels = out->bytes ? (int)(out->bytes * 8) / f->x : 0;
    return out->bytes > 0;
}

static size_t at_least_one(size_t n)
{
    return n ? n : 1;
}

cudaError_t array_make(struct array **out, const struct cudaChannelFormatDesc *format,
                       struct cudaExtent extent, unsigned flags, int device, const char *call)
{
    struct array a = {.extent = extent, .flags = flags};
    size_t bytes;
    if (!texel_format_fill(&a.format, format) || extent.width == 0 ||
        (extent.depth > 0 && extent.height == 0))
        return cudaErrorInvalidValue;
    if (__builtin_mul_overflow(extent.width, a.format.bytes, &a.row_bytes) ||
        __builtin_mul_overflow(a.row_bytes, at_least_one(extent.height), &a.slice_bytes) ||
        __builtin_mul_overflow(a.slice_bytes, at_least_one(extent.depth), &bytes))
        return cudaErrorMemoryAllocation;
    a.base = memory_allocate(&devices[device], bytes, call);
    if (!a.base)
        return cudaErrorMemoryAllocation;
    *out = malloc(sizeof **out);
    if (!*out)
        fatal("out of memory for an array");
    **out = a;
    handle_add(*out, HANDLE_ARRAY);
    return cudaSuccess;
}

struct array *array_find(const void *handle)
{
    return handle_type_of(handle) == HANDLE_ARRAY ? (struct array *)(uintptr_t)handle : NULL;
}

void array_free(struct array *a)
{
    struct allocation *memory = memory_find(a->base);
    handle_remove(a);
    if (memory)
        memory_free_now(memory);
    free(a);
}
