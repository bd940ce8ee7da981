/* device_launch_kernels.h: kernels that launch graphs, and kernels that note the time. */
#pragma once

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Notes the device's clock, in ns, in *slot. */
cudaError_t launch_note(unsigned long long *slot, cudaStream_t stream);

/* Notes the clock, then launches `exec`: fire and forget, or as the tail of the graph it is in. */
cudaError_t launch_fire(unsigned long long *slot, cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t launch_tail(unsigned long long *slot, cudaGraphExec_t exec, cudaStream_t stream);

/* *left = n. */
cudaError_t launch_rounds(int *left, int n, cudaStream_t stream);
/* Counts *left down, and launches the graph it is in again until nothing is left. */
cudaError_t launch_again(int *left, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
