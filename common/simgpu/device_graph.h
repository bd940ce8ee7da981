/*
 * device_graph.h: CUDA's device side for g++, part five: what device code may do to the graph it is a
 * node of. Included by kernel.h only.
 */
#ifndef SIMGPU_DEVICE_GRAPH_H
#define SIMGPU_DEVICE_GRAPH_H

#include "simgpu.h"

/* The value that the conditional node of this handle finds, once the kernel is done. */
inline void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned value)
{
    simgpu_set_condition(handle, value);
}

#endif
