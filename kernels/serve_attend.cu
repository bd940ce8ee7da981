/* serve_attend.cu: attention over a paged cache. A block computes one head of one row, over at most
 * SERVE_SHORT positions: over all of them, or, for long contexts, over one part. Each thread first
 * computes the scores of some positions, then one number of the result. The values of a block are
 * all loaded, also those after the last position, so that no load waits for another.
 *
 * With the largest score m of a part, its total t = sum exp(score - m) and its result r = sum
 * exp(score - m) value, the parts of a row are combined as
 *
 *     a = sum exp(m - M) r / sum exp(m - M) t,   M = the largest m
 *
 * The CPU reference is that of decode_attend.cu. */
#include <assert.h>

#include "serve.h"

#include <math.h>

#ifndef REFERENCE_ONLY
#include "simgpu/kernel.h"

#include "serve_device.h"

enum { THREADS = DECODE_HEAD_SIZE, PART = DECODE_HEAD_SIZE + 2 };

static inline __host__ __device__ int parts_of(int length)
{
    return (length + SERVE_SHORT - 1) / SERVE_SHORT;
}

size_t serve_parts_floats(const struct decode_model *m, int n_rows)
{
    return (size_t)n_rows * m->n_heads * parts_of(m->n_positions) * PART;
}

/* Where a part of a row and head has its result, m and t. */
static __device__ __forceinline__ float *part_at(const struct serve_step &s, int row, int head,
                                                 int part)
{
    const struct decode_model &m = s.decode.model;
    return s.parts + (((size_t)row * m.n_heads + head) * parts_of(m.n_positions) + part) * PART;
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* q . key / 8 */
static __device__ __forceinline__ float score_of(const float *q, const uint16_t *key)
{
    float product = 0;
    for (int i = 0; i < DECODE_HEAD_SIZE; i += 8) {
        const uint4 eight = *reinterpret_cast<const uint4 *>(key + i);
        const uint32_t pairs[4] = {eight.x, eight.y, eight.z, eight.w};
        for (int k = 0; k < 4; k++) {
            product += q[i + 2 * k] * __uint_as_float(pairs[k] << 16);
            product += q[i + 2 * k + 1] * __uint_as_float(pairs[k] & 0xffff0000u);
        }
    }
    return product * 0.125f;
}

struct part {
    float largest, total, result; /* result: number threadIdx.x of 64 */
};

/* Attention over positions `first` to first + n - 1 of the row's sequence; n is at most
   SERVE_SHORT. */
static __device__ __forceinline__ struct part attend(const struct decode_step &d, int layer,
                                                     int row, int head, int first, int n)
{
    __shared__ float q[DECODE_HEAD_SIZE], weight[SERVE_SHORT];
    __shared__ size_t block_at[SERVE_SHORT / DECODE_BLOCK];
    const int i = threadIdx.x, slot = d.rows.slot[row];
    struct part part = {-INFINITY, 0, 0};
    if (i < decode_blocks_of(n))
        block_at[i] = decode_position_at(d, layer, slot, head, first + i * DECODE_BLOCK);
    q[i] = d.scratch.q[(size_t)row * decode_width(&d.model) + head * DECODE_HEAD_SIZE + i];
    __syncthreads();
    for (int p = i; p < n; p += THREADS)
        weight[p] = score_of(q, d.cache.keys + block_at[p / DECODE_BLOCK] +
                                    p % DECODE_BLOCK * DECODE_HEAD_SIZE);
    __syncthreads();
    for (int p = 0; p < n; p++)
        part.largest = fmaxf(part.largest, weight[p]);
    __syncthreads();
    for (int p = i; p < n; p += THREADS)
        weight[p] = expf(weight[p] - part.largest);
    __syncthreads();
    for (int p = 0; p < n; p += DECODE_BLOCK) {
        const uint16_t *values = d.cache.values + block_at[p / DECODE_BLOCK] + i;
        uint16_t value[DECODE_BLOCK];
        for (int k = 0; k < DECODE_BLOCK; k++)
            value[k] = values[k * DECODE_HEAD_SIZE];
        for (int k = 0; k < DECODE_BLOCK; k++)
            if (p + k < n) {
                part.total += weight[p + k];
                part.result += weight[p + k] * bf16_to_float(value[k]);
            }
    }
    return part;
}

static __device__ __forceinline__ void store(const struct decode_step &d, int row, int head,
                                             float value)
{
    d.scratch.a[(size_t)row * decode_width(&d.model) + head * DECODE_HEAD_SIZE + threadIdx.x] =
        bf16_from_float(value);
}

static __global__ void __launch_bounds__(THREADS)
    serve_attend(struct serve_step s, int layer, int start)
{
    decode_let_next_begin();
    decode_wait(start);
    const int row = blockIdx.x, head = blockIdx.y, length = s.decode.rows.position[row] + 1;
    assert(length <= SERVE_SHORT); /* launch_serve_attend_long serves longer sequences */
    const struct part all = attend(s.decode, layer, row, head, 0, length);
    store(s.decode, row, head, all.result / all.total);
}

/* `positions`: of all rows together; the footprint uses it. */
static __global__ void __launch_bounds__(THREADS)
    serve_attend_parts(struct serve_step s, int layer, double positions)
{
    static_cast<void>(positions);
    const int row = blockIdx.x, head = blockIdx.y, first = blockIdx.z * SERVE_SHORT;
    const int length = s.decode.rows.position[row] + 1, left = length - first;
    assert(length <= (int)gridDim.z * SERVE_SHORT); /* `lengths` has a shorter one */
    if (left <= 0)
        return;
    const struct part mine =
        attend(s.decode, layer, row, head, first, left < SERVE_SHORT ? left : SERVE_SHORT);
    float *to = part_at(s, row, head, blockIdx.z);
    to[threadIdx.x] = mine.result;
    if (threadIdx.x == 0) {
        to[DECODE_HEAD_SIZE] = mine.largest;
        to[DECODE_HEAD_SIZE + 1] = mine.total;
    }
}

static __global__ void __launch_bounds__(THREADS)
    serve_attend_combine(struct serve_step s, double positions)
{
    static_cast<void>(positions);
    const int row = blockIdx.x, head = blockIdx.y;
    const int parts = parts_of(s.decode.rows.position[row] + 1);
    float largest = -INFINITY, total = 0, result = 0;
    for (int i = 0; i < parts; i++)
        largest = fmaxf(largest, part_at(s, row, head, i)[DECODE_HEAD_SIZE]);
    for (int i = 0; i < parts; i++) {
        const float *part = part_at(s, row, head, i);
        const float scale = expf(part[DECODE_HEAD_SIZE] - largest);
        total += scale * part[DECODE_HEAD_SIZE + 1];
        result += scale * part[threadIdx.x];
    }
    store(s.decode, row, head, result / total);
}

/* ---- launchers ------------------------------------------------------------------------------- */

static bool is_valid(const struct serve_step *s, int layer)
{
    return serve_is_valid(s) && layer >= 0 && layer < s->decode.model.n_layers;
}

cudaError_t launch_serve_attend(const struct serve_step *s, int layer, enum decode_start start,
                                cudaStream_t stream)
{
    struct serve_step step;
    void *args[] = {&step, &layer, &start};
    if (!is_valid(s, layer))
        return cudaErrorInvalidValue;
    step = *s;
    const dim3 grid((unsigned)s->decode.n_rows, (unsigned)s->decode.model.n_heads);
    return decode_launch((const void *)serve_attend, grid, dim3(THREADS), 0, args, start, stream);
}

cudaError_t launch_serve_attend_long(const struct serve_step *s, int layer, const int *lengths,
                                     cudaStream_t stream)
{
    struct serve_step step;
    double positions = 0;
    int longest = 0;
    enum cudaStreamCaptureStatus capturing = cudaStreamCaptureStatusNone;
    void *attend_args[] = {&step, &layer, &positions}, *combine_args[] = {&step, &positions};
    if (!is_valid(s, layer) || !s->parts || !lengths)
        return cudaErrorInvalidValue;
    cudaError_t e = cudaStreamIsCapturing(stream, &capturing);
    if (e || capturing != cudaStreamCaptureStatusNone)
        return e ? e : cudaErrorStreamCaptureUnsupported;
    step = *s;
    for (int i = 0; i < s->decode.n_rows; i++) {
        if (lengths[i] < 1 || lengths[i] > s->decode.model.n_positions)
            return cudaErrorInvalidValue;
        longest = lengths[i] > longest ? lengths[i] : longest;
        positions += lengths[i];
    }
    const unsigned rows = (unsigned)s->decode.n_rows, heads = (unsigned)s->decode.model.n_heads;
    e = decode_launch((const void *)serve_attend_parts,
                      dim3(rows, heads, (unsigned)parts_of(longest)), dim3(THREADS), 0, attend_args,
                      DECODE_AFTER, stream);
    return e ? e
             : decode_launch((const void *)serve_attend_combine, dim3(rows, heads), dim3(THREADS),
                             0, combine_args, DECODE_AFTER, stream);
}

/* ---- declared footprints --------------------------------------------------------------------- */

/* Reads keys and values of so many positions of all rows together. */
static void declare_attention(struct simgpu_work *work, const struct decode_step &d, int layer,
                              double positions)
{
    const double numbers = positions * decode_width(&d.model);
    simgpu_touch(work, SIMGPU_READ, d.rows.slot, (size_t)d.n_rows);
    simgpu_touch(work, SIMGPU_READ, d.rows.position, (size_t)d.n_rows);
    simgpu_touch(work, SIMGPU_READ, d.scratch.q, (size_t)d.n_rows * decode_width(&d.model));
    decode_touch_cache(work, SIMGPU_READ, d, layer);
    work->flops = 4 * numbers;
    work->dram_bytes = 2 * numbers * sizeof(uint16_t);
}

/* The lengths are in device memory: half of the most that can be. */
FOOTPRINT attend_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                           struct serve_step s, int layer, int start)
{
    const struct decode_step &d = s.decode;
    decode_declare_start(work, start, 0);
    declare_attention(work, d, layer, 0.5 * SERVE_SHORT * d.n_rows);
    simgpu_touch(work, SIMGPU_WRITE, d.scratch.a, (size_t)d.n_rows * decode_width(&d.model));
}

