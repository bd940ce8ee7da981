/* adapter_given.c: what a submission of lab 11 is given. */
#include "given.h"

#include <stdbool.h>

#include "common/check.h"

/* ---- the pool -------------------------------------------------------------------------------- */

enum { MOST_PIECES = 64 };

static struct piece {
    float *memory;
    size_t floats;
    bool used;
} pieces[MOST_PIECES];
static int n_pieces, n_used, most_used, bad_releases;

/* The smallest free piece that is large enough; else a new one. */
static float *allocate(size_t floats)
{
    struct piece *best = NULL;
    for (struct piece *p = pieces; p < pieces + n_pieces; p++)
        if (!p->used && p->floats >= floats && (!best || p->floats < best->floats))
            best = p;
    if (!best && n_pieces < MOST_PIECES && floats > 0) {
        best = &pieces[n_pieces];
        if (cudaMalloc((void **)&best->memory, floats * sizeof(float)) != cudaSuccess)
            return NULL;
        best->floats = floats;
        n_pieces++;
    }
    if (best) {
        best->used = true;
        n_used++;
        most_used = n_used > most_used ? n_used : most_used;
    }
    return best ? best->memory : NULL;
}

static void release(float *memory)
{
    for (struct piece *p = pieces; p < pieces + n_pieces; p++)
        if (p->memory == memory && p->used) {
            p->used = false;
            n_used--;
            return;
        }
    bad_releases += memory != NULL;
}

struct given_pool given_pool(void)
{
    struct given_pool pool = {.pieces = most_used, .bad_releases = bad_releases};
    for (int i = 0; i < n_pieces; i++)
        pool.floats += (double)pieces[i].floats;
    return pool;
}

/* ---- prefill --------------------------------------------------------------------------------- */

/* The positions of a sequence are the rows of a step: each writes its keys and values before any of
   them reads. So many at once: */
enum { AT_ONCE = 32, MOST_ROWS = 64 };

static struct {
    int *counts, *slots;     /* pinned: 0, 1, 2, …; each slot's number, AT_ONCE times */
    struct decode_step step; /* rows and scratch memory of its own */
    int *rows;
    float *scratch;
} filler;

static cudaError_t fill_rows(int slot, const int *tokens, int first, int n, cudaStream_t stream)
{
    const struct decode_rows *rows = &filler.step.rows;
    const size_t bytes = (size_t)n * sizeof(int);
    const enum cudaMemcpyKind in = cudaMemcpyHostToDevice;
    TRY(cudaMemcpyAsync(rows->token, tokens + first, bytes, in, stream));
    TRY(cudaMemcpyAsync(rows->position, filler.counts + first, bytes, in, stream));
    TRY(cudaMemcpyAsync(rows->length, filler.counts + first + 1, bytes, in, stream));
    return cudaMemcpyAsync(rows->slot, filler.slots + slot * AT_ONCE, bytes, in, stream);
}

struct decode_step given_step(const struct lab11 *lab)
{
    struct decode_step step = filler.step;
    step.cache = lab->cache;
    return step;
}

cudaError_t given_layers(const struct decode_step *step, cudaStream_t stream)
{
    TRY(launch_decode_embed(step, DECODE_AFTER, stream));
    for (int layer = 0; layer < step->model.n_layers; layer++) {
        TRY(launch_decode_qkv(step, layer, DECODE_AFTER, stream));
        TRY(launch_decode_attend(step, layer, DECODE_AFTER, stream));
        TRY(launch_decode_project(step, layer, DECODE_AFTER, stream));
        TRY(launch_decode_up(step, layer, DECODE_AFTER, stream));
        TRY(launch_decode_down(step, layer, DECODE_AFTER, stream));
    }
    return cudaSuccess;
}

static struct prefilled {
    int slot, n;
    const int *tokens;
} prefilled[MOST_ROWS];
static int n_prefilled;

void given_prefill_forget(void)
{
    n_prefilled = 0;
}

int given_prefill_missing(const struct lab11_batch *batch)
{
    for (int row = 0; row < batch->n; row++) {
        bool is_done = batch->prompt_length[row] == 1;
        for (const struct prefilled *p = prefilled; p < prefilled + n_prefilled; p++)
            is_done |= p->slot == batch->slot[row] && p->tokens == batch->prompt[row] &&
                       p->n >= batch->prompt_length[row] - 1;
        if (!is_done)
            return row;
    }
    return -1;
}

bool given_prefills_more(const struct lab11_batch *batch)
{
    for (const struct prefilled *p = prefilled; p < prefilled + n_prefilled; p++) {
        int row = 0;
        while (row < batch->n && batch->slot[row] != p->slot)
            row++;
        if (row == batch->n || p->n >= batch->prompt_length[row])
            return true;
    }
    return false;
}

static cudaError_t prefill(struct lab11 *lab, int slot, const int *tokens, int n,
                           cudaStream_t stream)
{
    struct decode_step step = given_step(lab);
    if (n_prefilled < MOST_ROWS)
        prefilled[n_prefilled++] = (struct prefilled){slot, n, tokens};
    if (slot < 0 || slot > lab->n_slots || !tokens || n < 1 || n > lab->model.n_positions)
        return cudaErrorInvalidValue;
    for (int first = 0; first < n; first += AT_ONCE) {
        step.n_rows = n - first < AT_ONCE ? n - first : AT_ONCE;
        TRY(fill_rows(slot, tokens, first, step.n_rows, stream));
        TRY(given_layers(&step, stream));
    }
    return cudaSuccess;
}

/* ---- both ------------------------------------------------------------------------------------ */

static cudaError_t create_filler(const struct lab11 *lab)
{
    const struct decode_model *m = &lab->model;
    const size_t n_slots = (size_t)lab->n_slots + 1, n_counts = (size_t)m->n_positions + 1;
    TRY(cudaMallocHost((void **)&filler.counts, n_counts * sizeof(int)));
    TRY(cudaMallocHost((void **)&filler.slots, n_slots * AT_ONCE * sizeof(int)));
    TRY(cudaMalloc((void **)&filler.rows, 4 * AT_ONCE * sizeof(int)));
    TRY(cudaMalloc((void **)&filler.scratch, decode_scratch_floats(m, AT_ONCE) * sizeof(float)));
    for (size_t i = 0; i < n_counts; i++)
        filler.counts[i] = (int)i;
    for (size_t i = 0; i < n_slots * AT_ONCE; i++)
        filler.slots[i] = (int)(i / AT_ONCE);
    int *rows = filler.rows;
    filler.step =
        (struct decode_step){.model = *m,
                             .rows = {rows, rows + AT_ONCE, rows + 2 * AT_ONCE, rows + 3 * AT_ONCE},
                             .scratch = decode_scratch_at(m, filler.scratch, AT_ONCE)};
    return cudaSuccess;
}

cudaError_t given_create(struct lab11 *lab)
{
    lab->allocate = allocate;
    lab->release = release;
    lab->prefill = prefill;
    return create_filler(lab);
}

cudaError_t given_destroy(void)
{
    for (int i = 0; i < n_pieces; i++)
        TRY(cudaFree(pieces[i].memory));
    n_pieces = n_used = most_used = bad_releases = 0;
    TRY(cudaFree(filler.scratch));
    TRY(cudaFree(filler.rows));
    TRY(cudaFreeHost(filler.slots));
    return cudaFreeHost(filler.counts);
}
