/* decode_wide_attend.cu: attention of one new position over the cache (decode_attend.cu). A block
 * loads 128 positions at the same time. It computes one head of one row. Eight threads share a
 * position, with eight numbers each. So a block has 32 positions at a time, and each thread loads
 * AT_ONCE positions.
 *
 * With DECODE_WEIGHTS_FIRST the keys and values of earlier positions are read before the wait.
 * Earlier steps wrote them, and the first kernel of a step waits for the earlier steps. */
#include "decode_wide.h"

#if defined(__CUDACC__) && !defined(SIMGPU_SIMCC)
#include "simgpu/kernel.h"

#include "decode_device.h"

enum { WARP = 32, WARPS = 8, THREADS = WARP * WARPS, EACH = 8, POSITIONS = THREADS / EACH };
enum { AT_ONCE = 4, BATCH = AT_ONCE * POSITIONS };

/* The inputs of one row and head that do not depend on the previous kernel. */
struct sequence {
    const uint16_t *keys, *values;
    int length;
};

struct pairs {
    uint4 key[AT_ONCE], value[AT_ONCE];
};

/* Position number i of the thread in a batch; the index of the thread's numbers in a position. */
static __device__ __forceinline__ int position_of(int batch, int i)
{
    return batch + i * POSITIONS + threadIdx.x / EACH;
}

static __device__ __forceinline__ int number_of()
{
    return threadIdx.x % EACH * EACH;
}

/* Loads the positions from `from` to `end` - 1; does not change the others. */
static __device__ __forceinline__ void read_pairs(struct pairs &p, const struct sequence &q,
                                                  int batch, int from, int end)
{
#pragma unroll
    for (int i = 0; i < AT_ONCE; i++) {
        const int position = position_of(batch, i);
        if (position < from || position >= end)
            continue;
        const size_t at = (size_t)position * DECODE_HEAD_SIZE + number_of();
        p.key[i] = __ldcg(reinterpret_cast<const uint4 *>(q.keys + at));
        p.value[i] = __ldcg(reinterpret_cast<const uint4 *>(q.values + at));
    }
}

static __device__ __forceinline__ void unpack(float to[EACH], const uint4 &v)
{
    const uint32_t pairs[EACH / 2] = {v.x, v.y, v.z, v.w};
    for (int k = 0; k < EACH / 2; k++) {
        to[2 * k] = __uint_as_float(pairs[k] << 16);
        to[2 * k + 1] = __uint_as_float(pairs[k] & 0xffff0000u);
    }
}

/* ---- softmax in parts ------------------------------------------------------------------------ */

/* Weighted values of some positions, with weights exp(score - largest). */
struct part {
    float largest, total, sum[EACH];
};

static __device__ __forceinline__ void scale(struct part &p, float largest)
{
    const float factor = __expf(p.largest - largest);
    p.largest = largest;
    p.total *= factor;
    for (int k = 0; k < EACH; k++)
        p.sum[k] *= factor;
}

static __device__ __forceinline__ void add_batch(struct part &p, const struct pairs &at,
                                                 const float query[EACH], int batch, int length)
{
    float score[AT_ONCE], largest = p.largest, numbers[EACH];
#pragma unroll
    for (int i = 0; i < AT_ONCE; i++) {
        unpack(numbers, at.key[i]);
        score[i] = 0;
        for (int k = 0; k < EACH; k++)
            score[i] += numbers[k] * query[k];
    }
    for (int apart = 1; apart < EACH; apart *= 2)
#pragma unroll
        for (int i = 0; i < AT_ONCE; i++)
            score[i] += __shfl_xor_sync(0xffffffffu, score[i], apart);
#pragma unroll
    for (int i = 0; i < AT_ONCE; i++) {
        score[i] = position_of(batch, i) < length ? score[i] * 0.125f : -1e30f;
        largest = fmaxf(largest, score[i]);
    }
    scale(p, largest);
#pragma unroll
    for (int i = 0; i < AT_ONCE; i++) {
        const float weight = position_of(batch, i) < length ? __expf(score[i] - largest) : 0;
        unpack(numbers, at.value[i]);
        p.total += weight;
        for (int k = 0; k < EACH; k++)
            p.sum[k] += weight * numbers[k];
    }
}

/* Adds up the parts of a warp's four positions. */
static __device__ __forceinline__ void add_warp(struct part &p)
{
    for (int apart = EACH; apart < WARP; apart *= 2) {
        scale(p, fmaxf(p.largest, __shfl_xor_sync(0xffffffffu, p.largest, apart)));
        p.total += __shfl_xor_sync(0xffffffffu, p.total, apart);
        for (int k = 0; k < EACH; k++)
            p.sum[k] += __shfl_xor_sync(0xffffffffu, p.sum[k], apart);
    }
}

/* Adds up the parts of all warps. Thread i stores number i of the result. */
static __device__ __forceinline__ void add_block(const struct part &p, uint16_t *to)
{
    __shared__ float largest[WARPS], total[WARPS], sum[WARPS][DECODE_HEAD_SIZE];
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    if (lane == 0) {
        largest[warp] = p.largest;
        total[warp] = p.total;
    }
    if (lane < EACH)
        for (int k = 0; k < EACH; k++)
            sum[warp][lane * EACH + k] = p.sum[k];
    __syncthreads();
    if (threadIdx.x >= DECODE_HEAD_SIZE)
        return;
    float most = largest[0], all = 0, mine = 0;
    for (int w = 1; w < WARPS; w++)
        most = fmaxf(most, largest[w]);
    for (int w = 0; w < WARPS; w++) {
        const float factor = __expf(largest[w] - most);
        all += total[w] * factor;
        mine += sum[w][threadIdx.x] * factor;
    }
    to[threadIdx.x] = bf16_from_float(mine / all);
}

/* ---- kernel, launcher ------------------------------------------------------------------------ */

static __global__ void __launch_bounds__(THREADS)
    decode_wide_attend(struct decode_step s, int layer, int start)
{
    const int row = blockIdx.x, head = blockIdx.y;
    const size_t to = (size_t)row * decode_width(&s.model) + head * DECODE_HEAD_SIZE;
    struct part p = {-1e30f, 0, {}};
    struct pairs at = {};
    decode_let_next_begin();
    if (start != DECODE_WEIGHTS_FIRST)
        decode_wait(start);
    const size_t first = decode_head_at(s, layer, s.rows.slot[row], head);
    const struct sequence q = {s.cache.keys + first, s.cache.values + first, s.rows.length[row]};
    read_pairs(at, q, 0, 0, q.length - 1);
    if (start == DECODE_WEIGHTS_FIRST)
        decode_wait(start);
    const float4 *from = reinterpret_cast<const float4 *>(s.scratch.q + to + number_of());
    const float4 low = __ldcg(from), high = __ldcg(from + 1);
    const float query[EACH] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
    for (int batch = 0; batch < q.length; batch += BATCH) {
        read_pairs(at, q, batch, batch ? batch : q.length - 1, q.length);
        add_batch(p, at, query, batch, q.length);
    }
    add_warp(p);
    add_block(p, s.scratch.a + to);
}

cudaError_t launch_decode_wide_attend(const struct decode_step *s, int layer,
                                      enum decode_start start, cudaStream_t stream)
{
    struct decode_step step = *s;
    void *args[] = {&step, &layer, &start};
    return decode_launch((const void *)decode_wide_attend,
                         dim3((unsigned)s->n_rows, (unsigned)s->model.n_heads), dim3(THREADS), 0,
                         args, start, stream);
}
#endif
