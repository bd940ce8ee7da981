/* decode_wide.cu: the products of a decoder step (decode_linear.cu), for models of width 768. Read
 * decode_linear.cu first; this file computes the same, close to the memory bandwidth.
 *
 * A block computes TILES x 8 results of up to 16 rows with matrix instructions (mma m16n8k16: 16
 * rows x 8 results, 16 numbers of each). Its 8 warps divide the inner dimension:
 *
 *     W   [ warp 0 ][ warp 1 ] ... [ warp 7 ]   8 results     the sums of the warps are added in
 *         [ warp 0 ][ warp 1 ] ... [ warp 7 ]   8 results     shared memory
 *
 * All weights of a block are loaded at the same time. With DECODE_WEIGHTS_FIRST the loads start
 * before the wait: on sm_90 as bulk copies to shared memory, which occupy no threads. */
#include "decode_wide.h"

#if defined(__CUDACC__) && !defined(SIMGPU_SIMCC)
#include "simgpu/kernel.h"

#include "decode_device.h"

enum { WIDTH = 768, WARP = 32, WARPS = 8, THREADS = WARP * WARPS, ROWS = 16, RESULTS = 8 };

bool decode_wide_serves(const struct decode_model *m)
{
    return decode_width(m) == WIDTH && kernel_capability() >= 8;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

template <enum decode_product P> struct shape {
    static constexpr bool normed =
        P == DECODE_PRODUCT_QKV || P == DECODE_PRODUCT_UP || P == DECODE_PRODUCT_HEAD;
    static constexpr bool adds = P == DECODE_PRODUCT_PROJECT || P == DECODE_PRODUCT_DOWN;
    static constexpr int depth = P == DECODE_PRODUCT_DOWN ? 4 * WIDTH : WIDTH;
    static constexpr int results = P == DECODE_PRODUCT_QKV    ? 3 * WIDTH
                                   : P == DECODE_PRODUCT_UP   ? 4 * WIDTH
                                   : P == DECODE_PRODUCT_HEAD ? (int)DECODE_TOKENS
                                                              : WIDTH;
    static constexpr int tiles = P == DECODE_PRODUCT_QKV || P == DECODE_PRODUCT_UP ? 3 : 1;
    static constexpr int of_block = tiles * RESULTS;
    static constexpr int chunks = depth / (WARPS * WARP); /* of 32 numbers, for each warp */
    /* in shared memory: 64 bytes between two results avoid bank conflicts */
    static constexpr int pitch = depth + 32;
    static constexpr int shared_bytes = of_block * pitch * (int)sizeof(uint16_t);
    static constexpr int square = P == DECODE_PRODUCT_QKV       ? (int)DECODE_QKV
                                  : P == DECODE_PRODUCT_PROJECT ? (int)DECODE_PROJECT
                                  : P == DECODE_PRODUCT_UP      ? (int)DECODE_UP
                                  : P == DECODE_PRODUCT_HEAD    ? (int)DECODE_HEAD
                                                                : (int)DECODE_DOWN;
};

/* The weights of the block's results. */
template <enum decode_product P>
static __device__ __forceinline__ const uint16_t *block_weights(const struct decode_step &s,
                                                                int layer)
{
    return decode_matrix(s.model, layer, shape<P>::square) +
           (size_t)blockIdx.x * shape<P>::of_block * shape<P>::depth;
}

/* Four threads form a group. A group has one row (or result), each thread eight numbers of it. */
struct place {
    int warp, group, eight;
};

static __device__ __forceinline__ struct place my_place()
{
    const int lane = threadIdx.x % WARP;
    return {(int)threadIdx.x / WARP, lane / 4, lane % 4 * 8};
}

/* The index of the thread's eight numbers of a chunk. */
template <enum decode_product P>
static __device__ __forceinline__ int number_at(const struct place &me, int chunk)
{
    return me.warp * (shape<P>::depth / WARPS) + chunk * WARP + me.eight;
}

/* ---- weights --------------------------------------------------------------------------------- */

template <enum decode_product P> struct weights {
    uint4 of[shape<P>::tiles][shape<P>::chunks];
};

/* Loads weights from global or shared memory to registers. */
template <enum decode_product P>
static __device__ __forceinline__ void take_weights(struct weights<P> &w, const uint16_t *from,
                                                    int pitch)
{
    const struct place me = my_place();
#pragma unroll
    for (int t = 0; t < shape<P>::tiles; t++)
#pragma unroll
        for (int c = 0; c < shape<P>::chunks; c++)
            w.of[t][c] = *reinterpret_cast<const uint4 *>(
                from + (size_t)(t * RESULTS + me.group) * pitch + number_at<P>(me, c));
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
static __device__ __forceinline__ uint32_t shared_address(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

/* Called by the first warp. Starts the copies of the block's weights to shared memory; each thread
   copies the weights of one result. The barrier completes when all copies are complete. */
template <enum decode_product P>
static __device__ __forceinline__ void begin_copy(uint16_t *to, const uint16_t *from,
                                                  uint64_t *barrier)
{
    using S = shape<P>;
    const uint32_t row_bytes = S::depth * sizeof *from;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared_address(barrier)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile(
            "mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
            "r"(S::of_block * row_bytes)
            : "memory");
    }
    __syncwarp();
    if (threadIdx.x < S::of_block)
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                     "[%0], [%1], %2, [%3];" ::"r"(shared_address(to + threadIdx.x * S::pitch)),
                     "l"(from + (size_t)threadIdx.x * S::depth), "r"(row_bytes),
                     "r"(shared_address(barrier))
                     : "memory");
}

static __device__ __forceinline__ void wait_for_copy(uint64_t *barrier)
{
    uint32_t done = 0;
    while (!done)
        asm volatile("{\n.reg .pred p;\n"
                     "mbarrier.try_wait.parity.shared.b64 p, [%1], 0;\n"
                     "selp.u32 %0, 1, 0, p;\n}"
                     : "=r"(done)
                     : "r"(shared_address(barrier))
                     : "memory");
}
#endif

/* ---- rows ------------------------------------------------------------------------------------ */

static __device__ __forceinline__ uint32_t two_bf16(float low, float high)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    uint32_t both;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
    return both;
#else
    return (uint32_t)bf16_from_float(high) << 16 | bf16_from_float(low);
#endif
}

