/* interpose.h: for functions of the runtime that the subject program defines, too. The submission
 * calls those, and they call the runtime's own. */
#pragma once

#include <cuda_runtime_api.h>
#include <dlfcn.h>

/* The name of the function as it is linked: CUDA 12 has some as macros (common/cuda12.h). */
#define LINKED_NAME(name) LINKED_NAME_(name)
#define LINKED_NAME_(name) #name

/* Declares `real`, the runtime's own function. Without one, the caller returns
 * cudaErrorNotSupported. The file needs _GNU_SOURCE. */
#define FIND_REAL(name)                                                                            \
    static __typeof__(&name) real;                                                                 \
    if (!real)                                                                                     \
        *(void **)&real = dlsym(RTLD_NEXT, LINKED_NAME(name));                                     \
    if (!real)                                                                                     \
    return cudaErrorNotSupported
