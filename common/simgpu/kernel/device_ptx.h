/* device_ptx.h: CUDA's device side for simcc: the functions that stand for instructions of inline
 * PTX (common/simcc/ptx_instructions.def). Included by kernel.h only. */
#ifndef SIMGPU_DEVICE_PTX_H
#define SIMGPU_DEVICE_PTX_H

#include <climits>
#include <type_traits>

#include "device_address.h"
#include "device_integers.h"
#include "device_numbers.h"

/* ---- registers ------------------------------------------------------------------------------- */

/* A register's bits as a T: the same bits if it has as many, else the number in more or fewer. */
template <typename T, typename From> inline T simgpu_ptx_as(From from)
{
    if constexpr (std::is_same_v<T, From>)
        return from;
    else if constexpr (std::is_same_v<T, bool> || std::is_same_v<From, bool>)
        return static_cast<T>(from);
    else if constexpr (sizeof(T) == sizeof(From))
        return simgpu_bits<T>(from);
    else if constexpr (std::is_floating_point_v<From> || std::is_floating_point_v<T>)
        return static_cast<T>(from); /* an immediate: 0 for 0.0f */
    else if constexpr (std::is_pointer_v<From>)
        return static_cast<T>(reinterpret_cast<uintptr_t>(from));
    else
        return static_cast<T>(from);
}

/* Writes the value to a register, which the program has as a variable of some type. */
template <typename To, typename T> inline void simgpu_ptx_set(To &to, T value)
{
    to = simgpu_ptx_as<To>(value);
}

template <typename T> inline auto simgpu_ptx_unsigned(T x)
{
    return static_cast<std::make_unsigned_t<T>>(x);
}

/* ---- sums and products ----------------------------------------------------------------------- */

/* The carry, or borrow, of the thread that runs: no other thread runs before it is used. */
inline thread_local unsigned simgpu_ptx_carry;

template <typename T> inline T simgpu_ptx_add(T a, T b)
{
    if constexpr (std::is_integral_v<T>)
        return static_cast<T>(simgpu_ptx_unsigned(a) + simgpu_ptx_unsigned(b));
    else
        return a + b;
}

template <typename T> inline T simgpu_ptx_subtract(T a, T b)
{
    if constexpr (std::is_integral_v<T>)
        return static_cast<T>(simgpu_ptx_unsigned(a) - simgpu_ptx_unsigned(b));
    else
        return a - b;
}

/* With the carry of an earlier sum; leaves one for a later sum. */
template <typename T> inline T simgpu_ptx_add(T a, T b, bool takes_carry, bool leaves_carry)
{
    const simgpu_uint128 sum = static_cast<simgpu_uint128>(simgpu_ptx_unsigned(a)) +
                               simgpu_ptx_unsigned(b) + (takes_carry ? simgpu_ptx_carry : 0);
    if (leaves_carry)
        simgpu_ptx_carry = static_cast<unsigned>(sum >> (8 * sizeof(T)) & 1);
    return static_cast<T>(sum);
}

template <typename T> inline T simgpu_ptx_subtract(T a, T b, bool takes_borrow, bool leaves_borrow)
{
    const simgpu_uint128 difference = static_cast<simgpu_uint128>(simgpu_ptx_unsigned(a)) -
                                      simgpu_ptx_unsigned(b) -
                                      (takes_borrow ? simgpu_ptx_carry : 0);
    if (leaves_borrow)
        simgpu_ptx_carry = static_cast<unsigned>(difference >> (8 * sizeof(T)) & 1);
    return static_cast<T>(difference);
}

template <typename T> inline T simgpu_ptx_low(T a, T b)
{
    if constexpr (std::is_integral_v<T>)
        return static_cast<T>(static_cast<unsigned long long>(a) *
                              static_cast<unsigned long long>(b));
    else
        return a * b;
}

template <typename T>
using simgpu_ptx_int128 = std::conditional_t<std::is_signed_v<T>, simgpu_int128, simgpu_uint128>;

template <typename T> inline T simgpu_ptx_high(T a, T b)
{
    return static_cast<T>(static_cast<simgpu_ptx_int128<T>>(a) * b >> (8 * sizeof(T)));
}

/* The whole product of two numbers of 2 or 4 bytes. */
template <typename T> inline auto simgpu_ptx_wide(T a, T b)
{
    using wide = std::conditional_t<sizeof(T) == 2,
                                    std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>,
                                    std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>;
    return static_cast<wide>(static_cast<simgpu_ptx_int128<T>>(a) * b);
}

/* ---- bits ------------------------------------------------------------------------------------ */

template <typename T> inline T simgpu_ptx_not(T x)
{
    if constexpr (std::is_same_v<T, bool>)
        return !x;
    else
        return static_cast<T>(~x);
}

/* By more bits than there are, nothing is left but the sign. */
template <typename T> inline T simgpu_ptx_shift_left(T x, unsigned n)
{
    return n < 8 * sizeof(T) ? static_cast<T>(simgpu_ptx_unsigned(x) << n) : T(0);
}

template <typename T> inline T simgpu_ptx_shift_right(T x, unsigned n)
{
    return static_cast<T>(n < 8 * sizeof(T) ? x >> n : x < 0 ? -1 : 0);
}

/* n bits of x, from bit `first` on, with their sign if T has one. */
template <typename T> inline T simgpu_ptx_extract(T x, unsigned first, unsigned n)
{
    constexpr unsigned bits = 8 * sizeof(T);
    first &= 255;
    n &= 255;
    if (n == 0)
        return T(0);
    if (first + n >= bits)
        return simgpu_ptx_shift_right(x, first);
    return static_cast<T>(simgpu_ptx_shift_left(x, bits - first - n) >> (bits - n));
}

