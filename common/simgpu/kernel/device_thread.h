/* device_thread.h: CUDA's device side for g++, part one: who a thread is, shared memory, barriers,
 * clocks, the end. Included by kernel.h only. */
#ifndef SIMGPU_DEVICE_THREAD_H
#define SIMGPU_DEVICE_THREAD_H

#include "thread.h"

/* A function that one expression gives. */
#define SIMGPU_INLINE(type, name, parameters, ...)                                                 \
    inline type name parameters                                                                    \
    {                                                                                              \
        return __VA_ARGS__;                                                                        \
    }

/* ---- what nvcc's keywords mean here (host_defines.h has made the other ones empty) ----------- */

#undef __shared__
/* Blocks of one host thread run one after the other, so one copy a host thread is one a block. */
#define __shared__ static thread_local __attribute__((tls_model("initial-exec")))
#define __launch_bounds__(...)
#undef __grid_constant__
#define __grid_constant__
#undef __cluster_dims__
#define __cluster_dims__(...)

#define DYNAMIC_SHARED(type, name)                                                                 \
    type *const name = static_cast<type *>(simgpu_thread.dynamic_shared)

/* ---- who and where --------------------------------------------------------------------------- */

/* threadIdx, blockIdx, blockDim and gridDim are variables of thread.h. */
static constexpr int warpSize = 32;

/* ---- barriers and fences --------------------------------------------------------------------- */

inline void __syncthreads()
{
    simgpu_sync_threads(0);
}

SIMGPU_INLINE(int, __syncthreads_count, (int predicate),
              static_cast<int>(simgpu_sync_threads(predicate)))
SIMGPU_INLINE(int, __syncthreads_and, (int predicate), __syncthreads_count(!predicate) == 0)
SIMGPU_INLINE(int, __syncthreads_or, (int predicate), __syncthreads_count(predicate) != 0)

inline void __threadfence_block()
{
    __atomic_thread_fence(__ATOMIC_ACQ_REL);
}

inline void __threadfence()
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

inline void __threadfence_system()
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* ---- clocks ---------------------------------------------------------------------------------- */

/* A grid's clock begins with its virtual start; each reading is a little later than the last. */
SIMGPU_NOT_RECORDED inline unsigned long long device_time_ns()
{
    return simgpu_thread.now_ns += SIMGPU_CLOCK_STEP_NS;
}

SIMGPU_NOT_RECORDED inline long long int clock64()
{
    unsigned long long ns = device_time_ns(), khz = simgpu_thread.clock_khz;
    return static_cast<long long int>(ns / 1000000 * khz + ns % 1000000 * khz / 1000000);
}

inline void __nanosleep(unsigned ns)
{
    simgpu_sleep_ns(ns);
}

/* ---- the end --------------------------------------------------------------------------------- */

inline void __trap()
{
    simgpu_trap();
}

/* What the C library's assert calls, whenever assert.h is included. */
#define __assert_fail simgpu_assert_failed

/* ---- loads and stores with a cache hint ------------------------------------------------------ */

#define SIMGPU_LOAD(name)                                                                          \
    template <typename T> inline T name(const T *p)                                                \
    {                                                                                              \
        return *p;                                                                                 \
    }
/* The value is converted to what the address is of. */
#define SIMGPU_STORE(name)                                                                         \
    template <typename T, typename V> inline void name(T *p, V value)                              \
    {                                                                                              \
        *p = value;                                                                                \
    }

SIMGPU_LOAD(__ldg)
SIMGPU_LOAD(__ldcg)
SIMGPU_LOAD(__ldca)
SIMGPU_LOAD(__ldcs)
SIMGPU_LOAD(__ldlu)
SIMGPU_LOAD(__ldcv)
SIMGPU_STORE(__stcg)
SIMGPU_STORE(__stcs)
SIMGPU_STORE(__stwb)
SIMGPU_STORE(__stwt)
#undef SIMGPU_STORE
#undef SIMGPU_LOAD

#endif
