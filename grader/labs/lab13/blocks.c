/* blocks.c: which blocks the rows of a run have written, see expected.h. */
#include "exchange.h"
#include "expected.h"

#include <stdlib.h>

#include "journal.h"
#include "labs/lab13/causes.h"
#include "rows.h"

/* Is a row of a request in the slot of padding rows? */
static bool is_slot_of_padding(const struct journal *journal)
{
    for (const struct row *r = journal->rows; r < journal->past; r++)
        if (r->slot == (int)judge_value(journal->j, n_slots) && row_is_foreign(r))
            return true;
    return false;
}

/* Rows whose slot has not the seed of their request. */
static _Noreturn void fail_for_seeds(const struct journal *journal)
{
    judge_fact_each((struct judge_truth[]){
        {is_slot_of_padding(journal), "slot_of_padding"},
        {rows_any(journal, row_begins_late) || rows_share_slot(journal), "slot_wrong"},
        {rows_lack_tables(journal), "slot_of_nobody"},
        {false, NULL}});
    judge_fail_that("seed_wrong");
}

/* How many rows does the request have, or how many that sample a token? */
static int count_rows(const struct journal *journal, int request, bool that_sample)
{
    int n = 0;
    for (const struct row *r = journal->rows; r < journal->past; r++)
        n += r->request == request && (!that_sample || r->samples);
    return n;
}

/* The tokens of a request that were delivered. */
static const float *delivered_to(const struct journal *journal, int request)
{
    return judge_buffer(journal->j, "tokens") +
           (size_t)request * (size_t)judge_numbers(journal->j)->drawing.tokens;
}

/* A request whose rows have all another seed; then rows with that seed have tokens of a prompt that
   is not of this seed. A request without rows is not meant: see check_positions. */
static void check_seeds(const struct journal *journal)
{
    int foreign = 0;
    for (const struct row *r = journal->rows; r < journal->past; r++)
        foreign += row_is_foreign(r);
    for (int i = 0; i < journal->n_requests; i++) {
        const bool is_served = lab13_int(*delivered_to(journal, i)) != LAB13_UNTOUCHED;
        const int rows = count_rows(journal, i, false);
        judge_actual("request %d has %d rows with its seed; %d rows have a seed that is not that "
                     "of their prompt",
                     i, rows, foreign);
        judge_expected("a row for each position of a request, in a slot with its seed");
        if (foreign > 0 && rows == 0 && is_served &&
            rows_have_prompt(journal, &journal->requests[i]))
            fail_for_seeds(journal);
    }
    judge_forget();
}

/* Does each row sample whose next token is generated, and no other one? */
static void check_samples(const struct journal *journal)
{
    for (const struct row *r = journal->rows; r < journal->past; r++) {
        const int expected = r->of && r->position >= r->of->prompt_length - 1;
        if (!r->of || r->samples == expected)
            continue;
        judge_actual("step %d, position %d of request %d, whose prompt has %d tokens: samples %d",
                     r->step, r->position, r->request, r->of->prompt_length, r->samples);
        judge_expected("samples %d", expected);
        judge_fail_that("samples_wrong");
    }
}

/* No token of a padding row is of use, and its slot is that of no request. That slot has one block,
   for position 0. */
static void check_padding(const struct journal *journal)
{
    const int n_slots = (int)judge_value(journal->j, n_slots);
    for (const struct row *r = journal->rows; r < journal->past; r++) {
        if (r->request != LAB13_PADDING ||
            (r->samples == 0 && r->slot == n_slots && r->position == 0))
            continue;
        judge_actual("step %d, a padding row with position %d: samples %d, slot %d", r->step,
                     r->position, r->samples, r->slot);
        judge_expected("samples 0, slot n_slots, %d, position 0", n_slots);
        judge_fail_that(r->samples ? "padding_samples" : "padding_elsewhere");
    }
}

/* Was the row that samples this token of the request in a step? */
static bool has_row_for(const struct journal *journal, const struct lab13_drawn *of, int token)
{
    for (const struct row *r = journal->rows; r < journal->past; r++)
        if (r->of == of && r->position == of->prompt_length - 1 + token)
            return true;
    return false;
}

/* Did lab13_serve stay until each request had all of its tokens? */
static void check_delivered(const struct journal *journal)
{
    for (int i = 0; i < journal->n_requests; i++) {
        const struct lab13_drawn *of = &journal->requests[i];
        const float *delivered = delivered_to(journal, i);
        int n = 0;
        while (n < of->n_tokens && lab13_int(delivered[n]) != LAB13_UNTOUCHED)
            n++;
        judge_actual("request %d: %d tokens were delivered", i, n);
        judge_expected("%d tokens", of->n_tokens);
        if (n == of->n_tokens)
            continue;
        const bool all_sampled = count_rows(journal, i, true) == n;
        judge_fact_each((struct judge_truth[]){
            {count_rows(journal, i, false) == 0, "never_admitted"},
            {!has_row_for(journal, of, n), "ended_early"},
            {all_sampled && !rows_any(journal, row_is_first), "positions_from_one"},
            {all_sampled, "samples_wrong"},
            {false, NULL}});
        lab13_fail_for_undelivered(journal->j);
    }
    judge_forget();
}

