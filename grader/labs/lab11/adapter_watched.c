/* adapter_watched.c: watches the launches of a step, see watched.h. */
#include <stdbool.h>
#include <stdlib.h>

#include "common/check.h"
#include "given.h"
#include "watched.h"

enum { MOST_LAUNCHES = 128 };

struct launch {
    const void *kernel;
    int second, third; /* arguments: layer (of advance: loop), then start; of embed: start */
    cudaStream_t stream;
};

struct journal {
    struct launch launches[MOST_LAUNCHES]; /* the first ones */
    int n;                                 /* of all */
    int graphs;                            /* launches of graphs */
    struct decode_step step;               /* that the first kernel got */
};

static struct journal *journal; /* NULL: launches are not watched */

/* ---- calls ----------------------------------------------------------------------------------- */

static const void *embed; /* the only kernel here with two arguments */

static void note_kernel(const struct subject_call *call)
{
    if (journal->n == 0)
        journal->step = *(const struct decode_step *)call->arguments[0];
    if (!embed)
        embed = call->kernel;
    if (journal->n < MOST_LAUNCHES)
        journal->launches[journal->n] =
            (struct launch){.kernel = call->kernel,
                            .stream = call->stream,
                            .second = *(const int *)call->arguments[1],
                            .third = call->kernel == embed ? 0 : *(const int *)call->arguments[2]};
    journal->n++;
}

