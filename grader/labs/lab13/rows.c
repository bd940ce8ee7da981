/* rows.c: what the rows of a run look like, see rows.h. */
#include "exchange.h"
#include "rows.h"

bool rows_any(const struct journal *journal, bool (*is)(const struct row *r))
{
    for (const struct row *r = journal->rows; r < journal->past; r++)
        if (is(r))
            return true;
    return false;
}

bool row_is_foreign(const struct row *r)
{
    if (r->request == LAB13_PADDING) /* of a padding row: no sequence */
        return r->position > 0 || r->samples;
    return !r->of || (r->position < r->of->prompt_length &&
                      r->token != lab13_prompt_token(r->of, r->position));
}

bool row_begins_late(const struct row *r)
{
    return r->position > 0 && !r->before && row_is_foreign(r);
}

static bool follows(const struct row *r)
{
    return r->before && r->position == r->before->position + 1;
}

bool row_takes_over(const struct row *r)
{
    return r->of && follows(r) && r->before->of && r->before->of != r->of;
}

bool row_is_first(const struct row *r)
{
    return r->of && r->position == 0;
}

/* Does the row continue its sequence with the next entry of the block table, and the same block? */
static bool is_block_again(const struct row *r)
{
    return r->position % DECODE_BLOCK == 0 && follows(r) && r->block == r->before->block;
}

bool rows_lack_tables(const struct journal *journal)
{
    const struct row *before = NULL; /* such a row */
    for (const struct row *r = journal->rows; r < journal->past; r++) {
        if (r->request != LAB13_PADDING || !row_is_foreign(r))
            continue;
        if (is_block_again(r) || (before && before->step == r->step && before->slot != r->slot &&
                                  before->block == r->block))
            return true;
        before = r;
    }
    return false;
}

/* The step before in which the slot of the row had rows: the row at this position; NULL: there is
   none. */
static const struct row *row_before(const struct row *r, int position)
{
    const struct row *b = r->before;
    while (b && b->step == r->step)
        b = b->before;
    for (const int step = b ? b->step : 0; b && b->step == step; b = b->before)
        if (b->position == position)
            return b;
    return NULL;
}

/* Does the row continue the prompt that the step before had in the slot, though the seed is not
   its? */
static bool continues_prompt(const struct row *r)
{
    const struct row *before = row_before(r, r->position - 1);
    const struct lab13_drawn *of = before ? before->of : NULL;
    return of && of != r->of && r->position < of->prompt_length && row_is_foreign(r) &&
           r->token == lab13_prompt_token(of, r->position);
}

/* Does the row follow one of the step before that sampled, and sample, too? */
static bool continues_sampling(const struct row *r)
{
    const struct row *before = row_before(r, r->position - 1);
    return before && before->samples && r->samples;
}

bool row_is_padding(const struct journal *journal, const struct row *r)
{
    bool has_begun = false;
    for (const struct row *b = journal->rows; b < r && !has_begun; b++)
        has_begun = b->request == r->request && b->position == 0;
    return has_begun && r->position == 0 && r->token == 0 && r->samples == 0;
}

int lab13_positions_of(const struct lab13_drawn *request)
{
    return request->prompt_length + request->n_tokens - 1;
}

/* The row of a slot comes after others of its step, which begin with position 0. Is it of another
   sequence? `next`: the position of their next row. */
static bool is_of_another(const struct journal *journal, const struct row *r, int next)
{
    if (continues_prompt(r))
        return true;
    if (r->position == next) /* no sequence samples twice in a step */
        return r->before->samples && continues_sampling(r);
    return r->position == 0 ? r->of && !row_is_padding(journal, r) : continues_sampling(r);
}

/* Does a sequence begin in a slot while another one has a row there? */
static bool has_two_sequences(const struct journal *journal)
{
    int next = 0;
    for (const struct row *r = journal->rows; r < journal->past; r++) {
        if (!r->before || r->before->step != r->step)
            next = r->position == 0 ? 1 : -1;
        else if (next > 0 && is_of_another(journal, r, next))
            return true;
        else if (r->position == next)
            next++;
    }
    return false;
}

bool rows_have_prompt(const struct journal *journal, const struct lab13_drawn *request)
{
    bool found = true;
    for (int p = 0; p < request->prompt_length && found; p++) {
        found = false;
        for (const struct row *r = journal->rows; r < journal->past && !found; r++)
            found = r->position == p && r->token == lab13_prompt_token(request, p);
    }
    return found;
}

bool rows_share_slot(const struct journal *journal)
{
    int left = 0;
    for (int i = 0; i < journal->n_requests; i++) {
        if (!rows_have_prompt(journal, &journal->requests[i]))
            return false;
        left += lab13_positions_of(&journal->requests[i]);
    }
    for (const struct row *r = journal->rows; r < journal->past; r++)
        left -= r->of != NULL;
    return left == 0 && has_two_sequences(journal);
}

static bool has_number(const struct row *r)
{
    return r->token || r->position || r->slot || r->samples;
}

static bool has_number_at_first(const struct row *r)
{
    return r->step == 1 && has_number(r);
}

bool rows_are_zero(const struct journal *journal)
{
    return journal->rows < journal->past && !rows_any(journal, has_number);
}

bool rows_begin_zero(const struct journal *journal)
{
    return rows_any(journal, has_number) && !rows_any(journal, has_number_at_first);
}

/* A row of a prompt with numbers that a row of the step before had. */
static bool is_stale(const struct row *r)
{
    const struct row *before = row_before(r, r->position);
    return before && before->step == r->step - 1 && !before->is_last && before->token == r->token;
}

bool rows_are_stale(const struct journal *journal)
{
    for (const struct row *r = journal->rows; r < journal->past;) {
        const int step = r->step;
        int n = 0, n_stale = 0;
        for (; r < journal->past && r->step == step; r++) {
            n += r->of && !r->is_last;
            n_stale += r->of && !r->is_last && is_stale(r);
        }
        if (n > 0 && n_stale == n)
            return true;
    }
    return false;
}
