/* device_integers.h: CUDA's device side for simcc: the integer intrinsics that device_math.h leaves
 * out. Included by kernel.h only. */
#ifndef SIMGPU_DEVICE_INTEGERS_H
#define SIMGPU_DEVICE_INTEGERS_H

#include <stdlib.h>

#include "device_math.h"

/* ---- products, sums, differences ------------------------------------------------------------- */

SIMGPU_INLINE(unsigned, __umul24, (unsigned a, unsigned b), (a & 0xffffff) * (b & 0xffffff))

__extension__ typedef __int128 simgpu_int128;
__extension__ typedef unsigned __int128 simgpu_uint128;

SIMGPU_INLINE(long long, __mul64hi, (long long a, long long b),
              static_cast<long long>(static_cast<simgpu_int128>(a) * b >> 64))
SIMGPU_INLINE(unsigned long long, __umul64hi, (unsigned long long a, unsigned long long b),
              static_cast<unsigned long long>(static_cast<simgpu_uint128>(a) * b >> 64))

/* |a - b| + c */
inline unsigned __sad(int a, int b, unsigned c)
{
    long long difference = static_cast<long long>(a) - b;
    return static_cast<unsigned>(difference < 0 ? -difference : difference) + c;
}

SIMGPU_INLINE(unsigned, __usad, (unsigned a, unsigned b, unsigned c), (a > b ? a - b : b - a) + c)

/* The mean, rounded down or up, without overflow. */
SIMGPU_INLINE(int, __hadd, (int a, int b), static_cast<int>((static_cast<long long>(a) + b) >> 1))
SIMGPU_INLINE(int, __rhadd, (int a, int b),
              static_cast<int>((static_cast<long long>(a) + b + 1) >> 1))
SIMGPU_INLINE(unsigned, __uhadd, (unsigned a, unsigned b),
              static_cast<unsigned>((static_cast<unsigned long long>(a) + b) >> 1))
SIMGPU_INLINE(unsigned, __urhadd, (unsigned a, unsigned b),
              static_cast<unsigned>((static_cast<unsigned long long>(a) + b + 1) >> 1))

#define SIMGPU_MIN_MAX(prefix, type)                                                               \
    inline type prefix##min(type a, type b)                                                        \
    {                                                                                              \
        return min(a, b);                                                                          \
    }                                                                                              \
    inline type prefix##max(type a, type b)                                                        \
    {                                                                                              \
        return max(a, b);                                                                          \
    }

SIMGPU_MIN_MAX(u, unsigned)
SIMGPU_MIN_MAX(ll, long long)
SIMGPU_MIN_MAX(ull, unsigned long long)
#undef SIMGPU_MIN_MAX

/* ---- bits ------------------------------------------------------------------------------------ */

SIMGPU_INLINE(unsigned long long, __brevll, (unsigned long long x),
              static_cast<unsigned long long>(__brev(static_cast<unsigned>(x))) << 32 |
                  __brev(static_cast<unsigned>(x >> 32)))

/* Each of the four low digits of s names a byte of b:a; with 8 added, its sign in all bits. */
inline unsigned __byte_perm(unsigned a, unsigned b, unsigned s)
{
    unsigned long long from = static_cast<unsigned long long>(b) << 32 | a;
    unsigned result = 0;
    for (int i = 0; i < 4; i++) {
        unsigned digit = s >> 4 * i & 0xf;
        unsigned byte = static_cast<unsigned>(from >> 8 * (digit & 7)) & 0xff;
        if (digit & 8)
            byte = byte & 0x80 ? 0xff : 0;
        result |= byte << 8 * i;
    }
    return result;
}

/* The high or low word of hi:lo shifted by so many bits, modulo 32 (or at most 32: c). */
SIMGPU_INLINE(
    unsigned, __funnelshift_l, (unsigned lo, unsigned hi, unsigned shift),
    static_cast<unsigned>((static_cast<unsigned long long>(hi) << 32 | lo) << (shift & 31) >> 32))
SIMGPU_INLINE(unsigned, __funnelshift_r, (unsigned lo, unsigned hi, unsigned shift),
              static_cast<unsigned>((static_cast<unsigned long long>(hi) << 32 | lo) >>
                                    (shift & 31)))
SIMGPU_INLINE(unsigned, __funnelshift_lc, (unsigned lo, unsigned hi, unsigned shift),
              shift >= 32 ? lo : __funnelshift_l(lo, hi, shift))
SIMGPU_INLINE(unsigned, __funnelshift_rc, (unsigned lo, unsigned hi, unsigned shift),
              shift >= 32 ? hi : __funnelshift_r(lo, hi, shift))

/* The place of the set bit that is the offset-th from bit `base` on, which counts itself: upwards,
 * or downwards for an offset below 0; all ones: there is none. For 0 only `base` counts. */
inline unsigned __fns(unsigned mask, unsigned base, int offset)
{
    const int step = offset < 0 ? -1 : 1;
    int missing = offset == 0 ? 1 : offset * step;
    for (int bit = static_cast<int>(base); bit >= 0 && bit < 32; bit += step) {
        missing -= static_cast<int>(mask >> bit & 1);
        if (missing == 0)
            return static_cast<unsigned>(bit);
        if (offset == 0)
            break;
    }
    return 0xffffffff;
}

/* ---- sums of products ------------------------------------------------------------------------ */

/* c and the products of the four bytes. */
inline int __dp4a(int a, int b, int c)
{
    for (int at = 0; at < 32; at += 8)
        c += static_cast<signed char>(a >> at) * static_cast<signed char>(b >> at);
    return c;
}

inline unsigned __dp4a(unsigned a, unsigned b, unsigned c)
{
    for (int at = 0; at < 32; at += 8)
        c += (a >> at & 0xff) * (b >> at & 0xff);
    return c;
}

/* c and the products of the two halves of a and of two bytes of b: those of its low or high half.
 */
#define SIMGPU_DP2A(name, first)                                                                   \
    inline int name(int a, int b, int c)                                                           \
    {                                                                                              \
        return c + static_cast<short>(a) * static_cast<signed char>(b >> first) +                  \
               static_cast<short>(a >> 16) * static_cast<signed char>(b >> (first + 8));           \
    }                                                                                              \
    inline unsigned name(unsigned a, unsigned b, unsigned c)                                       \
    {                                                                                              \
        return c + (a & 0xffff) * (b >> first & 0xff) + (a >> 16) * (b >> (first + 8) & 0xff);     \
    }

SIMGPU_DP2A(__dp2a_lo, 0)
SIMGPU_DP2A(__dp2a_hi, 16)
#undef SIMGPU_DP2A

/* The same, of vectors. */
#define SIMGPU_DP_VECTORS(name, type, a_type, b_type)                                              \
    inline type name(a_type a, b_type b, type c)                                                   \
    {                                                                                              \
        return name(simgpu_bits<type>(a), simgpu_bits<type>(b), c);                                \
    }

SIMGPU_DP_VECTORS(__dp4a, int, char4, char4)
SIMGPU_DP_VECTORS(__dp4a, unsigned, uchar4, uchar4)
SIMGPU_DP_VECTORS(__dp2a_lo, int, short2, char4)
SIMGPU_DP_VECTORS(__dp2a_lo, unsigned, ushort2, uchar4)
SIMGPU_DP_VECTORS(__dp2a_hi, int, short2, char4)
SIMGPU_DP_VECTORS(__dp2a_hi, unsigned, ushort2, uchar4)
#undef SIMGPU_DP_VECTORS

#endif
