/* mlp.cu: the two products of an MLP layer, and the sum of partial results of several devices.
 *
 * The work of lab 14. mlp_up and mlp_down multiply matrices of any size, in tiles as in dense.cu.
 * sum_parts always adds in the same order, so that all devices get the same bits. */
#include "kernels.h"

/* ---- CPU reference --------------------------------------------------------------------------- */

static void multiply(double *c, const double *a, const float *b, int rows, int inner, int columns)
{
    for (size_t i = 0; i < (size_t)rows; i++) {
        for (int j = 0; j < columns; j++)
            c[i * columns + j] = 0;
        for (int k = 0; k < inner; k++)
            for (int j = 0; j < columns; j++)
                c[i * columns + j] += a[i * inner + k] * b[(size_t)k * columns + j];
    }
}

void reference_mlp_up(double *h, const double *x, const float *a, int rows, int n, int m)
{
    multiply(h, x, a, rows, n, m);
    for (size_t i = 0; i < (size_t)rows * m; i++)
        h[i] = h[i] > 0 ? h[i] : 0;
}

void reference_mlp_down(double *p, const double *h, const float *b, int rows, int m, int n)
{
    multiply(p, h, b, rows, m, n);
}

#ifndef REFERENCE_ONLY
#include "simgpu/kernel.h"

/* ---- kernels --------------------------------------------------------------------------------- */

enum { TILE = 32 };

/* One element of a b, which the block computes tile by tile. */
static __device__ float product(const float *__restrict__ a, const float *__restrict__ b, int rows,
                                int inner, int columns)
{
    __shared__ float tile_a[TILE][TILE];
    __shared__ float tile_b[TILE][TILE];
    const int i = threadIdx.y, j = threadIdx.x;
    const int row = blockIdx.y * TILE + i, column = blockIdx.x * TILE + j;
    float sum = 0.0f;
    for (int at = 0; at < inner; at += TILE) {
        tile_a[i][j] = row < rows && at + j < inner ? a[(size_t)row * inner + at + j] : 0.0f;
        tile_b[i][j] =
            column < columns && at + i < inner ? b[(size_t)(at + i) * columns + column] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += tile_a[i][k] * tile_b[k][j];
        __syncthreads();
    }
    return sum;
}

static __device__ void store(float *c, float value, int rows, int columns)
{
    const int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    if (row < rows && column < columns)
        c[(size_t)row * columns + column] = value;
}

static __global__ void __launch_bounds__(TILE *TILE)
    mlp_up(float *__restrict__ h, const float *__restrict__ x, const float *__restrict__ a,
           int rows, int n, int m)
{
    const float sum = product(x, a, rows, n, m);
    store(h, sum > 0.0f ? sum : 0.0f, rows, m);
}

static __global__ void __launch_bounds__(TILE *TILE)
    mlp_down(float *__restrict__ p, const float *__restrict__ h, const float *__restrict__ b,
             int rows, int m, int n)
{
    store(p, product(h, b, rows, m, n), rows, n);
}

/* y may be x, so neither of them is __restrict__. */
static __global__ void sum_parts(float *y, const float *x, const float *parts, size_t pitch,
                                 int n_parts, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    float sum = x[i];
    for (int part = 0; part < n_parts; part++)
        sum += parts[part * pitch + i];
    y[i] = sum;
}

/* ---- launchers ------------------------------------------------------------------------------- */

static unsigned tiles_of(int n)
{
    return ((unsigned)n + TILE - 1) / TILE;
}

/* c = a b, by one of the kernels above. */
static cudaError_t launch_product(const void *kernel, float *c, const float *a, const float *b,
                                  int rows, int inner, int columns, cudaStream_t stream)
{
    if (!c || !a || !b || rows <= 0 || inner <= 0 || columns <= 0)
        return cudaErrorInvalidValue;
    void *args[] = {&c, &a, &b, &rows, &inner, &columns};
    return cudaLaunchKernel(kernel, dim3(tiles_of(columns), tiles_of(rows)), dim3(TILE, TILE), args,
                            0, stream);
}

