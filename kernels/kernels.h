/* kernels.h: all kernels of the labs, as ordinary C functions.
 *
 * A launcher enqueues one kernel in a stream and returns the result of cudaLaunchKernel; it never
 * waits. A NULL pointer, or a size that is not positive, is cudaErrorInvalidValue. Pointers are
 * device memory; outputs must not overlap inputs. A reference computes the same on the CPU, in host
 * memory and in double precision. */
#ifndef KERNELS_H
#define KERNELS_H

#include <cuda_runtime_api.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* matmul.cu: c = a x b, n x n floats, row major, n a multiple of 32. In tiles of 32 x 32. */
cudaError_t launch_matmul(float *c, const float *a, const float *b, int n, cudaStream_t stream);
void reference_matmul(double *c, const float *a, const float *b, int n);

/* dense.cu: y = x w, x and y rows x n floats, w n x n, row major, n a multiple of 32. The reference
 * keeps activations in double precision, from one layer to the next. */
cudaError_t launch_dense(float *y, const float *x, const float *w, int rows, int n,
                         cudaStream_t stream);
void reference_dense(double *y, const double *x, const float *w, int rows, int n);

/* mlp.cu: launch_mlp_up: h = max(0, x a), x rows x n floats, a n x m, h rows x m, row major.
 * launch_mlp_down: p = h b, b m x n, p rows x n. launch_sum_parts: y[i] = x[i] + parts[i] +
 * parts[pitch + i] + parts[2 pitch + i] + ..., n_parts of them in this order, count floats; y may
 * be x. References as above. */
cudaError_t launch_mlp_up(float *h, const float *x, const float *a, int rows, int n, int m,
                          cudaStream_t stream);
cudaError_t launch_mlp_down(float *p, const float *h, const float *b, int rows, int m, int n,
                            cudaStream_t stream);
cudaError_t launch_sum_parts(float *y, const float *x, const float *parts, size_t pitch,
                             int n_parts, int count, cudaStream_t stream);
void reference_mlp_up(double *h, const double *x, const float *a, int rows, int n, int m);
void reference_mlp_down(double *p, const double *h, const float *b, int rows, int m, int n);

/* saxpy.cu: y[i] = alpha * x[i] + y[i], n floats. */
cudaError_t launch_saxpy(float *y, const float *x, float alpha, int n, cudaStream_t stream);
void reference_saxpy(double *y, const float *x, float alpha, int n);

/* produce.cu: out[i] = the logistic map x -> 2.8 x (1 - x) applied `steps` >= 0 times to in[i], n
 * floats in (0, 1). The work grows with steps. */
cudaError_t launch_produce(float *out, const float *in, int steps, int n, cudaStream_t stream);
void reference_produce(double *out, const float *in, int steps, int n);

/* consume.cu: out[i] = (in[i-1] + 2 in[i] + in[i+1]) / 4, n floats; the first and the last are
 * copied. */
cudaError_t launch_consume(float *out, const float *in, int n, cudaStream_t stream);
void reference_consume(double *out, const float *in, int n);

/* The kernels of some launchers, for kernel nodes. A kernel has the parameters of its launcher, in
 * the same order, without the stream. A thread computes one element: a grid needs n threads or
 * more. The launchers use blocks of 256. */
const void *kernel_saxpy(void);
const void *kernel_produce(void);
const void *kernel_consume(void);
const void *kernel_sum_parts(void);

/* The same for two kernels whose blocks of 32 x 32 threads compute one tile of the result each. */
const void *kernel_mlp_up(void);
const void *kernel_mlp_down(void);

/* The major compute capability for which the kernels that run here were compiled; 0 without a
 * device. It can be less than the device's own: a driver compiles PTX for newer devices, and the
 * PTX has only what its own capability has. All kernels of a program are compiled alike. */
int kernel_capability(void);

/* jacobi.cu: out = (b + the four neighbors in `in`) / (4 + shift), n x n elements, 0 outside of
 * the grid, shift > 0: one Jacobi sweep. In float, or with x in double. */
cudaError_t launch_jacobi(float *out, const float *in, const float *b, float shift, int n,
                          cudaStream_t stream);
cudaError_t launch_jacobi_double(double *out, const double *in, const float *b, float shift, int n,
                                 cudaStream_t stream);
void reference_jacobi(double *out, const double *in, const float *b, float shift, int n);

/* largest.cu: launch_largest: *result = the largest of *result and all |a[i]|. launch_change: the
 * largest of *result and all |a[i] - b[i]|. *result must not be negative; set it to 0 first.
 * launch_widen: out[i] = in[i]. */
cudaError_t launch_largest(float *result, const float *a, int count, cudaStream_t stream);
cudaError_t launch_change(float *result, const float *a, const float *b, int count,
                          cudaStream_t stream);
cudaError_t launch_change_double(float *result, const double *a, const double *b, int count,
                                 cudaStream_t stream);
cudaError_t launch_widen(double *out, const float *in, int count, cudaStream_t stream);
double reference_largest(const float *a, int count);
double reference_change(const double *a, const double *b, int count);

/* read.cu: *sum ^= all `count` words, a multiple of 4: the time it takes to read memory once. */
cudaError_t launch_read(unsigned *sum, const unsigned *words, size_t count, cudaStream_t stream);
unsigned reference_read(const unsigned *words, size_t count);

/* delay.cu: one block that runs for `us` microseconds, up to a minute, and uses no memory. */
cudaError_t launch_delay(float us, cudaStream_t stream);

/* empty.cu: a grid of `blocks` blocks of 32 threads that do nothing. */
cudaError_t launch_empty(int blocks, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
