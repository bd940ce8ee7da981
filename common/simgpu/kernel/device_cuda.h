/* device_cuda.h: CUDA's syntax as simcc writes it: the words that it looks for after the
 * preprocessor, and the code in their place. Included by kernel.h only, for simcc. */
#ifndef SIMGPU_DEVICE_CUDA_H
#define SIMGPU_DEVICE_CUDA_H

#include <cstdio>
#include <cstdlib>
#include <type_traits>

#include "declare_kernel.h"
#include "device_thread.h"

/* ---- words that simcc rewrites --------------------------------------------------------------- */

#undef __global__
#define __global__ simgpu_global
#undef __device__
#define __device__ simgpu_device
#undef __constant__
#define __constant__ simgpu_variable
#undef __managed__
#define __managed__ simgpu_variable
#undef __shared__
#define __shared__ simgpu_shared
#undef __launch_bounds__
#define __launch_bounds__(...) simgpu_launch_bounds(__VA_ARGS__)

/* What the compiler may assume, it does not compute. */
#define __builtin_assume(condition) static_cast<void>(sizeof(!(condition)))
#define __assume(condition) __builtin_assume(condition)

/* ---- <<<>>> ---------------------------------------------------------------------------------- */

extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0,
                                                struct CUstream_st *stream = nullptr);
extern "C" cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes,
                                                  void *stream);
extern "C" [[noreturn]] void simgpu_not_launched(const char *kernel);

/* What the kernel's variables in shared memory take, whichever is initialized first: one of them or
 * the kernel's registration. */
template <auto Body> struct simgpu_static_shared {
    static inline size_t bytes;
    static inline struct simgpu_kernel *kernel;

    static size_t add(size_t more)
    {
        bytes += more;
        if (kernel)
            kernel->static_shared_bytes = bytes;
        return more;
    }
};

template <auto Body, int Which, size_t Bytes> struct simgpu_shared_variable {
    static inline const size_t added = simgpu_static_shared<Body>::add(Bytes);
};

/* So many operations are done. The compiler does not see that memory changes: this is not recorded,
 * and the program's own loads and stores stay as few as they were. Only kernels that are recorded
 * are counted. */
SIMGPU_ALWAYS_INLINE void simgpu_count([[maybe_unused]] int operations)
{
#ifdef __SANITIZE_THREAD__
    uint64_t *count = &simgpu_thread.operations;
#ifdef __x86_64__
    __asm__ volatile("addq %1, (%0)" : : "r"(count), "er"(static_cast<long>(operations)) : "cc");
#else
    *count += static_cast<uint64_t>(operations);
#endif
#endif
}

/* Per-grid streams of dynamic parallelism. */
#ifndef cudaStreamTailLaunch
#define cudaStreamTailLaunch (reinterpret_cast<cudaStream_t>(3))
#define cudaStreamFireAndForget (reinterpret_cast<cudaStream_t>(4))
#endif

/* A parameter's type as it counts in the type of its function: without const and __restrict__. g++
   leaves the latter there if the type depends on a template's. */
template <typename T> struct simgpu_unqualified {
    using type = T;
};
template <typename T> struct simgpu_unqualified<T *__restrict__> {
    using type = T *;
};
template <typename T>
using simgpu_parameter = typename simgpu_unqualified<std::remove_cv_t<T>>::type;

/* The first argument of __launch_bounds__; none: the kernel has no bound. */
template <typename... More> constexpr int simgpu_max_threads(int threads = 0, More...)
{
    return threads;
}

/* simcc compiles a source twice, with records of its accesses and without, and makes this table:
 * the first is the `run` of a kernel with records. common/simcc/second_build.awk has its name. */
struct simgpu_two_builds {
    void (*recorded)(void *const *params), (*plain)(void *const *params);
};
extern "C" __attribute__((weak, visibility("hidden")))
const struct simgpu_two_builds __start_simgpu_plain[],
    __stop_simgpu_plain[];

inline void (*simgpu_plain_of(void (*recorded)(void *const *params)))(void *const *params)
{
    for (const struct simgpu_two_builds *b = __start_simgpu_plain; b != __stop_simgpu_plain; b++)
        if (b->recorded == recorded)
            return b->plain;
    return nullptr;
}

#ifdef __SANITIZE_THREAD__
#define SIMGPU_RUN SIMGPU_NOT_RECORDED
#else /* the kernel's body goes into the loop, so that a thread costs no call */
#define SIMGPU_RUN __attribute__((flatten))
#endif

