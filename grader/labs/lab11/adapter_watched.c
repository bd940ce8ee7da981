/* adapter_watched.c: watches the launches of a step, see watched.h. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "common/check.h"
#include "given.h"
#include "labs/decoders.h"
#include "labs/lab11/causes.h"
#include "watched.h"
#include "wire/wire.h"

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

static struct subject *subject; /* whose batch is watched */

/* Notes that something is wrong; true. `expected` may be empty; the rest is as for printf. */
static bool wrong(int mistake, const char *expected, const char *format, ...)
{
    char actual[WIRE_NOTE];
    va_list args;
    va_start(args, format);
    vsnprintf(actual, sizeof actual, format, args);
    va_end(args);
    subject_note(subject, mistake, expected, "%s", actual);
    return true;
}

/* The same of a number. row: -1 for none. */
static bool wrong_number(int mistake, const char *word, int row, int is, int should)
{
    char expected[16];
    snprintf(expected, sizeof expected, "%d", should);
    return row < 0 ? wrong(mistake, expected, "%s %d", word, is)
                   : wrong(mistake, expected, "row %d: %s %d", row, word, is);
}

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
/* Here and below, compare_… notes the first thing that is wrong. Is any? */

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

static bool wrong_kernel(int i, int n)
{
    char expected[64] = "2 steps, and no launch after them";
    if (i / n < LAB11_WATCHED_STEPS)
        snprintf(expected, sizeof expected, "launch_%s", lab11_kernel_of_step(i % n, n));
    return wrong(LAB11_STEP_KERNELS, expected, "launch %d of step %d is another kernel, or missing",
                 i % n, i / n);
}

/* Launch number i. */
static bool compare_kernel(const struct journal *actual, const struct journal *own, int i)
{
    const int at = i % own->n;
    const struct launch *is = &actual->launches[i], *should = &own->launches[at];
    if (is->kernel != should->kernel)
        return wrong_kernel(i, own->n);
    char launch[64];
    snprintf(launch, sizeof launch, "launch %d of a step, launch_%s: layer", at,
             lab11_kernel_of_step(at, own->n));
    const bool of_layer = at > 0 && at < own->n - 2;
    if (of_layer && is->second != should->second)
        return wrong_number(LAB11_LAYER_ARGUMENT, launch, -1, is->second, should->second);
    if (at == own->n - 1 && is->second != 0)
        return wrong_number(LAB11_HANDLE_OF_STREAM, "handle", -1, is->second, 0);
    return false;
}

/* Kernels and layers of each step; then that the last step is whole; then how many steps. */
static bool compare_kernels(const struct journal *actual, const struct journal *own)
{
    const int expected = LAB11_WATCHED_STEPS * own->n;
    for (int i = 0; i < actual->n && i < MOST_LAUNCHES; i++)
        if (compare_kernel(actual, own, i))
            return true;
    if (actual->n % own->n != 0)
        return wrong_kernel(actual->n, own->n);
    return actual->n != expected &&
           wrong_number(LAB11_OTHER_STEPS, "kernels in two steps", -1, actual->n, expected);
}

static bool compare_launches(const struct journal *actual, const struct journal *own)
{
    if (actual->graphs > 0)
        return wrong_number(LAB11_GRAPH_BY_STREAM, "launches of graphs", -1, actual->graphs, 0);
    if (compare_kernels(actual, own))
        return true;
    if (is_scratch_small(&actual->step))
        return wrong(LAB11_SMALL_SCRATCH, "", "%s", "");
    const int is = actual->step.n_rows, should = own->step.n_rows;
    return is < should && wrong_number(LAB11_FEW_ROWS, "n_rows", -1, is, should);
}

/* How the kernels of the right steps depend on one another. */
static bool compare_order(const struct journal *actual, int kernels)
{
    int waits_first = 0, never_wait = 0;
    for (int i = 0; i < actual->n; i++) {
        if (is_apart(actual, i))
            return wrong(LAB11_OTHER_STREAM, "the stream of the other kernels",
                         "launch %d of a step, launch_%s", i % kernels,
                         lab11_kernel_of_step(i % kernels, kernels));
        waits_first += actual->launches[i].third == DECODE_WAIT_FIRST;
        never_wait += actual->launches[i].third == DECODE_NEVER_WAITS;
    }
    if (never_wait > 0)
        return wrong_number(LAB11_NEVER_WAITS, "kernels with DECODE_NEVER_WAITS", -1, never_wait,
                            0);
    return waits_first > 0 &&
           wrong_number(LAB11_WAITS_FIRST, "kernels with DECODE_WAIT_FIRST", -1, waits_first, 0);
}

/* ---- rows ------------------------------------------------------------------------------------ */

enum { FIELDS = 4 };
static const char *const names[FIELDS] = {"token", "position", "length", "slot"};

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
static bool compare_row(const struct decode_step *step, const struct rows *rows, int r,
                        const int should[FIELDS], int n_slots)
{
    static const int mistakes[FIELDS] = {LAB11_FIRST_TOKEN, LAB11_FIRST_POSITION,
                                         LAB11_FIRST_LENGTH, LAB11_FIRST_SLOT};
    const int *const device[] = {step->rows.token, step->rows.position, step->rows.length,
                                 step->rows.slot};
    int n_wrong = 0, first = 0;
    for (int f = FIELDS - 1; f >= 0; f--)
        if (rows->fields[f][r] != should[f]) {
            n_wrong++;
            first = f;
            if (!is_copied(device[f] + r))
                return wrong(LAB11_PART_COPIED, "", "%s", "");
        }
    const int is = rows->fields[first][r];
    if (n_wrong > 0 && rows->fields[FIELDS - 1][r] == n_slots && rows->fields[0][r] == 0)
        return wrong(LAB11_PADDED, "", "row %d", r);
    if (n_wrong >= FIELDS - 1 && first == 0 && rows->fields[FIELDS - 1][r] != should[FIELDS - 1])
        return wrong(LAB11_NOT_FILLED, "", "row %d", r);
    return n_wrong > 0 && wrong_number(mistakes[first], names[first], r, is, should[first]);
}

