/*
 * Wrong: plan looks at the tolerance alone, not at how large b is.
 */
#include "simgpu/kernel.h"

#include "lab.h"

/* ---- kernels --------------------------------------------------------------------------------- */

/* All three have one thread. What they set takes effect when they are done. */

static __global__ void plan(struct lab10_control *control, float tolerance,
                            cudaGraphConditionalHandle variant)
{
    const bool fine = tolerance < LAB10_FLOAT_LIMIT;
    control->precision = fine ? LAB10_DOUBLE : LAB10_FLOAT;
    cudaGraphSetConditional(variant, control->precision);
}

static __global__ void step(struct lab10_control *control, float tolerance, int max_rounds,
                            cudaGraphConditionalHandle check, cudaGraphConditionalHandle loop)
{
    cudaGraphSetConditional(check, control->probe <= tolerance);
    control->probe = 0;
    if (++control->rounds >= max_rounds)
        cudaGraphSetConditional(loop, 0);
}

static __global__ void decide(struct lab10_control *control, float tolerance,
                              cudaGraphConditionalHandle loop)
{
    control->checks++;
    if (control->change <= tolerance)
        cudaGraphSetConditional(loop, 0); /* never to 1: step may have said that it is over */
}

/* ---- launchers ------------------------------------------------------------------------------- */

cudaError_t lab10_launch_plan(struct lab10_control *control, float tolerance,
                              cudaGraphConditionalHandle variant, cudaStream_t stream)
{
    void *args[] = {&control, &tolerance, &variant};
    return cudaLaunchKernel((const void *)plan, dim3(1), dim3(1), args, 0, stream);
}

cudaError_t lab10_launch_step(struct lab10_control *control, float tolerance, int max_rounds,
                              cudaGraphConditionalHandle check, cudaGraphConditionalHandle loop,
                              cudaStream_t stream)
{
    void *args[] = {&control, &tolerance, &max_rounds, &check, &loop};
    return cudaLaunchKernel((const void *)step, dim3(1), dim3(1), args, 0, stream);
}

cudaError_t lab10_launch_decide(struct lab10_control *control, float tolerance,
                                cudaGraphConditionalHandle loop, cudaStream_t stream)
{
    void *args[] = {&control, &tolerance, &loop};
    return cudaLaunchKernel((const void *)decide, dim3(1), dim3(1), args, 0, stream);
}

/* ---- what they touch: for the simulated device ----------------------------------------------- */

FOOTPRINT plan_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                         struct lab10_control *control, float, cudaGraphConditionalHandle)
{
    simgpu_touch(work, SIMGPU_READ_WRITE, control, 1);
}

FOOTPRINT step_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                         struct lab10_control *control, float, int, cudaGraphConditionalHandle,
                         cudaGraphConditionalHandle)
{
    simgpu_touch(work, SIMGPU_READ_WRITE, control, 1);
}

FOOTPRINT decide_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                           struct lab10_control *control, float, cudaGraphConditionalHandle)
{
    simgpu_touch(work, SIMGPU_READ_WRITE, control, 1);
}

DECLARE_KERNEL(plan, plan_footprint, 8);
DECLARE_KERNEL(step, step_footprint, 8);
DECLARE_KERNEL(decide, decide_footprint, 8);
