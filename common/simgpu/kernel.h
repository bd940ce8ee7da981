/* kernel.h: one source of device code for two compilers. A .cu file includes it at the top; nvcc
 * compiles the file for the GPU, g++ (-x c++ -std=c++17) compiles the same file for the simulated
 * device, whose blocks run on the CPU.
 *
 * For both:
 *
 *  - DECLARE_KERNEL(kernel, footprint), after the kernel: the simulated device may launch it.
 *  - DECLARE_VARIABLE(variable), after a __device__ variable: cudaMemcpyToSymbol finds it.
 *  - DYNAMIC_SHARED(type, name), in a kernel: the shared memory whose size the launch gives.
 *  - device_time_ns(): the device's clock in nanoseconds, in steps of some hundred.
 *
 * For g++ it also has the part of CUDA's device code that the course needs: threadIdx and the like,
 * __shared__, barriers, warp primitives, atomics, intrinsics, printf, assert, cudaGraphLaunch and
 * the other graph functions of device code. The threads of a block take turns on one core. A thread
 * that spins until another thread of its block writes must call __nanosleep in the loop. A thread
 * that spins for another block, for a graph that it launched, or for the host, waits forever.
 *
 * A kernel that calls cudaGridDependencySynchronize or cudaTriggerProgrammaticLaunchCompletion
 * declares that in its footprint (waits_for_grids, triggers), with the accesses before it waits.
 *
 * A kernel that launches graphs declares that in its footprint (work->launches_graphs = 1). Outside
 * of a graph its launch is then refused, as on a GPU.
 *
 * simcc (common/simcc) adds <<<>>>, undeclared kernels, cooperative groups, inline PTX, half
 * precision, textures and more intrinsics. */
#ifndef SIMGPU_KERNEL_H
#define SIMGPU_KERNEL_H

#include <assert.h>
#include <stdio.h>

#ifdef SIMGPU_SIMCC
#include "kernel/cuda_headers.h"
#else
#include <cuda_runtime.h>
#endif

#include "simgpu.h"

/* FOOTPRINT name(struct simgpu_work *, const struct simgpu_launch *, the kernel's parameters) */
#define FOOTPRINT [[maybe_unused]] static void

/* The kernel accesses rows of `count` elements, `pitch` elements apart, from p on. */
template <typename T>
inline void simgpu_touch_rows(struct simgpu_work *work, enum simgpu_access access, const T *p,
                              size_t count, size_t rows, size_t pitch)
{
    struct simgpu_range *r = &work->ranges[work->n_ranges++];
    r->base = p;
    r->width_bytes = count * sizeof(T);
    r->pitch_bytes = pitch * sizeof(T);
    r->rows = rows;
    r->access = access;
}

/* `count` elements from p on. */
template <typename T>
inline void simgpu_touch(struct simgpu_work *work, enum simgpu_access access, const T *p,
                         size_t count)
{
    simgpu_touch_rows(work, access, p, count, 1, count);
}

/* How many of n elements the threads of a grid reach, one element per thread, in x direction. */
inline size_t simgpu_reached(const struct simgpu_launch *launch, int n)
{
    const size_t threads = (size_t)launch->grid.x * launch->block.x;
    return threads < (size_t)n ? threads : (size_t)n;
}

/* The same; blocks that reach none of them end at once. */
inline size_t simgpu_reached(struct simgpu_work *work, const struct simgpu_launch *launch, int n)
{
    if (launch->grid.y == 1 && launch->grid.z == 1)
        work->busy_blocks = ((size_t)n + launch->block.x - 1) / launch->block.x;
    return simgpu_reached(launch, n);
}

#ifdef __CUDACC__

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900 /* no kernel starts early there */
#define cudaGridDependencySynchronize() static_cast<void>(0)
#define cudaTriggerProgrammaticLaunchCompletion() static_cast<void>(0)
#endif

#define DECLARE_KERNEL(...) static_assert(true, "the GPU needs no declaration")
#define DECLARE_VARIABLE(...) static_assert(true, "the GPU needs no declaration")

#define DYNAMIC_SHARED(type, name)                                                                 \
    extern __shared__ __align__(128) unsigned char simgpu_dynamic_shared[];                        \
    type *const name = reinterpret_cast<type *>(simgpu_dynamic_shared)

__device__ __forceinline__ unsigned long long device_time_ns()
{
    unsigned long long ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
}

#else

#include "kernel/device_thread.h"
#include "kernel/device_warp.h"
#include "kernel/device_atomic.h"
#include "kernel/device_math.h"
#include "kernel/device_graph.h"
#include "kernel/device_node.h"
#include "kernel/declare_kernel.h"
#ifdef SIMGPU_SIMCC
#include "kernel/device_address.h"
#include "kernel/device_integers.h"
#include "kernel/device_numbers.h"
#include "kernel/device_parts.h"
#include "kernel/device_ptx.h"
#include "kernel/device_texture.h"
#include "kernel/cuda12_calls.h"
#include "kernel/device_cuda.h"
#endif

#endif
#endif