/* Loads eight numbers of a row as bf16. If they are normed, adds their squares to *squares. */
template <enum decode_product P>
static __device__ __forceinline__ uint4 row_numbers(const struct decode_step &s, int row, int at,
                                                    float *squares)
{
    if (!shape<P>::normed) {
        const uint16_t *from = P == DECODE_PRODUCT_DOWN ? s.scratch.h : s.scratch.a;
        return __ldcg(reinterpret_cast<const uint4 *>(from + (size_t)row * shape<P>::depth + at));
    }
    const float4 *from = reinterpret_cast<const float4 *>(s.scratch.x + (size_t)row * WIDTH + at);
    const float4 a = __ldcg(from), b = __ldcg(from + 1);
    *squares += (a.x * a.x + a.y * a.y) + (a.z * a.z + a.w * a.w) + (b.x * b.x + b.y * b.y) +
                (b.z * b.z + b.w * b.w);
    return make_uint4(two_bf16(a.x, a.y), two_bf16(a.z, a.w), two_bf16(b.x, b.y),
                      two_bf16(b.z, b.w));
}

/* sums += 16 rows x 8 results over 16 numbers: rows `group` and `group + 8`, results of a tile. */
static __device__ __forceinline__ void multiply_16(float sums[4], uint32_t low, uint32_t low_8,
                                                   uint32_t high, uint32_t high_8,
                                                   uint32_t weights_low, uint32_t weights_high)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                 "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                 : "r"(low), "r"(low_8), "r"(high), "r"(high_8), "r"(weights_low),
                   "r"(weights_high));
#endif
}

/* The sums of each warp, in shared memory: of the block's results, and of the squares. */
template <enum decode_product P> struct partial_sums {
    float sums[WARPS][ROWS][shape<P>::of_block];
    float squares[WARPS][ROWS];
};

