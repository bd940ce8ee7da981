/* adapter_watched.c: watches the launches of a step, see watched.h. */
#include <stdbool.h>
#include <stdlib.h>

#include "common/check.h"
#include "given.h"
#include "subject/interpose.h"
#include "watched.h"

enum { MOST_LAUNCHES = 128 };

struct launch {
    const void *kernel;
    int second, third; /* arguments: layer, then start; of embed: start */
};

struct journal {
    struct launch launches[MOST_LAUNCHES];
    int n;
    int graphs;              /* launches of graphs */
    struct decode_step step; /* that the first kernel got */
};

static struct journal *journal; /* NULL: launches are not watched */

/* ---- the runtime's functions ----------------------------------------------------------------- */

static const void *embed; /* the only kernel here with two arguments */

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel, void **args)
{
    FIND_REAL(cudaLaunchKernelExC);
    if (!journal)
        return real(config, kernel, args);
    if (journal->n == 0)
        journal->step = *(const struct decode_step *)args[0];
    if (!embed)
        embed = kernel;
    if (journal->n < MOST_LAUNCHES)
        journal->launches[journal->n++] =
            (struct launch){.kernel = kernel,
                            .second = *(const int *)args[1],
                            .third = kernel == embed ? 0 : *(const int *)args[2]};
    return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    FIND_REAL(cudaGraphLaunch);
    if (!journal)
        return real(exec, stream);
    journal->graphs++;
    return cudaSuccess;
}

/* ---- launches -------------------------------------------------------------------------------- */

/* A step as lab.h draws it. None of its memory is used. */
static cudaError_t watch_own(const struct lab11 *lab, int n_rows, struct journal *to)
{
    struct decode_step own = given_step(lab);
    own.n_rows = own.row_pitch = n_rows;
    own.tokens = own.rows.token;
    own.progress = (struct decode_progress *)own.rows.token;
    own.max_steps = 1;
    journal = to;
    cudaError_t e = given_layers(&own, NULL);
    e = e ? e : launch_decode_head(&own, DECODE_AFTER, NULL);
    e = e ? e : launch_decode_advance(&own, DECODE_AFTER, 0, NULL);
    journal = NULL;
    return e;
}

static cudaError_t watch_decode(struct lab11 *lab, int steps, enum lab11_how how,
                                struct journal *to)
{
    journal = to;
    const cudaError_t e = lab11_decode(lab, steps, how);
    journal = NULL;
    return e;
}

/* Of two steps. */
static struct watched compare_launches(const struct journal *actual, const struct journal *own)
{
    int waits_first = 0, never_wait = 0;
    for (int i = 0; i < 2 * own->n; i++) {
        const struct launch *is = &actual->launches[i], *should = &own->launches[i % own->n];
        if (i == actual->n && i == own->n)
            return (struct watched){LAB11_FEWER_STEPS, -1, actual->n, 2 * own->n};
        if (i >= actual->n || is->kernel != should->kernel)
            return (struct watched){LAB11_OTHER_KERNEL, i % own->n, 0, 0};
        const bool of_layer = i % own->n > 0 && i % own->n < own->n - 2;
        if (of_layer && is->second != should->second)
            return (struct watched){LAB11_OTHER_LAYER, i % own->n, is->second, should->second};
        waits_first += is->third == DECODE_WAIT_FIRST;
        never_wait += is->third == DECODE_NEVER_WAITS;
    }
    if (never_wait > 0)
        return (struct watched){LAB11_NEVER_WAITS, -1, never_wait, 0};
    return waits_first > own->n ? (struct watched){LAB11_WAITS_FIRST, -1, waits_first, 0}
                                : (struct watched){LAB11_ALL_RIGHT};
}

/* ---- rows ------------------------------------------------------------------------------------ */

enum { FIELDS = 4 };

struct rows {
    int *fields[FIELDS]; /* token, position, length, slot */
    struct decode_progress progress;
};

static cudaError_t fetch(const struct decode_step *step, int n, struct rows *to)
{
    const int *const from[] = {step->rows.token, step->rows.position, step->rows.length,
                               step->rows.slot};
    for (int f = 0; f < FIELDS; f++)
        TRY(cudaMemcpy(to->fields[f], from[f], (size_t)n * sizeof(int), cudaMemcpyDeviceToHost));
    return cudaMemcpy(&to->progress, step->progress, sizeof to->progress, cudaMemcpyDeviceToHost);
}

