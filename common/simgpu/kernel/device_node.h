/* device_node.h: CUDA's device side for g++, part six: changing kernel nodes of graphs from device
 * code (cudaLaunchAttributeDeviceUpdatableKernelNode). Included by kernel.h only. */
#ifndef SIMGPU_DEVICE_NODE_H
#define SIMGPU_DEVICE_NODE_H

#include "../simgpu.h"

/* Each takes effect when the calling kernel ends, for every run of the node from then on. */
inline cudaError_t cudaGraphKernelNodeUpdatesApply(const cudaGraphKernelNodeUpdate *updates,
                                                   size_t count)
{
    return static_cast<cudaError_t>(simgpu_update_nodes(updates, count));
}

inline cudaError_t cudaGraphKernelNodeSetParam(cudaGraphDeviceNode_t node, size_t offset,
                                               const void *value, size_t bytes)
{
    cudaGraphKernelNodeUpdate update = {node, cudaGraphKernelNodeFieldParam, {dim3(1, 1, 1)}};
    update.updateData.param.pValue = value;
    update.updateData.param.offset = offset;
    update.updateData.param.size = bytes;
    return cudaGraphKernelNodeUpdatesApply(&update, 1);
}

template <typename T>
inline cudaError_t cudaGraphKernelNodeSetParam(cudaGraphDeviceNode_t node, size_t offset,
                                               const T &value)
{
    return cudaGraphKernelNodeSetParam(node, offset, &value, sizeof value);
}

inline cudaError_t cudaGraphKernelNodeSetEnabled(cudaGraphDeviceNode_t node, bool enable)
{
    cudaGraphKernelNodeUpdate update = {node, cudaGraphKernelNodeFieldEnabled, {dim3(1, 1, 1)}};
    update.updateData.isEnabled = enable;
    return cudaGraphKernelNodeUpdatesApply(&update, 1);
}

inline cudaError_t cudaGraphKernelNodeSetGridDim(cudaGraphDeviceNode_t node, dim3 grid)
{
    cudaGraphKernelNodeUpdate update = {node, cudaGraphKernelNodeFieldGridDim, {grid}};
    return cudaGraphKernelNodeUpdatesApply(&update, 1);
}

#endif