cudaError_t launch_mlp_up(float *h, const float *x, const float *a, int rows, int n, int m,
                          cudaStream_t stream)
{
    return launch_product((const void *)mlp_up, h, x, a, rows, n, m, stream);
}

cudaError_t launch_mlp_down(float *p, const float *h, const float *b, int rows, int m, int n,
                            cudaStream_t stream)
{
    return launch_product((const void *)mlp_down, p, h, b, rows, m, n, stream);
}

cudaError_t launch_sum_parts(float *y, const float *x, const float *parts, size_t pitch,
                             int n_parts, int count, cudaStream_t stream)
{
    if (!y || !x || !parts || n_parts <= 0 || count <= 0)
        return cudaErrorInvalidValue;
    const unsigned threads = 256, blocks = ((unsigned)count + threads - 1) / threads;
    void *args[] = {&y, &x, &parts, &pitch, &n_parts, &count};
    return cudaLaunchKernel((const void *)sum_parts, dim3(blocks), dim3(threads), args, 0, stream);
}

const void *kernel_mlp_up(void)
{
    return (const void *)mlp_up;
}

const void *kernel_mlp_down(void)
{
    return (const void *)mlp_down;
}

const void *kernel_sum_parts(void)
{
    return (const void *)sum_parts;
}

/* ---- declared footprints --------------------------------------------------------------------- */

/* Of `n` rows or columns, how many do so many blocks reach? */
static size_t reached(unsigned blocks, int n)
{
    const size_t most = (size_t)blocks * TILE;
    return most < (size_t)n ? most : (size_t)n;
}

/* A tile that is not full takes as long as a full one. */
static void product_footprint(struct simgpu_work *work, const struct simgpu_launch *launch,
                              float *c, const float *a, const float *b, int rows, int inner,
                              int columns)
{
    const double multiply_adds =
        (double)launch->grid.y * launch->grid.x * tiles_of(inner) * TILE * TILE * TILE;
    const size_t some_rows = reached(launch->grid.y, rows),
                 some_columns = reached(launch->grid.x, columns);
    simgpu_touch(work, SIMGPU_READ, a, some_rows * inner);
    simgpu_touch_rows(work, SIMGPU_READ, b, some_columns, (size_t)inner, (size_t)columns);
    simgpu_touch_rows(work, SIMGPU_WRITE, c, some_columns, some_rows, (size_t)columns);
    work->flops = 2 * multiply_adds;
    work->shared_bytes = 2 * sizeof(float) * multiply_adds;
}

FOOTPRINT mlp_up_footprint(struct simgpu_work *work, const struct simgpu_launch *launch, float *h,
                           const float *x, const float *a, int rows, int n, int m)
{
    product_footprint(work, launch, h, x, a, rows, n, m);
}

FOOTPRINT mlp_down_footprint(struct simgpu_work *work, const struct simgpu_launch *launch, float *p,
                             const float *h, const float *b, int rows, int m, int n)
{
    product_footprint(work, launch, p, h, b, rows, m, n);
}

FOOTPRINT sum_parts_footprint(struct simgpu_work *work, const struct simgpu_launch *launch,
                              float *y, const float *x, const float *parts, size_t pitch,
                              int n_parts, int count)
{
    const size_t some = simgpu_reached(work, launch, count);
    simgpu_touch(work, SIMGPU_READ, x, some);
    simgpu_touch_rows(work, SIMGPU_READ, parts, some, (size_t)n_parts, pitch);
    simgpu_touch(work, SIMGPU_WRITE, y, some);
    work->flops = (double)n_parts * some;
}

DECLARE_KERNEL(mlp_up, mlp_up_footprint, 32, 2 * TILE * TILE * sizeof(float));
DECLARE_KERNEL(mlp_down, mlp_down_footprint, 32, 2 * TILE * TILE * sizeof(float));
DECLARE_KERNEL(sum_parts, sum_parts_footprint, 24);
#endif
