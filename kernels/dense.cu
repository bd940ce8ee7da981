/* dense.cu: one layer: some rows of activations times a square matrix of weights.
 *
 * The work of lab 12. Each block of 32 x 32 threads computes one tile of Y, as in matmul.cu. The
 * last tiles may have fewer rows than threads:
 *
 *              W  . . # .
 *                 . . # .        # : tiles that this block loads, one of X and one of W at a time
 *      X          Y              @ : the tile that it computes
 *      # # # #    . . @ .
 *      - - - -    - - - -        - : a tile of fewer rows */
#include "kernels.h"

/* ---- CPU reference --------------------------------------------------------------------------- */

void reference_dense(double *y, const double *x, const float *w, int rows, int n)
{
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < n; j++)
            y[(size_t)i * n + j] = 0;
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                y[(size_t)i * n + j] += x[(size_t)i * n + k] * w[(size_t)k * n + j];
    }
}

#ifndef REFERENCE_ONLY
#include "simgpu/kernel.h"

/* ---- kernel ---------------------------------------------------------------------------------- */

enum { TILE = 32 };

static __global__ void __launch_bounds__(TILE *TILE)
    dense(float *__restrict__ y, const float *__restrict__ x, const float *__restrict__ w, int rows,
          int n)
{
    __shared__ float tile_x[TILE][TILE];
    __shared__ float tile_w[TILE][TILE];
    const int i = threadIdx.y, j = threadIdx.x;
    const int row = blockIdx.y * TILE + i, column = blockIdx.x * TILE + j;
    float sum = 0.0f;
    for (int at = 0; at < n; at += TILE) {
        tile_x[i][j] = row < rows ? x[(size_t)row * n + at + j] : 0.0f;
        tile_w[i][j] = w[(size_t)(at + i) * n + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += tile_x[i][k] * tile_w[k][j];
        __syncthreads();
    }
    if (row < rows)
        y[(size_t)row * n + column] = sum;
}

/* ---- launcher -------------------------------------------------------------------------------- */

static int tiles_of(int n)
{
    return (n + TILE - 1) / TILE;
}

cudaError_t launch_dense(float *y, const float *x, const float *w, int rows, int n,
                         cudaStream_t stream)
{
    if (!y || !x || !w || rows <= 0 || n <= 0 || n % TILE != 0)
        return cudaErrorInvalidValue;
    dim3 grid((unsigned)tiles_of(n), (unsigned)tiles_of(rows));
    void *args[] = {&y, &x, &w, &rows, &n};
    return cudaLaunchKernel((const void *)dense, grid, dim3(TILE, TILE), args, 0, stream);
}

/* ---- declared footprint ---------------------------------------------------------------------- */

/* As for matmul. A tile with fewer rows takes as long as a full one. */
FOOTPRINT dense_footprint(struct simgpu_work *work, const struct simgpu_launch *, float *y,
                          const float *x, const float *w, int rows, int n)
{
    double multiply_adds = (double)tiles_of(rows) * TILE * n * n;
    simgpu_touch(work, SIMGPU_READ, x, (size_t)rows * n);
    simgpu_touch(work, SIMGPU_READ, w, (size_t)n * n);
    simgpu_touch(work, SIMGPU_WRITE, y, (size_t)rows * n);
    work->flops = 2 * multiply_adds;
    work->shared_bytes = 2 * sizeof(float) * multiply_adds;
}

DECLARE_KERNEL(dense, dense_footprint, 32, 2 * TILE * TILE * sizeof(float));
#endif
