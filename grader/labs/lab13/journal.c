/* journal.c: reads the journal of a run, see journal.h. */
#include "journal.h"

#include <stdlib.h>

#include "expected.h"

enum { MOST_BLOCKS = 1 << 20 };

/* Numbers that no kernel of the lab writes were not written by one. */
static bool is_possible(const struct journal *journal, const struct row *r)
{
    return r->request >= LAB13_NOBODY && r->request < journal->n_requests && r->block >= 0 &&
           r->block < MOST_BLOCKS && r->position >= 0 &&
           r->position < judge_numbers(journal->j)->model.n_positions;
}

static struct row read_row(const struct journal *journal, const float *entry)
{
    int n[LAB13_ENTRY];
    for (int i = 0; i < LAB13_ENTRY; i++)
        n[i] = lab13_int(entry[i]);
    struct row r = {.request = n[LAB13_REQUEST],
                    .slot = n[LAB13_SLOT],
                    .position = n[LAB13_POSITION],
                    .block = n[LAB13_BLOCK],
                    .token = n[LAB13_TOKEN],
                    .is_last = n[LAB13_IS_LAST],
                    .n_rows = n[LAB13_ROWS],
                    .samples = n[LAB13_SAMPLES]};
    if (!is_possible(journal, &r))
        judge_fail("The journal of the steps was changed.");
    r.of = r.request < 0 ? NULL : &journal->requests[r.request];
    return r;
}

/* The rows of a step follow one another, and each one has their number. */
static void find_steps(struct journal *journal)
{
    int step = 0, left = 0;
    for (struct row *r = journal->rows; r < journal->past; r++, left--) {
        if (left <= 0) {
            left = r->n_rows;
            step++;
        }
        r->step = step;
    }
}

/* The rows of a step write their entries at the same time on a GPU, so in any order. */
static int by_step_and_slot(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    const int differ[] = {x->step - y->step, x->slot - y->slot, x->position - y->position,
                          x->request - y->request, x->samples - y->samples};
    int i = 0;
    while (i < 4 && differ[i] == 0)
        i++;
    return differ[i];
}

static void find_befores(struct journal *journal)
{
    for (struct row *r = journal->rows; r < journal->past; r++)
        for (const struct row *b = r; b > journal->rows && !r->before; b--)
            r->before = b[-1].slot == r->slot ? b - 1 : NULL;
}

static void find_ends(struct journal *journal)
{
    int *end = judge_room((size_t)journal->n_requests, sizeof *end); /* 0: not known yet */
    for (struct row *r = journal->past; r > journal->rows;) {
        r--;
        if (!r->of)
            continue;
        r->end = end[r->request] ? end[r->request] : r->step;
        end[r->request] = r->position == 0 ? 0 : r->end;
    }
    free(end);
}

struct journal lab13_open_journal(const struct judged *j)
{
    const float *entries = judge_buffer(j, "journal");
    const size_t room = judge_buffer_count(j, "journal") / LAB13_ENTRY;
    const bool fits = entries[0] >= 0 && entries[0] <= (float)room;
    const int n = fits ? (int)entries[0] : SERVE_JOURNAL_ENTRIES;
    const struct lab13_drawing d = lab13_drawing_of(j);
    struct journal journal = {.j = j,
                              .n_requests = d.n,
                              .requests = judge_room((size_t)d.n, sizeof *journal.requests),
                              .rows = judge_room((size_t)n, sizeof *journal.rows),
                              .is_cut = !fits};
    for (int i = 0; i < d.n; i++)
        journal.requests[i] = lab13_draw(&d, i);
    journal.past = journal.rows + n;
    for (int i = 0; i < n; i++) {
        struct row *r = &journal.rows[i];
        *r = read_row(&journal, entries + 1 + (size_t)i * LAB13_ENTRY);
        journal.n_blocks = r->block >= journal.n_blocks ? r->block + 1 : journal.n_blocks;
    }
    find_steps(&journal);
    qsort(journal.rows, (size_t)n, sizeof *journal.rows, by_step_and_slot);
    find_befores(&journal);
    find_ends(&journal);
    return journal;
}

void lab13_close_journal(struct journal *journal)
{
    free(journal->rows);
    free(journal->requests);
}
