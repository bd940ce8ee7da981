/* decode_device.h: device code shared by the kernels of a decoder step. Include simgpu/kernel.h
 * first. */
#ifndef DECODE_DEVICE_H
#define DECODE_DEVICE_H

#include "kernels.h"
#include "decode.h"

/* Numbers of weights: in a matrix of d x d, in the embeddings. */
static inline __host__ __device__ size_t decode_square(const struct decode_model &m)
{
    return (size_t)decode_width(&m) * decode_width(&m);
}

static inline __host__ __device__ size_t decode_embeddings(const struct decode_model &m)
{
    return (size_t)(DECODE_TOKENS + m.n_positions) * decode_width(&m);
}

/* The offsets of the matrices of a layer, in units of d x d weights. The head comes after the last
   layer. */
enum {
    DECODE_QKV = 0,
    DECODE_PROJECT = 3,
    DECODE_UP = 4,
    DECODE_DOWN = 8,
    DECODE_LAYER = 12,
    DECODE_HEAD = 0
};

static inline __host__ __device__ uint16_t *decode_matrix(const struct decode_model &m, int layer,
                                                          int square)
{
    return m.weights + decode_embeddings(m) +
           decode_square(m) * (size_t)(DECODE_LAYER * layer + square);
}

/* The index of the first key (or value) of one head of a slot, in numbers. */
static inline __host__ __device__ size_t decode_head_at(const struct decode_step &s, int layer,
                                                        int slot, int head)
{
    const size_t slots = (size_t)s.cache.n_slots + 1;
    return ((layer * slots + slot) * s.model.n_heads + head) * s.model.n_positions *
           DECODE_HEAD_SIZE;
}

/* The same of one position, also in a paged cache. */
static __device__ __forceinline__ size_t decode_position_at(const struct decode_step &s, int layer,
                                                            int slot, int head, int position)
{
    if (!s.cache.blocks)
        return decode_head_at(s, layer, slot, head) + (size_t)position * DECODE_HEAD_SIZE;
    const int block = s.cache.blocks[slot * decode_blocks(&s.model) + position / DECODE_BLOCK];
    const size_t blocks = (size_t)s.cache.n_blocks + 1;
    return (((layer * blocks + block) * s.model.n_heads + head) * DECODE_BLOCK +
            position % DECODE_BLOCK) *
           DECODE_HEAD_SIZE;
}

/* ---- results of products --------------------------------------------------------------------- */

static __device__ __forceinline__ float decode_gelu(float x)
{
    return 0.5f * x * (1.0f + erff(x * 0.70710678f));
}

/* Stores result o of qkv: a number of the query, or of the key or value of the position. */
static __device__ __forceinline__ void decode_store_qkv(const struct decode_step &s, int layer,
                                                        int row, int o, float sum, int slot,
                                                        int position)
{
    const int d = decode_width(&s.model), part = o / d, head = o % d / DECODE_HEAD_SIZE;
    if (part == 0) {
        s.scratch.q[(size_t)row * d + o] = sum;
        return;
    }
    const size_t at = decode_position_at(s, layer, slot, head, position) + o % DECODE_HEAD_SIZE;
    (part == 1 ? s.cache.keys : s.cache.values)[at] = bf16_from_float(sum);
}

/* ---- programmatic dependent launch ----------------------------------------------------------- */

/* Before sm_90 a kernel starts only after its predecessors are complete. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define DECODE_PROGRAMMATIC 1
#else
#define DECODE_PROGRAMMATIC 0
#endif

/* The next kernel may start. It waits for this kernel before it uses its results. */
static __device__ __forceinline__ void decode_let_next_begin()
{
#if DECODE_PROGRAMMATIC
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

/* Does qkv let the next kernel start before it ends? Not with a paged cache: the next kernel is
   serve_attend, which loads nothing before its wait, and whose blocks crowd on the SMs that have no
   block of qkv. On an H100 a step of 64 rows with 100 positions takes 210 us instead of 264. */
static inline __host__ __device__ bool decode_qkv_triggers(const struct decode_step &s)
{
    return !s.cache.blocks;
}

/* Waits until the results of all earlier kernels are complete. */
static __device__ __forceinline__ void decode_wait(int start)
{
#if DECODE_PROGRAMMATIC
    if (start != DECODE_NEVER_WAITS)
        cudaGridDependencySynchronize();
#else
    (void)start;
#endif
}

/* Prefetches n weights into the L2 cache. Thread number `thread` of `threads` prefetches its part.
 */
static __device__ __forceinline__ void decode_prefetch(const uint16_t *weights, int n, int thread,
                                                       int threads)
{
#ifdef __CUDA_ARCH__
    const int line = 128 / sizeof *weights;
    for (int i = thread * line; i < n; i += threads * line)
        asm volatile("prefetch.global.L2 [%0];" ::"l"(weights + i));
#else
    (void)weights, (void)n, (void)thread, (void)threads;
#endif
}

/* Declares the functions above in a kernel's footprint. early: the share of its memory traffic
   before the wait, with DECODE_WEIGHTS_FIRST. */
static inline void decode_declare_start(struct simgpu_work *work, int start, double early)
{
    work->triggers = 1;
    work->waits_for_grids = start != DECODE_NEVER_WAITS;
    work->wait_share = start == DECODE_WEIGHTS_FIRST ? early : 0;
}

/* ---- launching ------------------------------------------------------------------------------- */

/* For products, and for other kernels whose cache is not paged. */
static inline bool decode_is_valid(const struct decode_step *s)
{
    return s && s->model.weights && s->cache.keys && s->cache.values && s->rows.token &&
           s->rows.position && s->rows.slot && s->scratch.x && s->n_rows > 0 &&
           s->model.n_layers > 0 && s->model.n_heads > 0 && s->model.n_positions > 0;
}

static inline bool decode_has_slots(const struct decode_step *s)
{
    return decode_is_valid(s) && s->rows.length && !s->cache.blocks;
}

/* A layer's keys (or values), wherever a kernel may access some. */
static inline void decode_touch_cache(struct simgpu_work *work, enum simgpu_access access,
                                      const struct decode_step &s, int layer)
{
    const size_t n = decode_layer_keys(&s.model, &s.cache), at = layer * n;
    if (s.cache.blocks)
        simgpu_touch(work, SIMGPU_READ, s.cache.blocks,
                     (size_t)(s.cache.n_slots + 1) * decode_blocks(&s.model));
    simgpu_touch(work, access, s.cache.keys + at, n);
    simgpu_touch(work, access, s.cache.values + at, n);
}

static inline cudaError_t decode_launch(const void *kernel, dim3 grid, dim3 block, size_t shared,
                                        void **args, enum decode_start start, cudaStream_t stream)
{
    cudaLaunchAttribute attribute = {};
    cudaLaunchConfig_t config = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    config.gridDim = grid;
    config.blockDim = block;
    config.dynamicSmemBytes = shared;
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = start == DECODE_AFTER || kernel_capability() < 9 ? 0 : 1;
    return cudaLaunchKernelExC(&config, kernel, args);
}

#endif
