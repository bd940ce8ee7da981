/*
 * journal.h: what the kernel embed wrote down in a run: each row of each step.
 */
#ifndef LAB13_JOURNAL_H
#define LAB13_JOURNAL_H

#include "exchange.h"
#include "judge/judge.h"

struct journal {
    struct judged *j;
    struct lab13_drawing d;
    int n, n_blocks; /* blocks are numbered below n_blocks */
    struct row {
        int fields[LAB13_ENTRY];
        int step;
        int end; /* of a request: the step of its last row. If it was computed again from position 0
                    on, of the last one before that */
    } * rows;
    bool is_cut; /* there are more rows than fit: these are the first ones */
};

static inline int field(const struct journal *journal, int i, enum lab13_entry which)
{
    return journal->rows[i].fields[which];
}

/* Of the run before, in the order of the steps, within a step by slot and position; fails if no
   kernels of the lab can have written it. Its rows are to be freed. */
struct journal lab13_open_journal(struct judged *j);

#endif
