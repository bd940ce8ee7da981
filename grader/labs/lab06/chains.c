/* chains.c: computes the chains of kernels, also as mistakes leave them. */
#include "expected.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exchange.h"
#include "kernels/kernels.h"

/* A kernel for each step from `first` to before `end`. */
struct chain {
    size_t first, end;
    bool one_weight;   /* each step has the weight of the first one */
    size_t shift;      /* each step has the weight of so many steps later */
    bool is_reversed;  /* the last step comes first */
    int reads, writes; /* step k reads half (k + reads) % 2, and writes half (k + writes) % 2 */
    bool has_no_turns; /* each step does what step 0 does */
    const char *mistake;
};

static size_t steps_of(const struct numbers *numbers, size_t call)
{
    const bool other = numbers->other_steps && call >= numbers->other_from;
    return other ? numbers->other_steps : numbers->n_steps;
}

static void compute(struct judged *j, size_t call, const struct chain *c, double *result)
{
    const struct numbers *numbers = judge_numbers(j);
    const size_t n = (size_t)numbers->n, steps = numbers->n_steps, other = numbers->other_steps;
    const float *in = judge_buffer(j, "in") + call * 2 * n;
    const float *w = judge_buffer(j, "weights") + call * (steps > other ? steps : other);
    double *half[] = {result, result + n};
    for (size_t i = 0; i < 2 * n; i++)
        result[i] = in[i];
    for (size_t i = c->first; i < c->end; i++) {
        const size_t k = c->is_reversed ? c->end - 1 - i : i, turn = c->has_no_turns ? 0 : k,
                     weight = c->one_weight ? 0 : (k + c->shift) % c->end;
        double *to = half[(turn + (size_t)c->writes) % 2],
               *from = half[(turn + (size_t)c->reads) % 2];
        for (size_t at = 0; at < n; at++)
            to[at] += (double)w[weight] * from[at];
    }
}

void lab06_item(struct judged *j, size_t call, double *result)
{
    compute(j, call, &(struct chain){.end = steps_of(judge_numbers(j), call), .reads = 1}, result);
}

static bool is_like(const float *actual, const double *expected, size_t n)
{
    bool is = true;
    for (size_t i = 0; i < n && is; i++)
        is = fabs(actual[i] - expected[i]) <= 1e-4 * fmax(1, fabs(expected[i]));
    return is;
}

static bool is_result_of(struct judged *j, size_t call, const struct chain *c)
{
    const size_t n = 2 * (size_t)judge_numbers(j)->n;
    const float *out = judge_buffer(j, "out") + call * n;
    double *result = judge_room(n, sizeof *result);
    compute(j, call, c, result);
    const bool is = is_like(out, result, n);
    free(result);
    return is;
}

static bool begins_with_q(struct judged *j, size_t call)
{
    const size_t n = (size_t)judge_numbers(j)->n;
    double *result = judge_room(2 * n, sizeof *result);
    lab06_item(j, call, result);
    const bool begins = is_like(judge_buffer(j, "out") + call * 2 * n, result + n, n);
    free(result);
    return begins;
}

/* A kernel after the last one has some weight: that of nothing, or of another call. */
static bool has_one_more(struct judged *j, size_t call)
{
    const size_t n = (size_t)judge_numbers(j)->n, next = steps_of(judge_numbers(j), call) % 2;
    const float *out = judge_buffer(j, "out") + call * 2 * n, *changed = out + next * n;
    double *result = judge_room(2 * n, sizeof *result);
    lab06_item(j, call, result);
    const double *from = result + (1 - next) * n, *to = result + next * n,
                 weight = (changed[0] - to[0]) / from[0];
    bool is = is_like(out + (1 - next) * n, from, n);
    for (size_t i = 0; i < n && is; i++)
        is = fabs(changed[i] - to[i] - weight * from[i]) <= 1e-3 * fmax(1, fabs(weight));
    free(result);
    return is;
}

const char *lab06_wrong_item(struct judged *j, size_t call, size_t row, size_t column)
{
    const size_t end = steps_of(judge_numbers(j), call);
    const struct chain chains[] = {
        {.first = 1, .end = end, .reads = 1, .mistake = "item_steps"},
        {.end = end - 1, .reads = 1, .mistake = "item_steps"},
        {.end = end, .reads = 1, .one_weight = true, .mistake = "item_weight"},
        {.end = end, .reads = 1, .shift = 1, .mistake = "item_weight"},
        {.end = end, .reads = 1, .shift = end - 1, .mistake = "item_weight"},
        {.end = end, .reads = 1, .is_reversed = true, .mistake = "item_reversed"},
        {.end = end, .writes = 1, .mistake = "item_halves"},
        {.end = end, .mistake = "item_one_half"},
        {.end = end, .reads = 1, .has_no_turns = true, .mistake = "item_one_half"}};
    (void)row, (void)column;
    if (begins_with_q(j, call))
        return "item_of_q";
    if (has_one_more(j, call))
        return "item_steps";
    for (size_t i = 0; i < sizeof chains / sizeof chains[0]; i++)
        if (is_result_of(j, call, &chains[i]))
            return chains[i].mistake;
    return NULL;
}

void lab06_smooth(struct judged *j, size_t call, size_t n_smooth, double *result)
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
