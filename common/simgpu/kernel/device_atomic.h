/*
 * device_atomic.h: CUDA's device side for g++, part three: atomics. Blocks may run on several
 * cores, so these are the CPU's own. Each returns what was there before. Included by kernel.h only.
 */
#ifndef SIMGPU_DEVICE_ATOMIC_H
#define SIMGPU_DEVICE_ATOMIC_H

#ifdef __SANITIZE_THREAD__
extern "C" void simgpu_record_atomic(const void *p, size_t bytes);
#else
#define simgpu_record_atomic(p, bytes)
#endif

/* Replaces *p by next(what is there) in one step: one access, however often it tries. */
template <typename T, typename Next> SIMGPU_NOT_RECORDED inline T simgpu_atomic(T *p, Next next)
{
    T before, after;
    simgpu_record_atomic(p, sizeof *p);
    __atomic_load(p, &before, __ATOMIC_RELAXED);
    const int order = __ATOMIC_RELAXED;
    do
        after = next(before);
    while (!__atomic_compare_exchange(p, &before, &after, true, order, order));
    return before;
}

/* Integers have an instruction for these. The types are CUDA's: other ones do not compile. */
#define SIMGPU_ATOMIC_INTEGER(name, builtin, type)                                                 \
    inline type name(type *p, type value)                                                          \
    {                                                                                              \
        return builtin(p, value, __ATOMIC_RELAXED);                                                \
    }

SIMGPU_ATOMIC_INTEGER(atomicAdd, __atomic_fetch_add, int)
SIMGPU_ATOMIC_INTEGER(atomicAdd, __atomic_fetch_add, unsigned)
SIMGPU_ATOMIC_INTEGER(atomicAdd, __atomic_fetch_add, unsigned long long)
SIMGPU_ATOMIC_INTEGER(atomicSub, __atomic_fetch_sub, int)
SIMGPU_ATOMIC_INTEGER(atomicSub, __atomic_fetch_sub, unsigned)
SIMGPU_ATOMIC_INTEGER(atomicAnd, __atomic_fetch_and, int)
SIMGPU_ATOMIC_INTEGER(atomicAnd, __atomic_fetch_and, unsigned)
SIMGPU_ATOMIC_INTEGER(atomicAnd, __atomic_fetch_and, unsigned long long)
SIMGPU_ATOMIC_INTEGER(atomicOr, __atomic_fetch_or, int)
SIMGPU_ATOMIC_INTEGER(atomicOr, __atomic_fetch_or, unsigned)
SIMGPU_ATOMIC_INTEGER(atomicOr, __atomic_fetch_or, unsigned long long)
SIMGPU_ATOMIC_INTEGER(atomicXor, __atomic_fetch_xor, int)
SIMGPU_ATOMIC_INTEGER(atomicXor, __atomic_fetch_xor, unsigned)
SIMGPU_ATOMIC_INTEGER(atomicXor, __atomic_fetch_xor, unsigned long long)
SIMGPU_ATOMIC_INTEGER(atomicExch, __atomic_exchange_n, int)
SIMGPU_ATOMIC_INTEGER(atomicExch, __atomic_exchange_n, unsigned)
SIMGPU_ATOMIC_INTEGER(atomicExch, __atomic_exchange_n, unsigned long long)

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

#undef SIMGPU_ATOMIC_INTEGER
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
