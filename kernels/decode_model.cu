/* decode_model.cu: the model of a decoder: its sizes, its random weights, and a step on the CPU. */
#include "decode.h"

#include <math.h>
#include <stdlib.h>

/* ---- sizes ----------------------------------------------------------------------------------- */

size_t decode_weights(const struct decode_model *m)
{
    const size_t d = (size_t)decode_width(m);
    return d * (2 * DECODE_TOKENS + m->n_positions + 12 * d * m->n_layers);
}

size_t decode_layer_keys(const struct decode_model *m, const struct decode_cache *c)
{
    const size_t positions = c->blocks ? (size_t)(c->n_blocks + 1) * DECODE_BLOCK
                                       : (size_t)(c->n_slots + 1) * m->n_positions;
    return positions * decode_width(m);
}

size_t decode_scratch_floats(const struct decode_model *m, int n_rows)
{
    return (size_t)n_rows * (2 * decode_width(m) + 5 * decode_width(m) / 2 + DECODE_TOKENS);
}

struct decode_scratch decode_scratch_at(const struct decode_model *m, float *memory, int n_rows)
{
    const size_t numbers = (size_t)n_rows * decode_width(m);
    struct decode_scratch s;
    s.x = memory;
    s.q = s.x + numbers;
    s.logits = s.q + numbers;
    s.a = (uint16_t *)(s.logits + (size_t)n_rows * DECODE_TOKENS);
    s.h = s.a + numbers;
    return s;
}

/* ---- random weights -------------------------------------------------------------------------- */

/* The embeddings have variance 1. A product with numbers of variance 1 has variance 1 again. The
   weights of the head are larger, so that the logits differ clearly. The factor sqrt(3) gives a
   uniform number variance 1. */
HOST_DEVICE_FUNCTION float scale_of(const struct decode_model &m, size_t i)
{
    const size_t d = (size_t)decode_width(&m), embeddings = d * (DECODE_TOKENS + m.n_positions);
    if (i < embeddings)
        return 1.7320508f;
    if (i - embeddings >= 12 * d * d * m.n_layers)
        return 4 * 1.7320508f / sqrtf((float)d);
    return 1.7320508f / sqrtf((float)((i - embeddings) % (12 * d * d) < 8 * d * d ? d : 4 * d));
}

HOST_DEVICE_FUNCTION uint16_t weight(const struct decode_model &m, unsigned seed, size_t i)
{
    uint32_t bits = (uint32_t)i * 0x9e3779b9u + seed;
    for (int round = 0; round < 2; round++) {
        bits ^= bits >> 16;
        bits *= 0x7feb352du;
        bits ^= bits >> 15;
    }
    return bf16_from_float(scale_of(m, i) * ((float)(bits >> 8) * (1.0f / (1 << 23)) - 1.0f));
}

void reference_decode_weights(const struct decode_model *m, unsigned seed, uint16_t *weights)
{
    for (size_t i = 0; i < decode_weights(m); i++)
        weights[i] = weight(*m, seed, i);
}

/* ---- a step on the CPU ----------------------------------------------------------------------- */

void reference_decode_linear(double *y, const uint16_t *w, const double *x, int n_out, int n_in,
                             int normed);
void reference_decode_attend(double *a, const double *q, const double *keys, const double *values,
                             int length, int pitch, double *scores);

/* The value of x as bf16. */
static void round_to_bf16(double *to, const double *from, int d)
{
    for (int i = 0; i < d; i++)
        to[i] = bf16_to_float(bf16_from_float((float)from[i]));
}

/* Computes one layer: changes x. work has 5 d elements. */
static void layer_step(const struct decode_model *m, const uint16_t *w, double *keys,
                       double *values, double *x, int position, double *work, double *scores)
{
    const int d = decode_width(m);
    const size_t square = (size_t)d * d;
    double *qkv = work, *a = work + 3 * d, *y = work + 4 * d;
    reference_decode_linear(qkv, w, x, 3 * d, d, 1);
    round_to_bf16(keys + (size_t)position * d, qkv + d, d);
    round_to_bf16(values + (size_t)position * d, qkv + 2 * d, d);
    for (int h = 0; h < d; h += DECODE_HEAD_SIZE)
        reference_decode_attend(a + h, qkv + h, keys + h, values + h, position + 1, d, scores);
    round_to_bf16(a, a, d);
    reference_decode_linear(y, w + 3 * square, a, d, d, 0);
    for (int i = 0; i < d; i++)
        x[i] += y[i];
    reference_decode_linear(work, w + 4 * square, x, 4 * d, d, 1);
    for (int i = 0; i < 4 * d; i++)
        work[i] *= 0.5 * (1 + erf(work[i] * sqrt(0.5)));
    round_to_bf16(work, work, 4 * d);
    reference_decode_linear(y, w + 8 * square, work, d, 4 * d, 0);
    for (int i = 0; i < d; i++)
        x[i] += y[i];
}

void reference_decode_step(const struct decode_model *m, const uint16_t *weights,
                           const struct reference_sequence *sequence, int token, int position)
{
    const int d = decode_width(m);
    const size_t embeddings = (size_t)(DECODE_TOKENS + m->n_positions) * d;
    const size_t of_layer = (size_t)12 * d * d, cached = (size_t)m->n_positions * d;
    double *x = (double *)malloc(sizeof *x * (size_t)(6 * d + m->n_positions));
    if (!x)
        abort();
    for (int i = 0; i < d; i++)
        x[i] = bf16_to_float(weights[(size_t)token * d + i]) +
               bf16_to_float(weights[(size_t)(DECODE_TOKENS + position) * d + i]);
    for (int l = 0; l < m->n_layers; l++)
        layer_step(m, weights + embeddings + l * of_layer, sequence->keys + l * cached,
                   sequence->values + l * cached, x, position, x + d, x + 6 * d);
    reference_decode_linear(sequence->logits, weights + embeddings + m->n_layers * of_layer, x,
                            DECODE_TOKENS, d, 1);
    free(x);
}

#ifndef REFERENCE_ONLY
#include "simgpu/kernel.h"

#include "decode_device.h"

/* ---- kernel, launcher, declared footprint ---------------------------------------------------- */

static const size_t THREADS = 256, MOST_BLOCKS = 1056;

static __global__ void decode_random(struct decode_model m, unsigned seed, size_t count)
{
    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < count; i += gridDim.x * THREADS)
        m.weights[i] = weight(m, seed, i);
}

cudaError_t launch_decode_weights(const struct decode_model *m, unsigned seed, cudaStream_t stream)
{
    if (!m || !m->weights || m->n_layers <= 0 || m->n_heads <= 0 || m->n_positions <= 0)
        return cudaErrorInvalidValue;
    struct decode_model model = *m;
    size_t count = decode_weights(m);
    const size_t blocks = (count - 1) / THREADS + 1;
    void *args[] = {&model, &seed, &count};
    return cudaLaunchKernel((const void *)decode_random,
                            dim3((unsigned)(blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS)),
                            dim3((unsigned)THREADS), args, 0, stream);
}

FOOTPRINT random_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                           struct decode_model m, unsigned, size_t count)
{
    simgpu_touch(work, SIMGPU_WRITE, m.weights, count);
}

DECLARE_KERNEL(decode_random, random_footprint, 24);
#endif
