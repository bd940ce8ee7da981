/* blocks.c: which blocks the rows of a run have written, see blocks.h. */
#include "exchange.h"
#include "blocks.h"

#include <stdlib.h>

#include "expected.h"
#include "journal.h"
#include "mistake_of.h"

/* ---- rows ------------------------------------------------------------------------------------ */

/* Does the row have a token that its request does not have there? */
static bool is_foreign(const struct journal *journal, int i)
{
    const int request = field(journal, i, LAB13_REQUEST),
              position = field(journal, i, LAB13_POSITION);
    if (request == LAB13_PADDING) /* … of which no row has a sequence */
        return position > 0 || field(journal, i, LAB13_SAMPLES);
    if (request == LAB13_NOBODY)
        return true;
    const struct lab13_drawn r = lab13_draw(&journal->d, request);
    return position < r.prompt_length &&
           field(journal, i, LAB13_TOKEN) != lab13_prompt_token(&r, position);
}

/* The row before in the same slot; -1: there is none. */
static int before_in_slot(const struct journal *journal, int i)
{
    int before = i - 1;
    while (before >= 0 && field(journal, before, LAB13_SLOT) != field(journal, i, LAB13_SLOT))
        before--;
    return before;
}

static bool follows(const struct journal *journal, int i, int before)
{
    return before >= 0 &&
           field(journal, i, LAB13_POSITION) == field(journal, before, LAB13_POSITION) + 1;
}

/* Does a slot begin with a row of a later position, whose token its request does not have? */
static bool is_begun_late(const struct journal *journal)
{
    for (int i = 0; i < journal->n; i++)
        if (field(journal, i, LAB13_POSITION) > 0 && is_foreign(journal, i) &&
            before_in_slot(journal, i) < 0)
            return true;
    return false;
}

/* Does a row continue the sequence of its slot with the seed of another request? */
static bool is_taken_over(const struct journal *journal)
{
    for (int i = 0; i < journal->n; i++) {
        const int before = before_in_slot(journal, i), request = field(journal, i, LAB13_REQUEST);
        if (request >= 0 && follows(journal, i, before) &&
            field(journal, before, LAB13_REQUEST) >= 0 &&
            field(journal, before, LAB13_REQUEST) != request)
            return true;
    }
    return false;
}

/* The step before in which the slot of row i had rows: the row at this position; -1: there is none.
 */
static int row_before(const struct journal *journal, int i, int position)
{
    int k = i, step = -1;
    while ((k = before_in_slot(journal, k)) >= 0) {
        if (journal->rows[k].step == journal->rows[i].step)
            continue;
        step = step < 0 ? journal->rows[k].step : step;
        if (journal->rows[k].step != step)
            return -1;
        if (field(journal, k, LAB13_POSITION) == position)
            return k;
    }
    return -1;
}

/* Does row i continue the prompt that the step before had in the slot, though the seed is not its?
 */
static bool continues_prompt(const struct journal *journal, int i)
{
    const int position = field(journal, i, LAB13_POSITION),
              before = row_before(journal, i, position - 1),
              request = before < 0 ? -1 : field(journal, before, LAB13_REQUEST);
    if (request < 0 || request == field(journal, i, LAB13_REQUEST))
        return false;
    const struct lab13_drawn r = lab13_draw(&journal->d, request);
    return position < r.prompt_length && is_foreign(journal, i) &&
           field(journal, i, LAB13_TOKEN) == lab13_prompt_token(&r, position);
}

/* Does row i follow one of the step before that sampled, and sample, too? */
static bool continues_sampling(const struct journal *journal, int i)
{
    const int before = row_before(journal, i, field(journal, i, LAB13_POSITION) - 1);
    return before >= 0 && field(journal, before, LAB13_SAMPLES) && field(journal, i, LAB13_SAMPLES);
}

/* A row like those that pad a step, in the slot of a request whose position 0 was computed. */
static bool is_padding(const struct journal *journal, int i)
{
    bool has_begun = false;
    for (int before = 0; before < i && !has_begun; before++)
        has_begun = field(journal, before, LAB13_REQUEST) == field(journal, i, LAB13_REQUEST) &&
                    field(journal, before, LAB13_POSITION) == 0;
    return has_begun && field(journal, i, LAB13_POSITION) == 0 &&
           field(journal, i, LAB13_TOKEN) == 0 && field(journal, i, LAB13_SAMPLES) == 0;
}

static int positions_of(const struct journal *journal, int request)
{
    const struct lab13_drawn r = lab13_draw(&journal->d, request);
    return r.prompt_length + r.n_tokens - 1;
}

/* Row i of a slot comes after others of its step, which begin with position 0. Is it of another
   sequence? `next`: the position of their next row. */
static bool is_of_another(const struct journal *journal, int i, int before, int next)
{
    const int position = field(journal, i, LAB13_POSITION);
    if (continues_prompt(journal, i))
        return true;
    if (position == next) /* no sequence samples twice in a step */
        return field(journal, before, LAB13_SAMPLES) && continues_sampling(journal, i);
    return position == 0 ? field(journal, i, LAB13_REQUEST) >= 0 && !is_padding(journal, i)
                         : continues_sampling(journal, i);
}

/* Does a sequence begin in a slot while another one has a row there? */
static bool has_two_sequences(const struct journal *journal)
{
    for (int i = 0, next = 0; i < journal->n; i++) {
        const int position = field(journal, i, LAB13_POSITION), before = before_in_slot(journal, i);
        const bool is_first = before < 0 || journal->rows[before].step != journal->rows[i].step;
        if (is_first)
            next = position == 0 ? 1 : -1;
        else if (next > 0 && is_of_another(journal, i, before, next))
            return true;
        else if (position == next)
            next++;
    }
    return false;
}

