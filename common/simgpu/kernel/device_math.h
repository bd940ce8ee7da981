/* device_math.h: CUDA's device side for g++, part four: intrinsics. The fast ones are as exact here
 * as the ordinary ones. Included by kernel.h only. */
#ifndef SIMGPU_DEVICE_MATH_H
#define SIMGPU_DEVICE_MATH_H

#include <math.h>
#include <string.h>

/* ---- min and max of two numbers of one type -------------------------------------------------- */

#define SIMGPU_MIN_MAX(type)                                                                       \
    inline type min(type a, type b)                                                                \
    {                                                                                              \
        return b < a ? b : a;                                                                      \
    }                                                                                              \
    inline type max(type a, type b)                                                                \
    {                                                                                              \
        return a < b ? b : a;                                                                      \
    }

SIMGPU_MIN_MAX(int)
SIMGPU_MIN_MAX(unsigned)
SIMGPU_MIN_MAX(long)
SIMGPU_MIN_MAX(unsigned long)
SIMGPU_MIN_MAX(long long)
SIMGPU_MIN_MAX(unsigned long long)
#undef SIMGPU_MIN_MAX

/* As in C, an int beside an unsigned becomes one. */
SIMGPU_INLINE(unsigned, min, (int a, unsigned b), min(static_cast<unsigned>(a), b))
SIMGPU_INLINE(unsigned, min, (unsigned a, int b), min(a, static_cast<unsigned>(b)))
SIMGPU_INLINE(unsigned, max, (int a, unsigned b), max(static_cast<unsigned>(a), b))
SIMGPU_INLINE(unsigned, max, (unsigned a, int b), max(a, static_cast<unsigned>(b)))

/* As on the device, a NaN gives way to a number. */
SIMGPU_INLINE(float, min, (float a, float b), fminf(a, b))
SIMGPU_INLINE(float, max, (float a, float b), fmaxf(a, b))
SIMGPU_INLINE(double, min, (double a, double b), fmin(a, b))
SIMGPU_INLINE(double, max, (double a, double b), fmax(a, b))

/* ---- fast mathematics: macros, since the C library has functions of some of these names ------ */

#define __expf(x) expf(x)
#define __exp10f(x) exp10f(x)
#define __logf(x) logf(x)
#define __log2f(x) log2f(x)
#define __log10f(x) log10f(x)
#define __powf(x, y) powf(x, y)
#define __sinf(x) sinf(x)
#define __cosf(x) cosf(x)
#define __tanf(x) tanf(x)
#define __sincosf(x, s, c) sincosf(x, s, c)

SIMGPU_INLINE(float, __fdividef, (float x, float y), x / y)
SIMGPU_INLINE(float, __saturatef, (float x), x > 0.0f ? fminf(x, 1.0f) : 0.0f)
SIMGPU_INLINE(float, rsqrtf, (float x), 1.0f / sqrtf(x))
SIMGPU_INLINE(double, rsqrt, (double x), 1.0 / sqrt(x))

/* ---- one operation, rounded to nearest, never merged with another ---------------------------- */

SIMGPU_INLINE(float, __fadd_rn, (float a, float b), a + b)
SIMGPU_INLINE(float, __fsub_rn, (float a, float b), a - b)

inline float __fmul_rn(float a, float b)
{
    volatile float product = a * b;
    return product;
}

SIMGPU_INLINE(float, __fdiv_rn, (float a, float b), a / b)
SIMGPU_INLINE(float, __fmaf_rn, (float a, float b, float c), fmaf(a, b, c))
SIMGPU_INLINE(float, __frcp_rn, (float x), 1.0f / x)
SIMGPU_INLINE(float, __fsqrt_rn, (float x), sqrtf(x))
SIMGPU_INLINE(double, __fma_rn, (double a, double b, double c), fma(a, b, c))

/* ---- conversions ----------------------------------------------------------------------------- */

template <typename To, typename From> inline To simgpu_bits(From from)
{
    static_assert(sizeof(To) == sizeof(From), "the same bits");
    To to;
    __builtin_memcpy(&to, &from, sizeof to);
    return to;
}

SIMGPU_INLINE(int, __float_as_int, (float x), simgpu_bits<int>(x))
SIMGPU_INLINE(unsigned, __float_as_uint, (float x), simgpu_bits<unsigned>(x))
SIMGPU_INLINE(float, __int_as_float, (int x), simgpu_bits<float>(x))
SIMGPU_INLINE(float, __uint_as_float, (unsigned x), simgpu_bits<float>(x))
SIMGPU_INLINE(long long, __double_as_longlong, (double x), simgpu_bits<long long>(x))
SIMGPU_INLINE(double, __longlong_as_double, (long long x), simgpu_bits<double>(x))
SIMGPU_INLINE(int, __float2int_rn, (float x), static_cast<int>(rintf(x)))
SIMGPU_INLINE(int, __float2int_rz, (float x), static_cast<int>(x))
SIMGPU_INLINE(int, __float2int_rd, (float x), static_cast<int>(floorf(x)))
SIMGPU_INLINE(int, __float2int_ru, (float x), static_cast<int>(ceilf(x)))
SIMGPU_INLINE(float, __int2float_rn, (int x), static_cast<float>(x))

/* ---- bits ------------------------------------------------------------------------------------ */

SIMGPU_INLINE(int, __popc, (unsigned x), __builtin_popcount(x))
SIMGPU_INLINE(int, __popcll, (unsigned long long x), __builtin_popcountll(x))
SIMGPU_INLINE(int, __clz, (int x), x ? __builtin_clz(static_cast<unsigned>(x)) : 32)
SIMGPU_INLINE(int, __clzll, (long long x),
              x ? __builtin_clzll(static_cast<unsigned long long>(x)) : 64)
SIMGPU_INLINE(int, __ffs, (int x), __builtin_ffs(x))
SIMGPU_INLINE(int, __ffsll, (long long x), __builtin_ffsll(x))

inline unsigned __brev(unsigned x)
{
    unsigned reversed = 0;
    for (int i = 0; i < 32; i++, x >>= 1)
        reversed = reversed << 1 | (x & 1);
    return reversed;
}

SIMGPU_INLINE(int, __mul24, (int a, int b),
              static_cast<int>(static_cast<unsigned>(a << 8 >> 8) *
                               static_cast<unsigned>(b << 8 >> 8)))
SIMGPU_INLINE(int, __mulhi, (int a, int b), static_cast<int>(static_cast<long long>(a) * b >> 32))
SIMGPU_INLINE(unsigned, __umulhi, (unsigned a, unsigned b),
              static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32))

#endif