/* Is the row before in its sequence, which samples its token, in the same step? */
static bool follows_in_step(const struct row *r)
{
    for (const struct row *b = r->before; b && b->step == r->step; b = b->before)
        if (b->position + 1 == r->position)
            return true;
    return false;
}

/* A row embeds a token that its request does not have. */
static _Noreturn void fail_for_token(const struct journal *journal, const struct row *r,
                                     bool of_prompt, int expected)
{
    judge_fact_each((struct judge_truth[]){{row_is_padding(journal, r), "padding_in_slot"},
                                           {of_prompt, "row_wrong"},
                                           {!r->is_last, "token_of_host"},
                                           {follows_in_step(r), "token_not_sampled"},
                                           {false, NULL}});
    if (!of_prompt && r->is_last) { /* the device is right */
        judge_actual("token %d was delivered for position %d of request %d", expected, r->position,
                     r->request);
        judge_expected("token %d, which the device goes on with in step %d", r->token, r->step);
    }
    judge_fail_that("token_differs");
}

/* Do rows embed the tokens that their requests have? Of prompts, or those that were delivered. */
static void check_tokens(const struct journal *journal, bool of_prompts)
{
    for (const struct row *r = journal->rows; r < journal->past; r++) {
        const int generated = r->of ? r->position - r->of->prompt_length : 0;
        if (!r->of || (generated < 0) != of_prompts || generated >= r->of->n_tokens - 1)
            continue; /* nobody needs a row of the last token */
        const int expected = of_prompts ? lab13_prompt_token(r->of, r->position)
                                        : lab13_int(delivered_to(journal, r->request)[generated]);
        if (r->token == expected)
            continue;
        judge_actual("step %d, slot %d, position %d: token %d", r->step, r->slot, r->position,
                     r->token);
        judge_expected("token %d of request %d, which has the slot's seed", expected, r->request);
        fail_for_token(journal, r, of_prompts, expected);
    }
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* Is the row's position the last one of its request, and the only one in its block? */
static bool is_last_alone(const struct row *r)
{
    return r->position % DECODE_BLOCK == 0 && r->position + 1 == lab13_positions_of(r->of);
}

/* Is the row's position in a block that the prompt of its request does not need? */
static bool is_beyond_prompt(const struct row *r)
{
    return r->position / DECODE_BLOCK >= decode_blocks_of(r->of->prompt_length) || is_last_alone(r);
}

/* A row that writes to a block, whose owner is the row of another request before it. */
struct claim {
    const struct row *row, *owner; /* NULL: there is none */
};

/* The first claims. Of requests, has each pair a row that is beyond its prompt, and is the later
   row of any pair? */
struct shared {
    struct claim by_request, by_padding;
    bool is_beyond_prompt, is_later_beyond;
};

/* Whose is each block? From its first row in the block on, until the step of its last row. */
static struct shared find_shared(const struct journal *journal)
{
    struct shared shared = {.is_beyond_prompt = true};
    const struct row **owners = judge_room((size_t)journal->n_blocks, sizeof *owners);
    for (const struct row *r = journal->rows; r < journal->past; r++) {
        const struct row *owner = owners[r->block];
        const bool is_anothers = owner && owner->end >= r->step && r->of != owner->of;
        if (is_anothers && r->of) {
            shared.is_beyond_prompt &= is_beyond_prompt(r) || is_beyond_prompt(owner);
            shared.is_later_beyond |= is_beyond_prompt(r);
            if (!shared.by_request.row)
                shared.by_request = (struct claim){r, owner};
        } else if (is_anothers && !shared.by_padding.row)
            shared.by_padding = (struct claim){r, owner};
        if (r->of)
            owners[r->block] = r;
    }
    free(owners);
    return shared;
}

static bool is_in_first_block(const struct row *r)
{
    return r->block == 0;
}

static void check_owners(const struct journal *journal)
{
    const struct shared shared = find_shared(journal);
    const bool of_padding = !shared.by_request.row;
    const struct claim first = of_padding ? shared.by_padding : shared.by_request;
    const struct row *r = first.row;
    if (!r)
        return;
    judge_actual("step %d writes position %d of slot %d to block %d", r->step, r->position, r->slot,
                 r->block);
    judge_expected("request %d has this block until step %d", first.owner->request,
                   first.owner->end);
    judge_fact_each((struct judge_truth[]){
        {of_padding && r->block == journal->n_blocks - 1 && !rows_any(journal, is_in_first_block),
         "blocks_from_one"},
        {of_padding, "padding_in_block"},
        {shared.is_beyond_prompt && (shared.is_later_beyond || is_last_alone(first.owner)),
         "blocks_too_few"},
        {false, NULL}});
    judge_fail_that("block_shared");
}

static _Noreturn void fail_for_twice(struct claim claim, const char *fact)
{
    judge_actual("block %d has positions %d and %d of request %d", claim.row->block,
                 claim.owner->position, claim.row->position, claim.row->request);
    judge_expected("another block for each %d positions", DECODE_BLOCK);
    judge_fail_that(fact);
}

/* Has each entry of a request's block table another block, or only the last one not? */
static void check_tables(const struct journal *journal)
{
    struct claim of_last = {0};
    const struct row **owners = judge_room((size_t)journal->n_blocks, sizeof *owners);
    for (const struct row *r = journal->rows; r < journal->past; r++) {
        const struct row *owner = owners[r->block];
        if (!r->of)
            continue;
        owners[r->block] = r;
        if (!owner || r->of != owner->of || owner->end < r->step ||
            owner->position / DECODE_BLOCK == r->position / DECODE_BLOCK)
            continue;
        const struct claim claim = {r, owner};
        if (!is_last_alone(r))
            fail_for_twice(claim, "block_twice");
        of_last = of_last.row ? of_last : claim;
    }
    free(owners);
    if (of_last.row)
        fail_for_twice(of_last, "blocks_too_few");
}

/* How often each position of each request was computed: [request][position]. */
static int *count_positions(const struct journal *journal, size_t positions)
{
    int *rows = judge_room((size_t)journal->n_requests * positions, sizeof *rows);
    for (const struct row *r = journal->rows; r < journal->past; r++)
        if (r->of)
            rows[(size_t)r->request * positions + (size_t)r->position]++;
    return rows;
}

/* Has each request that generates its first position after the prompt one too late? */
static bool is_shifted(const struct journal *journal, const int *rows, size_t positions)
{
    int n = 0;
    for (int i = 0; i < journal->n_requests; i++) {
        const struct lab13_drawn *request = &journal->requests[i];
        const int *of = rows + (size_t)i * positions;
        if (request->n_tokens < 2)
            continue;
        if (of[request->prompt_length] || !of[lab13_positions_of(request)])
            return false;
        n++;
    }
    return n > 0;
}

/* Are most rows that generate at positions of their prompts? */
static bool is_inside_prompts(const struct journal *journal)
{
    int inside = 0, n = 0;
    for (const struct row *r = journal->rows; r < journal->past; r++) {
        n += r->of && r->is_last;
        inside += r->of && r->is_last && r->position < r->of->prompt_length;
    }
    return 2 * inside > n;
}

/* Are the missing positions the last ones of their requests? */
static bool lacks_last_only(const struct journal *journal, const int *rows, size_t positions)
{
    for (int i = 0; i < journal->n_requests; i++)
        for (int p = 0; p + 1 < lab13_positions_of(&journal->requests[i]); p++)
            if (rows[(size_t)i * positions + (size_t)p] == 0)
                return false;
    return true;
}

/* A position was not computed. Which rows were there in its place? */
static _Noreturn void fail_for_missing(const struct journal *journal, const int *rows,
                                       size_t positions)
{
    bool is_repeated = false;
    for (size_t i = 0; i < (size_t)journal->n_requests * positions; i++)
        is_repeated = is_repeated || rows[i] > 1;
    judge_fact_each((struct judge_truth[]){
        {journal->rows == journal->past, "embed_missing"},
        {rows_are_zero(journal), "rows_not_copied"},
        {rows_begin_zero(journal), "rows_copied_late"},
        {!rows_any(journal, row_is_first), "positions_from_one"},
        {rows_any(journal, row_begins_late) || rows_share_slot(journal) ||
             (rows_any(journal, row_takes_over) && lacks_last_only(journal, rows, positions)),
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
    for (int i = 0; i < journal->n_requests; i++)
        for (int p = 0; p < lab13_positions_of(&journal->requests[i]); p++) {
            const int *rows = all + (size_t)i * positions;
            if (rows[p] > 0 && rows[p] <= rows[0])
                continue;
            judge_actual("request %d: %d rows with position %d", i, rows[p], p);
            judge_expected("a row for each position of a request");
            if (rows[p] == 0)
                fail_for_missing(journal, all, positions);
            judge_expected("as many as with position 0: %d", rows[0]);
            judge_fail_that(rows_begin_zero(journal) ? "rows_copied_late" : "row_twice");
        }
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
    lab13_expect_rows(j);
}

void lab13_expect_rows(const struct judged *j)
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
    check_padding(&journal);
    check_owners(&journal);
    check_tables(&journal);
    check_tokens(&journal, false);
    lab13_close_journal(&journal);
}