/* Has each position of the request's prompt a row with its token, whatever the row's seed is? */
static bool has_all_of_prompt(const struct journal *journal, int request)
{
    const struct lab13_drawn r = lab13_draw(&journal->d, request);
    bool found = true;
    for (int p = 0; p < r.prompt_length && found; p++) {
        found = false;
        for (int i = 0; i < journal->n && !found; i++)
            found = field(journal, i, LAB13_POSITION) == p &&
                    field(journal, i, LAB13_TOKEN) == lab13_prompt_token(&r, p);
    }
    return found;
}

/* The same, and no row was lost: there are as many as all requests need, with all tokens of the
   prompts. */
static bool is_slot_shared(const struct journal *journal)
{
    int left = 0;
    for (int r = 0; r < journal->d.n; r++) {
        if (!has_all_of_prompt(journal, r))
            return false;
        left += positions_of(journal, r);
    }
    for (int i = 0; i < journal->n; i++)
        left -= field(journal, i, LAB13_REQUEST) >= 0;
    return left == 0 && has_two_sequences(journal);
}

/* Has no number that the host set been on the device? */
static bool is_all_zero(const struct journal *journal)
{
    for (int i = 0; i < journal->n; i++)
        if (field(journal, i, LAB13_TOKEN) || field(journal, i, LAB13_POSITION) ||
            field(journal, i, LAB13_SLOT) || field(journal, i, LAB13_SAMPLES))
            return false;
    return true;
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
        foreign += is_foreign(journal, i);
    }
    for (int r = 0; r < journal->d.n; r++) {
        const bool is_served =
            lab13_int(tokens[(size_t)r * (size_t)journal->d.tokens]) != LAB13_UNTOUCHED;
        judge_actual(
            "request %d has %d rows with its seed; %d rows have a seed that is not that of "
            "their prompt",
            r, rows[r], foreign);
        judge_expected("a row for each position of a request, in a slot with its seed");
        if (foreign > 0 && rows[r] == 0 && is_served && has_all_of_prompt(journal, r))
            judge_fail_for(is_begun_late(journal) || is_slot_shared(journal) ? &lab13_slot_wrong
                                                                             : &lab13_seed_wrong);
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
        judge_expect_for(field(journal, i, LAB13_SAMPLES) == (position >= length - 1),
                         &lab13_samples_wrong);
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
        judge_expect_for(field(journal, i, LAB13_SAMPLES) == 0, &lab13_padding_samples);
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
        const struct judge_mistake *mistake = lab13_mistake_of_undelivered(journal->j);
        if (mistake == &lab13_not_delivered && !has_row_for(journal, r, n))
            mistake = &lab13_ended_early;
        judge_expect_for(n == n_tokens, mistake);
    }
    judge_forget();
}

/* A row embeds a token that its request does not have. */
static const struct judge_mistake *mistake_of_token(const struct journal *journal, int i,
                                                    bool of_prompt)
{
    if (is_padding(journal, i))
        return &lab13_padding_in_slot;
    if (of_prompt)
        return &lab13_row_wrong;
    return field(journal, i, LAB13_IS_LAST) ? &lab13_token_differs : &lab13_token_of_host;
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
            judge_fail_for(mistake_of_token(journal, i, of_prompts));
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
    judge_fail_for(shared.first < 0          ? &lab13_padding_in_block
                   : shared.is_beyond_prompt ? &lab13_blocks_too_few
                                             : &lab13_block_shared);
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
        if (of[request.prompt_length] || !of[positions_of(journal, r)])
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
        for (int p = 0; p + 1 < positions_of(journal, r); p++)
            if (rows[(size_t)r * positions + (size_t)p] == 0)
                return false;
    return true;
}

/* A position was not computed. Which rows were there in its place? */
static const struct judge_mistake *mistake_of_missing(const struct journal *journal,
                                                      const int *rows, size_t positions)
{
    if (is_all_zero(journal))
        return &lab13_rows_not_copied;
    if (is_begun_late(journal) || is_slot_shared(journal) ||
        (is_taken_over(journal) && lacks_last_only(journal, rows, positions)))
        return &lab13_slot_wrong;
    if (is_shifted(journal, rows, positions) || is_inside_prompts(journal))
        return &lab13_position_shifted;
    for (size_t i = 0; i < (size_t)journal->d.n * positions; i++)
        if (rows[i] > 1)
            return &lab13_position_missing;
    return &lab13_row_left_out;
}

/* Was each position of each request computed, and not again unless all of them were? */
static void check_positions(const struct journal *journal)
{
    const size_t positions = (size_t)judge_numbers(journal->j)->model.n_positions;
    int *all = count_positions(journal, positions);
    for (int r = 0; r < journal->d.n; r++)
        for (int p = 0; p < positions_of(journal, r); p++) {
            const int *rows = all + (size_t)r * positions;
            judge_actual("request %d: %d rows with position %d", r, rows[p], p);
            judge_expected("a row for each position of a request");
            if (rows[p] == 0)
                judge_fail_for(mistake_of_missing(journal, all, positions));
            judge_expected("as many as with position 0: %d", rows[0]);
            judge_expect_for(rows[p] <= rows[0], &lab13_row_twice);
        }
    judge_forget();
    free(all);
}

void lab13_verify_blocks(struct judge *j)
{
    struct journal journal = lab13_open_journal(j);
    check_delivered(&journal);
    check_seeds(&journal);
    check_positions(&journal);
    check_tokens(&journal, true);
    check_samples(&journal);
    check_owners(&journal);
    check_tokens(&journal, false);
    check_padding(&journal);
    free(journal.rows);
}
