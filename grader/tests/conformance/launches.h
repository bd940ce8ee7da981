/* launches.h: kernel launches that situations are made of. */
#pragma once

#include <cuda_runtime_api.h>

/* *p = value, in one thread. */
cudaError_t launch_store(cudaStream_t s, int *p, int value);
/* The parameters of a kernel node of one thread. */
struct cudaKernelNodeParams kernel_params(const void *func, void **args);
/* A kernel of one thread. */
cudaError_t launch_one(const void *func, void **args, cudaStream_t s);
/* An address that is no kernel's. */
const void *not_a_kernel(void);
dim3 dim(unsigned x, unsigned y, unsigned z);
/* A kernel of this grid, block and dynamic shared memory, in stream 0. */
cudaError_t launch_shape(dim3 grid, dim3 block, size_t shared);
/* A kernel with one attribute whose value is an int. */
cudaError_t launch_with_attribute(cudaStream_t s, cudaLaunchAttributeID id, int value);
