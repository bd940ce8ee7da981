/*
 * sizes.h: what a server puts into its steps. By the journal of embed.
 */
#ifndef LAB13_SIZES_H
#define LAB13_SIZES_H

#include "judge/judge.h"

/* After runs of the same scenario, in which more requests arrive than there is memory for: fails if
   the submission's steps have more rows than they need, or fewer than the reference's. roomy: the
   scenario with more memory. */
void lab13_compare_steps(struct judged *j, struct judged *reference,
                         const struct judge_scenario *roomy);

#endif
