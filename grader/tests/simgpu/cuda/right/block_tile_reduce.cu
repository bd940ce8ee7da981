// block_tile_reduce.cu: a reduction over a tile of more than a warp, without scan.h.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "../check.cuh"

namespace cg = cooperative_groups;

__global__ void sum(int *out)
{
    auto tile = cg::tiled_partition<128>(cg::this_thread_block());
    out[threadIdx.x] = cg::reduce(tile, static_cast<int>(threadIdx.x), cg::plus<int>());
}

int main()
{
    enum { THREADS = 256, TILE = 128 };
    int *out;
    OK(cudaMallocManaged(&out, THREADS * sizeof *out));
    sum<<<1, THREADS>>>(out);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < THREADS; i++)
        EXPECT(out[i] == (i < TILE ? (TILE - 1) * TILE / 2 : (3 * TILE - 1) * TILE / 2));
    OK(cudaFree(out));
    puts("passed");
}
