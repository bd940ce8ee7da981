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

#ifdef SOLUTION
/*
 * The server of this file: continuous batching. Each step has the next token of every running
 * request, and as many prompt tokens of new requests as there is room for. There is a graph for
 * each of several numbers of rows. With a long sequence the graph is cut at each attention:
 * piecewise. The host enqueues the next step before it waits for the tokens of the one before.
 */
enum { MAX_SLOTS = 64, MAX_ROWS = 64, N_BUCKETS = 10, MAX_LAYERS = 16 };
enum {
    PROMPT_ROWS = 32, /* rows of prompts fill a step up to so many: more would delay the others */
    IN_FLIGHT = 2
};
static const int buckets[N_BUCKETS] = {1, 2, 4, 8, 12, 16, 24, 32, 48, MAX_ROWS};

/* A request that has a slot and blocks for all of its positions. */
struct sequence {
    const struct lab13_request *request;
    int slot;
    int fed; /* tokens that have been rows of a step */
};

/* A step that has been enqueued, and whose tokens have not been delivered. */
struct flight {
    void *pinned; /* a control: what the step has copied */
    int *tokens;  /* pinned */
    int n_rows;
    const struct lab13_request *of_row[MAX_ROWS]; /* NULL: the row samples no token */
    cudaEvent_t done;
};

struct bucket {
    cudaGraphExec_t whole, pieces[MAX_LAYERS + 1];
};
#else
/*
 * The server of this file is right, and slow: one request at a time, in slot 0, with stream
 * launches, and the host waits after each step.
 */
enum { MAX_SLOTS = 1, MAX_ROWS = 64 };
#endif

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
#ifdef SOLUTION
    bool is_changed; /* the control on the device is not that of the host */
    struct bucket of[N_BUCKETS];
    struct flight flights[IN_FLIGHT];
    int n_flights, oldest;
    struct sequence running[MAX_SLOTS]; /* in the order of their admission */
    int n_running;
    int free_slots[MAX_SLOTS], n_free_slots;
    int *free_blocks, n_free_blocks;
    const struct lab13_request **waiting; /* a ring of n_requests */
    int n_waiting, first_waiting, n_received;
#else
    int *token; /* pinned */
#endif
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

#ifdef SOLUTION
/* The kernels before the attention of a layer, from the end of the previous attention on. After the
   last layer: the rest of the step. */
static cudaError_t enqueue_piece(struct lab13 *lab, const struct serve_step *step, int layer)
{
    const enum decode_start early = DECODE_WEIGHTS_FIRST;
    const struct decode_step *decode = &step->decode;
    cudaStream_t stream = lab->state->stream;

    if (layer == 0) {
        TRY(launch_serve_embed(step, DECODE_AFTER, stream));
    } else {
        TRY(launch_decode_project(decode, layer - 1, early, stream));
        TRY(launch_decode_up(decode, layer - 1, early, stream));
        TRY(launch_decode_down(decode, layer - 1, early, stream));
    }
    if (layer < lab->model.n_layers)
        return launch_decode_qkv(decode, layer, early, stream);
    TRY(launch_decode_head(decode, early, stream));
    return launch_serve_sample(step, early, stream);
}

static cudaError_t enqueue_whole(struct lab13 *lab, const struct serve_step *step, int unused)
{
    (void)unused;
    for (int layer = 0; layer < lab->model.n_layers; layer++) {
        TRY(enqueue_piece(lab, step, layer));
        TRY(launch_serve_attend(step, layer, DECODE_WEIGHTS_FIRST, lab->state->stream));
    }
    return enqueue_piece(lab, step, lab->model.n_layers);
}

