/*
 * situations_kernels.h: the kernels that situations launch.
 */
#ifndef SITUATIONS_KERNELS_H
#define SITUATIONS_KERNELS_H

#ifdef __cplusplus
extern "C" {
#endif

/* The entry of store_value(int *to, int value): *to = value. */
const void *situation_store(void);

/* The entry of reverse_shared(int *to): *to = the number of the last thread; 4 KiB of static shared
 * memory. */
const void *situation_shared(void);

#ifdef __cplusplus
}
#endif
#endif
