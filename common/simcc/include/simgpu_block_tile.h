/* simgpu_block_tile.h: tiles of more than one warp: 64 to 1024 threads of a block. Their threads
 * exchange values through memory of the block. Included by cooperative_groups.h only. */
#ifndef SIMGPU_BLOCK_TILE_H
#define SIMGPU_BLOCK_TILE_H

#include <type_traits>

namespace cooperative_groups
{

enum { SIMGPU_EXCHANGED_BYTES = 32 };

/* A value of each thread of the block. Blocks of one host thread run one after the other. */
inline thread_local uint64_t simgpu_exchanged[1024][SIMGPU_EXCHANGED_BYTES / 8] SIMGPU_TLS;

template <typename T> SIMGPU_NOT_RECORDED void simgpu_bring(unsigned rank_in_block, const T &value)
{
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= SIMGPU_EXCHANGED_BYTES,
                  "tiles of more than a warp exchange values of at most 32 bytes");
    __builtin_memcpy(simgpu_exchanged[rank_in_block], &value, sizeof value);
}

template <typename T> SIMGPU_NOT_RECORDED T simgpu_brought(unsigned rank_in_block, T value)
{
    __builtin_memcpy(&value, simgpu_exchanged[rank_in_block], sizeof value);
    return value;
}

template <unsigned Size> class simgpu_block_tile
{
    static_assert(Size <= 1024 && (Size & (Size - 1)) == 0,
                  "a power of two of at most 1024 threads");

  public:
    static constexpr bool simgpu_is_wide = true;

    SIMGPU_INLINE(static unsigned, thread_rank, (), simgpu_rank_in_block() % Size)
    SIMGPU_INLINE(static unsigned, thread_rank_in_parent, (), thread_rank())
    SIMGPU_INLINE(static constexpr unsigned, size, (), Size)
    SIMGPU_INLINE(static constexpr unsigned, num_threads, (), Size)
    static void sync()
    {
        /* tiles of all sizes have numbers of their own: 1024 threads 1, 512 threads 2 and 3, … */
        simgpu_sync_part(1024 / Size + simgpu_rank_in_block() / Size, simgpu_n_threads());
    }
    template <typename T> static T shfl(T value, unsigned rank)
    {
        simgpu_bring(simgpu_rank_in_block(), value);
        sync();
        value = simgpu_brought(simgpu_first() + rank % Size, value);
        sync();
        return value;
    }
    SIMGPU_INLINE(static int, any, (int predicate), simgpu_count(predicate != 0) > 0)
    SIMGPU_INLINE(static int, all, (int predicate), simgpu_count(predicate == 0) == 0)

    /* The rank in the block of the tile's first thread. */
    SIMGPU_INLINE(static unsigned, simgpu_first, (), simgpu_rank_in_block() / Size * Size)
    /* Its threads that exist. */
    static unsigned simgpu_n_threads()
    {
        const unsigned left = thread_block::size() - simgpu_first();
        return left < Size ? left : Size;
    }

  private:
    static unsigned simgpu_count(bool counts)
    {
        simgpu_bring(simgpu_rank_in_block(), counts);
        sync();
        unsigned n = 0;
        for (unsigned i = 0; i < simgpu_n_threads(); i++)
            n += simgpu_brought(simgpu_first() + i, counts);
        sync();
        return n;
    }
};

} // namespace cooperative_groups

#endif
