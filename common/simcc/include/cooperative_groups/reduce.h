/*
 * reduce.h: in place of NVIDIA's: one value of all threads of a group, for each of them.
 */
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
