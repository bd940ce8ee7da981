/* cooperative_kernels.h: the kernel of cooperative.c. */
#ifndef COOPERATIVE_KERNELS_H
#define COOPERATIVE_KERNELS_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The most blocks of it that fit on the device at once. */
int cooperative_blocks(void);

/* x[i] = i, and when all blocks have written: x[0] = x[n - 1]. */
cudaError_t launch_in_two_phases(int *x, int n, int blocks, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
