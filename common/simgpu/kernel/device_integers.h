/*
 * device_integers.h: CUDA's device side for simcc: the integer intrinsics that device_math.h leaves
 * out, and four bytes or two halves of a word at once. Included by kernel.h only.
 */
#ifndef SIMGPU_DEVICE_INTEGERS_H
#define SIMGPU_DEVICE_INTEGERS_H

#include <stdlib.h>

#include "device_math.h"

/* ---- products, sums, differences ------------------------------------------------------------- */

inline unsigned __umul24(unsigned a, unsigned b)
{
    return (a & 0xffffff) * (b & 0xffffff);
}

__extension__ typedef __int128 simgpu_int128;
__extension__ typedef unsigned __int128 simgpu_uint128;

inline long long __mul64hi(long long a, long long b)
{
    return static_cast<long long>(static_cast<simgpu_int128>(a) * b >> 64);
}

inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    return static_cast<unsigned long long>(static_cast<simgpu_uint128>(a) * b >> 64);
}

/* |a - b| + c */
inline unsigned __sad(int a, int b, unsigned c)
{
    long long difference = static_cast<long long>(a) - b;
    return static_cast<unsigned>(difference < 0 ? -difference : difference) + c;
}

inline unsigned __usad(unsigned a, unsigned b, unsigned c)
{
    return (a > b ? a - b : b - a) + c;
}

/* The mean, rounded down or up, without overflow. */
inline int __hadd(int a, int b)
{
    return static_cast<int>((static_cast<long long>(a) + b) >> 1);
}

inline int __rhadd(int a, int b)
{
    return static_cast<int>((static_cast<long long>(a) + b + 1) >> 1);
}

inline unsigned __uhadd(unsigned a, unsigned b)
{
    return static_cast<unsigned>((static_cast<unsigned long long>(a) + b) >> 1);
}

inline unsigned __urhadd(unsigned a, unsigned b)
{
    return static_cast<unsigned>((static_cast<unsigned long long>(a) + b + 1) >> 1);
}

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

inline unsigned long long __brevll(unsigned long long x)
{
    return static_cast<unsigned long long>(__brev(static_cast<unsigned>(x))) << 32 |
           __brev(static_cast<unsigned>(x >> 32));
}

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
inline unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned shift)
{
    return static_cast<unsigned>((static_cast<unsigned long long>(hi) << 32 | lo) << (shift & 31) >>
                                 32);
}

inline unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned shift)
{
    return static_cast<unsigned>((static_cast<unsigned long long>(hi) << 32 | lo) >> (shift & 31));
}

inline unsigned __funnelshift_lc(unsigned lo, unsigned hi, unsigned shift)
{
    return shift >= 32 ? lo : __funnelshift_l(lo, hi, shift);
}

inline unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned shift)
{
    return shift >= 32 ? hi : __funnelshift_r(lo, hi, shift);
}

/* ---- parts of a word ------------------------------------------------------------------------- */

/* result, of each part of a and b as the type. */
#define SIMGPU_PARTS(name, type, bits, result)                                                     \
    inline unsigned name(unsigned a, unsigned b)                                                   \
    {                                                                                              \
        unsigned all = 0, mask = (1u << bits) - 1;                                                 \
        for (int at = 0; at < 32; at += bits) {                                                    \
            const int x = static_cast<type>(a >> at), y = static_cast<type>(b >> at);              \
            all |= (static_cast<unsigned>(result) & mask) << at;                                   \
        }                                                                                          \
        return all;                                                                                \
    }
#define SIMGPU_BYTES_AND_HALVES(name, sign, result)                                                \
    SIMGPU_PARTS(__v##name##4, sign char, 8, result)                                               \
    SIMGPU_PARTS(__v##name##2, sign short, 16, result)

SIMGPU_BYTES_AND_HALVES(add, unsigned, x + y)
SIMGPU_BYTES_AND_HALVES(sub, unsigned, x - y)
SIMGPU_BYTES_AND_HALVES(avgu, unsigned, (x + y + 1) >> 1)
SIMGPU_BYTES_AND_HALVES(absdiffu, unsigned, abs(x - y))
SIMGPU_BYTES_AND_HALVES(absdiffs, signed, abs(x - y))
SIMGPU_BYTES_AND_HALVES(minu, unsigned, x < y ? x : y)
SIMGPU_BYTES_AND_HALVES(mins, signed, x < y ? x : y)
SIMGPU_BYTES_AND_HALVES(maxu, unsigned, x > y ? x : y)
SIMGPU_BYTES_AND_HALVES(maxs, signed, x > y ? x : y)
SIMGPU_BYTES_AND_HALVES(cmpeq, unsigned, -(x == y))
SIMGPU_BYTES_AND_HALVES(cmpne, unsigned, -(x != y))
SIMGPU_BYTES_AND_HALVES(cmpgtu, unsigned, -(x > y))
SIMGPU_BYTES_AND_HALVES(cmpgts, signed, -(x > y))
#undef SIMGPU_BYTES_AND_HALVES
#undef SIMGPU_PARTS

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

#endif