static bool compare_rows(const struct lab11 *lab, const struct lab11_batch *batch,
                         const struct decode_step *step, const struct rows *rows)
{
    for (int r = 0; r < batch->n; r++) {
        const int last = batch->prompt_length[r] - 1;
        const int should[FIELDS] = {batch->prompt[r][last], last, last + 1, batch->slot[r]};
        if (compare_row(step, rows, r, should, lab->n_slots))
            return true;
    }
    return false;
}

/* Rows `from` to n - 1 have no sequence: their numbers have to be valid, their slot nobody's. */
static bool compare_left_over(const struct lab11 *lab, const struct rows *rows, int from, int n)
{
    const int least[FIELDS] = {0, 0, 1, lab->n_slots},
              most[FIELDS] = {DECODE_TOKENS - 1, lab->model.n_positions - 1, lab->model.n_positions,
                              lab->n_slots};
    for (int r = from; r < n; r++)
        for (int f = 0; f < FIELDS; f++)
            if (rows->fields[f][r] < least[f] || rows->fields[f][r] > most[f])
                return wrong_number(LAB11_ROWS_LEFT_OVER, names[f], r, rows->fields[f][r],
                                    least[f]);
    return false;
}

static bool compare_progress(const struct lab11_batch *batch, const struct decode_step *step,
                             const struct decode_progress *p)
{
    const struct decode_progress *device = step->progress;
    if ((p->step != 0 && !is_copied(&device->step)) ||
        (p->stop != batch->stop && !is_copied(&device->stop)))
        return wrong(LAB11_PART_COPIED, "", "%s", "");
    if (p->step != 0)
        return wrong_number(LAB11_FIRST_PROGRESS, "progress->step", -1, p->step, 0);
    return p->stop != batch->stop &&
           wrong_number(LAB11_FIRST_PROGRESS, "progress->stop", -1, p->stop, batch->stop);
}

/* Does row 0 have what a padding row after the last one has? Each number lies where row 0 has the
   next member: token 0, position 0 and length 1. */
static bool is_overwritten(const struct rows *rows)
{
    return rows->fields[1][0] == 0 && rows->fields[2][0] == 0 && rows->fields[3][0] == 1;
}

static bool is_nothing_copied(const struct decode_step *step)
{
    return !is_copied(step->rows.token) && !is_copied(step->rows.slot) &&
           !is_copied(&step->progress->step);
}

/* only_tokens: what makes tokens wrong, in a batch that the kernels get row by row. */
static bool compare_state(const struct lab11 *lab, const struct lab11_batch *batch,
                          const struct decode_step *step, const struct rows *rows, int n,
                          bool only_tokens)
{
    if (copies_source_changed())
        return wrong(LAB11_COPIED_EARLY, "", "%s", "");
    if (is_overwritten(rows))
        return wrong(LAB11_PADDING_PAST_END, "", "%s", "");
    bool is_wrong =
        compare_rows(lab, batch, step, rows) || compare_progress(batch, step, &rows->progress);
    if (!is_wrong && !only_tokens &&
        rows->progress.steps != batch->steps) /* only a loop needs it */
        is_wrong = wrong_number(LAB11_FIRST_PROGRESS, "progress->steps", -1, rows->progress.steps,
                                batch->steps);
    if (!is_wrong && !only_tokens)
        is_wrong = compare_left_over(lab, rows, batch->n, n);
    return is_wrong && (!is_nothing_copied(step) || wrong(LAB11_STATE_NOT_COPIED, "", "%s", ""));
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

static int rows_by_stream;

int watched_rows(void)
{
    return rows_by_stream;
}

cudaError_t watch_batch(struct subject *s, struct lab11 *lab, const struct lab11_batch *batch,
                        bool only_tokens)
{
    static struct journal expected, streams, graphs;
    int memory[FIELDS][64];
    struct rows rows = {.fields = {memory[0], memory[1], memory[2], memory[3]}};
    expected.n = streams.n = graphs.n = expected.graphs = streams.graphs = graphs.graphs = 0;
    subject = s;
    TRY(watch_own(lab, batch->n, &expected));
    const cudaError_t e = watch_decode(lab, LAB11_WATCHED_STEPS, LAB11_STREAM, &streams);
    if (e && streams.n == 0)
        return e;
    rows_by_stream = streams.step.n_rows;
    if (compare_launches(&streams, &expected))
        return cudaSuccess;
    TRY(e);
    /* an error: the graphs are not written yet, or lab11_decode fails in a run, too */
    const bool is_graph = !watch_decode(lab, 1, LAB11_GRAPH, &graphs) && graphs.graphs > 0;
    const int n = is_graph ? graph_rows(lab, batch->n) : batch->n;
    TRY(fetch(&streams.step, n, &rows));
    compare_state(lab, batch, &streams.step, &rows, n, only_tokens);
    if (!only_tokens)
        compare_order(&streams, expected.n);
    return cudaSuccess;
}
