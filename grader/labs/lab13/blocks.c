/* blocks.c: which blocks the rows of a run have written, see blocks.h. */
#include "exchange.h"
#include "blocks.h"

#include <stdlib.h>

#include "expected.h"
#include "journal.h"
#include "labs/lab13/causes.h"
#include "rows.h"

/* Rows whose slot has not the seed of their request. */
static _Noreturn void fail_for_seeds(const struct journal *journal)
{
    judge_fact_each(
        (struct judge_truth[]){{rows_begin_late(journal) || rows_share_slot(journal), "slot_wrong"},
                               {rows_lack_tables(journal), "slot_of_nobody"},
                               {false, NULL}});
    judge_fail_that("seed_wrong");
}

/* A request whose rows have all another seed; then rows with that seed have tokens of a prompt that
   is not of this seed. A request without rows is not meant: see check_positions. */
static void check_seeds(const struct journal *journal)
{
    const float *tokens = judge_buffer(journal->j, "tokens");
    int *rows = judge_room((size_t)journal->d.n, sizeof *rows), foreign = 0;
    for (int i = 0; i < journal->n; i++) {
        const int request = field(journal, i, LAB13_REQUEST);
        if (request >= 0)
            rows[request]++;
        foreign += row_is_foreign(journal, i);
    }
    for (int r = 0; r < journal->d.n; r++) {
        const bool is_served =
            lab13_int(tokens[(size_t)r * (size_t)journal->d.tokens]) != LAB13_UNTOUCHED;
        judge_actual(
            "request %d has %d rows with its seed; %d rows have a seed that is not that of "
            "their prompt",
            r, rows[r], foreign);
        judge_expected("a row for each position of a request, in a slot with its seed");
        if (foreign > 0 && rows[r] == 0 && is_served && rows_have_prompt(journal, r))
            fail_for_seeds(journal);
    }
    judge_forget();
    free(rows);
}

/* Does each row sample whose next token is generated, and no other one? */
static void check_samples(const struct journal *journal)
{
    for (int i = 0; i < journal->n; i++) {
        const int request = field(journal, i, LAB13_REQUEST),
                  position = field(journal, i, LAB13_POSITION);
        if (request < 0)
            continue;
        const int length = lab13_draw(&journal->d, request).prompt_length;
        judge_actual("step %d, position %d of request %d, whose prompt has %d tokens: samples %d",
                     journal->rows[i].step, position, request, length,
                     field(journal, i, LAB13_SAMPLES));
        judge_expected("samples %d", position >= length - 1);
        judge_expect_that(field(journal, i, LAB13_SAMPLES) == (position >= length - 1),
                          "samples_wrong");
    }
    judge_forget();
}

/* No token of a padding row is of use. */
static void check_padding(const struct journal *journal)
{
    for (int i = 0; i < journal->n; i++) {
        if (field(journal, i, LAB13_REQUEST) != LAB13_PADDING)
            continue;
        judge_actual("step %d, a padding row with position %d: samples %d", journal->rows[i].step,
                     field(journal, i, LAB13_POSITION), field(journal, i, LAB13_SAMPLES));
        judge_expected("samples 0");
        judge_expect_that(field(journal, i, LAB13_SAMPLES) == 0, "padding_samples");
    }
    judge_forget();
}

/* Was the row that samples this token of the request in a step? */
static bool has_row_for(const struct journal *journal, int request, int token)
{
    const int position = lab13_draw(&journal->d, request).prompt_length - 1 + token;
    for (int i = 0; i < journal->n; i++)
        if (field(journal, i, LAB13_REQUEST) == request &&
            field(journal, i, LAB13_POSITION) == position)
            return true;
    return false;
}

/* How many rows does the request have, or how many that sample a token? */
static int count_rows(const struct journal *journal, int request, bool that_sample)
{
    int n = 0;
    for (int i = 0; i < journal->n; i++)
        n += field(journal, i, LAB13_REQUEST) == request &&
             (!that_sample || field(journal, i, LAB13_SAMPLES));
    return n;
}

