/* serve_rows.cu: the first and the last kernel of a server's step: embed and sample.
 *
 * sample draws from softmax(logits / temperature) by adding a random number with a Gumbel
 * distribution to each logit / temperature, and taking the largest. The random numbers are those of
 * Philox 4x32-10 (Salmon et al., Parallel random numbers: as easy as 1, 2, 3, 2011). Its state is a
 * counter and a key, so it needs no warm-up, and no order between rows: here the key is the seed of
 * the sequence, and the counter is the number of tokens drawn so far, with the number of the token.
 */
#include <assert.h>

#include "serve.h"

#include <math.h>

/* ---- random numbers -------------------------------------------------------------------------- */

struct four {
    uint32_t x[4];
};

HOST_DEVICE_FUNCTION struct four philox(struct four counter, unsigned long long seed)
{
    const uint32_t multipliers[2] = {0xd2511f53u, 0xcd9e8d57u};
    uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    struct four c = counter;
    for (int round = 0; round < 10; round++) {
        const uint64_t a = (uint64_t)multipliers[0] * c.x[0], b = (uint64_t)multipliers[1] * c.x[2];
        const uint32_t next[4] = {(uint32_t)(b >> 32) ^ c.x[1] ^ key[0], (uint32_t)b,
                                  (uint32_t)(a >> 32) ^ c.x[3] ^ key[1], (uint32_t)a};
        for (int i = 0; i < 4; i++)
            c.x[i] = next[i];
        key[0] += 0x9e3779b9u;
        key[1] += 0xbb67ae85u;
    }
    return c;
}

/* The random bits of tokens `first` to first + 3. */
HOST_DEVICE_FUNCTION struct four bits_of(unsigned long long seed, unsigned drawn, int first)
{
    const struct four counter = {{drawn, (uint32_t)first / 4, 0, 0}};
    return philox(counter, seed);
}

/* Uniform in (0, 1). */
HOST_DEVICE_FUNCTION float uniform_of(uint32_t bits)
{
    return ((float)(bits >> 9) + 0.5f) * (1.0f / (1 << 23));
}

/* ---- CPU reference --------------------------------------------------------------------------- */

void reference_serve_scores(double *scores, const double *logits, double temperature,
                            unsigned long long seed, unsigned drawn)
{
    for (int first = 0; first < DECODE_TOKENS; first += 4) {
        const struct four bits = bits_of(seed, drawn, first);
        for (int i = 0; i < 4; i++)
            scores[first + i] = temperature > 0 ? logits[first + i] / temperature -
                                                      log(-log((double)uniform_of(bits.x[i])))
                                                : logits[first + i];
    }
}

#ifndef REFERENCE_ONLY
#include "simgpu/kernel.h"

#include "serve_device.h"

/* ---- sizes ----------------------------------------------------------------------------------- */

size_t serve_block_bytes(const struct decode_model *m)
{
    return 2 * sizeof(uint16_t) * DECODE_BLOCK * (size_t)m->n_layers * decode_width(m);
}

/* ---- kernels --------------------------------------------------------------------------------- */

enum { THREADS = 64, EACH = DECODE_TOKENS / THREADS };

struct row {
    int token, position, slot, block;
    bool is_last;
};

static __device__ __forceinline__ struct row row_of(const struct serve_step &s, int i)
{
    const struct decode_rows &rows = s.decode.rows;
    struct row row = {rows.token[i], rows.position[i], rows.slot[i], 0,
                      rows.token[i] == SERVE_LAST};
    assert(row.slot >= 0 && row.slot <= s.decode.cache.n_slots);
    assert(row.position >= 0 && row.position < s.decode.model.n_positions);
    row.block =
        s.decode.cache
            .blocks[row.slot * decode_blocks(&s.decode.model) + row.position / DECODE_BLOCK];
    assert(row.block >= 0 && row.block <= s.decode.cache.n_blocks);
    if (row.is_last)
        row.token = s.samplers.last[row.slot];
    assert(row.token >= 0 && row.token < DECODE_TOKENS);
    return row;
}

