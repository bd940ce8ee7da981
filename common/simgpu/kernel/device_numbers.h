/* device_numbers.h: CUDA's device side for simcc: the floating-point functions that device_math.h
 * leaves out. Included by kernel.h only. */
#ifndef SIMGPU_DEVICE_NUMBERS_H
#define SIMGPU_DEVICE_NUMBERS_H

#include <cmath>
#include <fenv.h>

#include "device_math.h"

/* ---- one operation, rounded as its name says ------------------------------------------------- */

/* The operation, with the CPU rounding that way. The volatile operands keep it in its place. */
#define SIMGPU_ROUNDED(name, suffix, mode, type, n, ...)                                           \
    inline type name##suffix(SIMGPU_PARAMETERS_##n(type))                                          \
    {                                                                                              \
        const int before = fegetround();                                                           \
        volatile type x = a;                                                                       \
        fesetround(mode);                                                                          \
        volatile type result = __VA_ARGS__;                                                        \
        fesetround(before);                                                                        \
        return result;                                                                             \
    }
#define SIMGPU_PARAMETERS_1(type) type a
#define SIMGPU_PARAMETERS_2(type) type a, type b
#define SIMGPU_PARAMETERS_3(type) type a, type b, type c
#define SIMGPU_DIRECTED(name, type, n, ...)                                                        \
    SIMGPU_ROUNDED(name, _rz, FE_TOWARDZERO, type, n, __VA_ARGS__)                                 \
    SIMGPU_ROUNDED(name, _rd, FE_DOWNWARD, type, n, __VA_ARGS__)                                   \
    SIMGPU_ROUNDED(name, _ru, FE_UPWARD, type, n, __VA_ARGS__)
#define SIMGPU_ALL_ROUNDED(name, type, n, ...)                                                     \
    SIMGPU_ROUNDED(name, _rn, FE_TONEAREST, type, n, __VA_ARGS__)                                  \
    SIMGPU_DIRECTED(name, type, n, __VA_ARGS__)

SIMGPU_DIRECTED(__fadd, float, 2, x + b)
SIMGPU_DIRECTED(__fsub, float, 2, x - b)
SIMGPU_DIRECTED(__fmul, float, 2, x *b)
SIMGPU_DIRECTED(__fdiv, float, 2, x / b)
SIMGPU_DIRECTED(__frcp, float, 1, 1.0f / x)
SIMGPU_DIRECTED(__fsqrt, float, 1, sqrtf(x))
SIMGPU_DIRECTED(__fmaf, float, 3, fmaf(x, b, c))
SIMGPU_ALL_ROUNDED(__dadd, double, 2, x + b)
SIMGPU_ALL_ROUNDED(__dsub, double, 2, x - b)
SIMGPU_ALL_ROUNDED(__dmul, double, 2, x *b)
SIMGPU_ALL_ROUNDED(__ddiv, double, 2, x / b)
SIMGPU_ALL_ROUNDED(__drcp, double, 1, 1.0 / x)
SIMGPU_ALL_ROUNDED(__dsqrt, double, 1, sqrt(x))
SIMGPU_DIRECTED(__fma, double, 3, fma(x, b, c))
#undef SIMGPU_ALL_ROUNDED
#undef SIMGPU_DIRECTED
#undef SIMGPU_PARAMETERS_1
#undef SIMGPU_PARAMETERS_2
#undef SIMGPU_PARAMETERS_3
#undef SIMGPU_ROUNDED

SIMGPU_INLINE(float, __frsqrt_rn, (float x), static_cast<float>(1.0 / sqrt(static_cast<double>(x))))

/* ---- conversions: to integers, with values out of range at the end of the range -------------- */

template <typename To, typename From> inline To simgpu_convert(From x)
{
    constexpr To least = To(-1) < To(0) ? To(1ull << (sizeof(To) * 8 - 1)) : To(0);
    constexpr To most = static_cast<To>(~least);
    if (!(x > static_cast<From>(least)))
        return x != x ? To(0) : least;
    return x >= static_cast<From>(most) ? most : static_cast<To>(x);
}