/* Did lab13_serve stay until each request had all of its tokens? */
static void check_delivered(const struct journal *journal)
{
    for (int r = 0; r < journal->d.n; r++) {
        const int n_tokens = lab13_draw(&journal->d, r).n_tokens;
        const float *delivered =
            judge_buffer(journal->j, "tokens") + (size_t)r * (size_t)journal->d.tokens;
        int n = 0;
        while (n < n_tokens && lab13_int(delivered[n]) != LAB13_UNTOUCHED)
            n++;
        judge_actual("request %d: %d tokens were delivered", r, n);
        judge_expected("%d tokens", n_tokens);
        if (n == n_tokens)
            continue;
        const bool all_sampled = count_rows(journal, r, true) == n;
        judge_fact_each(
            (struct judge_truth[]){{count_rows(journal, r, false) == 0, "never_admitted"},
                                   {!has_row_for(journal, r, n), "ended_early"},
                                   {all_sampled && rows_lack_first(journal), "positions_from_one"},
                                   {all_sampled, "samples_wrong"},
                                   {false, NULL}});
        lab13_fail_for_undelivered(journal->j);
    }
    judge_forget();
}

/* Is the row before in its sequence, which samples its token, in the same step? */
static bool follows_in_step(const struct journal *journal, int i)
{
    for (int k = i - 1; k >= 0 && journal->rows[k].step == journal->rows[i].step; k--)
        if (field(journal, k, LAB13_SLOT) == field(journal, i, LAB13_SLOT) &&
            field(journal, k, LAB13_POSITION) + 1 == field(journal, i, LAB13_POSITION))
            return true;
    return false;
}

/* A row embeds a token that its request does not have. */
static _Noreturn void fail_for_token(const struct journal *journal, int i, bool of_prompt,
                                     int expected)
{
    judge_fact_each((struct judge_truth[]){{row_is_padding(journal, i), "padding_in_slot"},
                                           {of_prompt, "row_wrong"},
                                           {!field(journal, i, LAB13_IS_LAST), "token_of_host"},
                                           {follows_in_step(journal, i), "token_not_sampled"},
                                           {false, NULL}});
    if (!of_prompt && field(journal, i, LAB13_IS_LAST)) { /* the device is right */
        judge_actual("token %d was delivered for position %d of request %d", expected,
                     field(journal, i, LAB13_POSITION), field(journal, i, LAB13_REQUEST));
        judge_expected("token %d, which the device goes on with in step %d",
                       field(journal, i, LAB13_TOKEN), journal->rows[i].step);
    }
    judge_fail_that("token_differs");
}

