/*
 * Lab 13: a server for a decoder. See lab.h and README.md.
 */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "lab.h"

/* Numbers that the host sets, with one copy. On the device, the kernels read them. */
struct control {
    unsigned long long *seed; /* of each slot */
    float *temperature;
    unsigned *drawn;
    int *blocks;                  /* of each slot: decode_blocks() entries */
    int *token, *position, *slot; /* of each row */
    int *samples;
};

/*
 * The server of this file is right, and slow: one request at a time, in slot 0, with stream
 * launches, and the host waits after each step.
 */
enum { MAX_SLOTS = 1, MAX_ROWS = 64 };

enum { MAX_ALLOCATIONS = 16 };

struct lab13_state {
    cudaStream_t stream;
    void *allocations[MAX_ALLOCATIONS]; /* device memory */
    int n_allocations;
    size_t allocated_bytes;
    struct serve_step step; /* the arguments of all kernels; n_rows is set for each step */
    struct control device;
    void *control;
    struct control host; /* what the device's control should be */
    void *host_memory;
    int *token; /* pinned */
};

/* ---- memory ---------------------------------------------------------------------------------- */

/* Allocates device memory that is all zero; lab13_teardown frees it. */
static cudaError_t allocate(struct lab13_state *state, void *pointer, size_t bytes)
{
    void *memory;
    TRY(cudaMalloc(&memory, bytes));
    state->allocations[state->n_allocations++] = memory;
    state->allocated_bytes += bytes;
    memcpy(pointer, &memory, sizeof memory);
    return cudaMemsetAsync(memory, 0, bytes, state->stream);
}

static size_t control_bytes(const struct decode_model *m)
{
    const struct control *c = NULL;
    const size_t of_slot = sizeof *c->seed + sizeof *c->temperature + sizeof *c->drawn +
                           decode_blocks(m) * sizeof *c->blocks;
    return (MAX_SLOTS + 1) * of_slot + 4 * MAX_ROWS * sizeof(int);
}

/* Divides memory among the members of a control. */
static struct control divide(const struct decode_model *m, void *memory)
{
    const size_t slots = MAX_SLOTS + 1;
    struct control c = {.seed = memory};
    c.temperature = (float *)(c.seed + slots);
    c.drawn = (unsigned *)(c.temperature + slots);
    c.blocks = (int *)(c.drawn + slots);
    c.token = c.blocks + slots * decode_blocks(m);
    c.position = c.token + MAX_ROWS;
    c.slot = c.position + MAX_ROWS;
    c.samples = c.slot + MAX_ROWS;
    return c;
}

static cudaError_t allocate_step(struct lab13 *lab)
{
    struct lab13_state *state = lab->state;
    struct serve_step *step = &state->step;
    struct decode_step *decode = &step->decode;
    const struct decode_model *m = &lab->model;
    float *scratch;

    TRY(allocate(state, &state->control, control_bytes(m)));
    state->device = divide(m, state->control);
    TRY(allocate(state, &scratch, decode_scratch_floats(m, MAX_ROWS) * sizeof *scratch));
    TRY(allocate(state, &step->parts, serve_parts_floats(m, MAX_ROWS) * sizeof *step->parts));
    TRY(allocate(state, &step->samplers.last, (MAX_SLOTS + 1) * sizeof(int)));
    TRY(allocate(state, &step->tokens, MAX_ROWS * sizeof(int)));
    decode->model = *m;
    decode->scratch = decode_scratch_at(m, scratch, MAX_ROWS);
    decode->rows.token = state->device.token;
    decode->rows.position = state->device.position;
    decode->rows.slot = state->device.slot;
    decode->cache.blocks = state->device.blocks;
    decode->cache.n_slots = MAX_SLOTS;
    step->samples = state->device.samples;
    step->samplers.drawn = state->device.drawn;
    step->samplers.seed = state->device.seed;
    step->samplers.temperature = state->device.temperature;
    return cudaSuccess;
}

/* A cache of n_blocks blocks, and one that belongs to no sequence. */
static cudaError_t allocate_cache(struct lab13 *lab, int n_blocks)
{
    struct decode_cache *cache = &lab->state->step.decode.cache;
    const size_t bytes = (size_t)(n_blocks + 1) * serve_block_bytes(&lab->model) / 2;
    cache->n_blocks = n_blocks;
    TRY(allocate(lab->state, &cache->keys, bytes));
    return allocate(lab->state, &cache->values, bytes);
}

/* The host's control. The padding slot uses the block that belongs to no sequence. */
static void begin_control(struct lab13 *lab, void *memory)
{
    struct lab13_state *state = lab->state;
    memset(memory, 0, control_bytes(&lab->model));
    state->host = divide(&lab->model, memory);
    state->host.blocks[MAX_SLOTS * decode_blocks(&lab->model)] = state->step.decode.cache.n_blocks;
}

