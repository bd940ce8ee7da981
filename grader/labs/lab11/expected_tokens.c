/* expected_tokens.c: the batches of lab 11, and what a decoder on the CPU makes of them. */
#include "exchange.h"
#include "expected.h"

#include <math.h>
#include <stdlib.h>

#include "decoder.h"
#include "labs/lab11/causes.h"
#include "labs/language_model.h"

/* ---- the reference --------------------------------------------------------------------------- */

static const struct language_model *model;

static void need_model(const struct judged *j)
{
    model = language_model_of(&judge_numbers(j)->model, LAB11_SEED);
}

/* One sequence, token by token. */
struct sequence {
    struct reference_sequence data;
    double logits[DECODE_TOKENS];
    int position;
};

static struct sequence *begin_sequence(void)
{
    struct sequence *q = judge_room(1, sizeof *q);
    q->data = language_model_begin(model, q->logits);
    return q;
}

static void end_sequence(struct sequence *q)
{
    language_model_end(&q->data);
    free(q);
}

/* The token that comes after this one. */
static int next_token(struct sequence *q, int token)
{
    reference_decode_step(&model->m, model->weights, &q->data, token, q->position++);
    return language_model_best(q->logits);
}

/* ---- the batches ----------------------------------------------------------------------------- */

static size_t row_at(const struct judged *j, size_t batch, size_t row)
{
    return batch * judge_numbers(j)->max_rows + row;
}

static int length_of(const struct judged *j, size_t row)
{
    return (int)judge_buffer(j, "lengths")[row];
}

/* The token that follows the prompt. */
static int feed_prompt(const struct judged *j, struct sequence *q, size_t row)
{
    const float *prompt = judge_buffer(j, "prompts") + row * judge_numbers(j)->longest;
    int token = 0;
    for (int i = 0; i < length_of(j, row); i++)
        token = next_token(q, (int)prompt[i]);
    return token;
}

/* The token with which the first sequence of the last batch stops, halfway; -1: no sequence has to.
   False: that sequence has this token earlier, too. */
static bool choose_stop(struct judged *j)
{
    const struct numbers *numbers = judge_numbers(j);
    float *stop = judge_buffer(j, "stop");
    bool is_new = true;
    *stop = -1;
    if (!numbers->stops)
        return true;
    need_model(j);
    const size_t half = numbers->steps / 2;
    int *tokens = judge_room(half + 1, sizeof *tokens);
    struct sequence *q = begin_sequence();
    tokens[0] = feed_prompt(j, q, row_at(j, numbers->batches - 1, 0));
    for (size_t i = 0; i < half; i++)
        tokens[i + 1] = next_token(q, tokens[i]);
    for (size_t i = 0; i < half; i++)
        is_new = is_new && tokens[i] != tokens[half];
    *stop = (float)tokens[half];
    end_sequence(q);
    free(tokens);
    return is_new;
}

/* Rows that follow each other have different lengths: so each length occurs. */
static void draw_prompt(struct judged *j, size_t row, size_t first_length)
{
    const struct numbers *numbers = judge_numbers(j);
    const size_t shortest = numbers->shortest, prompt = numbers->longest;
    for (size_t i = row * prompt; i < (row + 1) * prompt; i++)
        judge_buffer(j, "prompts")[i] = (float)(judge_random(j) % DECODE_TOKENS);
    judge_buffer(j, "lengths")[row] =
        (float)(shortest + (first_length + row) % (prompt - shortest + 1));
}

/* Slots in random order, without the first one; a batch takes the next ones. */
static void fill_slots(struct judged *j)
{
    const struct numbers *numbers = judge_numbers(j);
    const size_t n = numbers->slots - 1, rows = numbers->max_rows;
    float *slots = judge_buffer(j, "slots");
    size_t *order = judge_room(n, sizeof *order), used = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t k = judge_random(j) % (i + 1);
        order[i] = order[k];
        order[k] = 1 + i;
    }
    for (size_t b = 0; b < numbers->batches; b++)
        for (size_t r = 0; r < rows; r++)
            slots[row_at(j, b, r)] = (float)order[used++ % n];
    free(order);
}

