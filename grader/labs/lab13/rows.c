/* rows.c: what the rows of a run look like, see rows.h. */
#include "exchange.h"
#include "rows.h"

#include "expected.h"

bool row_is_foreign(const struct journal *journal, int i)
{
    const int request = field(journal, i, LAB13_REQUEST),
              position = field(journal, i, LAB13_POSITION);
    if (request == LAB13_PADDING) /* of a padding row: no sequence */
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

bool rows_begin_late(const struct journal *journal)
{
    for (int i = 0; i < journal->n; i++)
        if (field(journal, i, LAB13_POSITION) > 0 && row_is_foreign(journal, i) &&
            before_in_slot(journal, i) < 0)
            return true;
    return false;
}

static bool is_without_seed(const struct journal *journal, int i)
{
    return field(journal, i, LAB13_REQUEST) == LAB13_PADDING && row_is_foreign(journal, i);
}

/* Does the row continue its sequence with the next entry of the block table, and the same block? */
static bool is_block_again(const struct journal *journal, int i)
{
    const int before = before_in_slot(journal, i);
    return field(journal, i, LAB13_POSITION) % DECODE_BLOCK == 0 && follows(journal, i, before) &&
           field(journal, i, LAB13_BLOCK) == field(journal, before, LAB13_BLOCK);
}

bool rows_lack_tables(const struct journal *journal)
{
    int before = -1; /* such a row */
    for (int i = 0; i < journal->n; i++) {
        if (!is_without_seed(journal, i))
            continue;
        if (is_block_again(journal, i))
            return true;
        if (before >= 0 && journal->rows[before].step == journal->rows[i].step &&
            field(journal, before, LAB13_SLOT) != field(journal, i, LAB13_SLOT) &&
            field(journal, before, LAB13_BLOCK) == field(journal, i, LAB13_BLOCK))
            return true;
        before = i;
    }
    return false;
}

bool rows_are_taken_over(const struct journal *journal)
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
    return position < r.prompt_length && row_is_foreign(journal, i) &&
           field(journal, i, LAB13_TOKEN) == lab13_prompt_token(&r, position);
}

/* Does row i follow one of the step before that sampled, and sample, too? */
static bool continues_sampling(const struct journal *journal, int i)
{
    const int before = row_before(journal, i, field(journal, i, LAB13_POSITION) - 1);
    return before >= 0 && field(journal, before, LAB13_SAMPLES) && field(journal, i, LAB13_SAMPLES);
}

bool row_is_padding(const struct journal *journal, int i)
{
    bool has_begun = false;
    for (int before = 0; before < i && !has_begun; before++)
        has_begun = field(journal, before, LAB13_REQUEST) == field(journal, i, LAB13_REQUEST) &&
                    field(journal, before, LAB13_POSITION) == 0;
    return has_begun && field(journal, i, LAB13_POSITION) == 0 &&
           field(journal, i, LAB13_TOKEN) == 0 && field(journal, i, LAB13_SAMPLES) == 0;
}

int lab13_positions_of(const struct journal *journal, int request)
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
    return position == 0 ? field(journal, i, LAB13_REQUEST) >= 0 && !row_is_padding(journal, i)
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

bool rows_have_prompt(const struct journal *journal, int request)
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

bool rows_share_slot(const struct journal *journal)
{
    int left = 0;
    for (int r = 0; r < journal->d.n; r++) {
        if (!rows_have_prompt(journal, r))
            return false;
        left += lab13_positions_of(journal, r);
    }
    for (int i = 0; i < journal->n; i++)
        left -= field(journal, i, LAB13_REQUEST) >= 0;
    return left == 0 && has_two_sequences(journal);
}

static bool is_zero(const struct journal *journal, int i)
{
    return !field(journal, i, LAB13_TOKEN) && !field(journal, i, LAB13_POSITION) &&
           !field(journal, i, LAB13_SLOT) && !field(journal, i, LAB13_SAMPLES);
}

bool rows_are_zero(const struct journal *journal)
{
    for (int i = 0; i < journal->n; i++)
        if (!is_zero(journal, i))
            return false;
    return journal->n > 0;
}

bool rows_begin_zero(const struct journal *journal)
{
    for (int i = 0; i < journal->n && journal->rows[i].step == 1; i++)
        if (!is_zero(journal, i))
            return false;
    return journal->n > 0 && !rows_are_zero(journal);
}

/* A row of a prompt with numbers that a row of the step before had. */
static bool is_stale(const struct journal *journal, int i)
{
    const int before = row_before(journal, i, field(journal, i, LAB13_POSITION));
    return before >= 0 && journal->rows[before].step == journal->rows[i].step - 1 &&
           !field(journal, before, LAB13_IS_LAST) &&
           field(journal, before, LAB13_TOKEN) == field(journal, i, LAB13_TOKEN);
}

bool rows_are_stale(const struct journal *journal)
{
    for (int i = 0; i < journal->n;) {
        const int step = journal->rows[i].step;
        int n = 0, n_stale = 0;
        for (; i < journal->n && journal->rows[i].step == step; i++) {
            if (field(journal, i, LAB13_REQUEST) < 0 || field(journal, i, LAB13_IS_LAST))
                continue;
            n++;
            n_stale += is_stale(journal, i);
        }
        if (n > 0 && n_stale == n)
            return true;
    }
    return false;
}

bool rows_lack_first(const struct journal *journal)
{
    for (int i = 0; i < journal->n; i++)
        if (field(journal, i, LAB13_REQUEST) >= 0 && field(journal, i, LAB13_POSITION) == 0)
            return false;
    return true;
}
