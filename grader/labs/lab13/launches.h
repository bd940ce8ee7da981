/* launches.h: what the calls of a submission say about its steps: how their kernels start, with
 * which arguments, and what is copied for them. For lab 13's adapter. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "kernels/serve.h"
#include "subject/calls.h"

struct launches {
    int n, n_prefetching;  /* kernels after the first one of a step, captured or not; on a device
                              with programmatic edges: those with DECODE_WEIGHTS_FIRST */
    bool attends_early;    /* attention never waits for the kernel before it */
    bool is_scratch_small; /* its arrays overlap */
    bool is_uploaded_late; /* a graph, by its first launch in lab13_serve */
    int n_slots;           /* of the cache that the kernels get */
    int rows, other_rows;  /* of the first kernel of a step, and of a later one; 0: all are equal */
    const char *whole, *part; /* arrays that copies in lab13_serve have written for so many rows */
    size_t rows_of_whole, rows_of_part;
};

/* Of no submission yet. */
void launches_forget(void);

/* lab13_serve begins, or has returned. */
void launches_serving(bool is_serving);

/* For SUBJECT_LAB. */
void launches_before_call(const struct subject_call *call);
void launches_after_call(const struct subject_call *call);

struct launches launches_seen(void);

/* adapter_model.c: from now on runs that compute nothing enter the rows of their requests into the
 * journal. NULL: no longer. */
void model_steps(const struct decode_model *of, struct serve_journal *journal);
/* A run begins; the rows that its layers lack: no qkv has them, or no attention reads as far. */
void model_run(void);
double model_rows_left_out(void);