void lab11_fill(struct judged *j)
{
    const struct numbers *numbers = judge_numbers(j);
    fill_slots(j);
    const size_t first_length = judge_random(j);
    for (size_t i = 0; i < numbers->batches * numbers->max_rows; i++)
        draw_prompt(j, i, first_length);
    while (!choose_stop(j))
        draw_prompt(j, row_at(j, numbers->batches - 1, 0), first_length);
}

/* ---- tokens ---------------------------------------------------------------------------------- */

/* One sequence of a batch, as it was decoded. */
struct decoded {
    struct judged *j;
    size_t batch, row;
    int step; /* the first wrong one */
};

static int decoded_token(const struct decoded *d, int step)
{
    const struct judged *j = d->j;
    const size_t steps = judge_numbers(j)->steps, rows = judge_numbers(j)->max_rows;
    return (int)judge_buffer(j, "tokens")[(d->batch * steps + (size_t)step) * rows + d->row];
}

static int rows_of(const struct judged *j, size_t batch)
{
    return judge_numbers(j)->sequences[batch];
}

static bool all_are(const struct decoded *d, int from, int token)
{
    for (int i = from; i < (int)judge_numbers(d->j)->steps; i++)
        if (decoded_token(d, i) != token)
            return false;
    return true;
}

/* The sequence has no tokens, though the first one of its batch has: the graph lacks rows. */
static bool is_left_out(const struct decoded *d)
{
    const struct decoded first = {.j = d->j, .batch = d->batch, .row = 0};
    return judge_numbers(d->j)->how == LAB11_GRAPH && d->row > 0 && all_are(d, 0, DECODE_STOPPED) &&
           !all_are(&first, 0, DECODE_STOPPED);
}

/* The first sequence of its batch has tokens of a second iteration. */
static bool has_looped(const struct decoded *d)
{
    const struct decoded first = {.j = d->j, .batch = d->batch, .row = 0};
    return d->row > 0 && !all_are(&first, 2, DECODE_STOPPED);
}

/* Is the token where it would be if two steps had as many tokens between them as the batch has
   sequences, and not max_rows? */
static bool has_other_pitch(const struct decoded *d, int expected)
{
    const size_t steps = judge_numbers(d->j)->steps, rows = judge_numbers(d->j)->max_rows;
    const size_t pitch = (size_t)rows_of(d->j, d->batch);
    const float *tokens = judge_buffer(d->j, "tokens") + d->batch * steps * rows;
    return d->step == 1 && pitch < rows && judge_numbers(d->j)->how == LAB11_STREAM &&
           tokens[(size_t)d->step * pitch + d->row] == (float)expected;
}

static _Noreturn void blame_token(const struct decoded *d, int expected)
{
    const int actual = decoded_token(d, d->step), n = (int)judge_numbers(d->j)->steps;
    const int n_rows = rows_of(d->j, d->batch), how = judge_numbers(d->j)->how;
    judge_expect_not_noted(LAB11_NOT_PREFILLED);
    judge_actual("batch %zu (%d %s), sequence %zu: token %d in step %d of %d", d->batch, n_rows,
                 n_rows == 1 ? "sequence" : "sequences", d->row, actual, d->step, n);
    judge_expected("token %d (%d: the sequence has stopped)", expected, DECODE_STOPPED);
    judge_next(how == LAB11_STREAM
                   ? "what enqueue_step launches for these batches is right: does fill_rows set "
                     "progress->step to 0 in each batch? Then compare lab11_read with lab.h, "
                     "[steps][max_rows]"
                   : "./grade lab11 tokens shows whether stream launches decode right: if so, what "
                     "does a replay do differently?");
    const bool is_untouched = actual == LAB11_UNTOUCHED, is_end = expected == DECODE_STOPPED,
               no_bucket = n_rows > lab11_bucket_rows((int)judge_numbers(d->j)->buckets - 1),
               is_short = how == LAB11_LOOP && d->step > 0 && !is_end,
               is_cut = (size_t)d->step >= lab11_steps_needed(d->j, d->batch, (size_t)n_rows);
    judge_fact_each((struct judge_truth[]){
        {has_other_pitch(d, expected), "other_pitch"},
        {is_untouched && d->step == 0, "reads_nothing"},
        {is_untouched && d->step > 0, "reads_some_steps"},
        {how != LAB11_STREAM && no_bucket && all_are(d, 0, DECODE_STOPPED), "no_fallback"},
        {is_left_out(d), "rounds_down"},
        {is_short && has_looped(d), "loop_ends_early"},
        {is_short, "loop_length"},
        {how == LAB11_LOOP && is_end && is_cut, "tokens_not_cleared"},
        {false, NULL}});
    judge_note(is_end                     ? "A sequence goes on after its stop token."
               : actual == DECODE_STOPPED ? "A sequence stops too early, or has no tokens."
               : d->step > 0 && all_are(d, 0, decoded_token(d, 0))
                   ? "Every step gives the token of the first step."
                   : "A token is wrong."); /* unless a rule knows why */
    judge_fail_that(NULL);
}

