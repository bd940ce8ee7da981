/* expected.h: what is asked of lab 04. */
#pragma once

#include "judge/judge.h"

/* expected_captures.c: what is asked of each of lab 04's eight captures. */

/* It can be captured, has the right nodes, and each replay with other inputs does its work; else
   the check ends here. */
void judge_capture(int number);

/* prediction.c: is lab04_predict the model of a serial replay? */

/* Measures both scenarios, and asks the submission to predict each from the other; then one of them
 * on an imaginary device on which all that a replay costs beside its stages is as much as they are.
 * What is right is what the reference predicts from the same figures: so noise in them decides
 * nothing. Fails with what a wrong prediction says of its model. */
void judge_predictions(const struct judge_scenario *known, const struct judge_scenario *asked);