/* Do rows embed the tokens that their requests have? Of prompts, or those that were delivered. */
static void check_tokens(const struct journal *journal, bool of_prompts)
{
    for (int i = 0; i < journal->n; i++) {
        const int request = field(journal, i, LAB13_REQUEST),
                  position = field(journal, i, LAB13_POSITION),
                  token = field(journal, i, LAB13_TOKEN);
        if (request < 0)
            continue;
        const struct lab13_drawn r = lab13_draw(&journal->d, request);
        const int generated = position - r.prompt_length;
        if ((generated < 0) != of_prompts || generated >= r.n_tokens - 1)
            continue; /* nobody needs a row of the last token */
        const float *delivered =
            judge_buffer(journal->j, "tokens") + (size_t)request * (size_t)journal->d.tokens;
        const int expected =
            of_prompts ? lab13_prompt_token(&r, position) : lab13_int(delivered[generated]);
        judge_actual("step %d, slot %d, position %d: token %d", journal->rows[i].step,
                     field(journal, i, LAB13_SLOT), position, token);
        judge_expected("token %d of request %d, which has the slot's seed", expected, request);
        if (token != expected)
            fail_for_token(journal, i, of_prompts, expected);
    }
    judge_forget();
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* Is the row's position in a block that the prompt of its request does not need? */
static bool is_beyond_prompt(const struct journal *journal, int i)
{
    const int length = lab13_draw(&journal->d, field(journal, i, LAB13_REQUEST)).prompt_length;
    return field(journal, i, LAB13_POSITION) / DECODE_BLOCK >= decode_blocks_of(length);
}

/* Rows that write to a block of another request. */
struct shared {
    int first;             /* -1: there is none */
    int owner;             /* of the block of the first one: the row that wrote to it before */
    bool is_beyond_prompt; /* a row of each pair is, and the later row of at least one of them */
};

static void note_shared(const struct journal *journal, struct shared *shared, bool *is_later_beyond,
                        int i, int before)
{
    const bool later = is_beyond_prompt(journal, i);
    if (shared->first < 0)
        *shared = (struct shared){i, before, true};
    shared->is_beyond_prompt =
        shared->is_beyond_prompt && (later || is_beyond_prompt(journal, before));
    *is_later_beyond = *is_later_beyond || later;
}

/* Whose is each block? From its first row in the block on, until the step of its last row. */
static struct shared find_shared(const struct journal *journal, int *padding)
{
    struct shared shared = {.first = -1};
    bool is_later_beyond = false;
    int *before = judge_room((size_t)journal->n_blocks, sizeof *before);
    for (int b = 0; b < journal->n_blocks; b++)
        before[b] = -1;
    for (int i = 0; i < journal->n; i++) {
        const int request = field(journal, i, LAB13_REQUEST);
        int *owner = &before[field(journal, i, LAB13_BLOCK)];
        const bool is_anothers = *owner >= 0 &&
                                 journal->rows[*owner].end >= journal->rows[i].step &&
                                 request != field(journal, *owner, LAB13_REQUEST);
        if (is_anothers && request >= 0)
            note_shared(journal, &shared, &is_later_beyond, i, *owner);
        else if (is_anothers && *padding < 0)
            *padding = i, shared.owner = shared.first < 0 ? *owner : shared.owner;
        if (request >= 0)
            *owner = i;
    }
    shared.is_beyond_prompt = shared.is_beyond_prompt && is_later_beyond;
    free(before);
    return shared;
}

/* Is the last block that of the padding row, and block 0 nobody's? */
static bool are_counted_from_one(const struct journal *journal, int padding)
{
    for (int i = 0; i < journal->n; i++)
        if (field(journal, i, LAB13_BLOCK) == 0)
            return false;
    return field(journal, padding, LAB13_BLOCK) == journal->n_blocks - 1;
}

static void check_owners(const struct journal *journal)
{
    int padding = -1;
    const struct shared shared = find_shared(journal, &padding);
    const int i = shared.first >= 0 ? shared.first : padding;
    if (i < 0)
        return;
    judge_actual("step %d writes position %d of slot %d to block %d", journal->rows[i].step,
                 field(journal, i, LAB13_POSITION), field(journal, i, LAB13_SLOT),
                 field(journal, i, LAB13_BLOCK));
    judge_expected("request %d has this block until step %d",
                   field(journal, shared.owner, LAB13_REQUEST), journal->rows[shared.owner].end);
    judge_fact_each((struct judge_truth[]){
        {shared.first < 0 && are_counted_from_one(journal, i), "blocks_from_one"},
        {shared.first < 0, "padding_in_block"},
        {shared.is_beyond_prompt, "blocks_too_few"},
        {false, NULL}});
    judge_fail_that("block_shared");
}

/* Has each entry of a request's block table another block? */
static void check_tables(const struct journal *journal)
{
    int *before = judge_room((size_t)journal->n_blocks, sizeof *before);
    for (int b = 0; b < journal->n_blocks; b++)
        before[b] = -1;
    for (int i = 0; i < journal->n; i++) {
        const int request = field(journal, i, LAB13_REQUEST),
                  position = field(journal, i, LAB13_POSITION);
        int *owner = &before[field(journal, i, LAB13_BLOCK)];
        if (request < 0)
            continue;
        const bool is_own = *owner >= 0 && request == field(journal, *owner, LAB13_REQUEST) &&
                            journal->rows[*owner].end >= journal->rows[i].step;
        judge_actual("block %d has positions %d and %d of request %d",
                     field(journal, i, LAB13_BLOCK),
                     *owner < 0 ? 0 : field(journal, *owner, LAB13_POSITION), position, request);
        judge_expected("another block for each %d positions", DECODE_BLOCK);
        judge_expect_that(!is_own || field(journal, *owner, LAB13_POSITION) / DECODE_BLOCK ==
                                         position / DECODE_BLOCK,
                          "block_twice");
        *owner = i;
    }
    judge_forget();
    free(before);
}

/* How often each position of each request was computed: [request][position]. */
static int *count_positions(const struct journal *journal, size_t positions)
{
    int *rows = judge_room((size_t)journal->d.n * positions, sizeof *rows);
    for (int i = 0; i < journal->n; i++)
        if (field(journal, i, LAB13_REQUEST) >= 0)
            rows[(size_t)field(journal, i, LAB13_REQUEST) * positions +
                 (size_t)field(journal, i, LAB13_POSITION)]++;
    return rows;
}

/* Has each request that generates its first position after the prompt one too late? */
static bool is_shifted(const struct journal *journal, const int *rows, size_t positions)
{
    int n = 0;
    for (int r = 0; r < journal->d.n; r++) {
        const struct lab13_drawn request = lab13_draw(&journal->d, r);
        const int *of = rows + (size_t)r * positions;
        if (request.n_tokens < 2)
            continue;
        if (of[request.prompt_length] || !of[lab13_positions_of(journal, r)])
            return false;
        n++;
    }
    return n > 0;
}

/* Are most rows that generate at positions of their prompts? */
static bool is_inside_prompts(const struct journal *journal)
{
    int inside = 0, n = 0;
    for (int i = 0; i < journal->n; i++) {
        const int request = field(journal, i, LAB13_REQUEST);
        if (request < 0 || !field(journal, i, LAB13_IS_LAST))
            continue;
        inside +=
            field(journal, i, LAB13_POSITION) < lab13_draw(&journal->d, request).prompt_length;
        n++;
    }
    return 2 * inside > n;
}

/* Are the missing positions the last ones of their requests? */
static bool lacks_last_only(const struct journal *journal, const int *rows, size_t positions)
{
    for (int r = 0; r < journal->d.n; r++)
        for (int p = 0; p + 1 < lab13_positions_of(journal, r); p++)
            if (rows[(size_t)r * positions + (size_t)p] == 0)
                return false;
    return true;
}

/* A position was not computed. Which rows were there in its place? */
static _Noreturn void fail_for_missing(const struct journal *journal, const int *rows,
                                       size_t positions)
{
    bool is_repeated = false;
    for (size_t i = 0; i < (size_t)journal->d.n * positions; i++)
        is_repeated = is_repeated || rows[i] > 1;
    judge_fact_each((struct judge_truth[]){
        {journal->n == 0, "embed_missing"},
        {rows_are_zero(journal), "rows_not_copied"},
        {rows_begin_zero(journal), "rows_copied_late"},
        {rows_lack_first(journal), "positions_from_one"},
        {rows_begin_late(journal) || rows_share_slot(journal) ||
             (rows_are_taken_over(journal) && lacks_last_only(journal, rows, positions)),
         "slot_wrong"},
        {is_shifted(journal, rows, positions) || is_inside_prompts(journal), "position_shifted"},
        {rows_are_stale(journal), "rows_stale"},
        {is_repeated, "row_twice"},
        {false, NULL}});
    judge_fail_that("row_left_out");
}

/* Was each position of each request computed, and not again unless all of them were? */
static void check_positions(const struct journal *journal)
{
    const size_t positions = (size_t)judge_numbers(journal->j)->model.n_positions;
    int *all = count_positions(journal, positions);
    judge_ask_notes();
    for (int r = 0; r < journal->d.n; r++)
        for (int p = 0; p < lab13_positions_of(journal, r); p++) {
            const int *rows = all + (size_t)r * positions;
            judge_actual("request %d: %d rows with position %d", r, rows[p], p);
            judge_expected("a row for each position of a request");
            if (rows[p] == 0)
                fail_for_missing(journal, all, positions);
            judge_expected("as many as with position 0: %d", rows[0]);
            judge_expect_that(rows[p] <= rows[0],
                              rows_begin_zero(journal) ? "rows_copied_late" : "row_twice");
        }
    judge_forget();
    free(all);
}

/* Of a run whose rows do not fit. */
static void check_first_rows(const struct journal *journal)
{
    check_tokens(journal, true);
    check_padding(journal);
    judge_fail("The steps of the run have more rows than the grader can look at: use graphs with "
               "fewer rows for small steps.");
}

void lab13_verify_blocks(struct judged *j)
{
    judge_expect_not_noted(LAB13_CHANGED_AFTER_COPY);
    struct journal journal = lab13_open_journal(j);
    if (journal.is_cut)
        check_first_rows(&journal);
    check_delivered(&journal);
    check_seeds(&journal);
    check_positions(&journal);
    check_tokens(&journal, true);
    check_samples(&journal);
    check_owners(&journal);
    check_tables(&journal);
    check_tokens(&journal, false);
    check_padding(&journal);
    free(journal.rows);
}