/* Is this token as good as the best one? Logits of the device differ by what bf16 rounds away. */
static bool is_as_good(const struct sequence *q, int token)
{
    const double close = 0.02 * fmax(1, fabs(q->logits[language_model_best(q->logits)]));
    return token >= 0 && token < DECODE_TOKENS &&
           q->logits[token] >= q->logits[language_model_best(q->logits)] - close;
}

/* How many tokens the sequence has; each is the best one after those that were decoded before. */
static int verify_sequence(struct decoded *d)
{
    struct judged *j = d->j;
    const size_t row = row_at(j, d->batch, d->row);
    const int stop = (int)judge_buffer(j, "stop")[0];
    struct sequence *q = begin_sequence();
    bool stopped = false;
    int tokens = 0;
    feed_prompt(j, q, row);
    for (d->step = 0; d->step < (int)judge_numbers(j)->steps; d->step++) {
        const int actual = decoded_token(d, d->step);
        if (stopped ? actual != DECODE_STOPPED : !is_as_good(q, actual))
            blame_token(d, stopped ? DECODE_STOPPED : language_model_best(q->logits));
        tokens += !stopped;
        stopped = stopped || actual == stop;
        if (!stopped)
            next_token(q, actual);
    }
    end_sequence(q);
    return tokens;
}

void lab11_verify_tokens(struct judged *j)
{
    need_model(j);
    for (size_t b = 0; b < judge_numbers(j)->batches; b++)
        for (int row = 0; row < rows_of(j, b); row++)
            verify_sequence(&(struct decoded){.j = j, .batch = b, .row = (size_t)row});
}

/* ---- the cache ------------------------------------------------------------------------------- */

/* For each slot: how many positions the batches may have written. A loop has no padding rows. */
static int *written_positions(struct judged *j)
{
    const struct numbers *numbers = judge_numbers(j);
    const int n_slots = (int)numbers->slots;
    int *written = judge_room((size_t)n_slots + 1, sizeof *written);
    written[n_slots] = numbers->how == LAB11_LOOP ? 0 : model->m.n_positions;
    for (size_t b = 0; b < numbers->batches; b++)
        for (int row = 0; row < rows_of(j, b); row++) {
            const size_t at = row_at(j, b, (size_t)row);
            const int slot = (int)judge_buffer(j, "slots")[at];
            struct decoded d = {.j = j, .batch = b, .row = (size_t)row};
            const int n = length_of(j, at) - 1 + verify_sequence(&d);
            written[slot] = n > written[slot] ? n : written[slot];
        }
    return written;
}

static void verify_numbers(struct judged *j, const char *buffer, const int *written)
{
    const float *numbers = judge_buffer(j, buffer);
    const size_t n = judge_buffer_count(j, buffer), slots = judge_numbers(j)->slots + 1;
    const size_t positions = (size_t)model->m.n_positions, heads = (size_t)model->m.n_heads;
    for (size_t i = 0; i < n; i++) {
        const size_t position = i / DECODE_HEAD_SIZE % positions;
        const size_t slot = i / DECODE_HEAD_SIZE / positions / heads % slots;
        if ((int)position < written[slot] || numbers[i] == lab11_cache_before(i))
            continue;
        if (judge_numbers(j)->how == LAB11_LOOP)
            lab11_expect_progress(j);
        judge_actual("slot %zu, position %zu of the %s was written", slot, position, buffer);
        judge_expected("%d positions of this slot written, the first ones", written[slot]);
        judge_fail_that(slot + 1 == slots ? "wrong_bucket" : "rows_left_over");
    }
}

void lab11_verify_cache(struct judged *j)
{
    need_model(j);
    int *written = written_positions(j);
    verify_numbers(j, "keys", written);
    verify_numbers(j, "values", written);
    free(written);
}
