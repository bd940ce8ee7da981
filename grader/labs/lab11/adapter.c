/* adapter.c: lab 11 between the judge's buffers and the submission, which decodes one batch after
 * the other. Numbers of the judge are floats: tokens, slots and lengths, and what is in the cache.
 */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "common/check.h"
#include "common/clock.h"
#include "decoder.h"
#include "exchange.h"
#include "given.h"
#include "kernels/kernels.h"
#include "labs/lab11/causes.h"
#include "labs/decoders.h"
#include "subject/bench.h"
#include "subject/graph.h"
#include "watched.h"

enum { MOST_EDGES = 256 };

static struct lab11 *lab;
static struct task {
    int batches, max_rows, steps, first_steps, how; /* first_steps: in a call of their own */
    bool waits;            /* before and after lab11_decode, and marks in a trace */
    const int *sequences;  /* of each batch */
    int shortest, longest; /* prompts */
    size_t cached;         /* numbers of the keys, and of the values */
    const float *lengths, *slots, *prompts, *stop;
    float *out, *keys, *values; /* keys and values NULL: nobody looks at them */
    int *numbers;               /* pinned: all below */
    int *length, *slot, *prompt, *tokens;
    const int **prompt_at; /* of each row */
    uint16_t *cache;       /* pinned: what is in keys (or values) */
    cudaStream_t marks;
} task;

/* ---- set-up ---------------------------------------------------------------------------------- */

static cudaError_t create_buffers(void)
{
    const size_t rows = (size_t)task.batches * task.max_rows;
    const size_t n = rows * (size_t)(2 + task.longest + task.steps);
    TRY(cudaMallocHost((void **)&task.numbers, n * sizeof(int)));
    task.length = task.numbers;
    task.slot = task.length + rows;
    task.prompt = task.slot + rows;
    task.tokens = task.prompt + rows * (size_t)task.longest;
    task.prompt_at = calloc(rows, sizeof *task.prompt_at);
    if (!task.prompt_at)
        return cudaErrorMemoryAllocation;
    for (size_t i = 0; i < rows; i++)
        task.prompt_at[i] = task.prompt + i * (size_t)task.longest;
    return task.keys ? cudaMallocHost((void **)&task.cache, task.cached * sizeof *task.cache)
                     : cudaSuccess;
}

static cudaError_t create(void)
{
    TRY(cudaStreamCreateWithFlags(&task.marks, cudaStreamNonBlocking));
    TRY(cudaMalloc((void **)&lab->model.weights,
                   decode_weights(&lab->model) * sizeof *lab->model.weights));
    TRY(launch_decode_weights(&lab->model, LAB11_SEED, NULL));
    TRY(cudaDeviceSynchronize());
    TRY(create_buffers());
    return given_create(lab);
}

static cudaError_t destroy(void)
{
    TRY(given_destroy());
    if (task.keys)
        TRY(cudaFreeHost(task.cache));
    free(task.prompt_at);
    TRY(cudaStreamDestroy(task.marks));
    TRY(cudaFreeHost(task.numbers));
    return cudaFree(lab->model.weights);
}

static int returned(struct subject *s, const char *call, cudaError_t e)
{
    if (e == cudaErrorInvalidValue && !subject_call_is_known((int)e))
        return subject_explained(
            s, call, e,
            "an argument is wrong. A launcher of decode.h says so if a pointer of its struct "
            "decode_step is NULL, n_rows is not positive or there is no such layer; "
            "cudaGraphLaunch if there is no such executable graph");
    if (e == cudaErrorAssert)
        return subject_explained(s, call, e,
                                 "a row has a token, position, length or slot that is out of range "
                                 "or was never copied to the device; rows without a sequence need "
                                 "valid ones, too. The assertion is printed below the checks");
    if (e == cudaSuccess && !task.waits)
        return 0;
    return subject_captured(s, call, e);
}

