#include "bench_loops.h"

void loop_saxpy(int n, float a, const float *x, float *y)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] = a * x[i] + y[i];
}

void loop_matmul(int n, const float *a, const float *b, float *c)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
}

static void one_tile(int n, int row, int column, const float *a, const float *b, float *c)
{
    float tile_a[TILE][TILE], tile_b[TILE][TILE], sum[TILE][TILE] = {{0}};
    for (int k = 0; k < n; k += TILE) {
        for (int i = 0; i < TILE; i++)
            for (int j = 0; j < TILE; j++) {
                tile_a[i][j] = a[(row + i) * n + k + j];
                tile_b[i][j] = b[(k + i) * n + column + j];
            }
        for (int i = 0; i < TILE; i++)
            for (int j = 0; j < TILE; j++)
                for (int m = 0; m < TILE; m++)
                    sum[i][j] += tile_a[i][m] * tile_b[m][j];
    }
    for (int i = 0; i < TILE; i++)
        for (int j = 0; j < TILE; j++)
            c[(row + i) * n + column + j] = sum[i][j];
}

void loop_matmul_tiled(int n, const float *a, const float *b, float *c)
{
#pragma omp parallel for
    for (int row = 0; row < n; row += TILE)
        for (int column = 0; column < n; column += TILE)
            one_tile(n, row, column, a, b, c);
}

float loop_sum(int n, const float *x)
{
    float sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

void loop_histogram(int n, const unsigned char *x, unsigned *bins)
{
#pragma omp parallel for reduction(+ : bins[:BINS])
    for (int i = 0; i < n; i++)
        bins[x[i]]++;
}

void loop_stencil(int n, const float *from, float *to)
{
#pragma omp parallel for
    for (int y = 1; y < n - 1; y++)
        for (int x = 1; x < n - 1; x++)
            to[y * n + x] = 0.25f * (from[y * n + x - 1] + from[y * n + x + 1] +
                                     from[(y - 1) * n + x] + from[(y + 1) * n + x]);
}
