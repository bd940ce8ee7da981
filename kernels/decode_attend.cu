/* decode_attend.cu: attention of one new position over the cache. A block computes one head of one
 * row. Each thread first computes the scores of some positions, then some numbers of the result. */
#include "decode.h"

#include <math.h>

/* ---- CPU reference --------------------------------------------------------------------------- */

/* a = the values of `length` positions, weighted by softmax(q . key / 8), for one head. `pitch` is
   the distance between two positions, in numbers. scores has `length` elements. */
void reference_decode_attend(double *a, const double *q, const double *keys, const double *values,
                             int length, int pitch, double *scores)
{
    double largest = -HUGE_VAL, total = 0;
    for (int p = 0; p < length; p++) {
        scores[p] = 0;
        for (int i = 0; i < DECODE_HEAD_SIZE; i++)
            scores[p] += q[i] * keys[(size_t)p * pitch + i];
        scores[p] /= sqrt((double)DECODE_HEAD_SIZE);
        largest = fmax(largest, scores[p]);
    }
    for (int i = 0; i < DECODE_HEAD_SIZE; i++)
        a[i] = 0;
    for (int p = 0; p < length; p++) {
        const double weight = exp(scores[p] - largest);
        total += weight;
        for (int i = 0; i < DECODE_HEAD_SIZE; i++)
            a[i] += weight * values[(size_t)p * pitch + i];
    }
    for (int i = 0; i < DECODE_HEAD_SIZE; i++)
        a[i] /= total;
}

#ifndef REFERENCE_ONLY
#include "simgpu/kernel.h"

#include "decode_device.h"
#include "decode_wide.h"

/* ---- kernel ---------------------------------------------------------------------------------- */

static __global__ void __launch_bounds__(DECODE_HEAD_SIZE)
    decode_attend(struct decode_step s, int layer, int start)
{
    DYNAMIC_SHARED(float, score); /* n_positions */
    decode_let_next_begin();
    decode_wait(start);
    const int row = blockIdx.x, head = blockIdx.y, i = threadIdx.x;
    const int length = min(s.rows.length[row], s.model.n_positions);
    const size_t at = decode_head_at(s, layer, s.rows.slot[row], head);
    const uint16_t *keys = s.cache.keys + at, *values = s.cache.values + at;
    const size_t to = (size_t)row * decode_width(&s.model) + head * DECODE_HEAD_SIZE;
    const float *q = s.scratch.q + to;
    float largest = -INFINITY, total = 0, sum = 0;
    for (int p = i; p < length; p += DECODE_HEAD_SIZE) {
        float product = 0;
        for (int k = 0; k < DECODE_HEAD_SIZE; k++)
            product += q[k] * bf16_to_float(keys[p * DECODE_HEAD_SIZE + k]);
        score[p] = product * 0.125f;
    }
    __syncthreads();
    for (int p = 0; p < length; p++)
        largest = fmaxf(largest, score[p]);
    for (int p = 0; p < length; p++) {
        const float weight = expf(score[p] - largest);
        total += weight;
        sum += weight * bf16_to_float(values[p * DECODE_HEAD_SIZE + i]);
    }
    s.scratch.a[to + i] = bf16_from_float(sum / total);
}

/* ---- launcher -------------------------------------------------------------------------------- */

cudaError_t launch_decode_attend(const struct decode_step *s, int layer, enum decode_start start,
                                 cudaStream_t stream)
{
    struct decode_step step;
    void *args[] = {&step, &layer, &start};
    if (!decode_has_slots(s) || layer < 0 || layer >= s->model.n_layers)
        return cudaErrorInvalidValue;
    if (decode_wide_serves(&s->model))
        return launch_decode_wide_attend(s, layer, start, stream);
    step = *s;
    return decode_launch(
        (const void *)decode_attend, dim3((unsigned)s->n_rows, (unsigned)s->model.n_heads),
        dim3(DECODE_HEAD_SIZE), s->model.n_positions * sizeof(float), args, start, stream);
}

/* ---- declared footprint ---------------------------------------------------------------------- */

/* The lengths of the sequences are in device memory, so the footprint covers full sequences. */
FOOTPRINT attend_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                           struct decode_step s, int layer, int start)
{
    decode_declare_start(work, start, 0);
    const size_t numbers = (size_t)s.n_rows * decode_width(&s.model);
    const double positions = (double)numbers * s.model.n_positions;
    simgpu_touch(work, SIMGPU_READ, s.rows.length, (size_t)s.n_rows);
    simgpu_touch(work, SIMGPU_READ, s.rows.slot, (size_t)s.n_rows);
    for (int i = 0; i < work->n_ranges; i++)
        work->ranges[i].is_early = start == DECODE_WEIGHTS_FIRST;
    simgpu_touch(work, SIMGPU_READ, s.scratch.q, numbers);
    decode_touch_cache(work, SIMGPU_READ, s, layer);
    simgpu_touch(work, SIMGPU_WRITE, s.scratch.a, numbers);
    work->flops = 4 * positions;
    work->dram_bytes = 2 * positions * sizeof(uint16_t) + 1.5 * numbers * sizeof(float);
}

DECLARE_KERNEL(decode_attend, attend_footprint, 32);
#endif
