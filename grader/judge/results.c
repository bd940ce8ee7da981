/* results.c: compares every element of the results, and names the cause that a wrong value
 * suggests. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "comparison.h"

enum { RUN = 16 }; /* neighbors that are compared with something else at once */

double comparison_expected(const struct comparison *c, size_t batch, size_t index)
{
    const struct judge_results *r = c->r;
    if (r->expected)
        return r->expected[batch * c->per_batch + index];
    return r->expected_at(c->j, batch, index / r->columns, index % r->columns);
}

bool comparison_is_close(const struct comparison *c, double actual, double expected)
{
    double size = fabs(expected) > c->scale ? fabs(expected) : c->scale;
    return fabs(actual - expected) <= c->r->tolerance * size;
}

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

bool comparison_is_unwritten(float x)
{
    return bits_of(x) == JUDGE_POISON;
}

static void note_wrong(struct comparison *c, size_t batch, size_t index, float actual)
{
    if (c->n_wrong == 0) {
        c->batch = batch;
        c->index = index;
    }
    if (c->n_wrong == 0 || c->last_batch_wrong != batch) {
        size_t used = strlen(c->batches);
        if (c->n_batches_wrong < 6)
            snprintf(c->batches + used, sizeof c->batches - used, "%s%zu", used ? ", " : "", batch);
        else if (c->n_batches_wrong == 6)
            snprintf(c->batches + used, sizeof c->batches - used, ", …");
        c->n_batches_wrong++;
        c->last_batch_wrong = batch;
    }
    c->n_wrong++;
    c->n_unwritten += comparison_is_unwritten(actual);
}

/* All of the rows that look wrong, if there are any. */
static void compare_suspects(struct comparison *c, size_t batch)
{
    enum { MOST = 2 };
    const size_t columns = c->r->columns;
    size_t rows[MOST], n = c->r->suspects(c->j, batch, rows, MOST);
    for (size_t i = 0; i < n * columns; i++) {
        const size_t at = rows[i / columns] * columns + i % columns;
        const float actual = c->memory->data[batch * c->per_batch + at];
        if (!comparison_is_close(c, actual, comparison_expected(c, batch, at)))
            note_wrong(c, batch, at, actual);
    }
    c->n_checked += n * columns;
}

static void compare_batch(struct comparison *c, size_t batch)
{
    size_t n = c->r->samples && c->r->samples < c->per_batch ? c->r->samples : c->per_batch;
    bool all = n == c->per_batch;
    size_t *at = malloc(n * sizeof *at);
    double *expected = malloc(n * sizeof *expected), squares = 0;
    if (!at || !expected)
        judge_internal_error("out of memory for a reference of %zu elements", n);
    for (size_t i = 0; i < n; i++)
        at[i] = all ? i : (size_t)(judge_random(c->j) % c->per_batch);
#pragma omp parallel for if (c->r->expected_at)
    for (size_t i = 0; i < n; i++)
        expected[i] = comparison_expected(c, batch, at[i]);
    for (size_t i = 0; i < n; i++)
        squares += expected[i] * expected[i];
    c->scale = sqrt(squares / (double)n);
    const float *actual = c->memory->data + batch * c->per_batch;
    for (size_t i = 0; i < n; i++)
        if (!comparison_is_close(c, actual[at[i]], expected[i]))
            note_wrong(c, batch, at[i], actual[at[i]]);
    c->n_checked += n;
    free(at);
    free(expected);
    if (!all && c->r->suspects)
        compare_suspects(c, batch);
}

/* ---- what a wrong value means ---------------------------------------------------------------- */

/* Where the neighbors begin that are compared, all inside the batch; and how many they are. */
static size_t neighbors(const struct comparison *c, size_t *n)
{
    *n = c->per_batch < RUN ? c->per_batch : RUN;
    return c->index + *n <= c->per_batch ? c->index : c->per_batch - *n;
}

bool comparison_holds_batch(const struct comparison *c, size_t other)
{
    size_t n, start = neighbors(c, &n);
    const float *actual = c->memory->data + c->batch * c->per_batch;
    for (size_t i = start; i < start + n; i++)
        if (!comparison_is_close(c, actual[i], comparison_expected(c, other, i)))
            return false;
    return true;
}

