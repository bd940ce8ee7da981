/* kernels_wait_kernels.h: a kernel that waits for a flag, and one that sets it. */
#ifndef KERNELS_WAIT_KERNELS_H
#define KERNELS_WAIT_KERNELS_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Waits until *flag is not 0, for at most some tens of milliseconds, and stores it in *found. */
cudaError_t launch_wait(const int *flag, int *found, cudaStream_t stream);
cudaError_t launch_set(int *flag, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
