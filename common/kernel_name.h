/* kernel_name.h: the names of kernels in reports and traces. */
#ifndef KERNEL_NAME_H
#define KERNEL_NAME_H

#include <stddef.h>

/* The last identifier of a kernel's symbol: _Z6matmulPfi, _ZL6matmulPfi, _ZN3lab6matmulEPf and
   matmul are all matmul. */
void kernel_name(const char *symbol, char *name, size_t room);

#endif