FOOTPRINT parts_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                          struct serve_step s, int layer, double positions)
{
    declare_attention(work, s.decode, layer, positions);
    simgpu_touch(work, SIMGPU_WRITE, s.parts, serve_parts_floats(&s.decode.model, s.decode.n_rows));
}

FOOTPRINT combine_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                            struct serve_step s, double positions)
{
    const struct decode_step &d = s.decode;
    const size_t numbers = (size_t)d.n_rows * decode_width(&d.model);
    simgpu_touch(work, SIMGPU_READ, d.rows.position, (size_t)d.n_rows);
    simgpu_touch(work, SIMGPU_READ, s.parts, serve_parts_floats(&d.model, d.n_rows));
    simgpu_touch(work, SIMGPU_WRITE, d.scratch.a, numbers);
    work->dram_bytes = positions / SERVE_SHORT * decode_width(&d.model) * sizeof(float) +
                       (double)numbers * sizeof(uint16_t);
}

enum { SHARED = (DECODE_HEAD_SIZE + SERVE_SHORT) * sizeof(float) };
DECLARE_KERNEL(serve_attend, attend_footprint, 40, SHARED);
DECLARE_KERNEL(serve_attend_parts, parts_footprint, 46, SHARED);
DECLARE_KERNEL(serve_attend_combine, combine_footprint, 32);
#endif