static cudaError_t create_graph(struct lab13 *lab, cudaGraphExec_t *exec, int n_rows, int layer,
                                cudaError_t (*enqueue)(struct lab13 *, const struct serve_step *,
                                                       int))
{
    struct serve_step step = lab->state->step;
    cudaStream_t stream = lab->state->stream;
    cudaGraph_t graph;

    step.decode.n_rows = n_rows;
    TRY(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    TRY(enqueue(lab, &step, layer));
    TRY(cudaStreamEndCapture(stream, &graph));
    TRY(cudaGraphInstantiate(exec, graph, 0));
    TRY(cudaGraphDestroy(graph));
    return cudaGraphUpload(*exec, stream);
}

static cudaError_t create_graphs(struct lab13 *lab)
{
    for (int i = 0; i < N_BUCKETS; i++) {
        struct bucket *bucket = &lab->state->of[i];
        TRY(create_graph(lab, &bucket->whole, buckets[i], 0, enqueue_whole));
        for (int layer = 0; layer <= lab->model.n_layers; layer++)
            TRY(create_graph(lab, &bucket->pieces[layer], buckets[i], layer, enqueue_piece));
    }
    return cudaSuccess;
}
#else
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
#endif

/* ---- set-up ---------------------------------------------------------------------------------- */
#ifdef SOLUTION

/* The budget that is left is for the cache. */
static cudaError_t allocate_blocks(struct lab13 *lab)
{
    struct lab13_state *state = lab->state;
    const struct decode_model *m = &lab->model;
    const size_t most = (size_t)MAX_SLOTS * decode_blocks(m);
    const size_t room = (lab->memory_bytes - state->allocated_bytes) / serve_block_bytes(m) - 1;
    const int n = (int)(room < most ? room : most);

    state->free_blocks = malloc((size_t)n * sizeof *state->free_blocks);
    if (!state->free_blocks)
        return cudaErrorMemoryAllocation;
    while (state->n_free_blocks < n) {
        state->free_blocks[state->n_free_blocks] = state->n_free_blocks;
        state->n_free_blocks++;
    }
    while (state->n_free_slots < MAX_SLOTS) {
        state->free_slots[state->n_free_slots] = state->n_free_slots;
        state->n_free_slots++;
    }
    return allocate_cache(lab, n);
}

static cudaError_t create_flight(struct lab13 *lab, struct flight *flight)
{
    TRY(cudaMallocHost(&flight->pinned, control_bytes(&lab->model)));
    TRY(cudaMallocHost((void **)&flight->tokens, MAX_ROWS * sizeof *flight->tokens));
    return cudaEventCreateWithFlags(&flight->done, cudaEventDisableTiming);
}
#endif

cudaError_t lab13_setup(struct lab13 *lab)
{
    struct lab13_state *state = calloc(1, sizeof *state);
    if (!state)
        return cudaErrorMemoryAllocation;
    lab->state = state;
    TRY(cudaStreamCreateWithFlags(&state->stream, cudaStreamNonBlocking));
    TRY(allocate_step(lab));
#ifdef SOLUTION
    TRY(allocate_blocks(lab));
    for (int i = 0; i < IN_FLIGHT; i++)
        TRY(create_flight(lab, &state->flights[i]));
    state->waiting = calloc((size_t)lab->n_requests, sizeof *state->waiting);
    state->host_memory = malloc(control_bytes(&lab->model));
    if (!state->waiting || !state->host_memory)
        return cudaErrorMemoryAllocation;
    begin_control(lab, state->host_memory);
    TRY(create_graphs(lab));
#else
    TRY(allocate_cache(lab, decode_blocks(&lab->model)));
    TRY(cudaMallocHost(&state->host_memory, control_bytes(&lab->model)));
    TRY(cudaMallocHost((void **)&state->token, sizeof *state->token));
    begin_control(lab, state->host_memory);
    for (int i = 0; i < decode_blocks(&lab->model); i++)
        state->host.blocks[i] = i;
#endif
    return cudaStreamSynchronize(state->stream);
}

cudaError_t lab13_teardown(struct lab13 *lab)
{
    struct lab13_state *state = lab->state;

#ifdef SOLUTION
    for (int i = 0; i < N_BUCKETS; i++) {
        TRY(cudaGraphExecDestroy(state->of[i].whole));
        for (int layer = 0; layer <= lab->model.n_layers; layer++)
            TRY(cudaGraphExecDestroy(state->of[i].pieces[layer]));
    }
    for (int i = 0; i < IN_FLIGHT; i++) {
        TRY(cudaFreeHost(state->flights[i].pinned));
        TRY(cudaFreeHost(state->flights[i].tokens));
        TRY(cudaEventDestroy(state->flights[i].done));
    }
    free(state->host_memory);
    free(state->free_blocks);
    free(state->waiting);
#else
    TRY(cudaFreeHost(state->token));
    TRY(cudaFreeHost(state->host_memory));
#endif
    for (int i = 0; i < state->n_allocations; i++)
        TRY(cudaFree(state->allocations[i]));
    TRY(cudaStreamDestroy(state->stream));
    free(state);
    return cudaSuccess;
}

/* ---- serving --------------------------------------------------------------------------------- */

#ifdef SOLUTION
/* The last token is not fed: nothing follows it. */
static int positions_of(const struct lab13_request *request)
{
    return request->prompt_length + request->n_tokens - 1;
}

static void set(struct lab13_state *state, int *at, int value)
{
    state->is_changed |= *at != value;
    *at = value;
}

/* ---- admission */

static void receive(struct lab13 *lab, double wait_us)
{
    struct lab13_state *state = lab->state;
    const struct lab13_request *request;

    while ((request = lab->receive(lab, wait_us))) {
        state->waiting[(state->first_waiting + state->n_waiting++) % lab->n_requests] = request;
        state->n_received++;
        wait_us = 0;
    }
}

/* Gives the first waiting request a slot, and blocks for all of its positions, so that no request
   that runs ever lacks one. False: there are too few. */
static bool admit(struct lab13 *lab)
{
    struct lab13_state *state = lab->state;
    if (state->n_waiting == 0 || state->n_free_slots == 0)
        return false;
    const struct lab13_request *request = state->waiting[state->first_waiting];
    const int n = decode_blocks_of(positions_of(request));
    if (n > state->n_free_blocks)
        return false;
    state->first_waiting = (state->first_waiting + 1) % lab->n_requests;
    state->n_waiting--;

    const int slot = state->free_slots[--state->n_free_slots];
    int *blocks = state->host.blocks + slot * decode_blocks(&lab->model);
    for (int i = 0; i < n; i++)
        blocks[i] = state->free_blocks[--state->n_free_blocks];
    state->host.seed[slot] = request->seed;
    state->host.temperature[slot] = request->temperature;
    state->host.drawn[slot] = 0;
    state->is_changed = true;
    state->running[state->n_running++] = (struct sequence){.request = request, .slot = slot};
    return true;
}

/* Later steps run after all that have been enqueued. So slot and blocks are free as soon as the
   last step of a sequence has been enqueued. */
static void retire(struct lab13 *lab)
{
    struct lab13_state *state = lab->state;
    int kept = 0;

    for (int i = 0; i < state->n_running; i++) {
        const struct sequence *s = &state->running[i];
        const int *blocks = state->host.blocks + s->slot * decode_blocks(&lab->model);
        if (s->fed < positions_of(s->request)) {
            state->running[kept++] = *s;
            continue;
        }
        for (int b = 0; b < decode_blocks_of(positions_of(s->request)); b++)
            state->free_blocks[state->n_free_blocks++] = blocks[b];
        state->free_slots[state->n_free_slots++] = s->slot;
    }
    state->n_running = kept;
}

/* ---- a step */

static void set_row(struct lab13_state *state, int i, int token, int position, int slot,
                    int samples)
{
    set(state, &state->host.token[i], token);
    set(state, &state->host.position[i], position);
    set(state, &state->host.slot[i], slot);
    set(state, &state->host.samples[i], samples);
}

static void add_row(struct lab13_state *state, struct flight *flight, struct sequence *s)
{
    const struct lab13_request *request = s->request;
    const int i = flight->n_rows++, position = s->fed++;
    const bool samples = position >= request->prompt_length - 1;

    set_row(state, i, position < request->prompt_length ? request->prompt[position] : SERVE_LAST,
            position, s->slot, samples);
    flight->of_row[i] = samples ? request : NULL;
}

/* First a row of each sequence that generates, then rows of prompts, the oldest first. Then padding
   rows, as many as the smallest graph needs. Returns its number. */
static int fill_rows(struct lab13 *lab, struct flight *flight)
{
    struct lab13_state *state = lab->state;
    int bucket = 0;

    flight->n_rows = 0;
    for (int i = 0; i < state->n_running; i++)
        if (state->running[i].fed >= state->running[i].request->prompt_length)
            add_row(state, flight, &state->running[i]);
    for (int i = 0; i < state->n_running; i++)
        while (state->running[i].fed < state->running[i].request->prompt_length &&
               flight->n_rows < PROMPT_ROWS)
            add_row(state, flight, &state->running[i]);
    while (buckets[bucket] < flight->n_rows)
        bucket++;
    for (int i = flight->n_rows; i < buckets[bucket]; i++)
        set_row(state, i, 0, 0, MAX_SLOTS, 0);
    return bucket;
}

static cudaError_t launch_graphs(struct lab13 *lab, int bucket)
{
    struct lab13_state *state = lab->state;
    struct serve_step step = state->step;
    int lengths[MAX_ROWS], longest = 0;

    step.decode.n_rows = buckets[bucket];
    for (int i = 0; i < step.decode.n_rows; i++) {
        lengths[i] = state->host.position[i] + 1;
        longest = lengths[i] > longest ? lengths[i] : longest;
    }
    if (longest <= SERVE_SHORT)
        return cudaGraphLaunch(state->of[bucket].whole, state->stream);
    for (int layer = 0; layer < lab->model.n_layers; layer++) {
        TRY(cudaGraphLaunch(state->of[bucket].pieces[layer], state->stream));
        TRY(launch_serve_attend_long(&step, layer, lengths, state->stream));
    }
    return cudaGraphLaunch(state->of[bucket].pieces[lab->model.n_layers], state->stream);
}

/* The kernels of a step move the rows that sample to their next position. If the next step has the
   same rows, there is nothing to copy. */
static void move_rows(struct lab13_state *state, const struct flight *flight)
{
    for (int i = 0; i < flight->n_rows; i++)
        if (flight->of_row[i]) {
            state->host.token[i] = SERVE_LAST;
            state->host.position[i]++;
            state->host.drawn[state->host.slot[i]]++;
        }
}

static cudaError_t enqueue_step(struct lab13 *lab)
{
    struct lab13_state *state = lab->state;
    struct flight *flight = &state->flights[(state->oldest + state->n_flights) % IN_FLIGHT];
    const int bucket = fill_rows(lab, flight);

    if (state->is_changed) {
        memcpy(flight->pinned, state->host_memory, control_bytes(&lab->model));
        TRY(copy_control(lab, flight->pinned));
        state->is_changed = false;
    }
    TRY(launch_graphs(lab, bucket));
    TRY(cudaMemcpyAsync(flight->tokens, state->step.tokens, flight->n_rows * sizeof(int),
                        cudaMemcpyDeviceToHost, state->stream));
    TRY(cudaEventRecord(flight->done, state->stream));
    state->n_flights++;
    move_rows(state, flight);
    retire(lab);
    return cudaSuccess;
}

static cudaError_t deliver_oldest(struct lab13 *lab)
{
    struct lab13_state *state = lab->state;
    struct flight *flight = &state->flights[state->oldest];

    TRY(cudaEventSynchronize(flight->done));
    for (int i = 0; i < flight->n_rows; i++)
        if (flight->of_row[i])
            lab->deliver(lab, flight->of_row[i], flight->tokens[i]);
    state->oldest = (state->oldest + 1) % IN_FLIGHT;
    state->n_flights--;
    return cudaSuccess;
}

static bool is_busy(const struct lab13_state *state)
{
    return state->n_waiting + state->n_running + state->n_flights > 0;
}

cudaError_t lab13_serve(struct lab13 *lab)
{
    struct lab13_state *state = lab->state;

    state->n_received = 0;
    while (state->n_received < lab->n_requests || is_busy(state)) {
        receive(lab, is_busy(state) ? 0 : INFINITY);
        while (admit(lab))
            continue;
        if (state->n_running + state->n_flights == 0)
            return cudaErrorMemoryAllocation; /* the first waiting request is too long */
        if (state->n_running > 0)
            TRY(enqueue_step(lab));
        if (state->n_running == 0 || state->n_flights == IN_FLIGHT)
            TRY(deliver_oldest(lab));
    }
    return cudaSuccess;
}
#else
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
#endif
