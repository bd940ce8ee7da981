// groups.cu: cooperative groups as parameters of device functions, partitions of a warp, scans.
#include "../check.cuh"

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

__device__ int n_wrong;

__device__ void expect(bool good)
{
    if (!good)
        atomicAdd(&n_wrong, 1);
}

// The sum of all threads' values, for the first one.
__device__ int sum_of(cg::thread_group group, int *space, int value)
{
    int rank = group.thread_rank();
    for (int i = group.size() / 2; i > 0; i /= 2) {
        space[rank] = value;
        group.sync();
        if (rank < i)
            value += space[rank + i];
        group.sync();
    }
    return value;
}

__global__ void any_group()
{
    extern __shared__ int space[];
    cg::thread_block block = cg::this_thread_block();
    int sum = sum_of(block, space, block.thread_rank());
    expect(block.thread_rank() != 0 || sum == 64 * 63 / 2);
    block.sync();
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
    sum = sum_of(tile, space + block.thread_rank() - tile.thread_rank(), tile.thread_rank());
    expect(tile.thread_rank() != 0 || sum == 16 * 15 / 2);
    expect(tile.meta_group_rank() == threadIdx.x / 16 && tile.meta_group_size() == 4);
    auto inner = cg::tiled_partition<4>(tile);
    expect(inner.meta_group_rank() == threadIdx.x % 16 / 4 && inner.meta_group_size() == 4);
    cg::thread_block_tile<4> same = inner;
    expect(same.thread_rank() == threadIdx.x % 4);
    expect(cg::group_size(block) == 64 && cg::thread_rank(tile) == threadIdx.x % 16);
}

__global__ void partitions()
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    unsigned rank = warp.thread_rank();
    auto third = cg::binary_partition(warp, rank % 3 == 0);
    expect(third.size() == (rank % 3 == 0 ? 11 : 21));
    expect(third.meta_group_size() == 2);
    auto label = cg::labeled_partition(warp, rank / 8);
    expect(label.size() == 8 && label.thread_rank() == rank % 8);
    expect(label.meta_group_rank() == rank / 8 && label.meta_group_size() == 4);
    expect(cg::reduce(label, rank, cg::plus<unsigned>()) == 64 * (rank / 8) + 28);
    expect(cg::reduce(warp, 1 << rank, cg::bit_or<int>()) == -1);
    expect(cg::reduce(third, 1, cg::plus<int>()) == (rank % 3 == 0 ? 11 : 21));
    uint4 four = warp.shfl_xor(make_uint4(rank, 1, 2, 3 * rank), 1);
    expect(four.x == (rank ^ 1) && four.z == 2 && four.w == 3 * (rank ^ 1));
    expect(cg::inclusive_scan(warp, 2u) == 2 * (rank + 1));
    expect(cg::exclusive_scan(label, 1u) == rank % 8);
    if (rank % 2) {
        cg::coalesced_group odd = cg::coalesced_threads();
        expect(odd.size() == 16 && odd.thread_rank() == rank / 2);
        expect(odd.shfl(rank, 3) == 7u);
        expect(cg::tiled_partition(odd, 4).thread_rank() == rank / 2 % 4);
    }
}

// The words of the declaration in another order.
__global__ void copied(const int *in, int *out)
{
    extern int __shared__ dynamic[];
    dynamic[threadIdx.x] = in[threadIdx.x];
    __shared__ int tile[64];
    cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in, sizeof tile);
    cg::wait(block);
    out[threadIdx.x] = tile[63 - threadIdx.x] + dynamic[threadIdx.x] - in[threadIdx.x];
}

int main()
{
    int wrong, *data, host[64];
    for (int i = 0; i < 64; i++)
        host[i] = i;
    OK(cudaMalloc(&data, 2 * sizeof host));
    OK(cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice));
    any_group<<<1, 64, 64 * sizeof(int)>>>();
    partitions<<<1, 64>>>();
    copied<<<1, 64, 64 * sizeof(int)>>>(data, data + 64);
    OK(cudaGetLastError());
    OK(cudaMemcpyFromSymbol(&wrong, n_wrong, sizeof wrong));
    EXPECT(wrong == 0);
    OK(cudaMemcpy(host, data + 64, sizeof host, cudaMemcpyDeviceToHost));
    EXPECT(host[0] == 63 && host[63] == 0);
    OK(cudaFree(data));
    puts("passed");
}
