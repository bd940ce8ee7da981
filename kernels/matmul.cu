/* matmul.cu: the product of two square matrices, tiled in shared memory.
 *
 * The work of labs 01 and 03: at n = 256 the copies limit a batch, at n = 1024 this kernel does.
 * Each block of 32 x 32 threads computes one tile of C. It goes along a row of tiles of A and a
 * column of tiles of B, and loads each tile into shared memory once for all its threads:
 *
 *              B  . . # .
 *                 . . # .        # : tiles that this block loads, one of A and one of B at a time
 *      A          C              @ : the tile that it computes
 *      . . . .    . . . .
 *      # # # #    . . @ . */
#include "kernels.h"

/* ---- CPU reference --------------------------------------------------------------------------- */

/* 32 columns at a time: the sums stay in registers, and the compiler can vectorize. */
void reference_matmul(double *c, const float *a, const float *b, int n)
{
    enum { COLUMNS = 32 };
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j += COLUMNS) {
            double sum[COLUMNS] = {0};
            for (int k = 0; k < n; k++)
                for (int t = 0; t < COLUMNS; t++)
                    sum[t] += (double)a[(size_t)i * n + k] * b[(size_t)k * n + j + t];
            for (int t = 0; t < COLUMNS; t++)
                c[(size_t)i * n + j + t] = sum[t];
        }
    }
}

#ifndef REFERENCE_ONLY
#include "simgpu/kernel.h"

/* ---- kernel ---------------------------------------------------------------------------------- */

enum { TILE = 32 };

static __global__ void __launch_bounds__(TILE *TILE)
    matmul(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b, int n)
{
    __shared__ float tile_a[TILE][TILE];
    __shared__ float tile_b[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    float sum = 0.0f;
    for (int at = 0; at < n; at += TILE) {
        tile_a[y][x] = a[(size_t)row * n + at + x];
        tile_b[y][x] = b[(size_t)(at + y) * n + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += tile_a[y][k] * tile_b[k][x];
        __syncthreads();
    }
    c[(size_t)row * n + column] = sum;
}

/* ---- launcher -------------------------------------------------------------------------------- */

cudaError_t launch_matmul(float *c, const float *a, const float *b, int n, cudaStream_t stream)
{
    if (!c || !a || !b || n <= 0 || n % TILE != 0)
        return cudaErrorInvalidValue;
    unsigned tiles = (unsigned)(n / TILE);
    void *args[] = {&c, &a, &b, &n};
    return cudaLaunchKernel((const void *)matmul, dim3(tiles, tiles), dim3(TILE, TILE), args, 0,
                            stream);
}

/* ---- declared footprint ---------------------------------------------------------------------- */

/* A multiply-add reads two floats from shared memory, whose bandwidth is the limit. */
FOOTPRINT matmul_footprint(struct simgpu_work *work, const struct simgpu_launch *launch, float *c,
                           const float *a, const float *b, int n)
{
    const size_t columns = simgpu_reached(launch, n), reached_rows = (size_t)launch->grid.y * TILE,
                 rows = reached_rows < (size_t)n ? reached_rows : n;
    const double multiply_adds = (double)rows * columns * n;
    simgpu_touch(work, SIMGPU_READ, a, rows * n);
    simgpu_touch_rows(work, SIMGPU_READ, b, columns, n, n);
    simgpu_touch_rows(work, SIMGPU_WRITE, c, columns, rows, n);
    work->flops = 2 * multiply_adds;
    work->shared_bytes = 2 * sizeof(float) * multiply_adds;
}

DECLARE_KERNEL(matmul, matmul_footprint, 32, 2 * TILE * TILE * sizeof(float));
#endif
