/* scan.h: in place of NVIDIA's: for each thread of a group one value of the threads before it. */
#ifndef SIMGPU_COOPERATIVE_GROUPS_SCAN_H
#define SIMGPU_COOPERATIVE_GROUPS_SCAN_H

#include "reduce.h"

namespace cooperative_groups
{

template <typename Group, typename T, typename Combine>
T simgpu_exclusive(const Group &group, T value, Combine combine)
{
    T before = group.shfl_up(simgpu_inclusive(group, value, combine), 1);
    return group.thread_rank() == 0 ? T() : before;
}

template <unsigned Size, typename T, typename Combine>
T simgpu_wide_exclusive(const simgpu_block_tile<Size> &tile, T value, Combine combine)
{
    const unsigned rank = tile.thread_rank();
    T before = tile.shfl(simgpu_wide_inclusive(tile, value, combine), rank ? rank - 1 : 0);
    return rank ? before : T();
}

/* `combine` of the values of the threads up to its own. */
template <typename Group, typename T, typename Combine = plus<T>>
T inclusive_scan(const Group &group, T value, Combine combine = {})
{
    if constexpr (Group::simgpu_is_wide)
        return simgpu_wide_inclusive(group, value, combine);
    else
        return simgpu_inclusive(group, value, combine);
}

/* The same of the threads before it. */
template <typename Group, typename T, typename Combine = plus<T>>
T exclusive_scan(const Group &group, T value, Combine combine = {})
{
    if constexpr (Group::simgpu_is_wide)
        return simgpu_wide_exclusive(group, value, combine);
    else
        return simgpu_exclusive(group, value, combine);
}

} // namespace cooperative_groups

#endif
