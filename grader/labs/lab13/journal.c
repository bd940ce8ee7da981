/* journal.c: reads the journal of a run, see journal.h. */
#include "journal.h"

#include <stdlib.h>

#include "expected.h"

enum { MOST_BLOCKS = 1 << 20 };

/* Numbers that no kernel of the lab writes were not written by one. */
static bool is_possible(const struct journal *journal, int i)
{
    const int request = field(journal, i, LAB13_REQUEST), block = field(journal, i, LAB13_BLOCK),
              position = field(journal, i, LAB13_POSITION);
    return request >= LAB13_NOBODY && request < journal->d.n && block >= 0 && block < MOST_BLOCKS &&
           position >= 0 && position < judge_numbers(journal->j)->model.n_positions;
}

/* The rows of a step follow one another, and each one has their number. */
static void find_steps(struct journal *journal)
{
    for (int i = 0, step = 0, left = 0; i < journal->n; i++) {
        if (left <= 0) {
            left = field(journal, i, LAB13_ROWS);
            step++;
        }
        journal->rows[i].step = step;
        left--;
    }
}

static int by_step_and_slot(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    static const enum lab13_entry keys[] = {LAB13_SLOT, LAB13_POSITION, LAB13_REQUEST,
                                            LAB13_SAMPLES};
    if (x->step != y->step)
        return x->step - y->step;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (x->fields[keys[i]] != y->fields[keys[i]])
            return x->fields[keys[i]] < y->fields[keys[i]] ? -1 : 1;
    return 0;
}

/* The rows of a step write their entries at the same time on a GPU, so in any order. */
static void sort_steps(struct journal *journal)
{
    find_steps(journal);
    qsort(journal->rows, (size_t)journal->n, sizeof *journal->rows, by_step_and_slot);
}

static void find_ends(struct journal *journal)
{
    int *end = judge_room((size_t)journal->d.n, sizeof *end);
    for (int r = 0; r < journal->d.n; r++)
        end[r] = -1;
    for (int i = journal->n - 1; i >= 0; i--) {
        const int request = field(journal, i, LAB13_REQUEST);
        if (request < 0)
            continue;
        end[request] = end[request] < 0 ? journal->rows[i].step : end[request];
        journal->rows[i].end = end[request];
        if (field(journal, i, LAB13_POSITION) == 0)
            end[request] = -1;
    }
    free(end);
}

struct journal lab13_open_journal(struct judged *j)
{
    const float *entries = judge_buffer(j, "journal");
    const size_t room = judge_buffer_count(j, "journal") / LAB13_ENTRY;
    const bool fits = entries[0] >= 0 && entries[0] <= (float)room;
    struct journal journal = {.j = j,
                              .d = lab13_drawing_of(j),
                              .n = fits ? (int)entries[0] : SERVE_JOURNAL_ENTRIES,
                              .is_cut = !fits};
    journal.rows = judge_room((size_t)journal.n, sizeof *journal.rows);
    for (int i = 0; i < journal.n; i++) {
        for (int f = 0; f < LAB13_ENTRY; f++)
            journal.rows[i].fields[f] = lab13_int(entries[1 + (size_t)i * LAB13_ENTRY + f]);
        if (!is_possible(&journal, i))
            judge_fail("The journal of the steps was changed.");
        const int block = field(&journal, i, LAB13_BLOCK);
        journal.n_blocks = block >= journal.n_blocks ? block + 1 : journal.n_blocks;
    }
    sort_steps(&journal);
    find_ends(&journal);
    return journal;
}
