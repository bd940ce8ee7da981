/* decode_rows.cu: the first and the last kernel of a decoder step: embed and advance. advance sets
 * the state of each row for the next step. It has one block for all rows. */
#include <assert.h>

#include "decode.h"

#ifndef REFERENCE_ONLY
#include "simgpu/kernel.h"

#include "decode_device.h"

/* ---- kernels --------------------------------------------------------------------------------- */

enum { THREADS = 256, WARP = 32, WARPS = 8, EACH = DECODE_TOKENS / WARP };

/* The numbers of a row are addresses for the kernels after this one. A row without a sequence has
   them, too: its key and value are written to its slot. */
static __device__ __forceinline__ void check_row(const struct decode_step &s, int row)
{
    const int token = s.rows.token[row], position = s.rows.position[row],
              length = s.rows.length[row], slot = s.rows.slot[row];
    assert(token >= 0 && token < DECODE_TOKENS);
    assert(position >= 0 && position < s.model.n_positions);
    assert(length >= 1 && length <= s.model.n_positions);
    assert(slot >= 0 && slot <= s.cache.n_slots);
}

static __global__ void __launch_bounds__(THREADS) decode_embed(struct decode_step s, int start)
{
    decode_let_next_begin();
    decode_wait(start);
    const int d = decode_width(&s.model), row = blockIdx.x;
    if (threadIdx.x == 0)
        check_row(s, row);
    const uint16_t *token = s.model.weights + (size_t)s.rows.token[row] * d,
                   *position = s.model.weights + (size_t)(DECODE_TOKENS + s.rows.position[row]) * d;
    for (int i = threadIdx.x; i < d; i += THREADS)
        s.scratch.x[(size_t)row * d + i] = bf16_to_float(token[i]) + bf16_to_float(position[i]);
}

/* Stores the token of a row, whose sequence has this slot and length. The sequence continues or
   ends. Returns 1 if it continues. */
static __device__ __forceinline__ int store_token(const struct decode_step &s, int row, int slot,
                                                  int length, int token)
{
    const int step = s.progress->step, has_sequence = slot != s.cache.n_slots;
    if (step < s.max_steps)
        s.tokens[(size_t)step * s.row_pitch + row] = has_sequence ? token : DECODE_STOPPED;
    if (!has_sequence)
        return 0;
    const int continues = token != s.progress->stop && length < s.model.n_positions;
    s.rows.token[row] = continues ? token : 0;
    s.rows.position[row] = continues ? length : 0;
    s.rows.length[row] = continues ? length + 1 : 1;
    s.rows.slot[row] = continues ? slot : s.cache.n_slots;
    return continues;
}

struct candidate {
    float logit;
    int token;
};

static __device__ __forceinline__ struct candidate better(const struct candidate &a,
                                                          const struct candidate &b)
{
    return b.logit > a.logit || (b.logit == a.logit && b.token < a.token) ? b : a;
}

static __global__ void __launch_bounds__(WARP *WARPS)
    decode_advance(struct decode_step s, cudaGraphConditionalHandle loop, int start)
{
    __shared__ struct candidate best[WARPS][WARP];
    __shared__ int running[WARPS];
    const int lane = threadIdx.x, warp = threadIdx.y;
    decode_let_next_begin();
    decode_wait(start);
    if (lane == 0)
        running[warp] = 0;
    for (int first = 0; first < s.n_rows; first += WARPS) {
        const int row = first + warp;
        const float *logits = s.scratch.logits + (size_t)row * DECODE_TOKENS;
        int slot = 0, length = 0;
        if (row < s.n_rows) {
            struct candidate mine = {logits[lane], lane};
            for (int i = 1; i < EACH; i++)
                mine = better(mine, {logits[lane + i * WARP], lane + i * WARP});
            best[warp][lane] = mine;
            if (lane == 0) {
                slot = s.rows.slot[row];
                length = s.rows.length[row];
            }
        }
        __syncthreads();
        if (lane == 0 && row < s.n_rows) {
            struct candidate all = best[warp][0];
            for (int i = 1; i < WARP; i++)
                all = better(all, best[warp][i]);
            running[warp] |= store_token(s, row, slot, length, all.token);
        }
        __syncthreads();
    }
    if (lane != 0 || warp != 0)
        return;
    int any = 0;
    for (int i = 0; i < WARPS; i++)
        any |= running[i];
    const int steps_done = s.progress->step + 1;
    s.progress->step = steps_done;
    if (loop)
        cudaGraphSetConditional(loop, any && steps_done < s.progress->steps);
}

