/*
 * adapter_model.c: the steps of a run that models times alone. Its kernels do not run, so what
 * embed and sample do to the numbers of their rows is done here: the journal gets the rows, and a
 * slot some token.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "common/simgpu/simgpu.h"
#include "launches.h"
#include "requests.h"

#pragma weak simgpu_open_memory
#pragma weak simgpu_watch_kernels

/* Of each layer, but for the last one. */
enum { QKV, ATTEND, PROJECT, UP, DOWN, HEAD, N_KERNELS };
static const char *const kernels[] = {"decode_qkv", "serve_attend", "decode_project",
                                      "decode_up",  "decode_down",  "decode_head"};

/* A step's rows of requests, and how many positions these read: the longest one, and all. */
enum { MOST_REACHES = 16 };
struct reach {
    const int *rows;
    double n_rows, longest, sum;
};

static struct {
    const struct decode_model *of; /* the lab's */
    struct reach reaches[MOST_REACHES];
    struct serve_journal *journal;
    uint64_t salt;
    double rows[N_KERNELS];
    double n_short, n_sampled; /* rows that attend cannot read as far as they need; that sample */
} model;

/* The block of the row's position; -1: its numbers are out of range. */
static int block_of(const struct serve_step *s, int row)
{
    const struct decode_step *d = &s->decode;
    const int slot = d->rows.slot[row], position = d->rows.position[row];
    if (slot < 0 || slot > d->cache.n_slots || position < 0 || position >= d->model.n_positions)
        return -1;
    return d->cache.blocks[slot * decode_blocks(&d->model) + position / DECODE_BLOCK];
}

/* No padding rows: a step may have any number of them. */
static bool is_of_request(const struct serve_step *s, int row)
{
    return s->decode.rows.slot[row] != s->decode.cache.n_slots && block_of(s, row) >= 0;
}

/* Of the step whose rows are in these arrays. */
static struct reach *reach_of(const struct decode_step *s)
{
    int i = 0;
    while (i < MOST_REACHES - 1 && model.reaches[i].rows &&
           model.reaches[i].rows != s->rows.position)
        i++;
    model.reaches[i].rows = s->rows.position;
    return &model.reaches[i];
}

static void embed(const struct serve_step *s)
{
    struct reach *r = reach_of(&s->decode);
    r->n_rows = r->longest = r->sum = 0;
    const struct decode_rows *rows = &s->decode.rows;
    struct serve_journal *j = model.journal;
    const int first = j->n;
    for (int i = 0; i < s->decode.n_rows; i++) {
        if (!is_of_request(s, i) || j->n++ >= SERVE_JOURNAL_ENTRIES)
            continue;
        const int slot = rows->slot[i];
        const bool is_last = rows->token[i] == SERVE_LAST;
        j->entries[j->n - 1] =
            (struct serve_journal_entry){.seed = s->samplers.seed[slot],
                                         .slot = slot,
                                         .position = rows->position[i],
                                         .block = block_of(s, i),
                                         .token = is_last ? s->samplers.last[slot] : rows->token[i],
                                         .is_last = is_last,
                                         .samples = s->samples[i]};
        r->n_rows++;
        r->longest = fmax(r->longest, rows->position[i] + 1);
        r->sum += rows->position[i] + 1;
    }
    for (int i = first; i < j->n && i < SERVE_JOURNAL_ENTRIES; i++)
        j->entries[i].n_rows = j->n - first;
}

/* Nobody knows the token before. */
static void sample(const struct serve_step *s)
{
    const struct decode_rows *rows = &s->decode.rows;
    for (int i = 0; i < s->decode.n_rows; i++, model.journal->n_done++) {
        s->tokens[i] = SERVE_NONE;
        if (!s->samples[i] || !is_of_request(s, i))
            continue;
        const int slot = rows->slot[i];
        s->tokens[i] = s->samplers.last[slot] = (int)(lab13_hash(model.salt++, 0) % DECODE_TOKENS);
        s->samplers.drawn[slot]++;
        model.n_sampled++;
        rows->token[i] = SERVE_LAST;
        rows->position[i]++;
    }
}

/* Where it runs, it asserts that no row is too long. `positions`: that it reads, in all. */
static void attend(const struct serve_step *s, const struct simgpu_launch *launch, double positions)
{
    const struct reach *r = reach_of(&s->decode);
    model.n_short += r->longest > launch->grid.z * SERVE_SHORT || r->sum > positions;
}

static void see(const struct simgpu_kernel *kernel, const struct simgpu_launch *launch,
                void *const *params)
{
    const bool is_parts = strcmp(kernel->name, "serve_attend_parts") == 0;
    const char *name = is_parts ? kernels[ATTEND] : kernel->name;
    const struct decode_step *step = params[0];
    double positions = INFINITY;
    if (is_parts)
        memcpy(&positions, params[2], sizeof positions);
    if (strcmp(name, kernels[ATTEND]) == 0)
        attend(params[0], launch, positions);
    else if (strcmp(name, "serve_embed") == 0 || strcmp(name, "serve_sample") == 0) {
        simgpu_open_memory(true);
        (strcmp(name, "serve_embed") == 0 ? embed : sample)(params[0]);
        simgpu_open_memory(false);
    }
    for (int i = 0; i < N_KERNELS; i++)
        if (strcmp(name, kernels[i]) == 0 && step->model.n_heads == model.of->n_heads)
            model.rows[i] += fmin(step->n_rows, reach_of(step)->n_rows); /* without padding */
}

void model_run(void)
{
    memset(model.rows, 0, sizeof model.rows);
    model.n_short = model.n_sampled = 0;
}

void model_steps(const struct decode_model *of, struct serve_journal *journal)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    memset(model.reaches, 0, sizeof model.reaches);
    model.of = of;
    model.journal = journal;
    model.salt = (uint64_t)now.tv_nsec << 32;
    if (simgpu_watch_kernels)
        simgpu_watch_kernels(journal ? see : NULL);
}

double model_rows_left_out(void)
{
    const double rows = model.journal ? model.journal->n : 0;
    double left_out = model.n_short;
    for (int i = 0; i < N_KERNELS && model.of; i++) {
        /* the last layer needs of a row of a prompt no more than its keys and values */
        const double of_layers =
            (model.of->n_layers - 1) * rows + (i == QKV ? rows : model.n_sampled);
        left_out += fmax((i == HEAD ? model.n_sampled : of_layers) - model.rows[i], 0);
    }
    return left_out;
}