static int setup(struct subject *s)
{
    const struct numbers *numbers = subject_numbers(s);
    lab = subject_alone(s, sizeof *lab);
    *lab = (struct lab11){.model = numbers->model,
                          .n_slots = (int)numbers->slots,
                          .max_rows = (int)numbers->max_rows,
                          .max_steps = (int)numbers->steps + 1, /* more than any batch has */
                          .n_buckets = numbers->buckets};
    for (int i = 0; i < lab->n_buckets; i++)
        lab->buckets[i] = lab11_bucket_rows(i);
    const struct decode_cache cache = {.n_slots = lab->n_slots};
    task = (struct task){.batches = (int)numbers->batches,
                         .max_rows = lab->max_rows,
                         .steps = (int)numbers->steps,
                         .first_steps = numbers->in_two_calls,
                         .longest = numbers->longest,
                         .how = numbers->how,
                         .waits = !subject_unaided(s),
                         .cached = lab->model.n_layers * decode_layer_keys(&lab->model, &cache),
                         .sequences = numbers->sequences,
                         .shortest = numbers->shortest,
                         .lengths = subject_buffer(s, "lengths"),
                         .slots = subject_buffer(s, "slots"),
                         .prompts = subject_buffer(s, "prompts"),
                         .stop = subject_buffer(s, "stop"),
                         .out = subject_buffer(s, "tokens")};
    if (numbers->cache_is_checked) {
        task.keys = subject_buffer(s, "keys");
        task.values = subject_buffer(s, "values");
    }
    int failed = subject_own_call(s, "preparing the model", create());
    subject_given(s, lab, cache);
    return failed ? failed : returned(s, "lab11_setup", lab11_setup(lab));
}

static int teardown(struct subject *s)
{
    int failed = subject_captured(s, "lab11_teardown", lab11_teardown(lab));
    return failed ? failed : subject_own_call(s, "freeing the model", destroy());
}

/* ---- before and after the batches ------------------------------------------------------------ */

static void to_ints(int *to, const float *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = (int)from[i];
}

static cudaError_t fill_cache(void)
{
    const size_t bytes = task.cached * sizeof *task.cache;
    if (!task.keys) {
        TRY(cudaMemset(lab->cache.keys, 0, bytes));
        TRY(cudaMemset(lab->cache.values, 0, bytes));
        return cudaDeviceSynchronize();
    }
    for (size_t i = 0; i < task.cached; i++)
        task.cache[i] = bf16_from_float(lab11_cache_before(i));
    TRY(cudaMemcpy(lab->cache.keys, task.cache, bytes, cudaMemcpyHostToDevice));
    return cudaMemcpy(lab->cache.values, task.cache, bytes, cudaMemcpyHostToDevice);
}

static int arm(struct subject *s)
{
    const size_t rows = (size_t)task.batches * task.max_rows;
    for (size_t i = 0; i < rows; i++) /* where times alone are modeled, there are no inputs */
        task.length[i] = (int)fmaxf(task.lengths[i], (float)task.shortest);
    to_ints(task.slot, task.slots, rows);
    to_ints(task.prompt, task.prompts, rows * (size_t)task.longest);
    for (size_t i = 0; i < rows * task.steps; i++)
        task.tokens[i] = LAB11_UNTOUCHED;
    if (!lab->cache.keys || !lab->cache.values)
        return subject_failed(s, "lab->cache has no memory after lab11_setup: leave there what "
                                 "allocates it");
    if (!task.waits)
        return 0;
    return subject_own_call(s, "filling the cache", fill_cache());
}

