/*
 * Lab 11: a decoder step as a graph, one for each bucket of batch sizes. See lab.h and README.md.
 */
#include <stdbool.h>
#include <stdlib.h>

#include "check.h"
#include "lab.h"

/* The state that the host copies to the device for each batch, with one copy. decode.h explains the
   members. */
struct rows_on_host {
    int *token, *position, *length, *slot; /* max_rows numbers each */
    struct decode_progress *progress;
};

struct lab11_state {
    cudaStream_t stream;
    int *pinned, *device; /* the same layout: 4 x max_rows numbers, then a decode_progress */
    struct rows_on_host host;
    struct decode_step step; /* the arguments of all kernels; n_rows is set for each step */
    cudaGraphExec_t execs[LAB11_MAX_BUCKETS];
    cudaGraphExec_t loops[LAB11_MAX_BUCKETS]; /* extra */
    int bucket;                               /* of the current batch; -1: none is large enough */
    int n, steps;                             /* of the current batch */
};

/* ---- memory ---------------------------------------------------------------------------------- */

static size_t row_bytes(const struct lab11 *lab)
{
    return 4 * (size_t)lab->max_rows * sizeof(int) + sizeof(struct decode_progress);
}

static cudaError_t allocate_cache(struct lab11 *lab)
{
    struct decode_cache *cache = &lab->cache;
    cache->n_slots = lab->n_slots;
    const size_t bytes =
        lab->model.n_layers * decode_layer_keys(&lab->model, cache) * sizeof *cache->keys;
    TRY(cudaMalloc((void **)&cache->keys, bytes));
    return cudaMalloc((void **)&cache->values, bytes);
}

static cudaError_t allocate_rows(struct lab11 *lab)
{
    struct lab11_state *state = lab->state;
    const int n = lab->max_rows;
    struct decode_step *step = &state->step;

    TRY(cudaMallocHost((void **)&state->pinned, row_bytes(lab)));
    TRY(cudaMalloc((void **)&state->device, row_bytes(lab)));
    TRY(cudaMalloc((void **)&step->tokens, (size_t)n * lab->max_steps * sizeof *step->tokens));
    int *host = state->pinned, *device = state->device;
    state->host = (struct rows_on_host){host, host + n, host + 2 * n, host + 3 * n,
                                        (struct decode_progress *)(host + 4 * n)};
    step->rows = (struct decode_rows){device, device + n, device + 2 * n, device + 3 * n};
    step->progress = (struct decode_progress *)(device + 4 * n);
    step->row_pitch = n;
    step->max_steps = lab->max_steps;
    return cudaSuccess;
}

/* ---- one step -------------------------------------------------------------------------------- */

/* Enqueues one step with step->n_rows rows. `loop` is an argument of launch_decode_advance. */
static cudaError_t enqueue_step(struct lab11 *lab, const struct decode_step *step,
                                cudaGraphConditionalHandle loop)
{
    cudaStream_t stream = lab->state->stream;
    /*
     * YOUR STEP 1: the kernels of a step, as lab.h draws them. All of them take DECODE_AFTER, and
     * the last one takes `loop`.
     *
     * YOUR STEP 7: all kernels but the first may start early, prefetch their weights into the L2
     * cache, and then wait. Which enum decode_start is that?
     */
    (void)step;
    (void)loop;
    (void)stream;
    return cudaErrorNotYetImplemented;
}

/* ---- graphs ---------------------------------------------------------------------------------- */

/* Captures the step of one bucket as lab->graphs[bucket], and creates its executable graph. */
static cudaError_t create_graph(struct lab11 *lab, int bucket)
{
    struct lab11_state *state = lab->state;
    struct decode_step step = state->step;

    step.n_rows = lab->buckets[bucket];
    /* YOUR STEP 4: capture enqueue_step, instantiate, upload. */
    (void)step;
    return cudaSuccess;
}

/* Extra: a graph whose WHILE node runs steps of one bucket until all sequences have stopped. */
static cudaError_t create_loop(struct lab11 *lab, int bucket)
{
    struct lab11_state *state = lab->state;
    struct decode_step step = state->step;

    step.n_rows = lab->buckets[bucket];
    /* YOUR STEP 8 (extra): one step is the body of a WHILE node (lab 10). `advance` sets the value
       of its handle. */
    (void)step;
    return cudaSuccess;
}

/* Allocates scratch memory for n_rows rows from the pool. */
static cudaError_t take_scratch(struct lab11 *lab, int n_rows)
{
    float *memory = lab->allocate(decode_scratch_floats(&lab->model, n_rows));
    if (!memory)
        return cudaErrorMemoryAllocation;
    lab->state->step.scratch = decode_scratch_at(&lab->model, memory, n_rows);
    return cudaSuccess;
}

/*
 * Creates the graphs of all buckets, and allocates scratch memory for stream launches. The graphs
 * and the stream launches never run concurrently, so they may share memory. Each piece is released
 * after its capture, and the pool can reuse it for the next one.
 */