static cudaError_t copy_control(struct lab13 *lab, const void *pinned)
{
    struct lab13_state *state = lab->state;
    return cudaMemcpyAsync(state->control, pinned, control_bytes(&lab->model),
                           cudaMemcpyHostToDevice, state->stream);
}

/* ---- the kernels of a step ------------------------------------------------------------------- */

/* Enqueues a step of n_rows rows with stream launches. lengths: see launch_serve_attend_long. */
static cudaError_t enqueue_step(struct lab13 *lab, int n_rows, const int *lengths)
{
    struct serve_step step = lab->state->step;
    cudaStream_t stream = lab->state->stream;

    step.decode.n_rows = n_rows;
    TRY(launch_serve_embed(&step, DECODE_AFTER, stream));
    for (int layer = 0; layer < lab->model.n_layers; layer++) {
        TRY(launch_decode_qkv(&step.decode, layer, DECODE_AFTER, stream));
        if (lengths[n_rows - 1] > SERVE_SHORT)
            TRY(launch_serve_attend_long(&step, layer, lengths, stream));
        else
            TRY(launch_serve_attend(&step, layer, DECODE_AFTER, stream));
        TRY(launch_decode_project(&step.decode, layer, DECODE_AFTER, stream));
        TRY(launch_decode_up(&step.decode, layer, DECODE_AFTER, stream));
        TRY(launch_decode_down(&step.decode, layer, DECODE_AFTER, stream));
    }
    TRY(launch_decode_head(&step.decode, DECODE_AFTER, stream));
    return launch_serve_sample(&step, DECODE_AFTER, stream);
}

/* ---- set-up ---------------------------------------------------------------------------------- */

cudaError_t lab13_setup(struct lab13 *lab)
{
    struct lab13_state *state = calloc(1, sizeof *state);
    if (!state)
        return cudaErrorMemoryAllocation;
    lab->state = state;
    TRY(cudaStreamCreateWithFlags(&state->stream, cudaStreamNonBlocking));
    TRY(allocate_step(lab));
    TRY(allocate_cache(lab, decode_blocks(&lab->model)));
    TRY(cudaMallocHost(&state->host_memory, control_bytes(&lab->model)));
    TRY(cudaMallocHost((void **)&state->token, sizeof *state->token));
    begin_control(lab, state->host_memory);
    for (int i = 0; i < decode_blocks(&lab->model); i++)
        state->host.blocks[i] = i;
    return cudaStreamSynchronize(state->stream);
}

cudaError_t lab13_teardown(struct lab13 *lab)
{
    struct lab13_state *state = lab->state;

    TRY(cudaFreeHost(state->token));
    TRY(cudaFreeHost(state->host_memory));
    for (int i = 0; i < state->n_allocations; i++)
        TRY(cudaFree(state->allocations[i]));
    TRY(cudaStreamDestroy(state->stream));
    free(state);
    return cudaSuccess;
}

/* ---- serving --------------------------------------------------------------------------------- */

/* Fills the next rows of a request: n tokens from position `first` on. */
static void fill_rows(struct control *host, const struct lab13_request *request, int first, int n,
                      int *lengths)
{
    for (int i = 0; i < n; i++) {
        const bool is_prompt = first + i < request->prompt_length;
        host->token[i] = is_prompt ? request->prompt[first + i] : SERVE_LAST;
        host->position[i] = first + i;
        host->slot[i] = 0;
        host->samples[i] = first + i >= request->prompt_length - 1;
        lengths[i] = first + i + 1;
    }
}

static cudaError_t serve_one(struct lab13 *lab, const struct lab13_request *request)
{
    struct lab13_state *state = lab->state;
    const int positions = request->prompt_length + request->n_tokens - 1;
    int lengths[MAX_ROWS], n;

    state->host.seed[0] = request->seed;
    state->host.temperature[0] = request->temperature;
    state->host.drawn[0] = 0;
    for (int first = 0; first < positions; first += n) {
        const int left = request->prompt_length - first;
        n = left < 1 ? 1 : left < MAX_ROWS ? left : MAX_ROWS;
        fill_rows(&state->host, request, first, n, lengths);
        TRY(copy_control(lab, state->host_memory));
        TRY(enqueue_step(lab, n, lengths));
        TRY(cudaMemcpyAsync(state->token, state->step.tokens + n - 1, sizeof *state->token,
                            cudaMemcpyDeviceToHost, state->stream));
        TRY(cudaStreamSynchronize(state->stream));
        if (!state->host.samples[n - 1])
            continue; /* more of the prompt follows */
        state->host.drawn[0]++;
        lab->deliver(lab, request, *state->token);
    }
    return cudaSuccess;
}

cudaError_t lab13_serve(struct lab13 *lab)
{
    for (int i = 0; i < lab->n_requests; i++)
        TRY(serve_one(lab, lab->receive(lab, INFINITY)));
    return cudaSuccess;
}
