/* dynamic_parallelism_kernels.cu: a kernel that launches a graph. */
#include "dynamic_parallelism_kernels.h"
#include "simgpu/kernel.h"

static __global__ void graph_launcher(cudaGraphExec_t exec)
{
    cudaGraphLaunch(exec, cudaStreamGraphFireAndForget);
}

cudaError_t launch_graph_launcher(cudaGraphExec_t exec, cudaStream_t stream)
{
    void *args[] = {&exec};
    return cudaLaunchKernel((const void *)graph_launcher, dim3(1), dim3(1), args, 0, stream);
}

FOOTPRINT graph_launcher_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                                   cudaGraphExec_t)
{
    work->launches_graphs = 1;
}

DECLARE_KERNEL(graph_launcher, graph_launcher_footprint, 32);