static bool holds_bytes(const struct comparison *c, const float *buffer, size_t batch)
{
    size_t n, start = neighbors(c, &n);
    const float *actual = c->memory->data + c->batch * c->per_batch;
    return memcmp(actual + start, buffer + batch * c->per_batch + start, n * sizeof *actual) == 0;
}

/* Every wrong one holds the result of one and the same other. */
static bool all_hold(const struct comparison *c, size_t other)
{
    struct comparison at = *c;
    for (at.batch = 0; at.batch < c->r->batches; at.batch++)
        if (!comparison_holds_batch(&at, other))
            return false;
    return c->r->batches > 1;
}

static void blame_offset(const struct comparison *c, const char *word, size_t other)
{
    if (all_hold(c, other)) {
        judge_asks("input_offset_missing");
        judge_next("%s i begins at i times its size: add that to the addresses of the copies in",
                   word);
        judge_fail("Every %s holds the result of %s %zu: all of them were computed from its "
                   "inputs.",
                   word, word, other);
    }
    unwritten_blame_output_offset(c, word, c->batch);
}

/* Does each batch hold the result of another one, and no two of them that of the same? One may hold
   its own. *of_first: that of batch 0. */
static bool is_permuted(const struct comparison *c, size_t *of_first)
{
    enum { MOST = 64 };
    bool taken[MOST] = {false};
    struct comparison at = *c;
    size_t own = 0;
    for (at.batch = 0; at.batch < c->r->batches; at.batch++) {
        size_t other = 0;
        while (other < c->r->batches && other < MOST &&
               (taken[other] || !comparison_holds_batch(&at, other)))
            other++;
        if (other == c->r->batches || other == MOST)
            return false;
        taken[other] = true;
        own += other == at.batch;
        *of_first = at.batch == 0 ? other : *of_first;
    }
    return own <= 1 && c->r->batches > 2;
}

static void blame_permutation(const struct comparison *c, const char *word)
{
    size_t of_first = 0;
    if (!is_permuted(c, &of_first))
        return;
    judge_asks("batches_exchanged");
    judge_next("compare the index in the address of the copy in with that of the copy back");
    judge_fail("Each %s holds the result of another one, %s 0 that of %s %zu: the copy in and the "
               "copy back have different indices.",
               word, word, word, of_first);
}

static _Noreturn void blame_mixture(const struct comparison *c, const char *word, size_t other)
{
    blame_offset(c, word, other);
    if (judge_device_is_simulated()) {
        judge_expect_order(c->j); /* it knows which operation came too early */
        judge_next(
            "write down what the host enqueues to fill and to read the buffers of %s %zu and "
            "of %s %zu, in the order of its calls: does one call come before the call that "
            "it needs? Then compare the indices in their addresses",
            word, c->batch, word, other);
        judge_fail("%s %zu holds the result of %s %zu, and no order of streams or events is "
                   "missing: the host's calls have a wrong order, or an index is wrong.",
                   word, c->batch, word, other);
    }
    if (other < c->batch) /* what comes too early is older, what is overwritten is newer */
        judge_next("let whatever reads a buffer wait for the operation that fills it for this %s",
                   word);
    else
        judge_next("before a buffer is filled again, wait for the work that still reads it");
    judge_fail("%s %zu holds the result of %s %zu: a buffer was reused too early, or an index is "
               "wrong.",
               word, c->batch, word, other);
}

static void blame_earlier_run(const struct comparison *c)
{
    for (size_t b = 0; c->memory->previous && b < c->r->batches; b++) {
        if (!holds_bytes(c, c->memory->previous, b))
            continue;
        judge_next(
            "order every copy and kernel after the one whose result it needs: by its stream, "
            "or by an event");
        judge_fail("%s holds results of the run before: they were copied back before they were "
                   "computed, or were not computed again.",
                   c->r->buffer);
    }
}

static void blame_input(const struct comparison *c)
{
    for (int i = 0; i < c->j->n_buffers; i++) {
        const struct judge_memory *m = &c->j->buffers[i];
        bool same_shape = m->wire.data_bytes >= c->r->batches * c->per_batch * sizeof(float);
        if (m->wire.output || !same_shape || !holds_bytes(c, m->data, c->batch))
            continue;
        judge_next("copy back the memory that the last kernel writes: compare the addresses");
        judge_fail("%s holds the input %s: the wrong buffer was copied back.", c->r->buffer,
                   m->wire.name);
    }
}