#define SIMGPU_CONVERSIONS(from, name, to)                                                         \
    inline to name##_rn(from x)                                                                    \
    {                                                                                              \
        return simgpu_convert<to>(rint(static_cast<double>(x)));                                   \
    }                                                                                              \
    inline to name##_rd(from x)                                                                    \
    {                                                                                              \
        return simgpu_convert<to>(floor(static_cast<double>(x)));                                  \
    }                                                                                              \
    inline to name##_ru(from x)                                                                    \
    {                                                                                              \
        return simgpu_convert<to>(ceil(static_cast<double>(x)));                                   \
    }                                                                                              \
    inline to name##_rz(from x)                                                                    \
    {                                                                                              \
        return simgpu_convert<to>(trunc(static_cast<double>(x)));                                  \
    }

SIMGPU_CONVERSIONS(float, __float2uint, unsigned)
SIMGPU_CONVERSIONS(float, __float2ll, long long)
SIMGPU_CONVERSIONS(float, __float2ull, unsigned long long)
SIMGPU_CONVERSIONS(double, __double2int, int)
SIMGPU_CONVERSIONS(double, __double2uint, unsigned)
SIMGPU_CONVERSIONS(double, __double2ll, long long)
SIMGPU_CONVERSIONS(double, __double2ull, unsigned long long)
#undef SIMGPU_CONVERSIONS

/* To a number with fewer digits: the nearest, or the next one in a direction. */
#define SIMGPU_ROUNDED_FROM(from, name, to, suffix, mode)                                          \
    inline to name##suffix(from value)                                                             \
    {                                                                                              \
        const int before = fegetround();                                                           \
        volatile from x = value;                                                                   \
        fesetround(mode);                                                                          \
        volatile to result = static_cast<to>(x);                                                   \
        fesetround(before);                                                                        \
        return result;                                                                             \
    }
#define SIMGPU_DIRECTED_FROM(from, name, to)                                                       \
    SIMGPU_ROUNDED_FROM(from, name, to, _rz, FE_TOWARDZERO)                                        \
    SIMGPU_ROUNDED_FROM(from, name, to, _rd, FE_DOWNWARD)                                          \
    SIMGPU_ROUNDED_FROM(from, name, to, _ru, FE_UPWARD)
#define SIMGPU_NEAREST_FROM(from, name, to)                                                        \
    inline to name##_rn(from x)                                                                    \
    {                                                                                              \
        return static_cast<to>(x);                                                                 \
    }
#define SIMGPU_ALL_FROM(from, name, to)                                                            \
    SIMGPU_NEAREST_FROM(from, name, to)                                                            \
    SIMGPU_DIRECTED_FROM(from, name, to)

SIMGPU_DIRECTED_FROM(int, __int2float, float)
SIMGPU_ALL_FROM(unsigned, __uint2float, float)
SIMGPU_ALL_FROM(long long, __ll2float, float)
SIMGPU_ALL_FROM(unsigned long long, __ull2float, float)
SIMGPU_ALL_FROM(long long, __ll2double, double)
SIMGPU_ALL_FROM(unsigned long long, __ull2double, double)
SIMGPU_ALL_FROM(double, __double2float, float)
SIMGPU_NEAREST_FROM(int, __int2double, double)
SIMGPU_NEAREST_FROM(unsigned, __uint2double, double)
#undef SIMGPU_ALL_FROM
#undef SIMGPU_NEAREST_FROM
#undef SIMGPU_DIRECTED_FROM
#undef SIMGPU_ROUNDED_FROM

SIMGPU_INLINE(int, __double2hiint, (double x), static_cast<int>(__double_as_longlong(x) >> 32))
SIMGPU_INLINE(int, __double2loint, (double x), static_cast<int>(__double_as_longlong(x)))
SIMGPU_INLINE(double, __hiloint2double, (int hi, int lo),
              __longlong_as_double(static_cast<long long>(hi) << 32 | static_cast<unsigned>(lo)))

/* ---- functions that the C library has not ---------------------------------------------------- */

