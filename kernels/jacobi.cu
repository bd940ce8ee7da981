/* jacobi.cu: the sweep of lab 10. The equation on an n x n grid, with x = 0 all around it, is
 *
 *     (4 + shift) x - (left + right + above + below) = b
 *
 * and a sweep solves it for each x with the current values of its neighbors. Each sweep multiplies
 * the error by at most 4 / (4 + shift), so a small shift needs many sweeps. */
#include "kernels.h"

/* ---- CPU reference --------------------------------------------------------------------------- */

void reference_jacobi(double *out, const double *in, const float *b, float shift, int n)
{
    for (int y = 0; y < n; y++) {
        for (int x = 0; x < n; x++) {
            size_t i = (size_t)y * n + x;
            double sum = b[i];
            sum += (x > 0 ? in[i - 1] : 0) + (x < n - 1 ? in[i + 1] : 0);
            sum += (y > 0 ? in[i - n] : 0) + (y < n - 1 ? in[i + n] : 0);
            out[i] = sum / (4.0 + shift);
        }
    }
}

#ifndef REFERENCE_ONLY
#include "simgpu/kernel.h"

/* ---- kernels --------------------------------------------------------------------------------- */

enum { WIDTH = 32, HEIGHT = 8 };

template <typename T>
__device__ __forceinline__ void sweep_one(T *__restrict__ out, const T *__restrict__ in,
                                          const float *__restrict__ b, T scale, int n)
{
    const int x = blockIdx.x * WIDTH + threadIdx.x, y = blockIdx.y * HEIGHT + threadIdx.y;
    if (x >= n || y >= n)
        return;
    const size_t i = (size_t)y * n + x;
    T sum = b[i];
    sum += (x > 0 ? in[i - 1] : 0) + (x < n - 1 ? in[i + 1] : 0);
    sum += (y > 0 ? in[i - n] : 0) + (y < n - 1 ? in[i + n] : 0);
    out[i] = sum * scale;
}

static __global__ void jacobi(float *__restrict__ out, const float *__restrict__ in,
                              const float *__restrict__ b, float scale, int n)
{
    sweep_one(out, in, b, scale, n);
}

static __global__ void jacobi_double(double *__restrict__ out, const double *__restrict__ in,
                                     const float *__restrict__ b, double scale, int n)
{
    sweep_one(out, in, b, scale, n);
}

/* ---- launchers ------------------------------------------------------------------------------- */

static dim3 blocks_for(int n)
{
    return dim3(((unsigned)n + WIDTH - 1) / WIDTH, ((unsigned)n + HEIGHT - 1) / HEIGHT);
}

cudaError_t launch_jacobi(float *out, const float *in, const float *b, float shift, int n,
                          cudaStream_t stream)
{
    if (!out || !in || !b || !(shift > 0) || n <= 0)
        return cudaErrorInvalidValue;
    float scale = (float)(1.0 / (4.0 + shift));
    void *args[] = {&out, &in, &b, &scale, &n};
    return cudaLaunchKernel((const void *)jacobi, blocks_for(n), dim3(WIDTH, HEIGHT), args, 0,
                            stream);
}

cudaError_t launch_jacobi_double(double *out, const double *in, const float *b, float shift, int n,
                                 cudaStream_t stream)
{
    if (!out || !in || !b || !(shift > 0) || n <= 0)
        return cudaErrorInvalidValue;
    double scale = 1.0 / (4.0 + shift);
    void *args[] = {&out, &in, &b, &scale, &n};
    return cudaLaunchKernel((const void *)jacobi_double, blocks_for(n), dim3(WIDTH, HEIGHT), args,
                            0, stream);
}

/* ---- declared footprints --------------------------------------------------------------------- */

template <typename T>
static inline void touch(struct simgpu_work *work, const T *out, const T *in, const float *b, int n)
{
    size_t count = (size_t)n * n;
    simgpu_touch(work, SIMGPU_READ, in, count);
    simgpu_touch(work, SIMGPU_READ, b, count);
    simgpu_touch(work, SIMGPU_WRITE, out, count);
    work->flops = 5.0 * (double)count;
}

FOOTPRINT jacobi_footprint(struct simgpu_work *work, const struct simgpu_launch *, float *out,
                           const float *in, const float *b, float, int n)
{
    touch(work, out, in, b, n);
}

FOOTPRINT jacobi_double_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                                  double *out, const double *in, const float *b, double, int n)
{
    touch(work, out, in, b, n);
}

DECLARE_KERNEL(jacobi, jacobi_footprint, 24);
DECLARE_KERNEL(jacobi_double, jacobi_double_footprint, 28);
#endif
