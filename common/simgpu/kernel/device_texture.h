/* device_texture.h: CUDA's device side for simcc: textures and surfaces, by their objects. Included
 * by kernel.h only. */
#ifndef SIMGPU_DEVICE_TEXTURE_H
#define SIMGPU_DEVICE_TEXTURE_H

#include <type_traits>

#include "thread.h"

/* ---- types of texels: a number, or a vector of 1, 2 or 4 ------------------------------------- */

template <typename T> struct simgpu_channels {
    using type = T;
    static constexpr int n = 1;
};
#define SIMGPU_CHANNELS(scalar, prefix)                                                            \
    template <> struct simgpu_channels<prefix##1> {                                                \
        using type = scalar;                                                                       \
        static constexpr int n = 1;                                                                \
    };                                                                                             \
    template <> struct simgpu_channels<prefix##2> {                                                \
        using type = scalar;                                                                       \
        static constexpr int n = 2;                                                                \
    };                                                                                             \
    template <> struct simgpu_channels<prefix##4> {                                                \
        using type = scalar;                                                                       \
        static constexpr int n = 4;                                                                \
    };

SIMGPU_CHANNELS(signed char, char)
SIMGPU_CHANNELS(unsigned char, uchar)
SIMGPU_CHANNELS(short, short)
SIMGPU_CHANNELS(unsigned short, ushort)
SIMGPU_CHANNELS(int, int)
SIMGPU_CHANNELS(unsigned, uint)
SIMGPU_CHANNELS(float, float)
#undef SIMGPU_CHANNELS

/* A texel as the program's type; bits stay as they are if one has integers and the other not. */
template <typename T> SIMGPU_NOT_RECORDED T simgpu_texel_as(const simgpu_texel &texel)
{
    using channel = typename simgpu_channels<T>::type;
    constexpr int n = simgpu_channels<T>::n;
    static_assert(sizeof(T) == n * sizeof(channel) && sizeof(channel) <= 4,
                  "a texel is a number of 8, 16 or 32 bits, or a vector of 1, 2 or 4 of them");
    channel values[n];
    for (int i = 0; i < n; i++) {
        if constexpr (std::is_floating_point_v<channel>)
            values[i] = texel.channel.f[i];
        else
            values[i] = static_cast<channel>(texel.channel.u[i]);
    }
    T result;
    __builtin_memcpy(&result, values, sizeof result);
    return result;
}

/* ---- textures -------------------------------------------------------------------------------- */

template <typename T, typename... Float>
SIMGPU_NOT_RECORDED T simgpu_read(cudaTextureObject_t texture, Float... coordinate)
{
    const float at[] = {coordinate...};
    simgpu_texel texel;
    simgpu_texture_read(texture, sizeof...(coordinate), at, &texel);
    return simgpu_texel_as<T>(texel);
}

template <typename T> SIMGPU_NOT_RECORDED T tex1Dfetch(cudaTextureObject_t texture, int index)
{
    simgpu_texel texel;
    simgpu_texture_fetch(texture, index, &texel);
    return simgpu_texel_as<T>(texel);
}

template <typename T> T tex1D(cudaTextureObject_t texture, float x)
{
    return simgpu_read<T>(texture, x);
}

template <typename T> T tex2D(cudaTextureObject_t texture, float x, float y)
{
    return simgpu_read<T>(texture, x, y);
}

template <typename T> T tex3D(cudaTextureObject_t texture, float x, float y, float z)
{
    return simgpu_read<T>(texture, x, y, z);
}

/* There are no mipmaps, so a level of detail has no effect. */
template <typename T> T tex1DLod(cudaTextureObject_t texture, float x, float)
{
    return simgpu_read<T>(texture, x);
}

template <typename T> T tex2DLod(cudaTextureObject_t texture, float x, float y, float)
{
    return simgpu_read<T>(texture, x, y);
}

template <typename T> T tex3DLod(cudaTextureObject_t texture, float x, float y, float z, float)
{
    return simgpu_read<T>(texture, x, y, z);
}

/* The same, with the result as an argument. */
template <typename T> void tex1Dfetch(T *out, cudaTextureObject_t texture, int index)
{
    *out = tex1Dfetch<T>(texture, index);
}

template <typename T> void tex1D(T *out, cudaTextureObject_t texture, float x)
{
    *out = tex1D<T>(texture, x);
}

template <typename T> void tex2D(T *out, cudaTextureObject_t texture, float x, float y)
{
    *out = tex2D<T>(texture, x, y);
}

