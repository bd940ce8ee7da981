/* exchange.h: what the suite and the adapter of lab 06 exchange. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Which of the three functions is called. */
enum lab06_workload { LAB06_ALL, LAB06_ONE, LAB06_BRANCH };

enum { LAB06_MOST_CALLS = 16 };

struct numbers {
    enum lab06_workload workload;
    long n; /* floats of an item (of its x, and of its y), or of in and result */
    size_t calls;
    bool in_turns; /* before each call another of the three functions is called */

    size_t n_steps;                 /* kernels of an item */
    size_t other_steps, other_from; /* if not 0: kernels of an item from call other_from on */
    size_t n_smooth, correct_steps;
    double strength;
    bool corrected[LAB06_MOST_CALLS]; /* calls of lab06_branch: with the branch? */
};

struct figures {
    double weights_passed; /* so many calls have set the weight that they were called with */
    double stream_us;      /* the floor: one call with stream launches */
};
