/*
 * prediction.h: is lab04_predict the model of a serial replay?
 */
#ifndef LAB04_PREDICTION_H
#define LAB04_PREDICTION_H

#include "judge/judge.h"

/*
 * Measures both scenarios, and asks the submission to predict each from the other; then one of them
 * on an imaginary device on which all that a replay costs beside its stages is as much as they are.
 * What is right is what the reference predicts from the same figures: so noise in them decides
 * nothing. Fails with what a wrong prediction says of its model.
 */
void judge_predictions(const struct judge_scenario *known, const struct judge_scenario *asked);

#endif