static cudaError_t bring(float *to, const uint16_t *from)
{
    TRY(cudaMemcpy(task.cache, from, task.cached * sizeof *from, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < task.cached; i++)
        to[i] = bf16_to_float(task.cache[i]);
    return cudaSuccess;
}

static int collect(struct subject *s)
{
    const size_t n = (size_t)task.batches * task.steps * task.max_rows;
    for (size_t i = 0; i < n; i++)
        task.out[i] = (float)task.tokens[i];
    cudaError_t e = task.keys ? bring(task.keys, lab->cache.keys) : cudaSuccess;
    e = e || !task.keys ? e : bring(task.values, lab->cache.values);
    return subject_own_call(s, "reading lab->cache, which lab11_setup allocated", e);
}

/* The bucket that the last batch should use; -1: none is large enough. */
static int bucket_of_last(void)
{
    const int rows = task.sequences[task.batches - 1];
    int i = 0;
    while (i < lab->n_buckets && lab->buckets[i] < rows)
        i++;
    return i < lab->n_buckets ? i : -1;
}

/* ---- batches --------------------------------------------------------------------------------- */

/* A watched batch runs no step, so that its stop token may be any: also 0, in the second one. */
static struct lab11_batch batch_number(int b)
{
    const size_t first = (size_t)b * task.max_rows;
    const bool stops_at_0 = task.how == LAB11_WATCHED && b == 1;
    return (struct lab11_batch){.n = task.sequences[b],
                                .steps = task.steps,
                                .stop = stops_at_0 ? 0 : (int)task.stop[0],
                                .slot = task.slot + first,
                                .prompt_length = task.length + first,
                                .prompt = task.prompt_at + first};
}

/* Waits for all work. In a trace the steps of a batch lie between the kernels of two marks. */
static cudaError_t finish_and_mark(double *done_us)
{
    *done_us = clock_now_us();
    if (!task.waits)
        return cudaSuccess;
    TRY(cudaDeviceSynchronize());
    *done_us = clock_now_us();
    TRY(launch_empty(1, task.marks));
    return cudaStreamSynchronize(task.marks);
}

static void note_cache(struct subject *s, const struct decode_cache *before)
{
    if (before->keys != lab->cache.keys || before->values != lab->cache.values)
        subject_note(s, LAB11_CACHE_MOVED, NULL, "%s", "");
}

/* Notes what is wrong with the batch. */
static int watch(struct subject *s, int b)
{
    static int rows_too_many;
    const struct lab11_batch batch = batch_number(b);
    const struct decode_cache before = lab->cache;
    copies_forget();
    copies_watch(true);
    int failed = returned(s, "lab11_begin", lab11_begin(lab, &batch));
    copies_watch(false);
    failed = failed ? failed : subject_own_call(s, "lab11_begin's work", cudaDeviceSynchronize());
    if (failed)
        return failed;
    note_cache(s, &before);
    if (before.keys == lab->cache.keys && before.values == lab->cache.values)
        failed = returned(s, "lab11_decode",
                          watch_batch(s, lab, &batch, subject_numbers(s)->only_tokens));
    rows_too_many = (int)fmax(b == 0 ? 0 : rows_too_many, watched_rows() - batch.n);
    subject_value(s, rows_too_many, rows_too_many);
    return failed;
}

/* Notes what was wrong with the use of the lab's functions. */
static void note_given(struct subject *s, const struct lab11_batch *batch, int b)
{
    const int row = given_prefill_missing(batch);
    if (row >= 0)
        subject_note(s, LAB11_NOT_PREFILLED, "such a call for each prompt of 2 tokens or more",
                     "batch %d, sequence %d: lab11_begin has not called prefill with its slot and "
                     "all tokens of its prompt but the last one",
                     b, row);
    if (given_prefills_more(batch))
        subject_note(s, LAB11_PREFILLS_MORE, "a call for each sequence, without its last token",
                     "batch %d", b);
    if (given_pool().bad_releases > 0)
        subject_note(s, LAB11_RELEASED_TWICE, NULL, "%s", "");
}

/* step_us: of the last batch, from an idle device to an idle device; host_us: the part of it in
   which lab11_decode had not returned. */
static int run_batch(struct subject *s, int b)
{
    if (task.how == LAB11_WATCHED)
        return watch(s, b);
    const struct lab11_batch batch = batch_number(b);
    double from_us, returned_us, done_us;
    given_prefill_forget();
    int failed = returned(s, "lab11_begin", lab11_begin(lab, &batch));
    if (!failed)
        note_given(s, &batch, b);
    failed = failed ? failed : subject_own_call(s, "lab11_begin's work", finish_and_mark(&from_us));
    if (failed)
        return failed;
    from_us = clock_now_us();
    const enum lab11_how how = (enum lab11_how)task.how;
    cudaError_t e = task.first_steps ? lab11_decode(lab, task.first_steps, how) : cudaSuccess;
    e = e ? e : lab11_decode(lab, task.steps - task.first_steps, how);
    returned_us = clock_now_us();
    const cudaError_t worked = e ? cudaSuccess : finish_and_mark(&done_us);
    failed = worked == cudaErrorAssert ? returned(s, "lab11_decode's work", worked)
                                       : subject_own_call(s, "lab11_decode's work", worked);
    failed = failed ? failed : returned(s, "lab11_decode", e);
    if (failed)
        return failed;
    subject_value(s, step_us, (done_us - from_us) / task.steps);
    subject_value(s, host_us, (returned_us - from_us) / task.steps);
    const cudaError_t read = lab11_read(lab, task.tokens + (size_t)b * task.steps * task.max_rows);
    if (task.waits)
        bench_pending(s);
    return returned(s, "lab11_read", read);
}

/* programmatic: how many edges of the last batch's graph are. */
static int count_edges(struct subject *s)
{
    cudaGraphNode_t from[MOST_EDGES], to[MOST_EDGES];
    cudaGraphEdgeData data[MOST_EDGES];
    const int bucket = bucket_of_last();
    size_t n = MOST_EDGES, programmatic = 0;
    if (bucket < 0 || !lab->graphs[bucket])
        return 0;
    int failed = subject_own_call(s, "reading the edges of a graph of lab->graphs",
                                  cudaGraphGetEdges(lab->graphs[bucket], from, to, data, &n));
    for (size_t i = 0; i < n && !failed; i++)
        programmatic += data[i].type == cudaGraphDependencyTypeProgrammatic;
    subject_value(s, programmatic, (double)programmatic);
    return failed;
}

/* kernel_rows: of the kernels in the last batch's graph; 0: there is none that tells. */
static int report_kernel_rows(struct subject *s)
{
    cudaGraphNode_t nodes[MOST_EDGES];
    struct cudaKernelNodeParams p;
    const int bucket = bucket_of_last();
    size_t n = MOST_EDGES;
    int rows = 0;
    if (bucket >= 0 && lab->graphs[bucket] &&
        cudaGraphGetNodes(lab->graphs[bucket], nodes, &n) == cudaSuccess)
        for (size_t i = 0; i < n && rows == 0; i++)
            if (cudaGraphKernelNodeGetParams(nodes[i], &p) == cudaSuccess && p.kernelParams)
                rows = ((const struct decode_step *)p.kernelParams[0])->n_rows;
    cudaGetLastError(); /* of nodes that are no kernels */
    subject_value(s, kernel_rows, rows);
    return 0;
}

/* How many buckets have a graph of their own. */
static int count_graphs(void)
{
    int graphs = 0;
    for (int i = 0; i < lab->n_buckets; i++) {
        bool own = lab->graphs[i] != NULL;
        for (int k = 0; k < i; k++)
            own = own && lab->graphs[k] != lab->graphs[i];
        graphs += own;
    }
    return graphs;
}

/* Of the graph of lab->graphs that this run has launched; 0: of none; -1: a GPU does not say. */
static double launched_rows(void)
{
    double rows = subject_launches() < 0 ? -1 : 0;
    for (int i = 0; i < lab->n_buckets; i++)
        if (lab->graphs[i] && subject_launches_of(subject_graph_number(lab->graphs[i])) > 0)
            rows = lab->buckets[i];
    return rows;
}

static int run(struct subject *s)
{
    int failed = 0;
    const struct decode_cache before = lab->cache;
    for (int b = 0; b < task.batches && !failed; b++)
        failed = run_batch(s, b);
    note_cache(s, &before);
    subject_value(s, graphs, count_graphs());
    subject_value(s, launches, subject_launches());
    subject_value(s, launched_rows, launched_rows());
    subject_value(s, pool_floats, given_pool().floats);
    subject_value(s, pool_pieces, given_pool().pieces);
    subject_value(s, most_floats, (double)decode_scratch_floats(&lab->model, lab->max_rows));
    return failed ? failed : count_edges(s) || report_kernel_rows(s);
}

/* ---- the graph of the last batch ------------------------------------------------------------- */

static int graph(struct subject *s)
{
    const int bucket = bucket_of_last();
    return subject_graph(s, bucket < 0 ? NULL : lab->graphs[bucket], "lab->graphs[]");
}

/* Columns that belong to no sequence may have any value. */
static void watch_tokens(struct subject *s)
{
    for (int b = 0; b < task.batches; b++)
        for (int i = 0; i < task.steps; i++)
            subject_watch(s, "tokens", task.tokens + ((size_t)b * task.steps + i) * task.max_rows,
                          (size_t)task.sequences[b] * sizeof *task.tokens);
}

static const void *shown(const struct subject *s)
{
    (void)s;
    const int bucket = bucket_of_last();
    return task.how != LAB11_GRAPH || task.batches > 1 || bucket < 0 ? NULL : lab->graphs[bucket];
}

/* ---- the floor ------------------------------------------------------------------------------- */

/* read_us: to read all weights, of which a step needs each once. */
static int floor_times(struct subject *s)
{
    double us = 0;
    int failed = subject_own_call(s, "reading all weights", time_reading(&lab->model, &us));
    subject_value(s, read_us, us);
    return failed;
}

SUBJECT_LAB(.name = "lab11", .setup = setup, .arm = arm, .run = run, .collect = collect,
            .teardown = teardown, .floor = floor_times, .graph = graph, .shown = shown,
            .watch = watch_tokens, .before_call = watched_before_call,
            .after_call = copies_after_call)
