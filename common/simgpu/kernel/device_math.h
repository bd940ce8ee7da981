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
inline unsigned min(int a, unsigned b)
{
    return min(static_cast<unsigned>(a), b);
}

inline unsigned min(unsigned a, int b)
{
    return min(a, static_cast<unsigned>(b));
}

inline unsigned max(int a, unsigned b)
{
    return max(static_cast<unsigned>(a), b);
}

inline unsigned max(unsigned a, int b)
{
    return max(a, static_cast<unsigned>(b));
}

/* As on the device, a NaN gives way to a number. */
inline float min(float a, float b)
{
    return fminf(a, b);
}

inline float max(float a, float b)
{
    return fmaxf(a, b);
}

inline double min(double a, double b)
{
    return fmin(a, b);
}

inline double max(double a, double b)
{
    return fmax(a, b);
}

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

inline float __fdividef(float x, float y)
{
    return x / y;
}

inline float __saturatef(float x)
{
    return x > 0.0f ? fminf(x, 1.0f) : 0.0f;
}

inline float rsqrtf(float x)
{
    return 1.0f / sqrtf(x);
}

inline double rsqrt(double x)
{
    return 1.0 / sqrt(x);
}

/* ---- one operation, rounded to nearest, never merged with another ---------------------------- */

inline float __fadd_rn(float a, float b)
{
    return a + b;
}

inline float __fsub_rn(float a, float b)
{
    return a - b;
}

inline float __fmul_rn(float a, float b)
{
    volatile float product = a * b;
    return product;
}

inline float __fdiv_rn(float a, float b)
{
    return a / b;
}

inline float __fmaf_rn(float a, float b, float c)
{
    return fmaf(a, b, c);
}

inline float __frcp_rn(float x)
{
    return 1.0f / x;
}

inline float __fsqrt_rn(float x)
{
    return sqrtf(x);
}

inline double __fma_rn(double a, double b, double c)
{
    return fma(a, b, c);
}

/* ---- conversions ----------------------------------------------------------------------------- */

template <typename To, typename From> inline To simgpu_bits(From from)
{
    static_assert(sizeof(To) == sizeof(From), "the same bits");
    To to;
    __builtin_memcpy(&to, &from, sizeof to);
    return to;
}

inline int __float_as_int(float x)
{
    return simgpu_bits<int>(x);
}

inline unsigned __float_as_uint(float x)
{
    return simgpu_bits<unsigned>(x);
}

inline float __int_as_float(int x)
{
    return simgpu_bits<float>(x);
}

inline float __uint_as_float(unsigned x)
{
    return simgpu_bits<float>(x);
}

inline long long __double_as_longlong(double x)
{
    return simgpu_bits<long long>(x);
}

inline double __longlong_as_double(long long x)
{
    return simgpu_bits<double>(x);
}

inline int __float2int_rn(float x)
{
    return static_cast<int>(rintf(x));
}

inline int __float2int_rz(float x)
{
    return static_cast<int>(x);
}

inline int __float2int_rd(float x)
{
    return static_cast<int>(floorf(x));
}

inline int __float2int_ru(float x)
{
    return static_cast<int>(ceilf(x));
}

inline float __int2float_rn(int x)
{
    return static_cast<float>(x);
}

/* ---- bits ------------------------------------------------------------------------------------ */

inline int __popc(unsigned x)
{
    return __builtin_popcount(x);
}

inline int __popcll(unsigned long long x)
{
    return __builtin_popcountll(x);
}

inline int __clz(int x)
{
    return x ? __builtin_clz(static_cast<unsigned>(x)) : 32;
}

inline int __clzll(long long x)
{
    return x ? __builtin_clzll(static_cast<unsigned long long>(x)) : 64;
}

inline int __ffs(int x)
{
    return __builtin_ffs(x);
}

inline int __ffsll(long long x)
{
    return __builtin_ffsll(x);
}

inline unsigned __brev(unsigned x)
{
    unsigned reversed = 0;
    for (int i = 0; i < 32; i++, x >>= 1)
        reversed = reversed << 1 | (x & 1);
    return reversed;
}

inline int __mul24(int a, int b)
{
    return static_cast<int>(static_cast<unsigned>(a << 8 >> 8) *
                            static_cast<unsigned>(b << 8 >> 8));
}

inline int __mulhi(int a, int b)
{
    return static_cast<int>(static_cast<long long>(a) * b >> 32);
}

inline unsigned __umulhi(unsigned a, unsigned b)
{
    return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32);
}

#endif
