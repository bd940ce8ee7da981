/* unwritten.c: results that are as they were before the run, and what the places of those that are
 * not say about the addresses of the copies. */
#include "comparison.h"

/* Does this one hold another result than its own, and are all others as they were before? */
static bool is_only(const struct comparison *c, size_t batch)
{
    const float first = c->memory->data[batch * c->per_batch];
    if (comparison_is_unwritten(first) ||
        comparison_is_close(c, first, comparison_expected(c, batch, 0)))
        return false;
    for (size_t b = 0; b < c->r->batches; b++)
        if (b != batch && !comparison_is_unwritten(c->memory->data[b * c->per_batch]))
            return false;
    return c->r->batches > 1;
}

void unwritten_blame_output_offset(const struct comparison *c, const char *word, size_t batch)
{
    if (!is_only(c, batch))
        return;
    judge_asks("output_offset_missing");
    judge_next("%s i begins at i times its size: add that to the address of the copy back. Is i "
               "another number for each %s?",
               word, word);
    judge_fail("Only %s %zu was written: every result was copied to its place in %s.", word, batch,
               c->r->buffer);
}

/* The distance between two of them, if only the beginning of the buffer was written, as far as the
   last one reaches then; 0: another part was written. */
static size_t distance_of(const struct comparison *c)
{
    const size_t steps[] = {1, c->r->columns}, all = c->r->batches * c->per_batch;
    size_t written = 0;
    while (written < all && !comparison_is_unwritten(c->memory->data[written]))
        written++;
    for (size_t i = written; i < all; i++)
        if (!comparison_is_unwritten(c->memory->data[i]))
            return 0;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
        if (steps[i] < c->per_batch && written == (c->r->batches - 1) * steps[i] + c->per_batch)
            return steps[i];
    return 0;
}

/* Are those right whose number is a multiple of `apart`, and no others written? */
static bool is_every(const struct comparison *c, size_t apart)
{
    for (size_t b = 0; b < c->r->batches; b++) {
        const float first = c->memory->data[b * c->per_batch];
        if (b % apart ? !comparison_is_unwritten(first)
                      : !comparison_is_close(c, first, comparison_expected(c, b, 0)))
            return false;
    }
    return c->r->batches > apart;
}

void unwritten_blame_distance(const struct comparison *c, const char *word)
{
    const size_t step = c->r->batches > 1 ? distance_of(c) : 0;
    judge_next("%s i begins at element i times %zu of %s: correct the addresses that depend on i",
               word, c->per_batch, c->r->buffer);
    if (step > 0) {
        judge_asks("output_distance");
        judge_fail("%s i was copied back to element i times %zu of %s.", word, step, c->r->buffer);
    }
    if (is_every(c, sizeof(float))) {
        judge_asks("output_distance");
        judge_fail(
            "Only every %zuth %s was written: the distance between two of them is too large. "
            "A pointer to float counts floats, not bytes.",
            sizeof(float), word);
    }
    judge_next("%s", "");
}

/* How many from the first one on were written, if no other one was; 0: others were, or all. */
static size_t n_written_first(const struct comparison *c)
{
    const size_t all = c->r->batches;
    size_t n = 0;
    while (n < all && !comparison_is_unwritten(c->memory->data[n * c->per_batch]))
        n++;
    for (size_t b = n; b < all; b++)
        if (!comparison_is_unwritten(c->memory->data[b * c->per_batch]))
            return 0;
    return n < all ? n : 0;
}

/* Does each of the first n hold the result of the last one whose number has the same remainder? */
static bool holds_remainders(const struct comparison *c, size_t n)
{
    struct comparison at = *c;
    at.index = 0;
    for (at.batch = 0; at.batch < n; at.batch++)
        if (!comparison_holds_batch(&at, (c->r->batches - 1 - at.batch) / n * n + at.batch))
            return false;
    return n > 0;
}

void unwritten_blame_remainder(const struct comparison *c, const char *word)
{
    const size_t n = n_written_first(c);
    if (n < 2 || c->n_unwritten == c->n_wrong || !holds_remainders(c, n))
        return;
    judge_asks("output_remainder");
    judge_next("add %s i times its size to the address of the copy back, and not i %% %zu times",
               word, n);
    judge_fail("Only the first %zu of %zu in %s were written, and they hold the last results: %s i "
               "was copied to the place of number i %% %zu.",
               n, c->r->batches, c->r->buffer, word, n);
}

/* Every batch is right, or as it was before the run. */
static void blame_batches_left_out(const struct comparison *c, const char *word)
{
    const size_t all = c->r->batches, wrong = c->n_batches_wrong, per_batch = c->n_checked / all;
    if (c->n_unwritten < c->n_wrong || c->n_wrong != wrong * per_batch)
        return;
    judge_asks("batches_left_out");
    if (c->batch == all - wrong)
        judge_next("does the loop reach number %zu? If not, correct its end. If it does, the "
                   "addresses have another number in them than i",
                   all - 1);
    else
        judge_next("what does the host enqueue for %s %zu, and what for those that are right?",
                   word, c->batch);
    judge_fail("Never written: %s %s of %s (their numbers are 0 to %zu). All others are right.",
               word, c->batches, c->r->buffer, all - 1);
}

/* Of each batch, only the first elements are right, and the others as they were before the run. */
static void blame_cut_batches(const struct comparison *c, const char *word)
{
    const size_t n = c->per_batch, all = c->r->batches;
    size_t written = 0;
    while (written < n && !comparison_is_unwritten(c->memory->data[written]))
        written++;
    if (written == 0 || written == n || c->n_checked != all * n ||
        c->n_wrong != all * (n - written) || c->n_unwritten != c->n_wrong)
        return;
    for (size_t b = 1; b < all; b++)
        if (comparison_is_unwritten(c->memory->data[b * n + written - 1]) ||
            !comparison_is_unwritten(c->memory->data[b * n + written]))
            return;
    judge_asks("batches_cut");
    judge_next("correct the number of bytes of the copy back: %zu times the sizeof of an element",
               n);
    judge_fail("Of each %s, only the first %zu of %zu elements were written to %s.", word, written,
               n, c->r->buffer);
}

_Noreturn void unwritten_blame(const struct comparison *c, const char *word)
{
    const char *name = c->r->buffer;
    if (c->n_unwritten < c->n_checked) {
        unwritten_blame_output_offset(c, word, 0);
        unwritten_blame_remainder(c, word);
        blame_batches_left_out(c, word);
        blame_cut_batches(c, word);
        judge_next("copy back every %s, all of it, and wait for each of these copies", word);
        judge_fail("part of %s was not there when the run was over: a copy back was too short, was "
                   "left out, or had not finished.",
                   name);
    }
    if (judge_device_is_simulated()) {
        judge_asks("not_copied_back");
        judge_next("copy each result from the device to %s", name);
        judge_fail("nothing was in %s when the run was over: no result was copied to it.", name);
    }
    judge_next("copy each result from the device to %s, and wait for the last copy before you "
               "return",
               name);
    judge_fail("nothing was in %s when the run was over: no result was copied to it, or the "
               "function did not wait for the copies.",
               name);
}
