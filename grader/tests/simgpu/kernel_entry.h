/* kernel_entry.h: kernels that C code launches by their entry. */
#pragma once

/* A function without parameters that returns the kernel's entry. */
#define KERNEL_ENTRY(function, kernel)                                                             \
    const void *function(void)                                                                     \
    {                                                                                              \
        return reinterpret_cast<const void *>(kernel);                                             \
    }
