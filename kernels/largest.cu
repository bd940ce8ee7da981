/* largest.cu: the largest of many numbers, and the largest change between two arrays. Lab 10
 * decides by them whether to continue. Each block finds its largest value and merges it into the
 * result with one atomic operation. Floats that are not negative have the same order as their bits.
 * NaN counts as the largest value. */
#include "kernels.h"

#include <math.h>

/* ---- CPU reference --------------------------------------------------------------------------- */

static double larger_of(double a, double b)
{
    return b > a || isnan(b) ? b : a;
}

double reference_largest(const float *a, int count)
{
    double largest = 0;
    for (int i = 0; i < count; i++)
        largest = larger_of(largest, fabs((double)a[i]));
    return largest;
}

double reference_change(const double *a, const double *b, int count)
{
    double largest = 0;
    for (int i = 0; i < count; i++)
        largest = larger_of(largest, fabs(a[i] - b[i]));
    return largest;
}

#ifndef REFERENCE_ONLY
#include "simgpu/kernel.h"

/* ---- kernels --------------------------------------------------------------------------------- */

enum { THREADS = 256, MOST_BLOCKS = 264, WARP = 32 };

/* Merges the block's largest value into *result; each thread has one, which is not negative. */
static __device__ __forceinline__ void keep_largest(float *result, float mine)
{
    __shared__ unsigned of_warp[THREADS / WARP];
    unsigned bits = __float_as_uint(mine);
    for (int apart = WARP / 2; apart > 0; apart /= 2)
        bits = max(bits, __shfl_xor_sync(0xffffffffu, bits, apart));
    if (threadIdx.x % WARP == 0)
        of_warp[threadIdx.x / WARP] = bits;
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    for (int i = 1; i < THREADS / WARP; i++)
        bits = max(bits, of_warp[i]);
    atomicMax(reinterpret_cast<unsigned *>(result), bits);
}

static __device__ __forceinline__ float larger(float a, float b)
{
    return b > a || isnan(b) ? b : a;
}

static __global__ void largest(float *result, const float *__restrict__ a, int count)
{
    float mine = 0;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < count; i += gridDim.x * THREADS)
        mine = larger(mine, fabsf(a[i]));
    keep_largest(result, mine);
}

static __global__ void change(float *result, const float *__restrict__ a,
                              const float *__restrict__ b, int count)
{
    float mine = 0;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < count; i += gridDim.x * THREADS)
        mine = larger(mine, fabsf(a[i] - b[i]));
    keep_largest(result, mine);
}

static __global__ void change_double(float *result, const double *__restrict__ a,
                                     const double *__restrict__ b, int count)
{
    float mine = 0;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < count; i += gridDim.x * THREADS)
        mine = larger(mine, (float)fabs(a[i] - b[i]));
    keep_largest(result, mine);
}

static __global__ void widen(double *__restrict__ out, const float *__restrict__ in, int count)
{
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < count; i += gridDim.x * THREADS)
        out[i] = in[i];
}

/* ---- launchers ------------------------------------------------------------------------------- */

static dim3 blocks_for(int count)
{
    const int blocks = (count - 1) / THREADS + 1;
    return dim3((unsigned)(blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS));
}

cudaError_t launch_largest(float *result, const float *a, int count, cudaStream_t stream)
{
    if (!result || !a || count <= 0)
        return cudaErrorInvalidValue;
    void *args[] = {&result, &a, &count};
    return cudaLaunchKernel((const void *)largest, blocks_for(count), dim3(THREADS), args, 0,
                            stream);
}

cudaError_t launch_change(float *result, const float *a, const float *b, int count,
                          cudaStream_t stream)
{
    if (!result || !a || !b || count <= 0)
        return cudaErrorInvalidValue;
    void *args[] = {&result, &a, &b, &count};
    return cudaLaunchKernel((const void *)change, blocks_for(count), dim3(THREADS), args, 0,
                            stream);
}

cudaError_t launch_change_double(float *result, const double *a, const double *b, int count,
                                 cudaStream_t stream)
{
    if (!result || !a || !b || count <= 0)
        return cudaErrorInvalidValue;
    void *args[] = {&result, &a, &b, &count};
    return cudaLaunchKernel((const void *)change_double, blocks_for(count), dim3(THREADS), args, 0,
                            stream);
}

cudaError_t launch_widen(double *out, const float *in, int count, cudaStream_t stream)
{
    if (!out || !in || count <= 0)
        return cudaErrorInvalidValue;
    void *args[] = {&out, &in, &count};
    return cudaLaunchKernel((const void *)widen, blocks_for(count), dim3(THREADS), args, 0, stream);
}

/* ---- declared footprints --------------------------------------------------------------------- */

FOOTPRINT largest_footprint(struct simgpu_work *work, const struct simgpu_launch *, float *result,
                            const float *a, int count)
{
    simgpu_touch(work, SIMGPU_READ, a, (size_t)count);
    simgpu_touch(work, SIMGPU_READ_WRITE, result, 1);
    work->flops = count;
}

FOOTPRINT change_footprint(struct simgpu_work *work, const struct simgpu_launch *, float *result,
                           const float *a, const float *b, int count)
{
    simgpu_touch(work, SIMGPU_READ, a, (size_t)count);
    simgpu_touch(work, SIMGPU_READ, b, (size_t)count);
    simgpu_touch(work, SIMGPU_READ_WRITE, result, 1);
    work->flops = 2.0 * count;
}

FOOTPRINT change_double_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                                  float *result, const double *a, const double *b, int count)
{
    simgpu_touch(work, SIMGPU_READ, a, (size_t)count);
    simgpu_touch(work, SIMGPU_READ, b, (size_t)count);
    simgpu_touch(work, SIMGPU_READ_WRITE, result, 1);
    work->flops = 2.0 * count;
}

FOOTPRINT widen_footprint(struct simgpu_work *work, const struct simgpu_launch *, double *out,
                          const float *in, int count)
{
    simgpu_touch(work, SIMGPU_READ, in, (size_t)count);
    simgpu_touch(work, SIMGPU_WRITE, out, (size_t)count);
}

DECLARE_KERNEL(largest, largest_footprint, 16, THREADS / WARP * sizeof(unsigned));
DECLARE_KERNEL(change, change_footprint, 20, THREADS / WARP * sizeof(unsigned));
DECLARE_KERNEL(change_double, change_double_footprint, 24, THREADS / WARP * sizeof(unsigned));
DECLARE_KERNEL(widen, widen_footprint, 16);
#endif
