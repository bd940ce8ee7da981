/* address_space.c: which of CUDA's state spaces an address of a device thread is in, and the
 * addresses within shared memory, which have 32 bits as on a GPU.
 *
 * A block's shared memory is in two places: `__shared__` variables are thread-local ones of the
 * program, and the dynamic part has a room of its own. */
#include "worker.h"

/* Where the dynamic part begins in a block's window of shared memory. */
enum { DYNAMIC_WINDOW = 1 << 30 };

static bool is_in(uintptr_t p, uintptr_t first, size_t bytes)
{
    return p - first < bytes;
}

static bool is_dynamic_shared(const struct worker *w, uintptr_t p)
{
    return is_in(p, (uintptr_t)w->dynamic_shared, w->grid->launch->dynamic_shared_bytes);
}

EXPORT enum simgpu_space simgpu_space_of(const void *p)
{
    const struct worker *w = worker_running;
    uintptr_t variables;
    const size_t bytes = recorder_own_variables(&variables);
    if (!w)
        return SIMGPU_SPACE_GLOBAL;
    if (is_dynamic_shared(w, (uintptr_t)p) || is_in((uintptr_t)p, variables, bytes))
        return SIMGPU_SPACE_SHARED;
    return is_in((uintptr_t)p, (uintptr_t)w->current->fiber.stack, FIBER_STACK_BYTES)
               ? SIMGPU_SPACE_LOCAL
               : SIMGPU_SPACE_GLOBAL;
}

EXPORT size_t simgpu_shared_from_generic(const void *p)
{
    const struct worker *w = worker_running;
    uintptr_t variables;
    recorder_own_variables(&variables);
    return w && is_dynamic_shared(w, (uintptr_t)p)
               ? DYNAMIC_WINDOW + (uintptr_t)p - (uintptr_t)w->dynamic_shared
               : (uintptr_t)p - variables;
}

EXPORT void *simgpu_generic_from_shared(size_t at)
{
    uintptr_t variables;
    recorder_own_variables(&variables);
    return at >= DYNAMIC_WINDOW && worker_running
               ? worker_running->dynamic_shared + (at - DYNAMIC_WINDOW)
               : (void *)(variables + at);
}