/* b with its n bits from bit `first` on replaced by those of a. */
template <typename T> inline T simgpu_ptx_insert(T a, T b, unsigned first, unsigned n)
{
    first &= 255;
    n &= 255;
    const T ones = n < 8 * sizeof(T) ? static_cast<T>((1ull << n) - 1) : static_cast<T>(~T(0));
    const T mask = simgpu_ptx_shift_left(ones, first);
    return static_cast<T>((b & ~mask) | (simgpu_ptx_shift_left(a, first) & mask));
}

/* lop3: bit 4 * a + 2 * b + c of the table, at each place. */
template <typename T> inline T simgpu_ptx_logic(T a, T b, T c, T table)
{
    T result = 0;
    for (unsigned at = 0; at < 8; at++)
        if (table >> at & 1)
            result |= (at & 4 ? a : ~a) & (at & 2 ? b : ~b) & (at & 1 ? c : ~c);
    return result;
}

/* The place of the highest bit that is not the sign; all ones: there is none. */
template <typename T> inline unsigned simgpu_ptx_highest_bit(T x)
{
    const unsigned long long bits = simgpu_ptx_unsigned(static_cast<T>(x < 0 ? ~x : x));
    return bits ? 63u - static_cast<unsigned>(__builtin_clzll(bits)) : 0xffffffff;
}

/* A wide register of narrow ones, and the other way round; the first has the lowest bits. */
template <typename T, typename... Parts> inline T simgpu_ptx_pack(Parts... parts)
{
    uint64_t all = 0;
    unsigned at = 0;
    ((all |= simgpu_ptx_as<uint64_t>(
                 simgpu_ptx_as<std::conditional_t<sizeof(Parts) == 4, uint32_t, uint16_t>>(parts))
             << at,
      at += 8 * sizeof(Parts)),
     ...);
    return simgpu_ptx_as<T>(all);
}

template <typename T, typename... Parts> inline void simgpu_ptx_unpack(T value, Parts &...parts)
{
    uint64_t rest = simgpu_ptx_as<uint64_t>(value);
    (((sizeof(Parts) == 4 ? simgpu_ptx_set(parts, static_cast<uint32_t>(rest))
                          : simgpu_ptx_set(parts, static_cast<uint16_t>(rest))),
      rest >>= 8 * sizeof(Parts)),
     ...);
}

/* ---- conversions ----------------------------------------------------------------------------- */

/* From a number without a fraction. */
template <typename T, typename From> inline T simgpu_ptx_convert(From from)
{
    if constexpr (std::is_integral_v<T>)
        return simgpu_convert<T>(from);
    else
        return static_cast<T>(from);
}

/* ---- warps and blocks ------------------------------------------------------------------------ */

/* shfl.sync: -1 up, 1 down, 2 across, 0 from a lane. The last bits of `control` end the section of
 * lanes, those from 8 on are its place. */
template <int Which, typename T>
T simgpu_ptx_shuffle(T value, unsigned by, unsigned control, unsigned mask, bool &is_inside)
{
    const unsigned lane = simgpu_lane(), section = control >> 8 & 31;
    const int last = static_cast<int>((lane & section) | (control & 31 & ~section));
    const unsigned place = (lane & section) | (by & ~section & 31);
    const int from = static_cast<int>(Which == -1  ? lane - by
                                      : Which == 1 ? lane + by
                                      : Which == 2 ? lane ^ by
                                                   : place);
    is_inside = Which == -1 ? from >= last : from <= last;
    return simgpu_shuffle(mask, value, is_inside ? static_cast<unsigned>(from) : lane);
}

/* redux of floats (PTX ISA, redux.sync): -0 is less than +0, and a NaN counts only if all are NaN.
 * With all but the sign inverted below 0, their bits are integers in the same order. */
template <bool IsLargest> inline float simgpu_ptx_reduce(unsigned mask, float value)
{
    const auto ordered = [](int bits) { return bits < 0 ? bits ^ 0x7fffffff : bits; };
    const int none = IsLargest ? INT_MIN : INT_MAX;
    const int mine = value != value ? none : ordered(simgpu_bits<int>(value));
    const int all = IsLargest ? __reduce_max_sync(mask, mine) : __reduce_min_sync(mask, mine);
    return simgpu_bits<float>(all == none ? 0x7fffffff : ordered(all));
}

/* ---- memory ---------------------------------------------------------------------------------- */

template <typename T, typename Next>
inline T simgpu_ptx_atomic(uintptr_t address, T value, Next next)
{
    return simgpu_atomic(reinterpret_cast<T *>(address),
                         [value, next](T before) { return static_cast<T>(next(before, value)); });
}

/* cp.async: `bytes` to shared memory, of which `used` come from global memory, the rest are 0. The
 * thread does not go on before. */
inline void simgpu_ptx_copy(uintptr_t to, uintptr_t from, size_t bytes, size_t used)
{
    memcpy(reinterpret_cast<void *>(to), reinterpret_cast<const void *>(from), used);
    memset(reinterpret_cast<char *>(to) + used, 0, bytes - used);
}

inline uintptr_t simgpu_ptx_shared(uintptr_t address)
{
    return reinterpret_cast<uintptr_t>(simgpu_generic_from_shared(address));
}

#endif
