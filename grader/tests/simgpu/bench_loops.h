/* bench_loops.h: the kernels of bench_kernels.cu as loops in C, on all cores. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

enum { TILE = 16, BINS = 256 };

void loop_saxpy(int n, float a, const float *x, float *y);
/* c = a * b, of n x n elements: row by row; in tiles of TILE x TILE. */
void loop_matmul(int n, const float *a, const float *b, float *c);
void loop_matmul_tiled(int n, const float *a, const float *b, float *c);
float loop_sum(int n, const float *x);
void loop_histogram(int n, const unsigned char *x, unsigned *bins);
/* One step of Jacobi's method for the inner points of n x n. */
void loop_stencil(int n, const float *from, float *to);

#ifdef __cplusplus
}
#endif