static __device__ __forceinline__ void enter(const struct serve_step &s, int i,
                                             const struct row &row, struct serve_journal *journal)
{
    const int at = atomicAdd(&journal->n, 1);
    const unsigned long long seed = serve_has_sequence(s, row.slot) ? s.samplers.seed[row.slot] : 0;
    if (at < SERVE_JOURNAL_ENTRIES)
        journal->entries[at] = {seed,      row.slot,    row.position,    row.block,
                                row.token, row.is_last, s.decode.n_rows, s.samples[i]};
}

static __global__ void __launch_bounds__(THREADS)
    serve_embed(struct serve_step s, struct serve_journal *journal, int start)
{
    decode_let_next_begin();
    decode_wait(start);
    const int d = decode_width(&s.decode.model);
    const struct row row = row_of(s, blockIdx.x);
    if (threadIdx.x == 0 && journal)
        enter(s, blockIdx.x, row, journal);
    const uint16_t *weights = s.decode.model.weights, *token = weights + (size_t)row.token * d,
                   *position = weights + (size_t)(DECODE_TOKENS + row.position) * d;
    for (int i = threadIdx.x; i < d; i += THREADS)
        s.decode.scratch.x[(size_t)blockIdx.x * d + i] =
            bf16_to_float(token[i]) + bf16_to_float(position[i]);
}

struct candidate {
    float score;
    int token;
};

static __device__ __forceinline__ struct candidate better(const struct candidate &a,
                                                          const struct candidate &b)
{
    return b.score > a.score || (b.score == a.score && b.token < a.token) ? b : a;
}

/* The best of the thread's tokens. */
static __device__ __forceinline__ struct candidate best_of_thread(const struct serve_step &s,
                                                                  int row, int slot)
{
    const float *logits = s.decode.scratch.logits + (size_t)row * DECODE_TOKENS;
    const float temperature = s.samplers.temperature[slot];
    const int first = threadIdx.x * EACH;
    const struct four bits = bits_of(s.samplers.seed[slot], s.samplers.drawn[slot], first);
    struct candidate best = {-INFINITY, first};
    for (int i = 0; i < EACH; i++) {
        const float logit = logits[first + i];
        const float score =
            temperature > 0 ? logit / temperature - logf(-logf(uniform_of(bits.x[i]))) : logit;
        best = better(best, {score, first + i});
    }
    return best;
}

static __device__ __forceinline__ void enter_sample(const struct serve_step &s, int row, int slot,
                                                    struct serve_journal *journal)
{
    const int at = atomicAdd(&journal->n_samples, 1);
    if (at < SERVE_JOURNAL_ENTRIES)
        journal->samples[at] = {s.samplers.seed[slot], s.decode.rows.position[row],
                                s.samplers.temperature[slot], s.samplers.drawn[slot]};
}

static __global__ void __launch_bounds__(THREADS)
    serve_sample(struct serve_step s, struct serve_journal *journal, int start)
{
    __shared__ struct candidate best[THREADS];
    const int row = blockIdx.x;
    decode_let_next_begin();
    decode_wait(start);
    if (threadIdx.x == 0 && journal)
        atomicAdd(&journal->n_done, 1);
    const int slot = s.decode.rows.slot[row];
    if (!s.samples[row] || !serve_has_sequence(s, slot)) {
        if (threadIdx.x == 0)
            s.tokens[row] = SERVE_NONE;
        return;
    }
    best[threadIdx.x] = best_of_thread(s, row, slot);
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    struct candidate all = best[0];
    for (int i = 1; i < THREADS; i++)
        all = better(all, best[i]);
    if (journal)
        enter_sample(s, row, slot, journal);
    s.tokens[row] = s.samplers.last[slot] = all.token;
    s.samplers.drawn[slot]++;
    s.decode.rows.token[row] = SERVE_LAST;
    s.decode.rows.position[row]++;
}

/* ---- launchers ------------------------------------------------------------------------------- */

static struct serve_journal *watching;

void serve_set_journal(struct serve_journal *journal)
{
    watching = journal;
}

