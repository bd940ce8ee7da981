/* exchange.h: what the suite and the adapter of lab 09 exchange. */
#pragma once

#include <stddef.h>

#include "service.h"

enum { LAB09_MAX_N = 2048 };

/* The shapes of requests, again and again. */
enum lab09_sequence {
    MIXED,           /* 8 shapes */
    SAME_SHAPE,      /* 1 */
    FOUR_KEYS,       /* the second differs from the first in n_steps alone, the others also in n: a
                        larger and a smaller one */
    ONE_TOO_MANY,    /* 4 shapes, of which the second comes again twice */
    HIT_COUNTS,      /* 4 shapes, of which the first comes again twice */
    CYCLE,           /* 4 shapes with as many kernels */
    LARGE_AND_SMALL, /* one needs as much memory as all others together */
    OTHER_EVICTED,   /* a large one evicts two, of which the second has as many steps */
    LONG_AND_SHORT,  /* 3 shapes, of which the second takes long */
    LONG_BESIDE,     /* 3 shapes, a long one between two short ones and before them */
    LONG_AFTER,      /* the same, and the long one comes twice between them */
    ONE_LONG,
    EIGHT_LONG, /* 8 shapes of 100 kernels and more */
    AT_RANDOM   /* drawn by the judge from those of MIXED, and a large one */
};

struct numbers {
    enum lab09_sequence sequence;
    size_t requests, streams; /* of so many clients; each has a stream */
    size_t inputs;            /* different addresses */
    size_t max_execs, max_floats;
    int warm;   /* shapes that lab09_warm gets before the first request */
    int during; /* an enum lab09_during, or 0 */
};

struct figures {
    double other_launches; /* of graphs that the library's work is no part of */
    double warm_us;        /* of device work that lab09_warm left */
    double uploads;
    double warm_launches; /* in lab09_warm */
    double unfinished;    /* clients whose work still ran when lab09_wait returned for the last */

    double malloc_here; /* 1: an allocation in the capturing thread was permitted */

    /* answers of lab09_break_even: to lab09_given, and to times of lab09_kernels measured here */
    double given[LAB09_GIVEN];
    double predicted[LAB09_KERNELS], measured[LAB09_KERNELS];
};