/* ---- launchers ------------------------------------------------------------------------------- */

cudaError_t launch_decode_embed(const struct decode_step *s, enum decode_start start,
                                cudaStream_t stream)
{
    struct decode_step step;
    void *args[] = {&step, &start};
    if (!decode_has_slots(s))
        return cudaErrorInvalidValue;
    step = *s;
    return decode_launch((const void *)decode_embed, dim3((unsigned)s->n_rows), dim3(THREADS), 0,
                         args, start, stream);
}

cudaError_t launch_decode_advance(const struct decode_step *s, enum decode_start start,
                                  cudaGraphConditionalHandle loop, cudaStream_t stream)
{
    struct decode_step step;
    void *args[] = {&step, &loop, &start};
    if (!decode_has_slots(s) || !s->tokens || !s->progress || s->max_steps <= 0 ||
        s->row_pitch < s->n_rows)
        return cudaErrorInvalidValue;
    step = *s;
    return decode_launch((const void *)decode_advance, dim3(1), dim3(WARP, WARPS), 0, args, start,
                         stream);
}

/* ---- declared footprints --------------------------------------------------------------------- */

/* Tokens and positions are in device memory, so the footprint covers all embeddings. */
FOOTPRINT embed_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                          struct decode_step s, int start)
{
    decode_declare_start(work, start, 0);
    const size_t numbers = (size_t)s.n_rows * decode_width(&s.model);
    simgpu_touch(work, SIMGPU_READ, s.rows.token, (size_t)s.n_rows);
    simgpu_touch(work, SIMGPU_READ, s.rows.position, (size_t)s.n_rows);
    simgpu_touch(work, SIMGPU_READ, s.rows.length, (size_t)s.n_rows);
    simgpu_touch(work, SIMGPU_READ, s.rows.slot, (size_t)s.n_rows);
    simgpu_touch(work, SIMGPU_READ, s.model.weights, decode_embeddings(s.model));
    simgpu_touch(work, SIMGPU_WRITE, s.scratch.x, numbers);
    work->dram_bytes = (double)numbers * (2 * sizeof(uint16_t) + sizeof(float));
}

/* The number of the step is in device memory, so the footprint covers the tokens of all steps. */
FOOTPRINT advance_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                            struct decode_step s, cudaGraphConditionalHandle loop, int start)
{
    decode_declare_start(work, start, 0);
    const size_t rows = (size_t)s.n_rows;
    simgpu_touch(work, SIMGPU_READ, s.scratch.logits, rows * DECODE_TOKENS);
    simgpu_touch(work, SIMGPU_READ_WRITE, s.rows.slot, rows);
    simgpu_touch(work, SIMGPU_WRITE, s.rows.token, rows);
    simgpu_touch(work, SIMGPU_WRITE, s.rows.position, rows);
    simgpu_touch(work, SIMGPU_READ_WRITE, s.rows.length, rows);
    simgpu_touch(work, SIMGPU_READ, &s.progress->stop, 1);
    if (loop)
        simgpu_touch(work, SIMGPU_READ, &s.progress->steps, 1);
    simgpu_touch(work, SIMGPU_READ_WRITE, &s.progress->step, 1);
    simgpu_touch(work, SIMGPU_WRITE, s.tokens, (size_t)s.max_steps * s.row_pitch);
}

DECLARE_KERNEL(decode_embed, embed_footprint, 24);
DECLARE_KERNEL(decode_advance, advance_footprint, 32,
               WARPS *WARP * sizeof(struct candidate) + WARPS * sizeof(int));
#endif