/* Each for double, and for float with an f after its name. */
#define SIMGPU_FUNCTION(name, ...)                                                                 \
    inline double name(double x)                                                                   \
    {                                                                                              \
        return __VA_ARGS__;                                                                        \
    }                                                                                              \
    inline float name##f(float x)                                                                  \
    {                                                                                              \
        return static_cast<float>(name(static_cast<double>(x)));                                   \
    }

SIMGPU_FUNCTION(sinpi, sin(M_PI *fmod(x, 2)))
SIMGPU_FUNCTION(cospi, cos(M_PI *fmod(x, 2)))
SIMGPU_FUNCTION(rcbrt, 1 / cbrt(x))
SIMGPU_FUNCTION(normcdf, 0.5 * erfc(-x * M_SQRT1_2))
SIMGPU_FUNCTION(erfcx, exp(x *x) * erfc(x))

/* Newton's steps from Winitzki's approximation (2008). */
inline double erfinv(double x)
{
    const double a = 0.147, b = log1p(-x * x), c = 2 / (M_PI * a) + b / 2;
    if (!(x > -1 && x < 1))
        return x == 1 || x == -1 ? x * HUGE_VAL : NAN;
    double y = copysign(sqrt(sqrt(c * c - b / a) - c), x);
    for (int i = 0; i < 3; i++)
        y -= (erf(y) - x) / (M_2_SQRTPI * exp(-y * y));
    return y;
}

SIMGPU_INLINE(float, erfinvf, (float x), static_cast<float>(erfinv(static_cast<double>(x))))
SIMGPU_FUNCTION(cyl_bessel_i0, std::cyl_bessel_i(0.0, fabs(x)))
SIMGPU_FUNCTION(cyl_bessel_i1, copysign(std::cyl_bessel_i(1.0, fabs(x)), x))
SIMGPU_FUNCTION(erfcinv, erfinv(1 - x))
SIMGPU_FUNCTION(normcdfinv, -M_SQRT2 *erfcinv(2 * x))
#undef SIMGPU_FUNCTION

inline void sincospi(double x, double *s, double *c)
{
    *s = sinpi(x);
    *c = cospi(x);
}

inline void sincospif(float x, float *s, float *c)
{
    *s = sinpif(x);
    *c = cospif(x);
}

SIMGPU_INLINE(float, fdividef, (float x, float y), x / y)

/* The length of a vector, and what is 1 over it, for double and float. */
inline double norm(int n, const double *x)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sqrt(sum);
}

inline float normf(int n, const float *x)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += static_cast<double>(x[i]) * x[i];
    return static_cast<float>(sqrt(sum));
}

SIMGPU_INLINE(double, rnorm, (int n, const double *x), 1 / norm(n, x))
SIMGPU_INLINE(float, rnormf, (int n, const float *x), 1 / normf(n, x))

#define SIMGPU_NORM_3(name, type, suffix)                                                          \
    inline type name##3d##suffix(type x, type y, type z)                                           \
    {                                                                                              \
        const type vector[] = {x, y, z};                                                           \
        return name##suffix(3, vector);                                                            \
    }
#define SIMGPU_NORM_4(name, type, suffix)                                                          \
    inline type name##4d##suffix(type x, type y, type z, type w)                                   \
    {                                                                                              \
        const type vector[] = {x, y, z, w};                                                        \
        return name##suffix(4, vector);                                                            \
    }

SIMGPU_NORM_3(norm, double, )
SIMGPU_NORM_3(norm, float, f)
SIMGPU_NORM_3(rnorm, double, )
SIMGPU_NORM_3(rnorm, float, f)
SIMGPU_NORM_4(norm, double, )
SIMGPU_NORM_4(norm, float, f)
SIMGPU_NORM_4(rnorm, double, )
SIMGPU_NORM_4(rnorm, float, f)
#undef SIMGPU_NORM_4
#undef SIMGPU_NORM_3

SIMGPU_INLINE(double, rhypot, (double x, double y), 1 / hypot(x, y))
SIMGPU_INLINE(float, rhypotf, (float x, float y), static_cast<float>(rhypot(x, y)))

#endif
