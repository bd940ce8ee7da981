/* device_atomic.h: CUDA's device side for g++, part three: atomics. Blocks may run on several
 * cores, so these are the CPU's own. Each returns what was there before. Included by kernel.h only.
 */
#ifndef SIMGPU_DEVICE_ATOMIC_H
#define SIMGPU_DEVICE_ATOMIC_H

#include <type_traits>

#include "thread.h"

#ifdef __SANITIZE_THREAD__
extern "C" void simgpu_record_atomic(const void *p, size_t bytes);
#else
#define simgpu_record_atomic(p, bytes)
#endif

/* Replaces *p by next(*p) in one step. It counts as one access, however often it tries. */
template <typename T, typename Next> SIMGPU_NOT_RECORDED inline T simgpu_atomic(T *p, Next next)
{
    T before, after;
    simgpu_record_atomic(p, sizeof *p);
    if (simgpu_is_shared(p)) {
        before = *p;
        *p = next(before);
        return before;
    }
    __atomic_load(p, &before, __ATOMIC_RELAXED);
    const int order = __ATOMIC_RELAXED;
    do
        after = next(before);
    while (!__atomic_compare_exchange(p, &before, &after, true, order, order));
    return before;
}

/* Integers have an instruction for these, which shared memory can do without; instrument.c has the
 * same for code that is recorded. The types are CUDA's: other ones do not compile. */
#ifdef __SANITIZE_THREAD__
#define SIMGPU_ATOMIC_SHARED(type, result)
#else
#define SIMGPU_ATOMIC_SHARED(type, result)                                                         \
    if (simgpu_is_shared(p)) {                                                                     \
        using bits = std::make_unsigned_t<type>;                                                   \
        const bits before = static_cast<bits>(*p), with = static_cast<bits>(value);                \
        *p = static_cast<type>(result);                                                            \
        return static_cast<type>(before);                                                          \
    }
#endif
#define SIMGPU_ATOMIC_INTEGER(name, builtin, result, type)                                         \
    inline type name(type *p, type value)                                                          \
    {                                                                                              \
        SIMGPU_ATOMIC_SHARED(type, result)                                                         \
        return builtin(p, value, __ATOMIC_RELAXED);                                                \
    }
#define SIMGPU_ATOMIC_INTEGERS(name, builtin, result)                                              \
    SIMGPU_ATOMIC_INTEGER(name, builtin, result, int)                                              \
    SIMGPU_ATOMIC_INTEGER(name, builtin, result, unsigned)                                         \
    SIMGPU_ATOMIC_INTEGER(name, builtin, result, unsigned long long)

SIMGPU_ATOMIC_INTEGERS(atomicAdd, __atomic_fetch_add, before + with)
SIMGPU_ATOMIC_INTEGER(atomicSub, __atomic_fetch_sub, before - with, int)
SIMGPU_ATOMIC_INTEGER(atomicSub, __atomic_fetch_sub, before - with, unsigned)
SIMGPU_ATOMIC_INTEGERS(atomicAnd, __atomic_fetch_and, before &with)
SIMGPU_ATOMIC_INTEGERS(atomicOr, __atomic_fetch_or, before | with)
SIMGPU_ATOMIC_INTEGERS(atomicXor, __atomic_fetch_xor, before ^ with)
SIMGPU_ATOMIC_INTEGERS(atomicExch, __atomic_exchange_n, with)

#define SIMGPU_ATOMIC_ANY(name, type, result)                                                      \
    inline type name(type *p, type value)                                                          \
    {                                                                                              \
        return simgpu_atomic(p, [value](type before) -> type { return result; });                  \
    }

SIMGPU_ATOMIC_ANY(atomicAdd, float, before + value)
SIMGPU_ATOMIC_ANY(atomicAdd, double, before + value)
SIMGPU_ATOMIC_ANY(atomicExch, float, (static_cast<void>(before), value))
SIMGPU_ATOMIC_ANY(atomicMin, int, before < value ? before : value)
SIMGPU_ATOMIC_ANY(atomicMin, unsigned, before < value ? before : value)
SIMGPU_ATOMIC_ANY(atomicMin, long long, before < value ? before : value)
SIMGPU_ATOMIC_ANY(atomicMin, unsigned long long, before < value ? before : value)
SIMGPU_ATOMIC_ANY(atomicMax, int, before > value ? before : value)
SIMGPU_ATOMIC_ANY(atomicMax, unsigned, before > value ? before : value)
SIMGPU_ATOMIC_ANY(atomicMax, long long, before > value ? before : value)
SIMGPU_ATOMIC_ANY(atomicMax, unsigned long long, before > value ? before : value)
SIMGPU_ATOMIC_ANY(atomicInc, unsigned, before >= value ? 0 : before + 1)
SIMGPU_ATOMIC_ANY(atomicDec, unsigned, before == 0 || before > value ? value : before - 1)

#define SIMGPU_ATOMIC_CAS(type)                                                                    \
    inline type atomicCAS(type *p, type expected, type value)                                      \
    {                                                                                              \
        __atomic_compare_exchange_n(p, &expected, value, false, __ATOMIC_RELAXED,                  \
                                    __ATOMIC_RELAXED);                                             \
        return expected;                                                                           \
    }

SIMGPU_ATOMIC_CAS(int)
SIMGPU_ATOMIC_CAS(unsigned)
SIMGPU_ATOMIC_CAS(unsigned long long)
SIMGPU_ATOMIC_CAS(unsigned short)

/* Of vectors each component is added by itself, as on a GPU. */
inline float2 atomicAdd(float2 *p, float2 value)
{
    return {atomicAdd(&p->x, value.x), atomicAdd(&p->y, value.y)};
}

inline float4 atomicAdd(float4 *p, float4 value)
{
    return {atomicAdd(&p->x, value.x), atomicAdd(&p->y, value.y), atomicAdd(&p->z, value.z),
            atomicAdd(&p->w, value.w)};
}

#undef SIMGPU_ATOMIC_SHARED
#undef SIMGPU_ATOMIC_INTEGER
#undef SIMGPU_ATOMIC_INTEGERS
#undef SIMGPU_ATOMIC_ANY
#undef SIMGPU_ATOMIC_CAS

/* Scopes make no difference here. */
#define atomicAdd_block atomicAdd
#define atomicAdd_system atomicAdd
#define atomicSub_block atomicSub
#define atomicSub_system atomicSub
#define atomicExch_block atomicExch
#define atomicExch_system atomicExch
#define atomicMin_block atomicMin
#define atomicMin_system atomicMin
#define atomicMax_block atomicMax
#define atomicMax_system atomicMax
#define atomicInc_block atomicInc
#define atomicInc_system atomicInc
#define atomicDec_block atomicDec
#define atomicDec_system atomicDec
#define atomicCAS_block atomicCAS
#define atomicCAS_system atomicCAS
#define atomicAnd_block atomicAnd
#define atomicAnd_system atomicAnd
#define atomicOr_block atomicOr
#define atomicOr_system atomicOr
#define atomicXor_block atomicXor
#define atomicXor_system atomicXor

#endif
