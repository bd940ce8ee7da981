/*
 * cooperative_groups.h: in place of NVIDIA's, for the simulated device: the thread block, tiles of
 * a warp, the threads that are active together, and the grid.
 */
#ifndef SIMGPU_COOPERATIVE_GROUPS_H
#define SIMGPU_COOPERATIVE_GROUPS_H

#include "simgpu/kernel.h"

namespace cooperative_groups
{

inline unsigned simgpu_rank_in_block()
{
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

/* ---- thread block ---------------------------------------------------------------------------- */

class thread_block
{
  public:
    static void sync()
    {
        __syncthreads();
    }
    static unsigned thread_rank()
    {
        return simgpu_rank_in_block();
    }
    static unsigned size()
    {
        return blockDim.x * blockDim.y * blockDim.z;
    }
    static unsigned num_threads()
    {
        return size();
    }
    static dim3 group_index()
    {
        return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
    }
    static dim3 thread_index()
    {
        return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
    }
    static dim3 group_dim()
    {
        return dim3(blockDim.x, blockDim.y, blockDim.z);
    }
    static dim3 dim_threads()
    {
        return group_dim();
    }
};

inline thread_block this_thread_block()
{
    return {};
}

/* ---- tiles of a warp, and other sets of its lanes -------------------------------------------- */

/* Lanes of one warp. */
class simgpu_lanes
{
  public:
    explicit simgpu_lanes(unsigned mask) : mask_(mask)
    {
    }

    void sync() const
    {
        __syncwarp(mask_);
    }
    unsigned thread_rank() const
    {
        return static_cast<unsigned>(__popc(mask_ & ((1u << simgpu_lane()) - 1)));
    }
    unsigned size() const
    {
        return static_cast<unsigned>(__popc(mask_));
    }
    unsigned num_threads() const
    {
        return size();
    }
    int any(int predicate) const
    {
        return __any_sync(mask_, predicate);
    }
    int all(int predicate) const
    {
        return __all_sync(mask_, predicate);
    }
    unsigned ballot(int predicate) const
    {
        return ranks(__ballot_sync(mask_, predicate));
    }
    template <typename T> unsigned match_any(T value) const
    {
        return ranks(__match_any_sync(mask_, value));
    }
    template <typename T> T shfl(T value, unsigned rank) const
    {
        return simgpu_shuffle(mask_, value, lane(rank % size()));
    }
    template <typename T> T shfl_down(T value, unsigned delta) const
    {
        unsigned rank = thread_rank();
        return simgpu_shuffle(mask_, value, lane(rank + delta < size() ? rank + delta : rank));
    }
    template <typename T> T shfl_up(T value, unsigned delta) const
    {
        unsigned rank = thread_rank();
        return simgpu_shuffle(mask_, value, lane(delta <= rank ? rank - delta : rank));
    }
    template <typename T> T shfl_xor(T value, unsigned bits) const
    {
        unsigned rank = thread_rank();
        return simgpu_shuffle(mask_, value, lane((rank ^ bits) < size() ? rank ^ bits : rank));
    }

  protected:
    /* The lane of the warp that has this rank in the group. */
    unsigned lane(unsigned rank) const
    {
        unsigned left = mask_;
        while (rank--)
            left &= left - 1;
        return static_cast<unsigned>(__ffs(static_cast<int>(left)) - 1);
    }
    /* A mask of lanes as a mask of ranks. */
    unsigned ranks(unsigned lanes) const
    {
        unsigned of = 0, rank = 0;
        for (unsigned left = mask_; left; left &= left - 1, rank++)
            of |= (lanes >> (__ffs(static_cast<int>(left)) - 1) & 1) << rank;
        return of;
    }
    unsigned mask_;
};

/* The lanes of the running thread's tile of `size` lanes. */
inline unsigned simgpu_tile_mask(unsigned size)
{
    unsigned lanes = size == 32 ? ~0u : (1u << size) - 1;
    return lanes << (simgpu_lane() & ~(size - 1));
}

template <unsigned Size, typename Parent = thread_block>
class thread_block_tile : public simgpu_lanes
{
    static_assert(Size && Size <= 32 && (Size & (Size - 1)) == 0, "1, 2, 4, 8, 16 or 32 lanes");

  public:
    thread_block_tile() : simgpu_lanes(simgpu_tile_mask(Size))
    {
    }
    static constexpr unsigned size()
    {
        return Size;
    }
    static constexpr unsigned num_threads()
    {
        return Size;
    }
    static unsigned meta_group_rank()
    {
        return simgpu_rank_in_block() / Size;
    }
    static unsigned meta_group_size()
    {
        return (thread_block::size() + Size - 1) / Size;
    }
};

class thread_group : public simgpu_lanes
{
  public:
    explicit thread_group(unsigned mask) : simgpu_lanes(mask)
    {
    }
};

using coalesced_group = thread_group;

template <unsigned Size, typename Parent>
thread_block_tile<Size, Parent> tiled_partition(const Parent &)
{
    return {};
}

template <typename Parent> thread_group tiled_partition(const Parent &, unsigned size)
{
    return thread_group(simgpu_tile_mask(size));
}

__attribute__((always_inline)) inline coalesced_group coalesced_threads()
{
    return coalesced_group(__activemask());
}

/* ---- grid ------------------------------------------------------------------------------------ */

class grid_group
{
  public:
    static bool is_valid()
    {
        return true;
    }
    static void sync()
    {
        __syncthreads();
        if (simgpu_rank_in_block() == 0)
            simgpu_wait_for_grid();
        __syncthreads();
    }
    static unsigned long long block_rank()
    {
        return blockIdx.x +
               static_cast<unsigned long long>(gridDim.x) * (blockIdx.y + gridDim.y * blockIdx.z);
    }
    static unsigned long long thread_rank()
    {
        return block_rank() * thread_block::size() + simgpu_rank_in_block();
    }
    static unsigned long long num_blocks()
    {
        return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
    }
    static unsigned long long size()
    {
        return num_blocks() * thread_block::size();
    }
    static unsigned long long num_threads()
    {
        return size();
    }
    static dim3 group_dim()
    {
        return dim3(gridDim.x, gridDim.y, gridDim.z);
    }
};

inline grid_group this_grid()
{
    return {};
}

/* ---- for any group --------------------------------------------------------------------------- */

template <typename Group> void sync(const Group &group)
{
    group.sync();
}

template <typename T> struct plus {
    T operator()(T a, T b) const
    {
        return a + b;
    }
};

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

/* `combine` of all lanes' values, for every lane. */
template <typename Group, typename T, typename Combine>
T reduce(const Group &group, T value, Combine combine)
{
    T result = group.shfl(value, 0);
    for (unsigned rank = 1; rank < group.size(); rank++)
        result = combine(result, group.shfl(value, rank));
    return result;
}

} // namespace cooperative_groups

#endif
