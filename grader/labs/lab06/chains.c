/* chains.c: computes the chains of kernels, also as mistakes leave them. */
#include "chains.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exchange.h"
#include "kernels/kernels.h"
#include "labs/lab06/mistakes.h"

/* A kernel for each step from `first` to before `end`. */
struct chain {
    size_t first, end;
    bool one_weight; /* the first weight in each step */
    bool is_swapped; /* each step adds the other half */
    const struct judge_mistake *mistake;
};

static size_t steps_of(const struct numbers *numbers, size_t call)
{
    const bool other = numbers->other_steps && call >= numbers->other_from;
    return other ? numbers->other_steps : numbers->n_steps;
}

static void compute(struct judge *j, size_t call, const struct chain *c, double *result)
{
    const struct numbers *numbers = judge_numbers(j);
    const size_t n = (size_t)numbers->n, steps = numbers->n_steps, other = numbers->other_steps;
    const float *in = judge_buffer(j, "in") + call * 2 * n;
    const float *w = judge_buffer(j, "weights") + call * (steps > other ? steps : other);
    double *half[] = {result, result + n};
    for (size_t i = 0; i < 2 * n; i++)
        result[i] = in[i];
    for (size_t k = c->first; k < c->end; k++)
        for (size_t i = 0; i < n; i++)
            half[(k + c->is_swapped) % 2][i] +=
                (double)w[c->one_weight ? 0 : k] * half[(k + 1 + c->is_swapped) % 2][i];
}

void lab06_item(struct judge *j, size_t call, double *result)
{
    compute(j, call, &(struct chain){.end = steps_of(judge_numbers(j), call)}, result);
}

static bool is_result_of(struct judge *j, size_t call, const struct chain *c)
{
    const size_t n = 2 * (size_t)judge_numbers(j)->n;
    const float *out = judge_buffer(j, "out") + call * n;
    double *result = judge_room(n, sizeof *result);
    bool is = true;
    compute(j, call, c, result);
    for (size_t i = 0; i < n && is; i++)
        is = fabs(out[i] - result[i]) <= 1e-4 * fmax(1, fabs(result[i]));
    free(result);
    return is;
}

const struct judge_mistake *lab06_wrong_item(struct judge *j, size_t call, size_t row,
                                             size_t column)
{
    const size_t end = steps_of(judge_numbers(j), call);
    const struct chain chains[] = {{.first = 1, .end = end, .mistake = &lab06_item_steps},
                                   {.end = end - 1, .mistake = &lab06_item_steps},
                                   {.end = end, .one_weight = true, .mistake = &lab06_item_weight},
                                   {.end = end, .is_swapped = true, .mistake = &lab06_item_halves}};
    (void)row, (void)column;
    for (size_t i = 0; i < sizeof chains / sizeof chains[0]; i++)
        if (is_result_of(j, call, &chains[i]))
            return chains[i].mistake;
    return NULL;
}

void lab06_smooth(struct judge *j, size_t call, size_t n_smooth, double *result)
{
    const size_t n = (size_t)judge_numbers(j)->n;
    float *now = judge_room(n, sizeof *now);
    memcpy(now, judge_buffer(j, "in") + call * n, n * sizeof *now);
    for (size_t i = 0; i < n; i++)
        result[i] = now[i];
    for (size_t k = 0; k < n_smooth; k++) {
        reference_consume(result, now, (int)n);
        for (size_t i = 0; i < n; i++)
            now[i] = (float)result[i];
    }
    free(now);
}
