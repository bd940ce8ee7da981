/* journal.h: what the kernel embed wrote down in a run: each row of each step. */
#pragma once

#include "exchange.h"
#include "judge/judge.h"

struct row {
    int request, slot, position, block, token, is_last, n_rows, samples; /* as enum lab13_entry */
    const struct lab13_drawn *of; /* the request; NULL: it is of none */
    int step;
    int end; /* of a request: the step of its last row. If it was computed again from position 0 on,
                of the last one before that */
    const struct row *before; /* in its slot; NULL: there is none */
};

struct journal {
    const struct judged *j;
    struct lab13_drawn *requests;
    struct row *rows, *past;  /* the last one */
    int n_requests, n_blocks; /* blocks are numbered below n_blocks */
    bool is_cut;              /* there are more rows than fit: these are the first ones */
};

/* Of the run before, in the order of the steps, within a step by slot and position; fails if no
   kernels of the lab can have written it. */
struct journal lab13_open_journal(const struct judged *j);
void lab13_close_journal(struct journal *journal);
