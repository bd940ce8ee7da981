/* launch_kernels.h: kernels of test_device_launch.c, which declare what they touch. */
#pragma once

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { MOST_LAUNCHED = 4 };

/* In device memory: what launch_orders launches, in turn; then its own graph as a tail while
 * `again`. */
struct launch_orders {
    int n, again;
    cudaGraphExec_t execs[MOST_LAUNCHED];
    cudaStream_t streams[MOST_LAUNCHED];
    cudaError_t answers[MOST_LAUNCHED];
};

const void *launch_orders_kernel(void); /* (struct launch_orders *) */
/* (struct launch_orders *, int *to): to[0] = 1, then the same, then to[1] = 2 */
const void *launch_between_kernel(void);
const void *store_kernel(void); /* (int *to, int value): *to = value */
const void *next_kernel(void);  /* (int *to, const int *from): *to = *from + 1 */

#ifdef __cplusplus
}
#endif