void watched_before_call(struct subject_call *call)
{
    call->is_skipped = journal && (call->function == CALL_cudaLaunchKernelExC ||
                                   call->function == CALL_cudaGraphLaunch);
    if (!call->is_skipped)
        return;
    if (call->function == CALL_cudaLaunchKernelExC)
        note_kernel(call);
    else
        journal->graphs++;
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

/* Is this launch in another stream than most others? */
static bool is_apart(const struct journal *j, int i)
{
    const cudaStream_t stream = j->launches[i].stream;
    return stream != j->launches[1].stream && stream != j->launches[2].stream;
}

/* Launch number i. */
static struct watched compare_kernel(const struct journal *actual, const struct journal *own, int i)
{
    const int at = i % own->n;
    const struct launch *is = &actual->launches[i], *should = &own->launches[at];
    if (is->kernel != should->kernel)
        return (struct watched){LAB11_OTHER_KERNEL, at, i / own->n, 0};
    const bool of_layer = at > 0 && at < own->n - 2;
    if (of_layer && is->second != should->second)
        return (struct watched){LAB11_OTHER_LAYER, at, is->second, should->second};
    if (at == own->n - 1 && is->second != 0)
        return (struct watched){LAB11_HANDLE, -1, is->second, 0};
    return (struct watched){LAB11_ALL_RIGHT};
}

/* Kernels and layers of each step; then that the last step is whole; then how many steps. */
static struct watched compare_kernels(const struct journal *actual, const struct journal *own)
{
    const int expected = LAB11_WATCHED_STEPS * own->n;
    for (int i = 0; i < actual->n && i < MOST_LAUNCHES; i++) {
        const struct watched w = compare_kernel(actual, own, i);
        if (w.found)
            return w;
    }
    if (actual->n % own->n != 0)
        return (struct watched){LAB11_OTHER_KERNEL, actual->n % own->n, actual->n / own->n, 0};
    return actual->n == expected ? (struct watched){LAB11_ALL_RIGHT}
                                 : (struct watched){LAB11_OTHER_STEPS, -1, actual->n, expected};
}

/* Scratch memory is divided among x, q, … in this order. */
static bool is_scratch_small(const struct decode_step *step)
{
    const struct decode_scratch *s = &step->scratch;
    return s->q > s->x && s->q - s->x < (ptrdiff_t)step->n_rows * decode_width(&step->model);
}

static struct watched compare_launches(const struct journal *actual, const struct journal *own)
{
    if (actual->graphs > 0)
        return (struct watched){LAB11_GRAPHS_BY_STREAM, -1, actual->graphs, 0};
    const struct watched w = compare_kernels(actual, own);
    if (w.found)
        return w;
    if (is_scratch_small(&actual->step))
        return (struct watched){LAB11_SMALL_SCRATCH, -1, 0, 0};
    const int is = actual->step.n_rows, should = own->step.n_rows;
    return is < should ? (struct watched){LAB11_FEW_ROWS, -1, is, should} : w;
}

/* How the kernels of the right steps depend on one another. */
static struct watched compare_order(const struct journal *actual, int kernels)
{
    int waits_first = 0, never_wait = 0;
    for (int i = 0; i < actual->n; i++) {
        if (is_apart(actual, i))
            return (struct watched){LAB11_OTHER_STREAM, i % kernels, 0, 0};
        waits_first += actual->launches[i].third == DECODE_WAIT_FIRST;
        never_wait += actual->launches[i].third == DECODE_NEVER_WAITS;
    }
    if (never_wait > 0)
        return (struct watched){LAB11_NEVER_WAITS, -1, never_wait, 0};
    return waits_first > 0 ? (struct watched){LAB11_WAITS_FIRST, -1, waits_first, 0}
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

static bool is_copied(const int *device)
{
    return copies_cover(device, sizeof *device);
}

/* Row r of the batch, which should have these numbers. */
static struct watched compare_row(const struct decode_step *step, const struct rows *rows, int r,
                                  const int should[FIELDS], int n_slots)
{
    const int *const device[] = {step->rows.token, step->rows.position, step->rows.length,
                                 step->rows.slot};
    int n_wrong = 0, wrong = 0;
    for (int f = FIELDS - 1; f >= 0; f--)
        if (rows->fields[f][r] != should[f]) {
            n_wrong++;
            wrong = f;
            if (!is_copied(device[f] + r))
                return (struct watched){LAB11_PART_COPIED, r, 0, 0};
        }
    const int is = rows->fields[wrong][r];
    if (n_wrong > 0 && rows->fields[FIELDS - 1][r] == n_slots && rows->fields[0][r] == 0)
        return (struct watched){LAB11_PADDED, r, 0, 0};
    if (n_wrong >= FIELDS - 1 && wrong == 0 && rows->fields[FIELDS - 1][r] != should[FIELDS - 1])
        return (struct watched){LAB11_NOT_FILLED, r, 0, 0};
    return n_wrong > 0 ? (struct watched){LAB11_TOKEN + wrong, r, is, should[wrong]}
                       : (struct watched){LAB11_ALL_RIGHT};
}

static struct watched compare_rows(const struct lab11 *lab, const struct lab11_batch *batch,
                                   const struct decode_step *step, const struct rows *rows)
{
    for (int r = 0; r < batch->n; r++) {
        const int last = batch->prompt_length[r] - 1;
        const int should[FIELDS] = {batch->prompt[r][last], last, last + 1, batch->slot[r]};
        const struct watched w = compare_row(step, rows, r, should, lab->n_slots);
        if (w.found)
            return w;
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
                return (struct watched){LAB11_PADDING_TOKEN + f, r, rows->fields[f][r], least[f]};
    return (struct watched){LAB11_ALL_RIGHT};
}

static struct watched compare_progress(const struct lab11_batch *batch,
                                       const struct decode_step *step,
                                       const struct decode_progress *p)
{
    const struct decode_progress *device = step->progress;
    if (p->step != 0)
        return is_copied(&device->step) ? (struct watched){LAB11_STEP, -1, p->step, 0}
                                        : (struct watched){LAB11_PART_COPIED, -1, 0, 0};
    if (p->stop != batch->stop)
        return is_copied(&device->stop) ? (struct watched){LAB11_STOP, -1, p->stop, batch->stop}
                                        : (struct watched){LAB11_PART_COPIED, -1, 0, 0};
    if (p->steps != batch->steps)
        return (struct watched){LAB11_STEPS, -1, p->steps, batch->steps};
    return (struct watched){LAB11_ALL_RIGHT};
}

/* Does row 0 have what a padding row after the last one has? Each number lies where row 0 has the
   next member: token 0, position 0 and length 1. */
static bool is_overwritten(const struct rows *rows)
{
    return rows->fields[1][0] == 0 && rows->fields[2][0] == 0 && rows->fields[3][0] == 1;
}

/* Is any of it wrong, and nothing of it copied? */
static bool is_copy_missing(const struct decode_step *step, struct watched w)
{
    return w.found && !is_copied(step->rows.token) && !is_copied(step->rows.slot) &&
           !is_copied(&step->progress->step);
}

static struct watched compare_state(const struct lab11 *lab, const struct lab11_batch *batch,
                                    const struct decode_step *step, const struct rows *rows, int n)
{
    if (copies_source_changed())
        return (struct watched){LAB11_COPIED_EARLY, -1, 0, 0};
    if (is_overwritten(rows))
        return (struct watched){LAB11_PAST_END, -1, 0, 0};
    struct watched w = compare_rows(lab, batch, step, rows);
    w = w.found ? w : compare_progress(batch, step, &rows->progress);
    w = w.found ? w : check_left_over(lab, rows, batch->n, n);
    return is_copy_missing(step, w) ? (struct watched){LAB11_NOT_COPIED, -1, 0, 0} : w;
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

/* The worse of both. */
static struct watched worse(struct watched a, struct watched b)
{
    return a.found && (!b.found || a.found < b.found) ? a : b;
}

static int rows_by_stream;

int watched_rows(void)
{
    return rows_by_stream;
}

cudaError_t watch_batch(struct lab11 *lab, const struct lab11_batch *batch, struct watched *to)
{
    static struct journal expected, streams, graphs;
    int memory[FIELDS][64];
    struct rows rows = {.fields = {memory[0], memory[1], memory[2], memory[3]}};
    expected.n = streams.n = graphs.n = expected.graphs = streams.graphs = graphs.graphs = 0;
    TRY(watch_own(lab, batch->n, &expected));
    const cudaError_t e = watch_decode(lab, LAB11_WATCHED_STEPS, LAB11_STREAM, &streams);
    if (e && streams.n == 0)
        return e;
    rows_by_stream = streams.step.n_rows;
    *to = compare_launches(&streams, &expected);
    if (to->found)
        return cudaSuccess;
    TRY(e);
    /* an error: the graphs are not written yet, or lab11_decode fails in a run, too */
    const bool is_graph = !watch_decode(lab, 1, LAB11_GRAPH, &graphs) && graphs.graphs > 0;
    const int n = is_graph ? graph_rows(lab, batch->n) : batch->n;
    TRY(fetch(&streams.step, n, &rows));
    *to = worse(compare_order(&streams, expected.n),
                compare_state(lab, batch, &streams.step, &rows, n));
    return cudaSuccess;
}
