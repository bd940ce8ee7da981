/* device_graph.h: CUDA's device side for g++, part five: what device code may do to the graph it is
 * a node of. Included by kernel.h only. */
#ifndef SIMGPU_DEVICE_GRAPH_H
#define SIMGPU_DEVICE_GRAPH_H

#include "../simgpu.h"
#include "thread.h"

/* Streams that a kernel may launch an executable graph into, with cudaGraphLaunch. */
#define cudaStreamGraphTailLaunch (reinterpret_cast<cudaStream_t>(0x0100000000000000))
#define cudaStreamGraphFireAndForget (reinterpret_cast<cudaStream_t>(0x0200000000000000))
#define cudaStreamGraphFireAndForgetAsSibling (reinterpret_cast<cudaStream_t>(0x0300000000000000))

/* The executable graph that the kernel is a node of, if it was instantiated for device launch. */
inline cudaGraphExec_t cudaGetCurrentGraphExec()
{
    return static_cast<cudaGraphExec_t>(simgpu_current_graph());
}

/* Waits until the kernels that this one started beside are complete, and their writes visible. */
inline void cudaGridDependencySynchronize()
{
    simgpu_wait_for_dependencies();
}

/* Once all blocks have called it, or ended, kernels with a programmatic dependency may start. */
inline void cudaTriggerProgrammaticLaunchCompletion()
{
    simgpu_launch_dependents();
}

/* The value that the conditional node of this handle finds, once the kernel is done. */
inline void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned value)
{
    simgpu_set_condition(handle, value);
}

#endif
