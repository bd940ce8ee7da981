/* language_model.c: see language_model.h. */
#include "language_model.h"

#include <stdlib.h>
#include <string.h>

const struct language_model *language_model_of(const struct decode_model *m, uint64_t seed)
{
    static struct language_model model;
    if (model.weights && memcmp(m, &model.m, sizeof *m) == 0)
        return &model;
    free(model.weights);
    model.m = *m;
    model.weights = judge_room(decode_weights(m), sizeof *model.weights);
    reference_decode_weights(m, seed, model.weights);
    return &model;
}

struct reference_sequence language_model_begin(const struct language_model *model, double *logits)
{
    const size_t n = (size_t)model->m.n_layers * model->m.n_positions * decode_width(&model->m);
    return (struct reference_sequence){judge_room(n, sizeof(double)), judge_room(n, sizeof(double)),
                                       logits};
}

void language_model_end(struct reference_sequence *sequence)
{
    free(sequence->keys);
    free(sequence->values);
}

int language_model_best(const double scores[DECODE_TOKENS])
{
    int best = 0;
    for (int i = 1; i < DECODE_TOKENS; i++)
        best = scores[i] > scores[best] ? i : best;
    return best;
}
