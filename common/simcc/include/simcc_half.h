/* simcc_half.h: what NVIDIA's headers of half precision and of bfloat16 have for the device only.
 * SIMCC_HALF_TYPE(type, its pair, to float, from float) defines it for one of the two. */
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

/* To an integer, rounded as the suffix says; values out of range are at its end. */
#define SIMCC_HALF_TO_INTEGER(half, name, to_float, type)                                          \
    inline type name##_rn(half x)                                                                  \
    {                                                                                              \
        return simgpu_convert<type>(rintf(to_float(x)));                                           \
    }                                                                                              \
    inline type name##_rd(half x)                                                                  \
    {                                                                                              \
        return simgpu_convert<type>(floorf(to_float(x)));                                          \
    }                                                                                              \
    inline type name##_ru(half x)                                                                  \
    {                                                                                              \
        return simgpu_convert<type>(ceilf(to_float(x)));                                           \
    }

/* Forms of __hfma: the result between 0 and 1, or not below 0. */
#define SIMCC_HALF_FMA(half, pair, from_float, suffix, limit)                                      \
    inline half __hfma##suffix(half a, half b, half c)                                             \
    {                                                                                              \
        return limit(__hfma(a, b, c), from_float(0.0f));                                           \
    }                                                                                              \
    inline pair __hfma2##suffix(pair a, pair b, pair c)                                            \
    {                                                                                              \
        return pair(__hfma##suffix(a.x, b.x, c.x), __hfma##suffix(a.y, b.y, c.y));                 \
    }
#define SIMCC_TO_1(x, zero) __hmin(__hmax(x, zero), static_cast<decltype(x)>(1.0f))

/* SIMCC_HALF_INTEGERS: of all integers; `from` begins the names, as in __half2int_rn. */
#define SIMCC_HALF_INTEGERS(half, from, to_float)                                                  \
    SIMCC_HALF_TO_INTEGER(half, from##2int, to_float, int)                                         \
    SIMCC_HALF_TO_INTEGER(half, from##2uint, to_float, unsigned)                                   \
    SIMCC_HALF_TO_INTEGER(half, from##2short, to_float, short)                                     \
    SIMCC_HALF_TO_INTEGER(half, from##2ushort, to_float, unsigned short)                           \
    SIMCC_HALF_TO_INTEGER(half, from##2ll, to_float, long long)                                    \
    SIMCC_HALF_TO_INTEGER(half, from##2ull, to_float, unsigned long long)

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
    SIMCC_HALF_FUNCTION(half, pair, to_float, from_float, tanh, tanhf)                             \
    SIMCC_HALF_FUNCTION(half, pair, to_float, from_float, tanh_approx, tanhf)                      \
    SIMCC_HALF_FMA(half, pair, from_float, _sat, SIMCC_TO_1)                                       \
    SIMCC_HALF_FMA(half, pair, from_float, _relu, __hmax)                                          \
    inline pair __hcmadd(pair a, pair b, pair c) /* of complex numbers */                          \
    {                                                                                              \
        return pair(__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)),                               \
                    __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));                                      \
    }                                                                                              \
    inline half atomicAdd(half *p, half value)                                                     \
    {                                                                                              \
        return simgpu_atomic(p, [value](half before) { return __hadd(before, value); });           \
    }                                                                                              \
    inline pair atomicAdd(pair *p, pair value)                                                     \
    {                                                                                              \
        return simgpu_atomic(p, [value](pair before) { return __hadd2(before, value); });          \
    }

#endif
