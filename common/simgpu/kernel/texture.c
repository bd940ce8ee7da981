/* texture.c: reading textures, reading and writing surfaces, as the CUDA Programming Guide defines
 * it (appendix "Texture Fetching"). Each texel that is read counts as an access of its thread. */
#include "texture.h"

#include <math.h>
#include <string.h>

#include "grid.h"
#include "record.h"
#include "thread.h"

/* ---- objects --------------------------------------------------------------------------------- */

static struct {
    struct texture *objects;
    size_t n, cap;
} table;

unsigned long long texture_add(const struct texture *t)
{
    table.objects =
        room_for_one(table.objects, table.n, &table.cap, sizeof *table.objects, "textures");
    table.objects[table.n] = *t;
    table.objects[table.n].is_live = true;
    return ++table.n;
}

struct texture *texture_find(unsigned long long object)
{
    if (object == 0 || object > table.n || !table.objects[object - 1].is_live)
        return NULL;
    return &table.objects[object - 1];
}

static const struct texture *expect(unsigned long long object, bool is_surface, int dimensions)
{
    const struct texture *t = texture_find(object);
    if (!t || t->is_surface != is_surface)
        kernel_fail(cudaErrorInvalidResourceHandle,
                    is_surface ? "reads or writes through a surface object that does not exist"
                               : "reads through a texture object that does not exist");
    if (dimensions && t->is_linear)
        kernel_fail(cudaErrorInvalidResourceHandle,
                    "reads a texture of linear memory by coordinates: use tex1Dfetch");
    if (dimensions != (t->is_linear ? 0 : t->dimensions))
        kernel_fail(cudaErrorInvalidResourceHandle,
                    "reads a texture or surface with another number of dimensions than it has");
    return t;
}

/* ---- one texel ------------------------------------------------------------------------------- */

static float half_to_float(uint16_t h)
{
    const int exponent = h >> 10 & 31, fraction = h & 1023;
    float value = exponent == 31  ? (fraction ? NAN : INFINITY)
                  : exponent == 0 ? ldexpf((float)fraction, -24)
                                  : ldexpf((float)(fraction + 1024), exponent - 25);
    return h >> 15 ? -value : value;
}

static bool is_float(const struct texture *t)
{
    return t->format.description.f == cudaChannelFormatKindFloat ||
           t->description.readMode == cudaReadModeNormalizedFloat;
}

/* Integers of 8 and 16 bits are from 0 to 1, or from -1 to 1, if the texture normalizes them. */
static void unpack(const struct texture *t, const unsigned char *p, struct simgpu_texel *out)
{
    const struct cudaChannelFormatDesc *f = &t->format.description;
    const int bits = f->x;
    for (int i = 0; i < t->format.n_channels; i++) {
        uint32_t u = 0;
        memcpy(&u, p + i * bits / 8, (size_t)bits / 8);
        const bool is_signed = f->f == cudaChannelFormatKindSigned;
        if (is_signed)
            u = (uint32_t)((int32_t)(u << (32 - bits)) >> (32 - bits));
        if (f->f == cudaChannelFormatKindFloat && bits == 16)
            out->channel.f[i] = half_to_float((uint16_t)u);
        else if (f->f == cudaChannelFormatKindFloat || !out->is_float)
            out->channel.u[i] = u;
        else if (is_signed)
            out->channel.f[i] = fmaxf((float)(int32_t)u / (float)((1 << (bits - 1)) - 1), -1);
        else
            out->channel.f[i] = (float)u / (float)((1 << bits) - 1);
    }
}

static void read_texel(const struct texture *t, const unsigned char *p, struct simgpu_texel *out)
{
    if (recorder_now)
        record_any(recorder_now, p, t->format.bytes, RECORDED_READ);
    unpack(t, p, out);
}

/* ---- addressing ------------------------------------------------------------------------------ */

/* The element that stands for number i of n in this mode; -1: the border. */
static int64_t address(int64_t i, int64_t n, enum cudaTextureAddressMode mode)
{
    int64_t in_two = ((i % (2 * n)) + 2 * n) % (2 * n);
    switch (mode) {
    case cudaAddressModeWrap:
        return in_two % n;
    case cudaAddressModeMirror:
        return in_two < n ? in_two : 2 * n - 1 - in_two;
    case cudaAddressModeBorder:
        return i >= 0 && i < n ? i : -1;
    default:
        return i < 0 ? 0 : i < n ? i : n - 1;
    }
}

