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
    /* YOUR STEP 1: choose the precision; set it in the control block and as the value. */
    (void)control;
    (void)tolerance;
    (void)variant;
}

static __global__ void step(struct lab10_control *control, float tolerance, int max_iterations,
                            cudaGraphConditionalHandle check, cudaGraphConditionalHandle loop)
{
    /* YOUR STEP 2: is a check needed? Reset the probe. Count. Was this the last iteration? */
    (void)control;
    (void)tolerance;
    (void)max_iterations;
    (void)check;
    (void)loop;
}

static __global__ void decide(struct lab10_control *control, float tolerance,
                              cudaGraphConditionalHandle loop)
{
    /* YOUR STEP 3: count. Is the change small enough to end the loop? */
    (void)control;
    (void)tolerance;
    (void)loop;
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
