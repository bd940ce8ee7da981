/*
 * expected_captures.h: what is asked of each of lab 04's eight captures.
 */
#ifndef LAB04_EXPECTED_CAPTURES_H
#define LAB04_EXPECTED_CAPTURES_H

#include <driver_types.h>

#include "judge/judge.h"

/* One of the eight. */
struct capture {
    int number;
    cudaError_t error; /* what it returns as it is handed out … */
    const char *name;  /* … in letters */
    const char *why;   /* the rule that it breaks */
    const char *next;
};

/* It can be captured, has the right nodes, and two replays with other inputs each do its work; else
   the check ends here. */
void judge_capture(const struct capture *c);

#endif