static struct watched compare_rows(const struct lab11_batch *batch, const struct rows *rows)
{
    for (int r = 0; r < batch->n; r++) {
        const int last = batch->prompt_length[r] - 1;
        const int should[FIELDS] = {batch->prompt[r][last], last, last + 1, batch->slot[r]};
        for (int f = 0; f < FIELDS; f++)
            if (rows->fields[f][r] != should[f])
                return (struct watched){LAB11_TOKEN + f, r, rows->fields[f][r], should[f]};
    }
    return (struct watched){LAB11_ALL_RIGHT};
}

/* Rows `from` to n - 1 have no sequence: their numbers have to be valid, their slot nobody's. */
static struct watched check_left_over(const struct lab11 *lab, const struct rows *rows, int from,
                                      int n)
{
    const int least[FIELDS] = {0, 0, 1, lab->n_slots},
              most[FIELDS] = {DECODE_TOKENS - 1, lab->model.n_positions - 1, lab->model.n_positions,
                              lab->n_slots};
    for (int r = from; r < n; r++)
        for (int f = 0; f < FIELDS; f++)
            if (rows->fields[f][r] < least[f] || rows->fields[f][r] > most[f])
                return (struct watched){LAB11_LEFT_TOKEN + f, r, rows->fields[f][r], least[f]};
    return (struct watched){LAB11_ALL_RIGHT};
}

static bool is_copied(const struct lab11_batch *batch, const struct rows *rows)
{
    for (int r = 0; r < batch->n; r++)
        if (rows->fields[0][r] == batch->prompt[r][batch->prompt_length[r] - 1] ||
            rows->fields[FIELDS - 1][r] == batch->slot[r])
            return true;
    return false;
}

static struct watched compare_progress(const struct lab11_batch *batch,
                                       const struct decode_progress *p)
{
    if (p->step != 0)
        return (struct watched){LAB11_STEP, -1, p->step, 0};
    if (p->steps != batch->steps)
        return (struct watched){LAB11_STEPS, -1, p->steps, batch->steps};
    if (p->stop != batch->stop)
        return (struct watched){LAB11_STOP, -1, p->stop, batch->stop};
    return (struct watched){LAB11_ALL_RIGHT};
}

static struct watched compare_state(const struct lab11 *lab, const struct lab11_batch *batch,
                                    const struct rows *rows, int n)
{
    if (!is_copied(batch, rows))
        return (struct watched){LAB11_NOT_COPIED, -1, 0, 0};
    struct watched w = compare_rows(batch, rows);
    w = w.found ? w : compare_progress(batch, &rows->progress);
    return w.found ? w : check_left_over(lab, rows, batch->n, n);
}

/* Of the bucket for n sequences. */
static int graph_rows(const struct lab11 *lab, int n)
{
    int i = 0;
    while (i + 1 < lab->n_buckets && lab->buckets[i] < n)
        i++;
    return lab->buckets[i];
}

/* ---- a batch --------------------------------------------------------------------------------- */

cudaError_t watch_batch(struct lab11 *lab, const struct lab11_batch *batch, struct watched *to)
{
    static struct journal expected, streams, graphs;
    int memory[FIELDS][64];
    struct rows rows = {.fields = {memory[0], memory[1], memory[2], memory[3]}};
    expected.n = streams.n = graphs.n = graphs.graphs = 0;
    TRY(watch_own(lab, batch->n, &expected));
    TRY(watch_decode(lab, 2, LAB11_STREAM, &streams));
    *to = compare_launches(&streams, &expected);
    if (to->found && to->found != LAB11_WAITS_FIRST)
        return cudaSuccess;
    TRY(watch_decode(lab, 1, LAB11_GRAPH, &graphs));
    const int n = graphs.graphs ? graph_rows(lab, batch->n) : batch->n;
    TRY(fetch(&streams.step, n, &rows));
    const struct watched state = compare_state(lab, batch, &rows, n);
    *to = state.found ? state : *to;
    return cudaSuccess;
}