/* Adds the squares of two rows over the four threads of a group. */
template <enum decode_product P>
static __device__ __forceinline__ void add_squares(const float squares[2], const struct place &me,
                                                   struct partial_sums<P> &partial)
{
    for (int k = 0; k < 2; k++) {
        float sum = squares[k];
        sum += __shfl_xor_sync(0xffffffffu, sum, 1);
        sum += __shfl_xor_sync(0xffffffffu, sum, 2);
        if (me.eight == 0)
            partial.squares[me.warp][me.group + k * 8] = sum;
    }
}

/* Computes the warp's part of 16 rows, from row `first` on. */
template <enum decode_product P>
static __device__ __forceinline__ void multiply_rows(const struct decode_step &s, int first,
                                                     const struct weights<P> &w,
                                                     struct partial_sums<P> &partial)
{
    using S = shape<P>;
    const struct place me = my_place();
    uint4 upper[S::chunks], lower[S::chunks];
    float squares[2] = {}, sums[S::tiles][4] = {};
    /* rows after the last one are computed as copies of it; their results are not stored */
    const int last = s.n_rows - 1, row = min(first + me.group, last),
              row_8 = min(first + me.group + 8, last);
#pragma unroll
    for (int c = 0; c < S::chunks; c++)
        upper[c] = row_numbers<P>(s, row, number_at<P>(me, c), &squares[0]);
#pragma unroll
    for (int c = 0; c < S::chunks; c++)
        lower[c] = first + 8 > last ? make_uint4(0, 0, 0, 0)
                                    : row_numbers<P>(s, row_8, number_at<P>(me, c), &squares[1]);
#pragma unroll
    for (int c = 0; c < S::chunks; c++)
#pragma unroll
        for (int t = 0; t < S::tiles; t++) {
            const uint4 v = w.of[t][c], a = upper[c], b = lower[c];
            multiply_16(sums[t], a.x, b.x, a.y, b.y, v.x, v.y);
            multiply_16(sums[t], a.z, b.z, a.w, b.w, v.z, v.w);
        }
#pragma unroll
    for (int t = 0; t < S::tiles; t++)
        for (int k = 0; k < 4; k++)
            partial.sums[me.warp][me.group + k / 2 * 8][t * RESULTS + me.eight / 4 + k % 2] =
                sums[t][k];
    if (S::normed)
        add_squares<P>(squares, me, partial);
}

/* ---- results --------------------------------------------------------------------------------- */

/* Further inputs of a result. They are loaded early, so that they arrive before the sum is done. */
struct inputs {
    float x;
    int slot, position;
};

template <enum decode_product P>
static __device__ __forceinline__ struct inputs read_inputs(const struct decode_step &s, int row,
                                                            int o)
{
    struct inputs c = {};
    if (shape<P>::adds)
        c.x = __ldcg(&s.scratch.x[(size_t)row * WIDTH + o]);
    if (P == DECODE_PRODUCT_QKV) {
        c.slot = s.rows.slot[row];
        c.position = s.rows.position[row];
    }
    return c;
}

template <enum decode_product P>
static __device__ __forceinline__ void store(const struct decode_step &s, int layer, int row, int o,
                                             float sum, const struct inputs &c)
{
    if (shape<P>::adds)
        s.scratch.x[(size_t)row * WIDTH + o] = c.x + sum;
    else if (P == DECODE_PRODUCT_UP)
        s.scratch.h[(size_t)row * 4 * WIDTH + o] = bf16_from_float(decode_gelu(sum));
    else if (P == DECODE_PRODUCT_HEAD)
        s.scratch.logits[(size_t)row * DECODE_TOKENS + o] = sum;
    else
        decode_store_qkv(s, layer, row, o, sum, c.slot, c.position);
}

template <enum decode_product P>
static __device__ __forceinline__ float add_up(const struct partial_sums<P> &partial, int row,
                                               int result)
{
    float sum = 0, squares = 0;
#pragma unroll
    for (int w = 0; w < WARPS; w++) {
        sum += partial.sums[w][row][result];
        if (shape<P>::normed)
            squares += partial.squares[w][row];
    }
    return shape<P>::normed ? sum * rsqrtf(squares / (float)WIDTH + 1e-5f) : sum;
}

