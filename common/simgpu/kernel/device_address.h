/* device_address.h: CUDA's address space predicates and conversions. Included by kernel.h only.
 *
 * Memory of __constant__ variables is global memory here, as all device memory is. */
#ifndef SIMGPU_DEVICE_ADDRESS_H
#define SIMGPU_DEVICE_ADDRESS_H

#include "thread.h"

inline unsigned __isGlobal(const void *p)
{
    return simgpu_space_of(p) == SIMGPU_SPACE_GLOBAL;
}

inline unsigned __isShared(const void *p)
{
    return simgpu_space_of(p) == SIMGPU_SPACE_SHARED;
}

inline unsigned __isLocal(const void *p)
{
    return simgpu_space_of(p) == SIMGPU_SPACE_LOCAL;
}

inline unsigned __isConstant(const void *)
{
    return 0;
}

inline size_t __cvta_generic_to_shared(const void *p)
{
    return simgpu_shared_from_generic(p);
}

inline void *__cvta_shared_to_generic(size_t at)
{
    return simgpu_generic_from_shared(at);
}

/* Memory that has no addresses of its own. */
#define SIMGPU_SAME_ADDRESS(space)                                                                 \
    inline size_t __cvta_generic_to_##space(const void *p)                                         \
    {                                                                                              \
        return reinterpret_cast<size_t>(p);                                                        \
    }                                                                                              \
    inline void *__cvta_##space##_to_generic(size_t at)                                            \
    {                                                                                              \
        return reinterpret_cast<void *>(at);                                                       \
    }

SIMGPU_SAME_ADDRESS(global)
SIMGPU_SAME_ADDRESS(local)
SIMGPU_SAME_ADDRESS(constant)
SIMGPU_SAME_ADDRESS(grid_constant)
#undef SIMGPU_SAME_ADDRESS

#endif
