/* expected.h: what is asked of a run of lab 13. */
#pragma once

#include "judge/judge.h"
#include "query/trace.h"
#include "requests.h"

/* expected.c: what the requests of lab 13 get, each served alone by a decoder on the CPU, in
   double. */

/* The requests of the scenario. The adapter's gaps differ: they depend on the device. */
struct lab13_drawing lab13_drawing_of(const struct judged *j);

/* The tokens of all of them. */
int lab13_tokens_of(const struct judged *j);

/* Of a run in which a request did not get all of its tokens, and which has ended without an error.
 */
_Noreturn void lab13_fail_for_undelivered(const struct judged *j);

/* Were as many tokens delivered as the requests ask for? Which ones does not matter. */
void lab13_expect_all_delivered(const struct judged *j);

/* For scenarios: fails on the first token that is missing or wrong. */
void lab13_verify_tokens(struct judged *j);

/* blocks.c: did each row of each step belong where it was? By the journal of embed. */

/* Fails on the first row that writes where it must not; for scenarios. */
void lab13_expect_rows(const struct judged *j);
void lab13_verify_blocks(struct judged *j);

/* slow.c: why does a timed run of lab 13 take longer than the reference's? */

/* Simulated device, of each timed run: fails if it computes less than its tokens need. */
void lab13_look(const struct judged *j, const struct trace *t);

/* Did requests wait for tokens while the server waited in lab->receive for the next one? */
bool lab13_keeps_waiting(const struct judged *j);

/* Records the facts of a run that is too slow; the reference has the same scenario. */
void lab13_ask_why(struct judged *j, struct judged *reference);

/* sizes.c: what a server puts into its steps. By the journal of embed. */

/* After runs of the same scenario, in which more requests arrive than there is memory for: fails if
   the submission's steps have more rows than they need, or fewer than the reference's. roomy: the
   scenario with more memory. */
void lab13_compare_steps(struct judged *j, struct judged *reference,
                         const struct judge_scenario *roomy);