static cudaError_t create_graphs(struct lab11 *lab)
{
    struct lab11_state *state = lab->state;
    struct decode_scratch for_streams = {0};

    /* YOUR STEP 6: the pool reuses a released piece only if it is large enough. In which order can
       all captures use the same piece? */
    for (int i = 0; i <= lab->n_buckets; i++) {
        const bool is_bucket = i < lab->n_buckets;
        TRY(take_scratch(lab, is_bucket ? lab->buckets[i] : lab->max_rows));
        if (is_bucket) {
            TRY(create_graph(lab, i));
            TRY(create_loop(lab, i));
        } else {
            for_streams = state->step.scratch;
        }
        lab->release(state->step.scratch.x);
    }
    state->step.scratch = for_streams;
    return cudaSuccess;
}

/* ---- set-up ---------------------------------------------------------------------------------- */

cudaError_t lab11_setup(struct lab11 *lab)
{
    struct lab11_state *state = calloc(1, sizeof *state);
    if (!state)
        return cudaErrorMemoryAllocation;
    lab->state = state;
    TRY(cudaStreamCreateWithFlags(&state->stream, cudaStreamNonBlocking));
    TRY(allocate_cache(lab));
    TRY(allocate_rows(lab));
    state->step.model = lab->model;
    state->step.cache = lab->cache;
    TRY(create_graphs(lab));
    return cudaStreamSynchronize(state->stream);
}

cudaError_t lab11_teardown(struct lab11 *lab)
{
    struct lab11_state *state = lab->state;

    for (int i = 0; i < lab->n_buckets; i++) {
        if (state->execs[i])
            TRY(cudaGraphExecDestroy(state->execs[i]));
        if (state->loops[i])
            TRY(cudaGraphExecDestroy(state->loops[i]));
        if (lab->graphs[i])
            TRY(cudaGraphDestroy(lab->graphs[i]));
    }
    TRY(cudaFree(state->step.tokens));
    TRY(cudaFree(state->device));
    TRY(cudaFreeHost(state->pinned));
    TRY(cudaFree(lab->cache.values));
    TRY(cudaFree(lab->cache.keys));
    TRY(cudaStreamDestroy(state->stream));
    free(state);
    return cudaSuccess;
}

/* ---- a batch --------------------------------------------------------------------------------- */

/* Returns the index of the smallest bucket with at least n rows; -1 if there is none. */
static int bucket_for(const struct lab11 *lab, int n)
{
    /* YOUR STEP 5: these lines find only buckets of exactly n rows. */
    for (int i = 0; i < lab->n_buckets; i++)
        if (lab->buckets[i] == n)
            return i;
    return -1;
}

/* Writes the first state of all rows to pinned memory. The first step reads it. */
static void fill_rows(struct lab11 *lab, const struct lab11_batch *batch)
{
    const struct rows_on_host *rows = &lab->state->host;
    /*
     * YOUR STEP 2: lab->prefill has written all tokens but the last one to the cache. Which token
     * does the first step embed, at which position? How many positions does `attend` read? Also set
     * *rows->progress: `step` (steps completed so far), `steps` and `stop` (those of the batch).
     *
     * YOUR STEP 5: the rows from batch->n to max_rows - 1 are padding rows, which belong to no
     * sequence. They have token 0 at position 0, and length 1. Which slot do they use?
     */
    (void)batch;
    (void)rows;
}

cudaError_t lab11_begin(struct lab11 *lab, const struct lab11_batch *batch)
{
    struct lab11_state *state = lab->state;
    const size_t token_bytes = (size_t)lab->max_rows * lab->max_steps * sizeof(int);

    state->n = batch->n;
    state->steps = batch->steps;
    state->bucket = bucket_for(lab, batch->n);
    for (int i = 0; i < batch->n; i++)
        if (batch->prompt_length[i] > 1)
            TRY(lab->prefill(lab, batch->slot[i], batch->prompt[i], batch->prompt_length[i] - 1,
                             state->stream));
    TRY(cudaMemsetAsync(state->step.tokens, 0xff, token_bytes, state->stream)); /* all stopped */
    fill_rows(lab, batch);
    /* YOUR STEP 2: copy state->pinned to state->device, row_bytes(lab) bytes. */
    return cudaSuccess;
}

cudaError_t lab11_decode(struct lab11 *lab, int steps, enum lab11_how how)
{
    struct lab11_state *state = lab->state;
    struct decode_step step = state->step; /* for stream launches */

    step.n_rows = state->n;
    /*
     * YOUR STEP 1: call enqueue_step `steps` times, for the moment whatever `how` is.
     *
     * YOUR STEP 4: for LAB11_GRAPH launch state->execs[state->bucket] instead. If no bucket is
     * large enough (state->bucket is -1), use stream launches.
     *
     * YOUR STEP 8 (extra): for LAB11_LOOP launch state->loops[state->bucket] once, if there is one.
     */
    (void)steps;
    (void)how;
    (void)step;
    (void)enqueue_step;
    return cudaErrorNotYetImplemented;
}

cudaError_t lab11_read(struct lab11 *lab, int *tokens)
{
    struct lab11_state *state = lab->state;
    const size_t bytes = (size_t)lab->max_rows * state->steps * sizeof *tokens;
    /* YOUR STEP 3: `advance` stores the tokens of all steps in state->step.tokens. Copy them, and
       wait until the copy is complete. */
    (void)tokens;
    (void)bytes;
    return cudaErrorNotYetImplemented;
}
