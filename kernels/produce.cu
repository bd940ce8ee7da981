/* produce.cu: the producer of lab 02. Applies the logistic map x -> r x (1 - x) to each element,
 * `steps` times. So `steps` sets the time of a launch, and its memory traffic stays the same.
 *
 * With r = 2.8 every start in (0, 1) converges to the fixed point 1 - 1/r, and each step multiplies
 * an error by 0.8. So single and double precision agree to about 1e-6 for any number of steps.
 * (From r = 3.57 on the map is chaotic, and the two would soon differ completely.) */
#include "kernels.h"

/* ---- CPU reference --------------------------------------------------------------------------- */

/* Elements processed together: independent chains of steps keep the CPU busy. */
enum { TOGETHER = 16 };

static double next_of(double x)
{
    return (double)2.8f * x * (1.0 - x);
}

/* Two steps at a time, because most chains end between two neighboring numbers: each is the other's
 * next. From there on, two steps change nothing. */
void reference_produce(double *out, const float *in, int steps, int n)
{
    for (int first = 0; first < n; first += TOGETHER) {
        double x[TOGETHER];
        int count = n - first < TOGETHER ? n - first : TOGETHER;
        bool moves = true;
        for (int i = 0; i < count; i++)
            x[i] = steps % 2 ? next_of(in[first + i]) : in[first + i];
        for (int s = steps % 2; s < steps && moves; s += 2) {
            moves = false;
            for (int i = 0; i < count; i++) {
                double next = next_of(next_of(x[i]));
                moves |= next != x[i];
                x[i] = next;
            }
        }
        for (int i = 0; i < count; i++)
            out[first + i] = x[i];
    }
}

#ifndef REFERENCE_ONLY
#include "simgpu/kernel.h"

/* ---- kernel ---------------------------------------------------------------------------------- */

/* On a GPU the steps are what takes the time. The simulated device has the time from the footprint,
   and ends where steps only repeat. */
#ifdef __CUDACC__
enum { ENDS_AT_REST = false };
#else
enum { ENDS_AT_REST = true };
#endif

static __global__ void produce(float *__restrict__ out, const float *__restrict__ in, int steps,
                               int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = in[i], before = x;
    for (int s = 0; s < steps; s++) {
        const float next = 2.8f * x * (1.0f - x);
        if (ENDS_AT_REST && next == before) { /* two values in turn, or one */
            x = (steps - s) % 2 ? next : x;
            break;
        }
        before = x;
        x = next;
    }
    out[i] = x;
}

/* ---- launcher -------------------------------------------------------------------------------- */

cudaError_t launch_produce(float *out, const float *in, int steps, int n, cudaStream_t stream)
{
    if (!out || !in || steps < 0 || n <= 0)
        return cudaErrorInvalidValue;
    const unsigned threads = 256, blocks = ((unsigned)n + threads - 1) / threads;
    void *args[] = {&out, &in, &steps, &n};
    return cudaLaunchKernel((const void *)produce, dim3(blocks), dim3(threads), args, 0, stream);
}

const void *kernel_produce(void)
{
    return (const void *)produce;
}

int kernel_capability(void)
{
    static int major;
    struct cudaFuncAttributes attributes;
    if (major == 0 && cudaFuncGetAttributes(&attributes, (const void *)produce) == cudaSuccess)
        major = attributes.ptxVersion / 10;
    return major;
}

/* ---- declared footprint ---------------------------------------------------------------------- */

FOOTPRINT produce_footprint(struct simgpu_work *work, const struct simgpu_launch *launch,
                            float *out, const float *in, int steps, int n)
{
    const size_t reached = simgpu_reached(work, launch, n);
    simgpu_touch(work, SIMGPU_READ, in, reached);
    simgpu_touch(work, SIMGPU_WRITE, out, reached);
    work->flops = 3.0 * steps * reached;
}

DECLARE_KERNEL(produce, produce_footprint, 16);
#endif