static void expect_not_of_output(const struct comparison *c, float actual)
{
    const char *name = c->r->buffer;
    if (bits_of(actual) != JUDGE_POISON_COMPUTED)
        return;
    judge_expect_order(c->j); /* a copy that came too early has it, too */
    judge_asks("output_read");
    judge_next(
        "compare the source of each copy and the arguments of each kernel: one of them reads "
        "%s, or a copy of it, in place of an input",
        name);
    judge_fail("%s was computed from what %s itself held before the run.", name, name);
}

static _Noreturn void blame(struct comparison *c, const char *word)
{
    float actual = c->memory->data[c->batch * c->per_batch + c->index];
    unwritten_blame_distance(c, word);
    if (comparison_is_unwritten(actual))
        unwritten_blame(c, word);
    expect_not_of_output(c, actual);
    unwritten_blame_remainder(c, word);
    blame_permutation(c, word);
    const struct judge_results *r = c->r;
    const char *known =
        r->looks_like ? r->looks_like(c->j, c->batch, c->index / r->columns, c->index % r->columns)
                      : NULL;
    if (known)
        judge_fail_that(known);
    for (size_t b = 0; b < c->r->batches; b++)
        if (b != c->batch && comparison_holds_batch(c, b))
            blame_mixture(c, word, b);
    if (judge_device_is_simulated()) {
        judge_expect_order(c->j); /* it may know which operation read or wrote other memory */
        judge_expect_lineage_of(c->j);
    }
    blame_earlier_run(c);
    blame_input(c);
    if (isnan(actual)) {
        judge_asks("not_copied_in");
        judge_next(
            "copy everything that the kernel reads to the device first, and order the kernel "
            "after that copy; and copy back the memory that the last kernel writes. New device "
            "memory may hold anything");
        judge_fail(
            "%s holds values that are not numbers (NaN): a kernel or the copy back read memory "
            "that was not filled.",
            c->r->buffer);
    }
    judge_current->is_vague = true;
    if (judge_was_right(c->j)) {
        judge_next("find what a run leaves changed: a variable, an event, memory on the device. "
                   "Each run has to begin as the first one did");
        judge_fail("%s holds wrong values, and those of the run before were right.", c->r->buffer);
    }
    if (actual == 0) {
        judge_next(
            "check that the launch returned cudaSuccess, and that the kernel runs before the "
            "copy back");
        judge_fail("%s holds zeros: the kernel did not run, or not on these inputs.", c->r->buffer);
    }
    if (judge_device_is_simulated() && c->memory->wire.made_by[0]) /* it knows their origin */
        judge_next("the kernels computed from this run's inputs: compare the arguments of each "
                   "launch with lab.h, first the numbers, then which array is which (few kernels "
                   "may write to an array that they read)");
    else
        judge_next("compare the addresses that the kernel got with those that the copies filled");
    judge_fail("%s holds wrong values.", c->r->buffer);
}

void judge_expect_results(struct judged *j, const struct judge_results *r)
{
    struct comparison c = {.j = j,
                           .r = r,
                           .memory = judge_memory_find(j, r->buffer),
                           .per_batch = r->rows * r->columns};
    const char *word = r->batch_word ? r->batch_word : "batch";
    if (c.memory->wire.data_bytes < r->batches * c.per_batch * sizeof(float) || c.per_batch == 0)
        judge_internal_error("the buffer %s does not hold what is to be checked in it", r->buffer);
    for (size_t b = 0; b < r->batches; b++)
        compare_batch(&c, b);
    if (c.n_wrong == 0)
        return;
    double expected = comparison_expected(&c, c.batch, c.index);
    float actual = c.memory->data[c.batch * c.per_batch + c.index];
    char at[64], value[32] = "was never written";
    snprintf(at, sizeof at, "row %zu, column %zu", c.index / r->columns, c.index % r->columns);
    if (r->rows == 1)
        snprintf(at, sizeof at, "element %zu", c.index);
    if (!comparison_is_unwritten(actual))
        snprintf(value, sizeof value, "= %.7g", actual);
    judge_actual("%s[%s %zu, %s] %s; %zu of %zu elements wrong, in %s %s", r->buffer, word, c.batch,
                 at, value, c.n_wrong, c.n_checked, word, c.batches);
    judge_expected("%.7g there", expected);
    blame(&c, word);
}
