/* device_parts.h: CUDA's device side for simcc: the intrinsics for four bytes or two halves of a
 * word at once, and those that take a minimum or maximum of sums. Included by kernel.h only. */
#ifndef SIMGPU_DEVICE_PARTS_H
#define SIMGPU_DEVICE_PARTS_H

#include <stdlib.h>

#include "device_math.h"

/* ---- the parts of one or two words ----------------------------------------------------------- */

/* The value, or the end of the type's range that it is beyond. */
template <typename T> inline int simgpu_saturate(int value)
{
    constexpr int least = T(-1) < T(0) ? -(1 << (sizeof(T) * 8 - 1)) : 0;
    constexpr int most = least + static_cast<int>((1ull << sizeof(T) * 8) - 1);
    return value < least ? least : value > most ? most : value;
}

/* The results of `f` for each part of a and b as a T. */
template <typename T, typename F> inline unsigned simgpu_each_part(unsigned a, unsigned b, F f)
{
    constexpr unsigned bits = sizeof(T) * 8, mask = (1u << bits) - 1;
    unsigned all = 0;
    for (unsigned at = 0; at < 32; at += bits)
        all |= (static_cast<unsigned>(f(static_cast<T>(a >> at), static_cast<T>(b >> at))) & mask)
               << at;
    return all;
}

/* The sum of |a - b| over the parts. */
template <typename T> inline unsigned simgpu_sum_of_differences(unsigned a, unsigned b)
{
    unsigned sum = 0;
    for (unsigned at = 0; at < 32; at += sizeof(T) * 8)
        sum += static_cast<unsigned>(abs(static_cast<T>(a >> at) - static_cast<T>(b >> at)));
    return sum;
}

#define SIMGPU_TWO(name, type, result)                                                             \
    inline unsigned name(unsigned a, unsigned b)                                                   \
    {                                                                                              \
        return simgpu_each_part<type>(a, b, [](int x, int y) { return result; });                  \
    }
#define SIMGPU_ONE(name, type, result)                                                             \
    inline unsigned name(unsigned a)                                                               \
    {                                                                                              \
        return simgpu_each_part<type>(a, 0, [](int x, int) { return result; });                    \
    }
