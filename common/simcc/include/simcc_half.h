/*
 * simcc_half.h: what NVIDIA's headers of half precision and of bfloat16 have for the device only.
 * SIMCC_HALF_TYPE(type, its pair, to float, from float) defines it for one of the two.
 */
#ifndef SIMCC_HALF_H
#define SIMCC_HALF_H

/* h… of one number, h2… of two. */
#define SIMCC_HALF_FUNCTION(half, pair, to_float, from_float, name, function)                      \
    inline half h##name(half x)                                                                    \
    {                                                                                              \
        return from_float(function(to_float(x)));                                                  \
    }                                                                                              \
    inline pair h2##name(pair x)                                                                   \
    {                                                                                              \
        return pair(h##name(x.x), h##name(x.y));                                                   \
    }

#define SIMCC_HALF_TYPE(half, pair, to_float, from_float)                                          \
    inline half __hfma(half a, half b, half c)                                                     \
    {                                                                                              \
        return from_float(fmaf(to_float(a), to_float(b), to_float(c)));                            \
    }                                                                                              \
    inline pair __hfma2(pair a, pair b, pair c)                                                    \
    {                                                                                              \
        return pair(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));                                 \
    }                                                                                              \
    SIMCC_HALF_FUNCTION(half, pair, to_float, from_float, exp, expf)                               \
    SIMCC_HALF_FUNCTION(half, pair, to_float, from_float, exp2, exp2f)                             \
    SIMCC_HALF_FUNCTION(half, pair, to_float, from_float, exp10, exp10f)                           \
    SIMCC_HALF_FUNCTION(half, pair, to_float, from_float, log, logf)                               \
    SIMCC_HALF_FUNCTION(half, pair, to_float, from_float, log2, log2f)                             \
    SIMCC_HALF_FUNCTION(half, pair, to_float, from_float, log10, log10f)                           \
    SIMCC_HALF_FUNCTION(half, pair, to_float, from_float, sin, sinf)                               \
    SIMCC_HALF_FUNCTION(half, pair, to_float, from_float, cos, cosf)                               \
    SIMCC_HALF_FUNCTION(half, pair, to_float, from_float, sqrt, sqrtf)                             \
    SIMCC_HALF_FUNCTION(half, pair, to_float, from_float, rsqrt, rsqrtf)                           \
    SIMCC_HALF_FUNCTION(half, pair, to_float, from_float, rcp, 1.0f /)                             \
    SIMCC_HALF_FUNCTION(half, pair, to_float, from_float, ceil, ceilf)                             \
    SIMCC_HALF_FUNCTION(half, pair, to_float, from_float, floor, floorf)                           \
    SIMCC_HALF_FUNCTION(half, pair, to_float, from_float, rint, rintf)                             \
    SIMCC_HALF_FUNCTION(half, pair, to_float, from_float, trunc, truncf)                           \
    inline half atomicAdd(half *p, half value)                                                     \
    {                                                                                              \
        return simgpu_atomic(p, [value](half before) { return __hadd(before, value); });           \
    }                                                                                              \
    inline pair atomicAdd(pair *p, pair value)                                                     \
    {                                                                                              \
        return simgpu_atomic(p, [value](pair before) { return __hadd2(before, value); });          \
    }

#endif
