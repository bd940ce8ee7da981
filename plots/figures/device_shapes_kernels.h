/* device_shapes_kernels.h: the kernel that device_shapes.c measures with. It notes when it ran, and
 * launches what its order says. */
#pragma once

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The streams of device code, for C. */
#define MODE_TAIL ((cudaStream_t)0x0100000000000000)
#define MODE_FIRE ((cudaStream_t)0x0200000000000000)
#define MODE_SIBLING ((cudaStream_t)0x0300000000000000)

enum { MOST_ORDERS = 64 };

/* In device memory: when a kernel began and ended, by the device's clock. */
struct ran {
    unsigned long long start_ns, end_ns;
};

/* In device memory: what it launches. */
struct order {
    int n;
    int refused; /* of them, so far */
    int again;   /* it launches its own graph as a tail, so often */
    cudaStream_t mode;
    cudaGraphExec_t execs[MOST_ORDERS];
};

/* The entry of ordered(struct ran *mine, struct order *order); order may be NULL. */
const void *ordered_kernel(void);

#ifdef __cplusplus
}
#endif