template <enum decode_product P>
static __device__ __forceinline__ void all_rows(const struct decode_step &s, int layer,
                                                const struct weights<P> &w)
{
    using S = shape<P>;
    __shared__ struct partial_sums<P> partial;
    const int first_result = blockIdx.x * S::of_block;
    for (int first = 0; first < s.n_rows; first += ROWS) {
        const int rows = min((int)ROWS, s.n_rows - first);
        struct inputs mine = {};
        if ((int)threadIdx.x < rows * S::of_block)
            mine = read_inputs<P>(s, first + threadIdx.x / S::of_block,
                                  first_result + threadIdx.x % S::of_block);
        multiply_rows<P>(s, first, w, partial);
        __syncthreads();
        for (int i = threadIdx.x; i < rows * S::of_block; i += THREADS) {
            const int row = first + i / S::of_block, o = first_result + i % S::of_block;
            if (i >= THREADS)
                mine = read_inputs<P>(s, row, o);
            store<P>(s, layer, row, o, add_up<P>(partial, i / S::of_block, i % S::of_block), mine);
        }
        if (first + ROWS < s.n_rows)
            __syncthreads();
    }
}

/* ---- kernels --------------------------------------------------------------------------------- */

template <enum decode_product P>
static __global__ void __launch_bounds__(THREADS)
    decode_wide(struct decode_step s, int layer, int start)
{
    const uint16_t *from = block_weights<P>(s, layer);
    struct weights<P> w;
    if (P != DECODE_PRODUCT_QKV || decode_qkv_triggers(s))
        decode_let_next_begin();
    if (start == DECODE_WAIT_FIRST)
        decode_wait(start);
    take_weights<P>(w, from, shape<P>::depth);
    if (start != DECODE_WAIT_FIRST)
        decode_wait(start);
    all_rows<P>(s, layer, w);
}

/* DECODE_WEIGHTS_FIRST on sm_90. An SM has room for two blocks: one of this kernel and one of the
   next one. */
template <enum decode_product P>
static __global__ void __launch_bounds__(THREADS, 2)
    decode_wide_early(struct decode_step s, int layer, int start)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    extern __shared__ __align__(128) uint16_t kept[];
    __shared__ uint64_t barrier;
    struct weights<P> w;
    if (P != DECODE_PRODUCT_QKV || decode_qkv_triggers(s))
        decode_let_next_begin();
    if (threadIdx.x < WARP)
        begin_copy<P>(kept, block_weights<P>(s, layer), &barrier);
    __syncthreads();
    wait_for_copy(&barrier);
    take_weights<P>(w, kept, shape<P>::pitch);
    decode_wait(start);
    all_rows<P>(s, layer, w);
#endif
}

/* ---- launchers ------------------------------------------------------------------------------- */

template <enum decode_product P>
static cudaError_t launch(const struct decode_step *s, int layer, enum decode_start start,
                          cudaStream_t stream)
{
    const int bytes = shape<P>::shared_bytes;
    const bool early = start == DECODE_WEIGHTS_FIRST && kernel_capability() >= 9;
    struct decode_step step = *s;
    void *args[] = {&step, &layer, &start};
    if (early) {
        cudaError_t e = cudaFuncSetAttribute((const void *)decode_wide_early<P>,
                                             cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
        if (e != cudaSuccess)
            return e;
    }
    return decode_launch(early ? (const void *)decode_wide_early<P> : (const void *)decode_wide<P>,
                         dim3(shape<P>::results / shape<P>::of_block), dim3(THREADS),
                         early ? bytes : 0, args, start, stream);
}

cudaError_t launch_decode_wide_product(enum decode_product p, const struct decode_step *s,
                                       int layer, enum decode_start start, cudaStream_t stream)
{
    switch (p) {
    case DECODE_PRODUCT_QKV:
        return launch<DECODE_PRODUCT_QKV>(s, layer, start, stream);
    case DECODE_PRODUCT_PROJECT:
        return launch<DECODE_PRODUCT_PROJECT>(s, layer, start, stream);
    case DECODE_PRODUCT_UP:
        return launch<DECODE_PRODUCT_UP>(s, layer, start, stream);
    case DECODE_PRODUCT_DOWN:
        return launch<DECODE_PRODUCT_DOWN>(s, layer, start, stream);
    default:
        return launch<DECODE_PRODUCT_HEAD>(s, layer, start, stream);
    }
}
#endif