/* The kernel whose function for the host is Entry, known to the device from program start. */
template <typename This, auto Entry, auto Body> struct simgpu_global_function {
    SIMGPU_RUN static void run(void *const *params)
    {
        unsigned x = threadIdx.x;
        do {
            do {
                simgpu_clock_begin();
                simgpu_callable<Body>::call(params);
                simgpu_clock_end();
            } while (simgpu_next_in_row(&x));
        } while (simgpu_next_row(&x));
    }

    struct registration {
        registration()
        {
            using callable = simgpu_callable<Body>;
            struct simgpu_kernel &kernel = simgpu_description<Entry>;
            kernel.entry = reinterpret_cast<const void *>(Entry);
            kernel.name = This::name();
            kernel.n_params = callable::n_params;
            kernel.param_bytes = callable::param_bytes;
            kernel.call = callable::call;
            kernel.run = run;
            kernel.run_plain = simgpu_plain_of(run);
            kernel.launches_graphs = This::launches_graphs();
            kernel.max_threads = This::max_threads();
            kernel.static_shared_bytes = simgpu_static_shared<Body>::bytes;
            simgpu_static_shared<Body>::kernel = &kernel;
#ifdef __SANITIZE_THREAD__
            kernel.reports_accesses = 1;
#endif
            simgpu_register_kernel(&kernel);
        }
    };
    static inline const registration registered;
};

/* Where a launch finds the argument for a parameter of type P. */
template <typename P> struct simgpu_argument {
    P &object;

    void *at() const
    {
        return const_cast<void *>(static_cast<const volatile void *>(__builtin_addressof(object)));
    }
};
template <typename P> struct simgpu_argument<P &> {
    P &object;
    const volatile void *address = __builtin_addressof(object);

    void *at() const
    {
        return const_cast<const volatile void **>(&address);
    }
};

/* The function for the host: launches the kernel as <<<>>> has configured it. */
template <typename This, auto Entry, auto Body, typename... P>
inline void simgpu_enter(const simgpu_argument<P> &...argument)
{
    void *arguments[] = {argument.at()..., nullptr};
    static_cast<void>(&simgpu_global_function<This, Entry, Body>::registered);
    dim3 grid, block;
    size_t shared_bytes;
    cudaStream_t stream;
    if (__cudaPopCallConfiguration(&grid, &block, &shared_bytes, &stream) != cudaSuccess)
        simgpu_not_launched(This::name());
    static_cast<void>(cudaLaunchKernel(reinterpret_cast<const void *>(Entry), grid, block,
                                       arguments, shared_bytes, stream));
}

/* ---- the C library's memory functions, as the record wants them ----------------------------- */

#ifdef __SANITIZE_THREAD__
extern "C" void *memcpy(void *, const void *, size_t) noexcept __asm__("simgpu_memcpy");
extern "C" void *memmove(void *, const void *, size_t) noexcept __asm__("simgpu_memmove");
extern "C" void *memset(void *, int, size_t) noexcept __asm__("simgpu_memset");
#endif

/* ---- extern __shared__ ----------------------------------------------------------------------- */

template <typename T> using simgpu_dynamic_pointer = T *;

struct simgpu_dynamic {
    template <typename T> operator T *() const
    {
        return static_cast<T *>(simgpu_thread.dynamic_shared);
    }
};

/* Declared outside of a function. */
template <typename T> struct simgpu_dynamic_shared {
    operator T *() const
    {
        return static_cast<T *>(simgpu_thread.dynamic_shared);
    }
};

/* ---- clocks and inline PTX ------------------------------------------------------------------- */

inline clock_t simgpu_clock()
{
    return static_cast<clock_t>(clock64());
}

inline unsigned simgpu_sm_count()
{
    return 132;
}

inline unsigned simgpu_sm()
{
    return blockIdx.x % simgpu_sm_count();
}

__attribute__((error(
    "the simulated device does not know one of these PTX instructions, or a word of it"))) void
simgpu_inline_ptx();

/* ---- from here on, the program sees the compiler that it was written for --------------------- */

#define __CUDACC__
#define __NVCC__
#define __CUDACC_VER_MAJOR__ (CUDART_VERSION / 1000)
#define __CUDACC_VER_MINOR__ (CUDART_VERSION % 1000 / 10)
#define __CUDACC_VER_BUILD__ 0

#endif
