/* log_kernels.cu: the kernels of log_kernels.h. */
#include "log_kernels.h"
#include "common/simgpu/kernel.h"
#include "grader/tests/simgpu/kernel_entry.h"

/* ---- kernels --------------------------------------------------------------------------------- */

static __device__ void write(int *log, int letter)
{
    if (letter && log[0] < DEVICE_LOG_INTS - 1)
        log[++log[0]] = letter;
}

static __global__ void log_one(int *log, int letter)
{
    write(log, letter);
}

static __global__ void countdown(int *log, int letter, cudaGraphConditionalHandle h, int *runs,
                                 int most)
{
    write(log, letter);
    cudaGraphSetConditional(h, ++*runs % most != 0);
}

static __global__ void turn(cudaGraphConditionalHandle h, int *runs, int modulo)
{
    cudaGraphSetConditional(h, (unsigned)((*runs)++ % modulo));
}

static __global__ void add_blocks(int *sum, int add)
{
    atomicAdd(sum, add);
}

static __global__ void enable_node(cudaGraphDeviceNode_t node, int enable, int *errors)
{
    errors[0] = cudaGraphKernelNodeSetEnabled(node, enable != 0);
}

static __global__ void grid_node(cudaGraphDeviceNode_t node, unsigned x, unsigned y, unsigned z,
                                 int *errors)
{
    errors[0] = cudaGraphKernelNodeSetGridDim(node, dim3(x, y, z));
}

static __global__ void param_node(cudaGraphDeviceNode_t node, size_t offset, const int *value,
                                  size_t bytes, int *errors)
{
    errors[0] = cudaGraphKernelNodeSetParam(node, offset, value, bytes);
}

static __global__ void apply_node(cudaGraphDeviceNode_t node, int field, unsigned x, int *errors)
{
    cudaGraphKernelNodeUpdate update = {
        node, (enum cudaGraphKernelNodeField)field, {dim3(x, 1, 1)}};
    if (field == cudaGraphKernelNodeFieldParam) {
        update.updateData.param.pValue = &x;
        update.updateData.param.offset = 8;
        update.updateData.param.size = sizeof x;
    } else if (field == cudaGraphKernelNodeFieldEnabled) {
        update.updateData.isEnabled = x;
    }
    errors[0] = cudaGraphKernelNodeUpdatesApply(&update, 1);
}

static __global__ void apply_two(cudaGraphDeviceNode_t a, cudaGraphDeviceNode_t b, int count,
                                 int *errors)
{
    int value = 77;
    cudaGraphKernelNodeUpdate updates[2] = {{a, cudaGraphKernelNodeFieldParam, {dim3(1, 1, 1)}},
                                            {b, cudaGraphKernelNodeFieldEnabled, {dim3(1, 1, 1)}}};
    updates[0].updateData.param.pValue = &value;
    updates[0].updateData.param.offset = 8;
    updates[0].updateData.param.size = sizeof value;
    updates[1].updateData.isEnabled = 0;
    errors[0] = count < 0 ? cudaGraphKernelNodeUpdatesApply(nullptr, 2)
                          : cudaGraphKernelNodeUpdatesApply(updates, (size_t)count);
}

/* ---- their entries --------------------------------------------------------------------------- */

KERNEL_ENTRY(situation_log, log_one)
KERNEL_ENTRY(situation_countdown, countdown)
KERNEL_ENTRY(situation_turn, turn)
KERNEL_ENTRY(situation_blocks, add_blocks)
KERNEL_ENTRY(situation_enable_node, enable_node)
KERNEL_ENTRY(situation_grid_node, grid_node)
KERNEL_ENTRY(situation_param_node, param_node)
KERNEL_ENTRY(situation_apply_node, apply_node)
KERNEL_ENTRY(situation_apply_two, apply_two)

/* ---- declared footprints --------------------------------------------------------------------- */

FOOTPRINT log_footprint(struct simgpu_work *work, const struct simgpu_launch *, int *log, int)
{
    simgpu_touch(work, SIMGPU_READ_WRITE, log, DEVICE_LOG_INTS);
}

FOOTPRINT countdown_footprint(struct simgpu_work *work, const struct simgpu_launch *, int *log, int,
                              cudaGraphConditionalHandle, int *runs, int)
{
    simgpu_touch(work, SIMGPU_READ_WRITE, log, DEVICE_LOG_INTS);
    simgpu_touch(work, SIMGPU_READ_WRITE, runs, 1);
}

FOOTPRINT turn_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                         cudaGraphConditionalHandle, int *runs, int)
{
    simgpu_touch(work, SIMGPU_READ_WRITE, runs, 1);
}

FOOTPRINT blocks_footprint(struct simgpu_work *work, const struct simgpu_launch *, int *sum, int)
{
    simgpu_touch(work, SIMGPU_READ_WRITE, sum, 1);
}

FOOTPRINT enable_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                           cudaGraphDeviceNode_t, int, int *errors)
{
    simgpu_touch(work, SIMGPU_READ_WRITE, errors, 1);
}

FOOTPRINT grid_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                         cudaGraphDeviceNode_t, unsigned, unsigned, unsigned, int *errors)
{
    simgpu_touch(work, SIMGPU_READ_WRITE, errors, 1);
}

FOOTPRINT param_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                          cudaGraphDeviceNode_t, size_t, const int *value, size_t, int *errors)
{
    if (value)
        simgpu_touch(work, SIMGPU_READ, value, 2);
    simgpu_touch(work, SIMGPU_READ_WRITE, errors, 1);
}

FOOTPRINT apply_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                          cudaGraphDeviceNode_t, int, unsigned, int *errors)
{
    simgpu_touch(work, SIMGPU_READ_WRITE, errors, 1);
}

FOOTPRINT apply_two_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                              cudaGraphDeviceNode_t, cudaGraphDeviceNode_t, int, int *errors)
{
    simgpu_touch(work, SIMGPU_READ_WRITE, errors, 1);
}

DECLARE_KERNEL(log_one, log_footprint, 10);
DECLARE_KERNEL(countdown, countdown_footprint, 12);
DECLARE_KERNEL(turn, turn_footprint, 12);
DECLARE_KERNEL(add_blocks, blocks_footprint, 10);
DECLARE_KERNEL(enable_node, enable_footprint, 10);
DECLARE_KERNEL(grid_node, grid_footprint, 10);
DECLARE_KERNEL(param_node, param_footprint, 10);
DECLARE_KERNEL(apply_node, apply_footprint, 16);
DECLARE_KERNEL(apply_two, apply_two_footprint, 16);
