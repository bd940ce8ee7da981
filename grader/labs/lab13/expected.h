/*
 * expected.h: what the requests of lab 13 get, each served alone by a decoder on the CPU, in
 * double.
 */
#ifndef LAB13_EXPECTED_H
#define LAB13_EXPECTED_H

#include "judge/judge.h"
#include "requests.h"

/* The requests of the scenario. The adapter's gaps differ: they depend on the device. */
struct lab13_drawing lab13_drawing_of(const struct judged *j);

/* What all of them need: rows, of prompts and of tokens that were sampled, the last one of a request
   left aside; tokens; and the most of one request. */
struct lab13_totals {
    int rows, tokens, most_tokens;
};
struct lab13_totals lab13_totals_of(const struct judged *j);

/* Of a run in which a request did not get all of its tokens, and which has ended without an error.
 */
_Noreturn void lab13_fail_for_undelivered(const struct judged *j);

/* Were as many tokens delivered as the requests ask for? Which ones does not matter. */
void lab13_expect_all_delivered(const struct judged *j);

/* For scenarios: fails on the first token that is missing or wrong. */
void lab13_verify_tokens(struct judged *j);

#endif
