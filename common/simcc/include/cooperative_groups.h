/* cooperative_groups.h: in place of NVIDIA's, for the simulated device: the thread block, tiles of
 * a warp, the threads that are active together, and the grid. */
#ifndef SIMGPU_COOPERATIVE_GROUPS_H
#define SIMGPU_COOPERATIVE_GROUPS_H

#include "simgpu/kernel.h"

namespace cooperative_groups
{

SIMGPU_INLINE(unsigned, simgpu_rank_in_block, (),
              threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z))

/* ---- thread block ---------------------------------------------------------------------------- */

class thread_block
{
  public:
    static void sync()
    {
        __syncthreads();
    }
    SIMGPU_INLINE(static unsigned, thread_rank, (), simgpu_rank_in_block())
    SIMGPU_INLINE(static unsigned, thread_rank_in_parent, (), simgpu_rank_in_block())
    static unsigned size()
    {
        return blockDim.x * blockDim.y * blockDim.z;
    }
    SIMGPU_INLINE(static unsigned, num_threads, (), size())
    SIMGPU_INLINE(static dim3, group_index, (), dim3(blockIdx.x, blockIdx.y, blockIdx.z))
    SIMGPU_INLINE(static dim3, thread_index, (), dim3(threadIdx.x, threadIdx.y, threadIdx.z))
    SIMGPU_INLINE(static dim3, group_dim, (), dim3(blockDim.x, blockDim.y, blockDim.z))
    SIMGPU_INLINE(static dim3, dim_threads, (), group_dim())
};

/* Room for tiles of more than a warp, which the device has anyhow. */
template <unsigned MaxBlockSize = 1024> struct block_tile_memory {
    uint64_t room;
};

inline thread_block this_thread_block()
{
    return {};
}

template <unsigned MaxBlockSize> thread_block this_thread_block(block_tile_memory<MaxBlockSize> &)
{
    return {};
}

/* ---- tiles of a warp, and other sets of its lanes -------------------------------------------- */

/* Lanes of one warp. */
class simgpu_lanes
{
  public:
    static constexpr bool simgpu_is_wide = false; /* more than a warp */

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
    SIMGPU_INLINE(unsigned, size, () const, static_cast<unsigned>(__popc(mask_)))
    SIMGPU_INLINE(unsigned, num_threads, () const, size())
    SIMGPU_INLINE(int, any, (int predicate) const, __any_sync(mask_, predicate))
    SIMGPU_INLINE(int, all, (int predicate) const, __all_sync(mask_, predicate))
    SIMGPU_INLINE(unsigned, ballot, (int predicate) const, ranks(__ballot_sync(mask_, predicate)))
    template <typename T>
    SIMGPU_INLINE(unsigned, match_any, (T value) const, ranks(__match_any_sync(mask_, value)))
    template <typename T>
    SIMGPU_INLINE(T, shfl, (T value, unsigned rank) const,
                  shuffle(value, simgpu_lane_of(rank % size())))
    template <typename T>
    T shfl_down(T value, unsigned delta) const
    {
        unsigned rank = thread_rank();
        return shuffle(value, simgpu_lane_of(rank + delta < size() ? rank + delta : rank));
    }
    template <typename T> T shfl_up(T value, unsigned delta) const
    {
        unsigned rank = thread_rank();
        return shuffle(value, simgpu_lane_of(delta <= rank ? rank - delta : rank));
    }
    template <typename T> T shfl_xor(T value, unsigned bits) const
    {
        unsigned rank = thread_rank();
        return shuffle(value, simgpu_lane_of((rank ^ bits) < size() ? rank ^ bits : rank));
    }

    SIMGPU_INLINE(unsigned, simgpu_mask, () const, mask_)
    /* The lane of the warp that has this rank in the group. */
    unsigned simgpu_lane_of(unsigned rank) const
    {
        unsigned left = mask_;
        while (rank--)
            left &= left - 1;
        return static_cast<unsigned>(__ffs(static_cast<int>(left)) - 1);
    }

