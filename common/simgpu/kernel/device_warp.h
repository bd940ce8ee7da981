/* device_warp.h: CUDA's device side for g++, part two: warp primitives. Included by kernel.h only.
 */
#ifndef SIMGPU_DEVICE_WARP_H
#define SIMGPU_DEVICE_WARP_H

#include <string.h>

#include "device_thread.h"

inline unsigned simgpu_lane()
{
    return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32;
}

/* ---- shuffles: values of up to 8 bytes ------------------------------------------------------- */

template <typename T> inline T simgpu_shuffle(unsigned mask, T value, unsigned source)
{
    static_assert(sizeof(T) <= sizeof(uint64_t), "a shuffle moves 4 or 8 bytes");
    uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
    bits = simgpu_warp_meet(SIMGPU_WARP_SHUFFLE, mask, bits, source);
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

/* From lane `source` of the lane's own section of `width` lanes. */
template <typename T> inline T __shfl_sync(unsigned mask, T value, int source, int width = 32)
{
    unsigned lane = simgpu_lane(), within = static_cast<unsigned>(width) - 1;
    return simgpu_shuffle(mask, value, (lane & ~within) | (static_cast<unsigned>(source) & within));
}

/* From `delta` lanes below; its own value where that leaves the section. */
template <typename T>
inline T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32)
{
    unsigned lane = simgpu_lane(), place = lane & (static_cast<unsigned>(width) - 1);
    return simgpu_shuffle(mask, value, delta <= place ? lane - delta : lane);
}

/* From `delta` lanes above; its own value where that leaves the section. */
template <typename T>
inline T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32)
{
    unsigned lane = simgpu_lane(), place = lane & (static_cast<unsigned>(width) - 1);
    return simgpu_shuffle(mask, value,
                          delta < static_cast<unsigned>(width) - place ? lane + delta : lane);
}

/* From the lane whose number differs in `bits`; its own value where that is in a later section. */
template <typename T> inline T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32)
{
    unsigned lane = simgpu_lane(), source = lane ^ static_cast<unsigned>(bits);
    unsigned end = (lane & ~(static_cast<unsigned>(width) - 1)) + static_cast<unsigned>(width);
    return simgpu_shuffle(mask, value, source < end ? source : lane);
}

/* ---- votes, matches, sums -------------------------------------------------------------------- */

inline void __syncwarp(unsigned mask = 0xffffffffu)
{
    simgpu_warp_meet(SIMGPU_WARP_SYNC, mask, 0, 0);
}

inline unsigned __ballot_sync(unsigned mask, int predicate)
{
    return static_cast<unsigned>(simgpu_warp_meet(SIMGPU_WARP_BALLOT, mask, predicate != 0, 0));
}

inline int __any_sync(unsigned mask, int predicate)
{
    return __ballot_sync(mask, predicate) != 0;
}

inline int __all_sync(unsigned mask, int predicate)
{
    return __ballot_sync(mask, !predicate) == 0;
}

/* The lanes that come to this call together: those of the warp that are not stopped elsewhere. */
__attribute__((always_inline)) inline unsigned __activemask()
{
    return static_cast<unsigned>(simgpu_warp_meet(SIMGPU_WARP_ACTIVE, 0xffffffffu, 0, 0));
}

template <typename T> inline unsigned __match_any_sync(unsigned mask, T value)
{
    static_assert(sizeof(T) <= sizeof(uint64_t), "a match compares 4 or 8 bytes");
    uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
    return static_cast<unsigned>(simgpu_warp_meet(SIMGPU_WARP_MATCH, mask, bits, 0));
}

template <typename T> inline unsigned __match_all_sync(unsigned mask, T value, int *all)
{
    unsigned same = __match_any_sync(mask, value), present = __ballot_sync(mask, 1);
    *all = same == present;
    return *all ? mask : 0;
}

#define SIMGPU_REDUCE(type, name, what)                                                            \
    inline type __reduce_##name##_sync(unsigned mask, type value)                                  \
    {                                                                                              \
        return static_cast<type>(                                                                  \
            simgpu_warp_meet(SIMGPU_WARP_##what, mask, static_cast<unsigned>(value), 0));          \
    }
SIMGPU_REDUCE(unsigned, add, ADD)
SIMGPU_REDUCE(int, add, ADD)
SIMGPU_REDUCE(unsigned, min, MIN)
SIMGPU_REDUCE(int, min, MIN_SIGNED)
SIMGPU_REDUCE(unsigned, max, MAX)
SIMGPU_REDUCE(int, max, MAX_SIGNED)
SIMGPU_REDUCE(unsigned, and, AND)
SIMGPU_REDUCE(unsigned, or, OR)
SIMGPU_REDUCE(unsigned, xor, XOR)

#endif
