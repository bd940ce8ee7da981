/* dynamic_parallelism_kernels.cu: a kernel that launches a graph, and one that launches a kernel.
 */
#include "dynamic_parallelism_kernels.h"

static __global__ void graph_launcher(cudaGraphExec_t exec)
{
    cudaGraphLaunch(exec, cudaStreamGraphFireAndForget);
}

static __global__ void child(int *runs)
{
    *runs += 1;
}

static __global__ void parent(int *runs)
{
    child<<<1, 1>>>(runs);
}

cudaError_t launch_graph_launcher(cudaGraphExec_t exec, cudaStream_t stream)
{
    graph_launcher<<<1, 1, 0, stream>>>(exec);
    return cudaGetLastError();
}

cudaError_t launch_parent(int *runs, cudaStream_t stream)
{
    parent<<<1, 1, 0, stream>>>(runs);
    return cudaGetLastError();
}
