/*
 * expected_tokens.h: the batches of lab 11, and what a decoder on the CPU, in double, makes of
 * them.
 */
#ifndef LAB11_EXPECTED_TOKENS_H
#define LAB11_EXPECTED_TOKENS_H

#include "judge/judge.h"

/* For scenarios: fills slots, prompts, lengths and the stop token. */
void lab11_fill(struct judged *j);

/* Fails on the first wrong token, and says what it looks like. */
void lab11_verify_tokens(struct judged *j);

/* Fails if something was written to the cache that belongs to no sequence of the batches. */
void lab11_verify_cache(struct judged *j);

#endif
