/* language_model.h: the decoder of labs 11 and 13 on the CPU, for their suites. */
#pragma once

#include "judge/judge.h"
#include "kernels/decode.h"

struct language_model {
    struct decode_model m;
    uint16_t *weights;
};

/* The weights are made once in a grading. */
const struct language_model *language_model_of(const struct decode_model *m, uint64_t seed);

/* An empty sequence, whose logits are the caller's. */
struct reference_sequence language_model_begin(const struct language_model *model, double *logits);
void language_model_end(struct reference_sequence *sequence);

/* The token with the greatest score, the first of several. */
int language_model_best(const double scores[DECODE_TOKENS]);