/* Results that do not depend on the sign; those of parts with a sign, and of others. */
#define SIMGPU_BYTES_AND_HALVES(name, result)                                                      \
    SIMGPU_TWO(__v##name##4, unsigned char, result)                                                \
    SIMGPU_TWO(__v##name##2, unsigned short, result)
#define SIMGPU_SIGNED(name, result)                                                                \
    SIMGPU_TWO(__v##name##4, signed char, result)                                                  \
    SIMGPU_TWO(__v##name##2, short, result)
/* name…s and name…u */
#define SIMGPU_BOTH(name, result)                                                                  \
    SIMGPU_SIGNED(name##s, result)                                                                 \
    SIMGPU_BYTES_AND_HALVES(name##u, result)
#define SIMGPU_COMPARISONS(name, yes)                                                              \
    SIMGPU_BYTES_AND_HALVES(name##eq, x == y ? yes : 0)                                            \
    SIMGPU_BYTES_AND_HALVES(name##ne, x != y ? yes : 0)                                            \
    SIMGPU_BOTH(name##gt, x > y ? yes : 0)                                                         \
    SIMGPU_BOTH(name##ge, x >= y ? yes : 0)                                                        \
    SIMGPU_BOTH(name##lt, x < y ? yes : 0)                                                         \
    SIMGPU_BOTH(name##le, x <= y ? yes : 0)
/* Of one type: sums and differences that saturate, and sums of differences. */
#define SIMGPU_SATURATING(parts, sign, type)                                                       \
    SIMGPU_TWO(__vadd##sign##s##parts, type, simgpu_saturate<type>(x + y))                         \
    SIMGPU_TWO(__vsub##sign##s##parts, type, simgpu_saturate<type>(x - y))                         \
    inline unsigned __vsad##sign##parts(unsigned a, unsigned b)                                    \
    {                                                                                              \
        return simgpu_sum_of_differences<type>(a, b);                                              \
    }
#define SIMGPU_ONE_WORD(parts, type)                                                               \
    SIMGPU_ONE(__vneg##parts, type, -x)                                                            \
    SIMGPU_ONE(__vabs##parts, type, abs(x))                                                        \
    SIMGPU_ONE(__vnegss##parts, type, simgpu_saturate<type>(-x))                                   \
    SIMGPU_ONE(__vabsss##parts, type, simgpu_saturate<type>(abs(x)))

SIMGPU_BYTES_AND_HALVES(add, x + y)
SIMGPU_BYTES_AND_HALVES(sub, x - y)
SIMGPU_BYTES_AND_HALVES(haddu, (x + y) >> 1)
SIMGPU_BYTES_AND_HALVES(avgu, (x + y + 1) >> 1)
SIMGPU_SIGNED(avgs, (x + y + (x + y >= 0)) >> 1)
SIMGPU_BOTH(absdiff, abs(x - y))
SIMGPU_BOTH(min, x < y ? x : y)
SIMGPU_BOTH(max, x > y ? x : y)
SIMGPU_COMPARISONS(cmp, -1)
SIMGPU_COMPARISONS(set, 1)
SIMGPU_SATURATING(4, s, signed char)
SIMGPU_SATURATING(4, u, unsigned char)
SIMGPU_SATURATING(2, s, short)
SIMGPU_SATURATING(2, u, unsigned short)
SIMGPU_ONE_WORD(4, signed char)
SIMGPU_ONE_WORD(2, short)
#undef SIMGPU_ONE_WORD
#undef SIMGPU_SATURATING
#undef SIMGPU_COMPARISONS
#undef SIMGPU_BOTH
#undef SIMGPU_SIGNED
#undef SIMGPU_BYTES_AND_HALVES
#undef SIMGPU_ONE
#undef SIMGPU_TWO

/* ---- minima and maxima of three, of sums, and with 0 ----------------------------------------- */

/* A sum wraps around. */
template <typename T> inline T simgpu_wrapping_sum(T a, T b)
{
    return static_cast<T>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
}

/* Of a word or of both its halves: `two` is the minimum or maximum of two, `sum` wraps around. */
#define SIMGPU_EXTREMA(which, name, type, two, sum)                                                \
    inline type __vi##which##3_##name(type a, type b, type c)                                      \
    {                                                                                              \
        return two(two(a, b), c);                                                                  \
    }                                                                                              \
    inline type __viadd##which##_##name(type a, type b, type c)                                    \
    {                                                                                              \
        return two(sum(a, b), c);                                                                  \
    }
/* With a sign: the result, but not below 0. */
#define SIMGPU_RELU(which, name, type, two, highest)                                               \
    inline type __vi##which##_##name##_relu(type a, type b)                                        \
    {                                                                                              \
        return highest(two(a, b), 0);                                                              \
    }                                                                                              \
    inline type __vi##which##3_##name##_relu(type a, type b, type c)                               \
    {                                                                                              \
        return highest(__vi##which##3_##name(a, b, c), 0);                                         \
    }                                                                                              \
    inline type __viadd##which##_##name##_relu(type a, type b, type c)                             \
    {                                                                                              \
        return highest(__viadd##which##_##name(a, b, c), 0);                                       \
    }
/* Which is it: a is the result. */
#define SIMGPU_WHICH(which, comparison, name, type)                                                \
    inline type __vib##which##_##name(type a, type b, bool *is_a)                                  \
    {                                                                                              \
        *is_a = a comparison b;                                                                    \
        return which(a, b);                                                                        \
    }
/* s or u is the sign. */
#define SIMGPU_WHICH_OF_HALVES(which, comparison, sign)                                            \
    inline unsigned __vib##which##_##sign##16x2(unsigned a, unsigned b, bool *is_a_high,           \
                                                bool *is_a_low)                                    \
    {                                                                                              \
        const unsigned is_a = __vset##comparison##sign##2(a, b);                                   \
        *is_a_high = is_a >> 16;                                                                   \
        *is_a_low = is_a & 1;                                                                      \
        return __v##which##sign##2(a, b);                                                          \
    }
#define SIMGPU_OF_WORDS_AND_HALVES(which, sign, comparison)                                        \
    SIMGPU_EXTREMA(which, s32, int, which, simgpu_wrapping_sum)                                    \
    SIMGPU_EXTREMA(which, u32, unsigned, which, simgpu_wrapping_sum)                               \
    SIMGPU_EXTREMA(which, s16x2, unsigned, __v##which##s2, __vadd2)                                \
    SIMGPU_EXTREMA(which, u16x2, unsigned, __v##which##u2, __vadd2)                                \
    SIMGPU_RELU(which, s32, int, which, max)                                                       \
    SIMGPU_RELU(which, s16x2, unsigned, __v##which##s2, __vmaxs2)                                  \
    SIMGPU_WHICH(which, sign, s32, int)                                                            \
    SIMGPU_WHICH(which, sign, u32, unsigned)                                                       \
    SIMGPU_WHICH_OF_HALVES(which, comparison, s)                                                   \
    SIMGPU_WHICH_OF_HALVES(which, comparison, u)

SIMGPU_OF_WORDS_AND_HALVES(min, <=, le)
SIMGPU_OF_WORDS_AND_HALVES(max, >=, ge)
#undef SIMGPU_OF_WORDS_AND_HALVES
#undef SIMGPU_WHICH_OF_HALVES
#undef SIMGPU_WHICH
#undef SIMGPU_RELU
#undef SIMGPU_EXTREMA

#endif
