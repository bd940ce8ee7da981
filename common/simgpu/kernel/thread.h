/* thread.h: what one device thread knows of itself while the CPU runs it, and what it may ask of
 * the executor.
 *
 * Every host thread that runs blocks has these variables in its thread-local storage. The executor
 * fills them, device code (kernel.h) reads them: threadIdx is a plain load. */
#ifndef SIMGPU_THREAD_H
#define SIMGPU_THREAD_H

#include <stdbool.h>
#include <stdint.h>
#include <vector_types.h>

#ifdef __cplusplus
#define SIMGPU_NORETURN [[noreturn]]
#define SIMGPU_NOEXCEPT noexcept
extern "C" {
#else
#define SIMGPU_NORETURN _Noreturn
#define SIMGPU_NOEXCEPT
#endif

/* In code whose loads and stores are recorded (simcc): functions that are not the program's own are
 * not recorded, and built-in variables are const, because g++ does not report reads of those. */
#ifdef __SANITIZE_THREAD__
#define SIMGPU_NOT_RECORDED __attribute__((no_sanitize_thread))
#define SIMGPU_BUILT_IN const uint3
#else
#define SIMGPU_NOT_RECORDED
#define SIMGPU_BUILT_IN uint3
#endif

/* CUDA's built-in variables. initial-exec: an offset from the thread pointer, no call. */
#define SIMGPU_TLS __attribute__((tls_model("initial-exec")))
extern __thread SIMGPU_BUILT_IN threadIdx SIMGPU_TLS; /* the running thread */
extern __thread SIMGPU_BUILT_IN blockIdx SIMGPU_TLS;  /* its block */
extern __thread SIMGPU_BUILT_IN blockDim SIMGPU_TLS;  /* threads per block */
extern __thread SIMGPU_BUILT_IN gridDim SIMGPU_TLS;   /* blocks */
/* threadIdx, for those who set it */
#ifdef __SANITIZE_THREAD__
extern __thread uint3 simgpu_thread_index __asm__("threadIdx") SIMGPU_TLS;
#else
#define simgpu_thread_index threadIdx
#endif

struct simgpu_thread {
    int has_waiters;      /* a thread of this block has waited: the executor starts the others */
    void *dynamic_shared; /* the launch's dynamic shared memory, aligned to 128 bytes */
    size_t dynamic_bytes;
    uintptr_t variables; /* the program's thread-local variables, which its __shared__ ones are */
    size_t variables_bytes;
    uint64_t now_ns;     /* the device's clock in this block; or of this thread (own clocks) */
    uint64_t block_ns;   /* own clocks: at which its threads start */
    uint64_t latest_ns;  /* own clocks: of all threads so far */
    unsigned clock_khz;  /* ticks of clock64 in a millisecond */
    uint64_t operations; /* of arithmetic, of all threads so far, as simcc has counted them */
};

extern __thread struct simgpu_thread simgpu_thread SIMGPU_TLS;

/* Inlined in its caller, whether the caller is recorded or not. */
#define SIMGPU_ALWAYS_INLINE static inline __attribute__((always_inline))

/* Is it in the shared memory of the running block? No other host thread accesses that. */
SIMGPU_ALWAYS_INLINE bool simgpu_is_shared(const volatile void *p)
{
    return (uintptr_t)p - simgpu_thread.variables < simgpu_thread.variables_bytes ||
           (uintptr_t)p - (uintptr_t)simgpu_thread.dynamic_shared < simgpu_thread.dynamic_bytes;
}

/* Each reading moves the clock on by so much, so that a loop that waits for a later time ends. A
 * prime: a loop that waits for a round time ends a little later than that, as on a GPU, and not
 * exactly then. */
enum { SIMGPU_CLOCK_STEP_NS = 251 };

/* What lanes of a warp do when they meet. The value each takes away: */
enum simgpu_warp_op {
    SIMGPU_WARP_SYNC,    /* nothing */
    SIMGPU_WARP_SHUFFLE, /* the value of lane `source`; all ones if that lane takes no part */
    SIMGPU_WARP_BALLOT,  /* a mask of the lanes whose value is not 0 */
    SIMGPU_WARP_MATCH,   /* a mask of the lanes whose value is the same as its own */
    SIMGPU_WARP_ADD,     /* sums and the like of 32-bit values */
    SIMGPU_WARP_MIN,
    SIMGPU_WARP_MAX,
    SIMGPU_WARP_MIN_SIGNED,
    SIMGPU_WARP_MAX_SIGNED,
    SIMGPU_WARP_AND,
    SIMGPU_WARP_OR,
    SIMGPU_WARP_XOR,
    SIMGPU_WARP_ACTIVE, /* a mask of the lanes that came before all others were stopped elsewhere */
    SIMGPU_WARP_STEP    /* nothing; the same lanes */
};

/* Waits for the lanes of `mask` that have not ended, then gives this lane its value. */
uint64_t simgpu_warp_meet(unsigned op, unsigned mask, uint64_t value, unsigned source);

/* __syncthreads. Returns how many threads came with a predicate that holds. */
uint64_t simgpu_sync_threads(int predicate);

/* A barrier of a part of the block: of so many threads, which all name it by the same number. */
enum { SIMGPU_PART_BARRIERS = 32 };
void simgpu_sync_part(unsigned barrier, unsigned n_threads);

/* For one thread of the block, while the others wait: until as many blocks have come as there are.
 * Ends the grid if its launch was not cooperative. */
void simgpu_wait_for_grid(void);
int simgpu_grid_is_cooperative(void);

/* cudaGridDependencySynchronize, cudaTriggerProgrammaticLaunchCompletion. */
void simgpu_wait_for_dependencies(void);
void simgpu_launch_dependents(void);

/* The running thread, and then those after it, unless a thread has waited: then the executor starts
 * each of them.
 *
 *     unsigned x = threadIdx.x;
 *     do {
 *         do
 *             run one thread;
 *         while (simgpu_next_in_row(&x));
 *     } while (simgpu_next_row(&x));
 *
 * x is threadIdx.x, which the compiler can keep in a register. Two loops, because it can do more
 * with the inner one than with one loop over all threads. */
SIMGPU_ALWAYS_INLINE bool simgpu_next_in_row(unsigned *x)
{
    if (simgpu_thread.has_waiters)
        return false;
    simgpu_thread_index.x = ++*x;
    return *x < blockDim.x;
}

SIMGPU_ALWAYS_INLINE bool simgpu_next_row(unsigned *x)
{
    if (simgpu_thread.has_waiters)
        return false;
    simgpu_thread_index.x = *x = 0;
    if (++simgpu_thread_index.y < blockDim.y)
        return true;
    simgpu_thread_index.y = 0;
    return ++simgpu_thread_index.z < blockDim.z;
}

/* Around a thread of a kernel whose threads have clocks of their own. */
SIMGPU_ALWAYS_INLINE void simgpu_clock_begin(void)
{
    simgpu_thread.now_ns = simgpu_thread.block_ns;
}

SIMGPU_ALWAYS_INLINE void simgpu_clock_end(void)
{
    if (simgpu_thread.now_ns > simgpu_thread.latest_ns)
        simgpu_thread.latest_ns = simgpu_thread.now_ns;
}

/* address_space.c: where an address of the running thread is; and in a block's shared memory, where
 * it is counted from 0. */
enum simgpu_space { SIMGPU_SPACE_GLOBAL, SIMGPU_SPACE_SHARED, SIMGPU_SPACE_LOCAL };
enum simgpu_space simgpu_space_of(const void *p);
size_t simgpu_shared_from_generic(const void *p);
void *simgpu_generic_from_shared(size_t at);

/* texture.c. A texel: up to four channels, as floating-point numbers or as integers of 32 bits. */
struct simgpu_texel {
    bool is_float;
    union {
        float f[4];
        uint32_t u[4];
    } channel;
};
/* Of `dimensions` coordinates; and of linear memory, by index. */
void simgpu_texture_read(unsigned long long texture, int dimensions, const float *at,
                         struct simgpu_texel *out);
void simgpu_texture_fetch(unsigned long long texture, int index, struct simgpu_texel *out);
/* Where the surface has these bytes, which the thread is about to read or write; NULL: outside of
 * it. The first coordinate is in bytes. `mode`: a cudaSurfaceBoundaryMode. */
void *simgpu_surface_at(unsigned long long surface, int dimensions, const int *at, size_t bytes,
                        int mode, bool writes);

/* Moves the clock on and lets other threads of the block run. */
void simgpu_sleep_ns(unsigned ns);

/* End the grid with an error. */
SIMGPU_NORETURN void simgpu_assert_failed(const char *expression, const char *file, unsigned line,
                                          const char *function) SIMGPU_NOEXCEPT;
SIMGPU_NORETURN void simgpu_trap(void);

#ifdef __cplusplus
}
#endif
#endif