static void read_at(const struct texture *t, const int64_t *at, struct simgpu_texel *out)
{
    const unsigned char *p = t->base;
    for (int d = 0; d < t->dimensions; d++) {
        enum cudaTextureAddressMode mode = t->description.addressMode[d];
        /* wrapping and mirroring are for normalized coordinates only */
        if (!t->description.normalizedCoords && mode != cudaAddressModeBorder)
            mode = cudaAddressModeClamp;
        const int64_t i = address(at[d], t->size[d], mode);
        if (i < 0) {
            for (int c = 0; c < 4; c++)
                if (out->is_float)
                    out->channel.f[c] = t->description.borderColor[c];
                else
                    memcpy(&out->channel.u[c], &t->description.borderColor[c], sizeof(uint32_t));
            return;
        }
        p += (size_t)i * t->step[d];
    }
    read_texel(t, p, out);
}

/* ---- filtering ------------------------------------------------------------------------------- */

/* Weights have 8 bits after the point. */
static float weight_of(float fraction)
{
    return floorf(fraction * 256 + 0.5f) / 256;
}

/* Between the texels on both sides in each dimension. */
static void read_between(const struct texture *t, const float *x, struct simgpu_texel *out)
{
    int64_t low[3], at[3];
    float weight[3];
    for (int d = 0; d < t->dimensions; d++) {
        const float from = x[d] - 0.5f, whole = floorf(from);
        low[d] = (int64_t)whole;
        weight[d] = weight_of(from - whole);
    }
    float sum[4] = {0};
    for (int corner = 0; corner < 1 << t->dimensions; corner++) {
        float share = 1;
        for (int d = 0; d < t->dimensions; d++) {
            const bool is_high = corner >> d & 1;
            at[d] = low[d] + is_high;
            share *= is_high ? weight[d] : 1 - weight[d];
        }
        struct simgpu_texel texel = {.is_float = true};
        if (share > 0)
            read_at(t, at, &texel);
        for (int c = 0; c < 4; c++)
            sum[c] += share * texel.channel.f[c];
    }
    memcpy(out->channel.f, sum, sizeof sum);
}

EXPORT void simgpu_texture_read(unsigned long long texture, int dimensions, const float *at,
                                struct simgpu_texel *out)
{
    const struct texture *t = expect(texture, false, dimensions);
    float x[3];
    int64_t i[3];
    *out = (struct simgpu_texel){.is_float = is_float(t)};
    for (int d = 0; d < dimensions; d++) {
        x[d] = t->description.normalizedCoords ? at[d] * (float)t->size[d] : at[d];
        x[d] = isnan(x[d]) ? 0 : fminf(fmaxf(x[d], -1e9f), 1e9f);
        i[d] = (int64_t)floorf(x[d]);
    }
    if (t->description.filterMode == cudaFilterModeLinear)
        read_between(t, x, out);
    else
        read_at(t, i, out);
}

EXPORT void simgpu_texture_fetch(unsigned long long texture, int index, struct simgpu_texel *out)
{
    const struct texture *t = expect(texture, false, 0);
    *out = (struct simgpu_texel){.is_float = is_float(t)};
    if (index >= 0 && index < t->size[0]) /* outside: 0 */
        read_texel(t, t->base + (size_t)index * t->step[0], out);
}

/* ---- surfaces -------------------------------------------------------------------------------- */

EXPORT void *simgpu_surface_at(unsigned long long surface, int dimensions, const int *at,
                               size_t bytes, int mode, bool writes)
{
    const struct texture *t = expect(surface, true, dimensions);
    int64_t i[3] = {at[0] / (int64_t)bytes, dimensions > 1 ? at[1] : 0, dimensions > 2 ? at[2] : 0};
    if (at[0] % (int64_t)bytes != 0 || bytes != t->format.bytes)
        kernel_fail(cudaErrorMisalignedAddress,
                    "accesses a surface with a type of another size than its elements, or between "
                    "them: the first coordinate counts bytes");
    unsigned char *p = t->base;
    for (int d = 0; d < dimensions; d++) {
        const bool is_outside = at[d] < 0 || i[d] >= t->size[d];
        if (is_outside && mode == cudaBoundaryModeTrap)
            kernel_fail(cudaErrorLaunchFailure, "accesses a surface outside of its array");
        if (is_outside && mode == cudaBoundaryModeZero)
            return NULL;
        p += (size_t)address(i[d], t->size[d], cudaAddressModeClamp) * t->step[d];
    }
    if (recorder_now)
        record_any(recorder_now, p, bytes, writes ? RECORDED_WRITE : RECORDED_READ);
    return p;
}
