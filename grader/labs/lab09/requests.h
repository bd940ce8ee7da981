/*
 * requests.h: the requests of lab 09 and their results.
 */
#ifndef LAB09_REQUESTS_H
#define LAB09_REQUESTS_H

#include "judge/judge.h"
#include "labs/lab09_amortise/lab.h"

enum { LAB09_MAX_N = 2048 };

/* The number "sequence" of a scenario: the shapes of its requests, again and again. */
enum lab09_sequence {
    MIXED,           /* 8 shapes */
    SAME_SHAPE,      /* 1 */
    THREE_KEYS,      /* of which two differ in n_steps alone, and two in both */
    ONE_TOO_MANY,    /* 4 shapes, of which the second comes again twice */
    HIT_COUNTS,      /* 4 shapes, of which the first comes again twice */
    CYCLE,           /* 4 shapes with as many kernels */
    LARGE_AND_SMALL, /* one needs as much memory as all others together */
    LONG_AND_SHORT,  /* 3 shapes, of which the second takes long */
    LONG_BESIDE,     /* 3 shapes, a long one between two short ones and before them */
    ONE_LONG,
    EIGHT_LONG, /* 8 shapes of 100 kernels and more */
    AT_RANDOM   /* drawn by the judge from those of MIXED, and a large one */
};

struct lab09_shape lab09_shape(struct judge *j, size_t request);

/* For scenarios: fills the buffer "shapes"; fails on the first wrong result. */
void lab09_fill(struct judge *j);
void lab09_verify(struct judge *j);

/* The same without a verdict, for checks that say what a wrong result means: the first one. */
struct lab09_wrong {
    size_t request, element;
    double actual, expected;
};
bool lab09_is_wrong(struct judge *j, struct lab09_wrong *w);

#endif
