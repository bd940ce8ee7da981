/* exec_kernels.h: the kernels that test_exec.c runs, by name. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* The address that cudaLaunchKernel would be given; NULL where there is no such kernel. */
const void *test_kernel(const char *name);

/* The symbol of three __constant__ floats, which the kernel weigh reads. */
const void *test_variable(void);

#ifdef __cplusplus
}
#endif
