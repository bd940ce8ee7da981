// cub_block.cu: CUB's collectives of a block and of a warp, from the toolkit's own headers.
// cub::Max is a name of CUDA 12, which simcc has, too.
#include <cub/cub.cuh>

#include "../check.cuh"

enum { THREADS = 128, ITEMS = 2, WARPS = THREADS / 32 };

struct seen {
    int sum, largest, scanned[THREADS], sorted[THREADS * ITEMS];
    float warp_sum[WARPS];
    long long warp_scanned[THREADS];
};

__global__ void all(const int *in, seen *out)
{
    using reduce = cub::BlockReduce<int, THREADS>;
    using scan = cub::BlockScan<int, THREADS>;
    using sort = cub::BlockRadixSort<int, THREADS, ITEMS>;
    using load = cub::BlockLoad<int, THREADS, ITEMS>;
    using warp_reduce = cub::WarpReduce<float>;
    using warp_scan = cub::WarpScan<long long>;
    __shared__ union {
        typename reduce::TempStorage of_reduce;
        typename scan::TempStorage of_scan;
        typename sort::TempStorage of_sort;
        typename load::TempStorage of_load;
        typename warp_reduce::TempStorage of_warp_reduce[WARPS];
        typename warp_scan::TempStorage of_warp_scan[WARPS];
    } room;
    const int i = threadIdx.x, warp = i / 32;
    const int sum = reduce(room.of_reduce).Sum(i);
    __syncthreads();
    const int largest = reduce(room.of_reduce).Reduce(i * 37 % 101, cub::Max());
    if (i == 0) {
        out->sum = sum;
        out->largest = largest;
    }
    __syncthreads();
    scan(room.of_scan).ExclusiveSum(i, out->scanned[i]);
    __syncthreads();
    int keys[ITEMS];
    load(room.of_load).Load(in, keys);
    __syncthreads();
    sort(room.of_sort).Sort(keys);
    for (int k = 0; k < ITEMS; k++)
        out->sorted[i * ITEMS + k] = keys[k];
    __syncthreads();
    const float of_warp = warp_reduce(room.of_warp_reduce[warp]).Sum(i + 0.5f);
    if (i % 32 == 0)
        out->warp_sum[warp] = of_warp;
    __syncthreads();
    warp_scan(room.of_warp_scan[warp]).InclusiveSum(i, out->warp_scanned[i]);
}

int main()
{
    int *in;
    seen *out;
    OK(cudaMallocManaged(&in, THREADS * ITEMS * sizeof *in));
    OK(cudaMallocManaged(&out, sizeof *out));
    for (int i = 0; i < THREADS * ITEMS; i++)
        in[i] = i * 97 % (THREADS * ITEMS) - 50;
    all<<<1, THREADS>>>(in, out);
    OK(cudaDeviceSynchronize());
    EXPECT(out->sum == THREADS * (THREADS - 1) / 2 && out->largest == 100);
    for (int i = 0; i < THREADS; i++) {
        const int first = i / 32 * 32;
        EXPECT(out->scanned[i] == i * (i - 1) / 2);
        EXPECT(out->warp_scanned[i] == (first + i) * (i - first + 1) / 2);
    }
    for (int i = 0; i < THREADS * ITEMS; i++)
        EXPECT(out->sorted[i] == i - 50);
    for (int warp = 0; warp < WARPS; warp++)
        EXPECT(out->warp_sum[warp] == 32 * (32 * warp + 16));
    OK(cudaFree(in));
    OK(cudaFree(out));
    puts("passed");
}
