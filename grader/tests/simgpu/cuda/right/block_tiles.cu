// block_tiles.cu: cooperative groups' tiles of more than a warp.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "../check.cuh"

namespace cg = cooperative_groups;

struct seen {
    int rank, tile, tiles, shuffled, any, all, sum, least, up_to, before, warp_sum;
};

template <unsigned Size> __global__ void look(seen *out)
{
    __shared__ cg::block_tile_memory<512> room;
    cg::thread_block block = cg::this_thread_block(room);
    auto tile = cg::tiled_partition<Size>(block);
    const int value = static_cast<int>(threadIdx.x);
    seen *s = &out[value];
    s->rank = tile.thread_rank();
    s->tile = tile.meta_group_rank();
    s->tiles = tile.meta_group_size();
    s->shuffled = tile.shfl(value, 3);
    s->any = tile.any(value == 70);
    s->all = tile.all(value < 300);
    tile.sync();
    s->sum = cg::reduce(tile, value, cg::plus<int>());
    s->least = cg::reduce(tile, value, cg::less<int>());
    s->up_to = cg::inclusive_scan(tile, value);
    s->before = cg::exclusive_scan(tile, value, cg::plus<int>());
    auto warp = cg::tiled_partition<32>(tile);
    s->warp_sum = cg::reduce(warp, value, cg::plus<int>()) + warp.meta_group_rank();
}

static int sum_from(int from, int to) // before `to`
{
    return (from + to - 1) * (to - from) / 2;
}

template <int Size> void check_all()
{
    enum { THREADS = 512 };
    seen *out;
    OK(cudaMallocManaged(&out, THREADS * sizeof *out));
    look<Size><<<1, THREADS>>>(out);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < THREADS; i++) {
        const seen &s = out[i];
        const int first = i / Size * Size, warp = i / 32 * 32;
        EXPECT(s.rank == i - first && s.tile == i / Size && s.tiles == THREADS / Size);
        EXPECT(s.shuffled == first + 3 && s.any == (first <= 70 && 70 < first + Size));
        EXPECT(s.all == (first + Size <= 300) && s.least == first);
        EXPECT(s.sum == sum_from(first, first + Size));
        EXPECT(s.up_to == sum_from(first, i + 1) && s.before == sum_from(first, i));
        EXPECT(s.warp_sum == sum_from(warp, warp + 32) + (i - first) / 32);
    }
    OK(cudaFree(out));
}

/* Each tile goes its own way. */
__global__ void apart(int *turns)
{
    auto tile = cg::tiled_partition<64>(cg::this_thread_block());
    for (unsigned turn = 0; turn <= tile.meta_group_rank(); turn++)
        if (tile.any(tile.thread_rank() == turn) && tile.thread_rank() == 0)
            turns[tile.meta_group_rank()]++;
}

int main()
{
    check_all<64>();
    check_all<128>();
    check_all<512>();
    int *turns;
    OK(cudaMallocManaged(&turns, 4 * sizeof *turns));
    OK(cudaMemset(turns, 0, 4 * sizeof *turns));
    apart<<<1, 256>>>(turns);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 4; i++)
        EXPECT(turns[i] == i + 1);
    OK(cudaFree(turns));
    puts("passed");
}
