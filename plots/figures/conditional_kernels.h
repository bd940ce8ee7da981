/* conditional_kernels.h: a count on the device, and the kernel that says when it has come to an
 * end. */
#pragma once

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* *left = n. */
cudaError_t launch_begin(int *left, int n, cudaStream_t stream);
/* *left goes down by one. */
cudaError_t launch_step(int *left, cudaStream_t stream);
/* The same, and the condition becomes whether anything is left; to be captured into a body. */
cudaError_t launch_step_while(int *left, cudaGraphConditionalHandle condition, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