cudaError_t launch_serve_embed(const struct serve_step *s, enum decode_start start,
                               cudaStream_t stream)
{
    struct serve_step step;
    void *args[] = {&step, &watching, &start};
    if (!serve_is_valid(s))
        return cudaErrorInvalidValue;
    step = *s;
    return decode_launch((const void *)serve_embed, dim3((unsigned)s->decode.n_rows), dim3(THREADS),
                         0, args, start, stream);
}

cudaError_t launch_serve_sample(const struct serve_step *s, enum decode_start start,
                                cudaStream_t stream)
{
    struct serve_step step;
    void *args[] = {&step, &watching, &start};
    if (!serve_is_valid(s))
        return cudaErrorInvalidValue;
    step = *s;
    return decode_launch((const void *)serve_sample, dim3((unsigned)s->decode.n_rows),
                         dim3(THREADS), 0, args, start, stream);
}

/* ---- declared footprints --------------------------------------------------------------------- */

static size_t slots_of(const struct serve_step &s)
{
    return (size_t)s.decode.cache.n_slots + 1;
}

/* Tokens, positions and slots are in device memory, so the footprint covers all of them. */
FOOTPRINT embed_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                          struct serve_step s, struct serve_journal *journal, int start)
{
    const struct decode_step &d = s.decode;
    const size_t rows = (size_t)d.n_rows, numbers = rows * decode_width(&d.model);
    decode_declare_start(work, start, 0);
    simgpu_touch(work, SIMGPU_READ, d.rows.token, rows);
    simgpu_touch(work, SIMGPU_READ, d.rows.position, rows);
    simgpu_touch(work, SIMGPU_READ, d.rows.slot, rows);
    simgpu_touch(work, SIMGPU_READ, d.cache.blocks, slots_of(s) * decode_blocks(&d.model));
    simgpu_touch(work, SIMGPU_READ, s.samplers.last, slots_of(s) - 1);
    simgpu_touch(work, SIMGPU_READ, d.model.weights, decode_embeddings(d.model));
    simgpu_touch(work, SIMGPU_WRITE, d.scratch.x, numbers);
    if (journal) {
        simgpu_touch(work, SIMGPU_READ, s.samples, rows);
        simgpu_touch(work, SIMGPU_READ, s.samplers.seed, slots_of(s) - 1);
        simgpu_touch(work, SIMGPU_ATOMIC, &journal->n, 1);
        simgpu_touch(work, SIMGPU_ATOMIC, journal->entries, SERVE_JOURNAL_ENTRIES);
    }
    work->dram_bytes = (double)numbers * (2 * sizeof(uint16_t) + sizeof(float));
}

FOOTPRINT sample_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                           struct serve_step s, struct serve_journal *journal, int start)
{
    const struct decode_step &d = s.decode;
    const size_t rows = (size_t)d.n_rows, slots = slots_of(s) - 1;
    decode_declare_start(work, start, 0);
    simgpu_touch(work, SIMGPU_READ, d.scratch.logits, rows * DECODE_TOKENS);
    simgpu_touch(work, SIMGPU_READ, d.rows.slot, rows);
    simgpu_touch(work, SIMGPU_READ, s.samples, rows);
    simgpu_touch(work, SIMGPU_READ, s.samplers.seed, slots);
    simgpu_touch(work, SIMGPU_READ, s.samplers.temperature, slots);
    simgpu_touch(work, SIMGPU_READ_WRITE, s.samplers.drawn, slots);
    simgpu_touch(work, SIMGPU_WRITE, s.samplers.last, slots);
    simgpu_touch(work, SIMGPU_WRITE, d.rows.token, rows);
    simgpu_touch(work, SIMGPU_READ_WRITE, d.rows.position, rows);
    simgpu_touch(work, SIMGPU_WRITE, s.tokens, rows);
    if (journal) {
        simgpu_touch(work, SIMGPU_ATOMIC, &journal->n_done, 2); /* and n_samples */
        simgpu_touch(work, SIMGPU_ATOMIC, journal->samples, SERVE_JOURNAL_ENTRIES);
    }
    work->dram_bytes = (double)rows * DECODE_TOKENS * sizeof(float);
}

DECLARE_KERNEL(serve_embed, embed_footprint, 28);
DECLARE_KERNEL(serve_sample, sample_footprint, 30, THREADS * sizeof(struct candidate));
#endif
