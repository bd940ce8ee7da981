/* dynamic_parallelism_kernels.h: the kernels of dynamic_parallelism.c. */
#ifndef DYNAMIC_PARALLELISM_KERNELS_H
#define DYNAMIC_PARALLELISM_KERNELS_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Enqueues a kernel that launches `exec` fire-and-forget. The kernel has to be part of a graph. */
cudaError_t launch_graph_launcher(cudaGraphExec_t exec, cudaStream_t stream);

/* Enqueues a kernel that launches a second kernel, which adds 1 to *runs. */
cudaError_t launch_parent(int *runs, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
