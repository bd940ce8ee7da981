/*
 * Lab 10, device code: the three kernels that decide what runs next. See lab.h and README.md.
 */
#include <cuda_runtime.h>

#include "lab.h"

/* ---- kernels --------------------------------------------------------------------------------- */

/* All three have one thread. The values they set take effect when the kernel is complete. */

static __global__ void plan(struct lab10_control *control, float tolerance,
                            cudaGraphConditionalHandle variant)
{
#ifdef SOLUTION
    const bool fine = tolerance < LAB10_FLOAT_LIMIT * control->largest;
    control->precision = fine ? LAB10_DOUBLE : LAB10_FLOAT;
    cudaGraphSetConditional(variant, control->precision);
#else
    /* YOUR STEP 1: choose the precision; set it in the control block and as the value. */
    (void)control;
    (void)tolerance;
    (void)variant;
#endif
}

static __global__ void step(struct lab10_control *control, float tolerance, int max_iterations,
                            cudaGraphConditionalHandle check, cudaGraphConditionalHandle loop)
{
#ifdef SOLUTION
    cudaGraphSetConditional(check, control->probe <= tolerance);
    control->probe = 0;
    if (++control->iterations >= max_iterations)
        cudaGraphSetConditional(loop, 0);
#else
    /* YOUR STEP 2: is a check needed? Reset the probe. Count. Was this the last iteration? */
    (void)control;
    (void)tolerance;
    (void)max_iterations;
    (void)check;
    (void)loop;
#endif
}

static __global__ void decide(struct lab10_control *control, float tolerance,
                              cudaGraphConditionalHandle loop)
{
#ifdef SOLUTION
    control->checks++;
    if (control->change <= tolerance)
        cudaGraphSetConditional(loop, 0); /* never to 1: step may have ended the loop */
#else
    /* YOUR STEP 3: count. Is the change small enough to end the loop? */
    (void)control;
    (void)tolerance;
    (void)loop;
#endif
}

/* ---- launchers ------------------------------------------------------------------------------- */

cudaError_t lab10_launch_plan(struct lab10_control *control, float tolerance,
                              cudaGraphConditionalHandle variant, cudaStream_t stream)
{
    void *args[] = {&control, &tolerance, &variant};
    return cudaLaunchKernel((const void *)plan, dim3(1), dim3(1), args, 0, stream);
}

cudaError_t lab10_launch_step(struct lab10_control *control, float tolerance, int max_iterations,
                              cudaGraphConditionalHandle check, cudaGraphConditionalHandle loop,
                              cudaStream_t stream)
{
    void *args[] = {&control, &tolerance, &max_iterations, &check, &loop};
    return cudaLaunchKernel((const void *)step, dim3(1), dim3(1), args, 0, stream);
}

cudaError_t lab10_launch_decide(struct lab10_control *control, float tolerance,
                                cudaGraphConditionalHandle loop, cudaStream_t stream)
{
    void *args[] = {&control, &tolerance, &loop};
    return cudaLaunchKernel((const void *)decide, dim3(1), dim3(1), args, 0, stream);
}
