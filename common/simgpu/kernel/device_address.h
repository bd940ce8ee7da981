/* device_address.h: CUDA's address space predicates and conversions. Included by kernel.h only.
 *
 * Memory of __constant__ variables is global memory here, as all device memory is. */
#ifndef SIMGPU_DEVICE_ADDRESS_H
#define SIMGPU_DEVICE_ADDRESS_H

#include "thread.h"

SIMGPU_INLINE(unsigned, __isGlobal, (const void *p), simgpu_space_of(p) == SIMGPU_SPACE_GLOBAL)
SIMGPU_INLINE(unsigned, __isShared, (const void *p), simgpu_space_of(p) == SIMGPU_SPACE_SHARED)
SIMGPU_INLINE(unsigned, __isLocal, (const void *p), simgpu_space_of(p) == SIMGPU_SPACE_LOCAL)
SIMGPU_INLINE(unsigned, __isConstant, (const void *), 0)
SIMGPU_INLINE(size_t, __cvta_generic_to_shared, (const void *p), simgpu_shared_from_generic(p))
SIMGPU_INLINE(void *, __cvta_shared_to_generic, (size_t at), simgpu_generic_from_shared(at))

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
