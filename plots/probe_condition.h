/* probe_condition.h: the kernels of probe_condition.c. */
#pragma once

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif
/* ++*count, and the value of `h` is 0 every most-th time, else 1. */
cudaError_t launch_round(int *count, int most, cudaGraphConditionalHandle h, cudaStream_t stream);
/* The value of `h` is `value`. */
cudaError_t launch_set(cudaGraphConditionalHandle h, unsigned value, cudaStream_t stream);
#ifdef __cplusplus
}
#endif
