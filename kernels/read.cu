/* read.cu: reads memory once, as fast as possible. Its time is a lower limit for any kernel that
 * reads the same memory. Each thread has four loads of 16 bytes in flight. */
#include "kernels.h"

/* ---- CPU reference --------------------------------------------------------------------------- */

unsigned reference_read(const unsigned *words, size_t count)
{
    unsigned sum = 0;
    for (size_t i = 0; i < count; i++)
        sum ^= words[i];
    return sum;
}

#ifndef REFERENCE_ONLY
#include "simgpu/kernel.h"

/* ---- kernel ---------------------------------------------------------------------------------- */

enum { THREADS = 256, BLOCKS = 8 * 132, AT_ONCE = 4, WARP = 32, WORDS = 4 };

static __device__ __forceinline__ unsigned folded(uint4 v)
{
    return v.x ^ v.y ^ v.z ^ v.w;
}

static __global__ void __launch_bounds__(THREADS)
    read_all(unsigned *sum, const uint4 *__restrict__ from, size_t count)
{
    __shared__ unsigned of_warp[THREADS / WARP];
    const size_t stride = (size_t)gridDim.x * THREADS;
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    unsigned mine = 0;
    for (; i + (AT_ONCE - 1) * stride < count; i += AT_ONCE * stride) {
        uint4 v[AT_ONCE];
        for (int k = 0; k < AT_ONCE; k++)
            v[k] = from[i + k * stride];
        for (int k = 0; k < AT_ONCE; k++)
            mine ^= folded(v[k]);
    }
    for (; i < count; i += stride)
        mine ^= folded(from[i]);
    for (int apart = WARP / 2; apart > 0; apart /= 2)
        mine ^= __shfl_xor_sync(0xffffffffu, mine, apart);
    if (threadIdx.x % WARP == 0)
        of_warp[threadIdx.x / WARP] = mine;
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    for (int k = 1; k < THREADS / WARP; k++)
        mine ^= of_warp[k];
    atomicXor(sum, mine);
}

/* ---- launcher -------------------------------------------------------------------------------- */

cudaError_t launch_read(unsigned *sum, const unsigned *words, size_t count, cudaStream_t stream)
{
    if (!sum || !words || count == 0 || count % WORDS != 0)
        return cudaErrorInvalidValue;
    const uint4 *from = reinterpret_cast<const uint4 *>(words);
    size_t n = count / WORDS;
    const size_t blocks = (n - 1) / THREADS + 1;
    void *args[] = {&sum, &from, &n};
    return cudaLaunchKernel((const void *)read_all,
                            dim3(blocks < (size_t)BLOCKS ? (unsigned)blocks : (unsigned)BLOCKS),
                            dim3(THREADS), args, 0, stream);
}

/* ---- declared footprint ---------------------------------------------------------------------- */

FOOTPRINT read_footprint(struct simgpu_work *work, const struct simgpu_launch *, unsigned *sum,
                         const uint4 *from, size_t count)
{
    simgpu_touch(work, SIMGPU_READ, from, count);
    simgpu_touch(work, SIMGPU_READ_WRITE, sum, 1);
}

DECLARE_KERNEL(read_all, read_footprint, 32, THREADS / WARP * sizeof(unsigned));
#endif
