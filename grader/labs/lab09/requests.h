/* requests.h: the requests of lab 09 and their results. */
#pragma once

#include "judge/judge.h"
#include "labs/lab09_amortise/lab.h"
#include "exchange.h"
#include "service.h"

/* Completes a scenario: buffers, and the shapes of its requests. */
void lab09_make(struct judge_scenario *s);

/* `tries_`: for rules. */
#define TRYING(tries_, words_, ...)                                                                \
    {                                                                                              \
        .name = words_, .numbers = JUDGE_NUMBERS(__VA_ARGS__), .make = lab09_make, .tries = tries_ \
    }
#define UNVERIFIED(words_, ...) TRYING(NULL, words_, __VA_ARGS__)
#define SERVICE(words_, ...)                                                                       \
    {                                                                                              \
        .name = words_, .numbers = JUDGE_NUMBERS(__VA_ARGS__), .make = lab09_make,                 \
        .verify = lab09_verify                                                                     \
    }
#define AMPLE (64 * LAB09_MAX_N)

/* A request's shape, and what the log has of it. */
struct lab09_shape lab09_shape(struct judged *j, size_t request);
float lab09_noted(struct judged *j, size_t request, enum lab09_log what);
bool lab09_captured(struct judged *j, size_t request);

/* For scenarios: fails on the first wrong result. */
void lab09_verify(struct judged *j);

/* The same without a verdict, for checks that say what a wrong result means: the first one. */
struct lab09_wrong {
    size_t request, element;
    double actual, expected;
};
bool lab09_is_wrong(struct judged *j, struct lab09_wrong *w);
