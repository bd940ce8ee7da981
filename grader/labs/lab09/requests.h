/*
 * requests.h: the requests of lab 09 and their results.
 */
#ifndef LAB09_REQUESTS_H
#define LAB09_REQUESTS_H

#include "judge/judge.h"
#include "labs/lab09_amortise/lab.h"
#include "service.h"

enum { LAB09_MAX_N = 2048 };

/* The number "sequence" of a scenario: the shapes of its requests, again and again. */
enum lab09_sequence {
    MIXED,           /* 8 shapes */
    SAME_SHAPE,      /* 1 */
    FOUR_KEYS,       /* the second differs from the first in n_steps alone, the others also in n: a
                        larger and a smaller one */
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

/* Initializes a scenario: requests_ of the sequence, from streams_ clients, with inputs_ inputs. */
#define SERVICE(words_, sequence_, requests_, streams_, inputs_, execs_, floats_, verify_, warm_,  \
                during_)                                                                           \
    {                                                                                              \
        .name = words_,                                                                            \
        .numbers = {{"sequence", sequence_}, {"requests", requests_}, {"streams", streams_},       \
                    {"inputs", inputs_},     {"max_n", LAB09_MAX_N},  {"max_execs", execs_},       \
                    {"max_floats", floats_}, {"warm", warm_},         {"during", during_}},        \
        .buffers = {{"shapes", JUDGE_INPUT, (size_t)2 * (requests_), .low = 1, .high = 2},         \
                    {"in", JUDGE_INPUT, (size_t)(inputs_)*LAB09_MAX_N, .pinned = true},            \
                    {"out", JUDGE_OUTPUT, (size_t)(requests_)*LAB09_MAX_N, .pinned = true,         \
                     .made_by = "consume"},                                                        \
                    {"log", JUDGE_OUTPUT, (size_t)(requests_)*LOG_COLUMNS}},                       \
        .fill = lab09_fill, .verify = verify_                                                      \
    }
#define AMPLE (64 * LAB09_MAX_N)

/* A number of the present scenario, a request's shape, and what the log has of it. */
size_t lab09_number(const struct judge *j, const char *name);
struct lab09_shape lab09_shape(struct judge *j, size_t request);
float lab09_noted(struct judge *j, size_t request, enum lab09_log what);
bool lab09_captured(struct judge *j, size_t request);

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