template <typename T> void tex3D(T *out, cudaTextureObject_t texture, float x, float y, float z)
{
    *out = tex3D<T>(texture, x, y, z);
}

/* ---- surfaces: the first coordinate is in bytes ---------------------------------------------- */

template <typename T, typename... Int>
SIMGPU_NOT_RECORDED T simgpu_surface_read(cudaSurfaceObject_t surface, cudaSurfaceBoundaryMode mode,
                                          Int... coordinate)
{
    const int at[] = {coordinate...};
    T value = {};
    if (const void *p =
            simgpu_surface_at(surface, sizeof...(coordinate), at, sizeof value, mode, false))
        __builtin_memcpy(&value, p, sizeof value);
    return value;
}

template <typename T, typename... Int>
SIMGPU_NOT_RECORDED void simgpu_surface_write(T value, cudaSurfaceObject_t surface,
                                              cudaSurfaceBoundaryMode mode, Int... coordinate)
{
    const int at[] = {coordinate...};
    if (void *p = simgpu_surface_at(surface, sizeof...(coordinate), at, sizeof value, mode, true))
        __builtin_memcpy(p, &value, sizeof value);
}

#define SIMGPU_SURFACE(dimensions, coordinates, names)                                             \
    template <typename T>                                                                          \
    T surf##dimensions##Dread(cudaSurfaceObject_t surface, SIMGPU_PASS coordinates,                \
                              cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                 \
    {                                                                                              \
        return simgpu_surface_read<T>(surface, mode, SIMGPU_PASS names);                           \
    }                                                                                              \
    template <typename T>                                                                          \
    void surf##dimensions##Dread(T *out, cudaSurfaceObject_t surface, SIMGPU_PASS coordinates,     \
                                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)              \
    {                                                                                              \
        *out = simgpu_surface_read<T>(surface, mode, SIMGPU_PASS names);                           \
    }                                                                                              \
    template <typename T>                                                                          \
    void surf##dimensions##Dwrite(T value, cudaSurfaceObject_t surface, SIMGPU_PASS coordinates,   \
                                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)             \
    {                                                                                              \
        simgpu_surface_write(value, surface, mode, SIMGPU_PASS names);                             \
    }
#define SIMGPU_PASS(...) __VA_ARGS__

SIMGPU_SURFACE(1, (int x), (x))
SIMGPU_SURFACE(2, (int x, int y), (x, y))
SIMGPU_SURFACE(3, (int x, int y, int z), (x, y, z))
#undef SIMGPU_SURFACE
#undef SIMGPU_PASS

/* ---- not modeled: naming them is an error of the compiler ------------------------------------ */

#define SIMGPU_NO_TEXTURE(name, what)                                                              \
    template <typename T, typename... Any>                                                         \
    __attribute__((error("the simulated device has no " what))) T name(Any...);

SIMGPU_NO_TEXTURE(tex1DLayered, "layered textures")
SIMGPU_NO_TEXTURE(tex2DLayered, "layered textures")
SIMGPU_NO_TEXTURE(tex1DLayeredLod, "layered textures")
SIMGPU_NO_TEXTURE(tex2DLayeredLod, "layered textures")
SIMGPU_NO_TEXTURE(texCubemap, "cube map textures")
SIMGPU_NO_TEXTURE(texCubemapLod, "cube map textures")
SIMGPU_NO_TEXTURE(texCubemapLayered, "cube map textures")
SIMGPU_NO_TEXTURE(tex1DGrad, "textures with mipmaps: use tex1D")
SIMGPU_NO_TEXTURE(tex2DGrad, "textures with mipmaps: use tex2D")
SIMGPU_NO_TEXTURE(tex3DGrad, "textures with mipmaps: use tex3D")
SIMGPU_NO_TEXTURE(tex2Dgather, "gathering from textures: use tex2D")
SIMGPU_NO_TEXTURE(surf1DLayeredread, "layered surfaces")
SIMGPU_NO_TEXTURE(surf2DLayeredread, "layered surfaces")
SIMGPU_NO_TEXTURE(surfCubemapread, "cube map surfaces")
#undef SIMGPU_NO_TEXTURE
#define SIMGPU_NO_SURFACE(name, what)                                                              \
    template <typename... Any>                                                                     \
    __attribute__((error("the simulated device has no " what))) void name(Any...);

SIMGPU_NO_SURFACE(surf1DLayeredwrite, "layered surfaces")
SIMGPU_NO_SURFACE(surf2DLayeredwrite, "layered surfaces")
SIMGPU_NO_SURFACE(surfCubemapwrite, "cube map surfaces")
#undef SIMGPU_NO_SURFACE

#endif