  private:
    /* A value of any size, 8 bytes at a time. */
    template <typename T> T shuffle(T value, unsigned from) const
    {
        uint64_t words[(sizeof value + 7) / 8] = {};
        __builtin_memcpy(words, &value, sizeof value);
        for (uint64_t &word : words)
            word = simgpu_shuffle(mask_, word, from);
        __builtin_memcpy(&value, words, sizeof value);
        return value;
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

template <unsigned Size> class simgpu_warp_tile : public simgpu_lanes
{
    static_assert(Size && Size <= 32 && (Size & (Size - 1)) == 0, "1, 2, 4, 8, 16 or 32 lanes");

  public:
    simgpu_warp_tile() : simgpu_lanes(simgpu_tile_mask(Size))
    {
    }
    SIMGPU_INLINE(static constexpr unsigned, size, (), Size)
    SIMGPU_INLINE(static constexpr unsigned, num_threads, (), Size)
    SIMGPU_INLINE(static unsigned, thread_rank_in_parent, (), simgpu_lane() % Size)
};

class coalesced_group : public simgpu_lanes
{
  public:
    explicit coalesced_group(unsigned mask, unsigned rank = 0, unsigned groups = 1)
        : simgpu_lanes(mask), meta_rank_(rank), meta_size_(groups)
    {
    }
    SIMGPU_INLINE(unsigned, meta_group_rank, () const, meta_rank_)
    SIMGPU_INLINE(unsigned, meta_group_size, () const, meta_size_)

  private:
    unsigned meta_rank_, meta_size_;
};

} // namespace cooperative_groups

#include "simgpu_block_tile.h"

namespace cooperative_groups
{

/* Of Parent, a thread_block or a larger tile. */
template <unsigned Size, typename Parent = void>
class thread_block_tile
    : public std::conditional_t<(Size > 32), simgpu_block_tile<Size>, simgpu_warp_tile<Size>>
{
  public:
    thread_block_tile() = default;
    template <typename Other> thread_block_tile(const thread_block_tile<Size, Other> &)
    {
    }
    SIMGPU_INLINE(static unsigned, meta_group_rank, (), Parent::thread_rank_in_parent() / Size)
    SIMGPU_INLINE(static unsigned, meta_group_size, (), (Parent::size() + Size - 1) / Size)
};

/* Of the whole block, if the program's type does not say. */
template <unsigned Size>
class thread_block_tile<Size, void> : public thread_block_tile<Size, thread_block>
{
  public:
    thread_block_tile() = default;
    template <typename Other> thread_block_tile(const thread_block_tile<Size, Other> &)
    {
    }
};

/* Any of these: the block, or lanes of a warp. */
class thread_group
{
  public:
    thread_group(const thread_block &) : mask_(0)
    {
    }
    thread_group(const simgpu_lanes &lanes) : mask_(lanes.simgpu_mask())
    {
    }
    void sync() const
    {
        if (mask_)
            __syncwarp(mask_);
        else
            __syncthreads();
    }
    SIMGPU_INLINE(unsigned, thread_rank, () const,
                  mask_ ? simgpu_lanes(mask_).thread_rank() : thread_block::thread_rank())
    SIMGPU_INLINE(unsigned, size, () const,
                  mask_ ? simgpu_lanes(mask_).size() : thread_block::size())
    SIMGPU_INLINE(unsigned, num_threads, () const, size())

  private:
    unsigned mask_; /* 0: the block */
};

template <unsigned Size, typename Parent>
thread_block_tile<Size, Parent> tiled_partition(const Parent &)
{
    return {};
}

/* Parts of so many neighbors by rank. */
SIMGPU_INLINE(thread_group, tiled_partition, (const thread_group &, unsigned size),
              simgpu_lanes(simgpu_tile_mask(size)))

inline coalesced_group tiled_partition(const coalesced_group &parent, unsigned size)
{
    unsigned first = parent.thread_rank() / size * size, mask = 0;
    for (unsigned rank = first; rank < first + size && rank < parent.size(); rank++)
        mask |= 1u << parent.simgpu_lane_of(rank);
    return coalesced_group(mask, first / size, (parent.size() + size - 1) / size);
}

__attribute__((always_inline)) inline coalesced_group coalesced_threads()
{
    return coalesced_group(__activemask());
}

/* The threads of a group (of one warp) with the same label. */
template <typename Group, typename Label>
coalesced_group labeled_partition(const Group &group, Label label)
{
    unsigned all = group.simgpu_mask(), same = __match_any_sync(all, label), before = 0, groups = 0;
    for (unsigned left = all; left; groups++) {
        int lane = __ffs(static_cast<int>(left)) - 1;
        unsigned its = __shfl_sync(all, same, lane);
        before += __ffs(static_cast<int>(its)) < __ffs(static_cast<int>(same));
        left &= ~its;
    }
    return coalesced_group(same, before, groups);
}

template <typename Group> coalesced_group binary_partition(const Group &group, bool predicate)
{
    unsigned all = group.simgpu_mask(), yes = __ballot_sync(all, predicate);
    return coalesced_group(predicate ? yes : all & ~yes, predicate ? 0 : 1, 2);
}

/* ---- grid ------------------------------------------------------------------------------------ */

class grid_group
{
  public:
    SIMGPU_INLINE(static bool, is_valid, (), simgpu_grid_is_cooperative() != 0)
    static void sync()
    {
        __syncthreads();
        if (simgpu_rank_in_block() == 0)
            simgpu_wait_for_grid();
        __syncthreads();
    }
    SIMGPU_INLINE(static unsigned long long, block_rank, (),
                  blockIdx.x + static_cast<unsigned long long>(gridDim.x) *
                                   (blockIdx.y + gridDim.y * blockIdx.z))
    SIMGPU_INLINE(static unsigned long long, thread_rank, (),
                  block_rank() * thread_block::size() + simgpu_rank_in_block())
    SIMGPU_INLINE(static unsigned long long, num_blocks, (),
                  static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z)
    SIMGPU_INLINE(static unsigned long long, size, (), num_blocks() * thread_block::size())
    SIMGPU_INLINE(static unsigned long long, num_threads, (), size())
    SIMGPU_INLINE(static dim3, group_dim, (), dim3(gridDim.x, gridDim.y, gridDim.z))
    SIMGPU_INLINE(static dim3, dim_blocks, (), group_dim())
    SIMGPU_INLINE(static dim3, block_index, (), dim3(blockIdx.x, blockIdx.y, blockIdx.z))
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

template <typename Group>
SIMGPU_INLINE(auto, thread_rank, (const Group &group), group.thread_rank())

template <typename Group>
SIMGPU_INLINE(auto, group_size, (const Group &group), group.size())

} // namespace cooperative_groups

#endif
