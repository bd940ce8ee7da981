/* reduce.h: in place of NVIDIA's: one value of all threads of a group, for each of them. */
#ifndef SIMGPU_COOPERATIVE_GROUPS_REDUCE_H
#define SIMGPU_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

namespace cooperative_groups
{

#define SIMGPU_COMBINE(name, operation)                                                            \
    template <typename T> struct name {                                                            \
        T operator()(T a, T b) const                                                               \
        {                                                                                          \
            return a operation b;                                                                  \
        }                                                                                          \
    };

SIMGPU_COMBINE(plus, +)
SIMGPU_COMBINE(bit_and, &)
SIMGPU_COMBINE(bit_or, |)
SIMGPU_COMBINE(bit_xor, ^)
#undef SIMGPU_COMBINE

template <typename T> struct less {
    T operator()(T a, T b) const
    {
        return b < a ? b : a;
    }
};

template <typename T> struct greater {
    T operator()(T a, T b) const
    {
        return a < b ? b : a;
    }
};

/* `combine` of the values of the threads up to its own. */
template <typename Group, typename T, typename Combine>
T simgpu_inclusive(const Group &group, T value, Combine combine)
{
    unsigned rank = group.thread_rank();
    for (unsigned distance = 1; distance < group.size(); distance *= 2) {
        T lower = group.shfl_up(value, distance);
        if (rank >= distance)
            value = combine(lower, value);
    }
    return value;
}

template <typename Group, typename T, typename Combine>
T simgpu_reduce(const Group &group, T value, Combine combine)
{
    const unsigned size = group.size();
    if (size & (size - 1))
        return group.shfl(simgpu_inclusive(group, value, combine), size - 1);
    for (unsigned distance = size / 2; distance > 0; distance /= 2)
        value = combine(value, group.shfl_xor(value, distance));
    return value;
}

/* The threads of the running warp. */
inline coalesced_group simgpu_own_warp()
{
    const unsigned left = thread_block::size() - simgpu_rank_in_block() / 32 * 32;
    return coalesced_group(left < 32 ? (1u << left) - 1 : ~0u);
}

/* As simgpu_inclusive, for a tile of more than a warp: first in each warp, then over the warps. */
template <unsigned Size, typename T, typename Combine>
T simgpu_wide_inclusive(const simgpu_block_tile<Size> &tile, T value, Combine combine)
{
    const unsigned first = tile.simgpu_first(), own = simgpu_rank_in_block() / 32 * 32;
    T sum = simgpu_inclusive(simgpu_own_warp(), value, combine);
    simgpu_bring(simgpu_rank_in_block(), sum);
    tile.sync();
    if (own > first) {
        T before = simgpu_brought(first + 31, value);
        for (unsigned warp = first + 32; warp < own; warp += 32)
            before = combine(before, simgpu_brought(warp + 31, value));
        sum = combine(before, sum);
    }
    tile.sync();
    return sum;
}

template <unsigned Size, typename T, typename Combine>
T simgpu_wide_reduce(const simgpu_block_tile<Size> &tile, T value, Combine combine)
{
    return tile.shfl(simgpu_wide_inclusive(tile, value, combine), tile.simgpu_n_threads() - 1);
}

/* Of all threads, for each of them. */
template <typename Group, typename T, typename Combine>
T reduce(const Group &group, T value, Combine combine)
{
    if constexpr (Group::simgpu_is_wide)
        return simgpu_wide_reduce(group, value, combine);
    else
        return simgpu_reduce(group, value, combine);
}

} // namespace cooperative_groups

#endif
