/* cub.cuh: CUB's collectives of blocks and warps, from the toolkit's headers. Its algorithms of the
 * whole device are not there. */
#ifndef SIMCC_CUB_CUH
#define SIMCC_CUB_CUH

#include <cub/config.cuh>
#include <cuda/functional>

#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_rank.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_run_length_decode.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_shuffle.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_exchange.cuh>
#include <cub/warp/warp_load.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <cub/warp/warp_store.cuh>

#include <cub/util_allocator.cuh>
#include <cub/util_type.cuh>

#if CUB_VERSION >= 300000 // programs written for CUDA 12 use these names
namespace cub
{
using Max = ::cuda::maximum<>;
using Min = ::cuda::minimum<>;
using Sum = ::cuda::std::plus<>;
} // namespace cub
#endif

#endif
