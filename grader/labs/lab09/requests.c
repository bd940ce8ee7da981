/* requests.c: the requests of lab 09 and their results. */
#include "exchange.h"
#include "requests.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/kernels.h"

enum { MAX_N = LAB09_MAX_N };

float lab09_noted(struct judged *j, size_t request, enum lab09_log what)
{
    return judge_buffer(j, "log")[request * LOG_COLUMNS + what];
}

bool lab09_captured(struct judged *j, size_t request)
{
    return lab09_noted(j, request, LOG_CAPTURED) > 0;
}

/* ---- shapes ---------------------------------------------------------------------------------- */

struct lab09_shape lab09_shape(struct judged *j, size_t request)
{
    const float *shape = judge_buffer(j, "shapes") + 2 * request;
    return (struct lab09_shape){(int)shape[0], (int)shape[1]};
}

/* A letter is a shape. a to d have as many steps, A to D others each; x needs as much memory as all
 * of them; L takes long; p to w have 100 steps and more. */
static struct lab09_shape shape_named(char name)
{
    const int few = 4;
    if (name >= 'a' && name <= 'd')
        return (struct lab09_shape){256 * (name - 'a' + 1), few};
    if (name >= 'A' && name <= 'D')
        return (struct lab09_shape){256 * (name - 'A' + 1), few + 1 + name - 'A'};
    if (name >= 'p' && name <= 'w')
        return (struct lab09_shape){256, 100 + name - 'p'};
    if (name == 'x')
        return (struct lab09_shape){MAX_N, few};
    return (struct lab09_shape){1024, 400};
}

static void fill(struct judged *j)
{
    const struct numbers *numbers = judge_numbers(j);
    static const char *const sequences[] = {[MIXED] = "aBcDbAdC",
                                            [SAME_SHAPE] = "b",
                                            [FOUR_KEYS] = "bBca",
                                            [ONE_TOO_MANY] = "abcbdb",
                                            [HIT_COUNTS] = "abcada",
                                            [CYCLE] = "abcd",
                                            [LARGE_AND_SMALL] = "abxacbxDDab",
                                            [OTHER_EVICTED] = "Dax",
                                            [LONG_AND_SHORT] = "aLc",
                                            [LONG_BESIDE] = "LaLc",
                                            [LONG_AFTER] = "LaLLc",
                                            [ONE_LONG] = "L",
                                            [EIGHT_LONG] = "pqrstuvw",
                                            [AT_RANDOM] = "abcdABCDx"};
    const char *names = sequences[numbers->sequence];
    const bool at_random = numbers->sequence == AT_RANDOM;
    float *shapes = judge_buffer(j, "shapes");
    for (size_t i = 0; i < numbers->requests; i++) {
        const size_t which = at_random ? judge_random(j) : i;
        const struct lab09_shape shape = shape_named(names[which % strlen(names)]);
        shapes[2 * i] = (float)shape.n;
        shapes[2 * i + 1] = (float)shape.n_steps;
    }
}

void lab09_make(struct judge_scenario *s)
{
    const struct numbers *n = s->numbers;
    s->buffers[0] =
        (struct judge_buffer){"shapes", JUDGE_INPUT, 2 * n->requests, .low = 1, .high = 2};
    s->buffers[1] = (struct judge_buffer){"in", JUDGE_INPUT, n->inputs * MAX_N, .pinned = true};
    s->buffers[2] = (struct judge_buffer){"out", JUDGE_OUTPUT, n->requests * MAX_N, .pinned = true,
                                          .made_by = "consume"};
    s->buffers[3] = (struct judge_buffer){
        .name = "log", .direction = JUDGE_OUTPUT, .count = n->requests * LOG_COLUMNS};
    s->fill = fill;
}

/* ---- results --------------------------------------------------------------------------------- */

static void smooth(double *result, const float *in, struct lab09_shape shape)
{
    float now[MAX_N];
    memcpy(now, in, (size_t)shape.n * sizeof *now);
    for (int i = 0; i < shape.n; i++)
        result[i] = in[i];
    for (int k = 0; k < shape.n_steps; k++) {
        reference_consume(result, now, shape.n);
        for (int i = 0; i < shape.n; i++)
            now[i] = (float)result[i];
    }
}

/* Of all requests; the caller frees it. */
static double *expected_results(struct judged *j)
{
    const struct numbers *numbers = judge_numbers(j);
    const size_t requests = numbers->requests;
    double *expected = judge_room(requests * MAX_N, sizeof *expected);
    for (size_t i = 0; i < requests; i++)
        smooth(expected + i * MAX_N, judge_buffer(j, "in") + i % numbers->inputs * MAX_N,
               lab09_shape(j, i));
    return expected;
}

/* Is the result of this request that of so many steps? */
static bool has_steps(struct judged *j, size_t request, int n_steps)
{
    const struct lab09_shape own = lab09_shape(j, request);
    const float *in = judge_buffer(j, "in") + request % judge_numbers(j)->inputs * MAX_N,
                *out = judge_buffer(j, "out") + request * MAX_N;
    double result[MAX_N];
    bool same = true;
    smooth(result, in, (struct lab09_shape){own.n, n_steps});
    for (int k = 0; k < own.n && same; k++)
        same = fabs(out[k] - result[k]) <= 1e-5;
    return same;
}

/* Fails if the first wrong result is the one of another request's graph, or that of its own graph
   in the other half of the workspace. */
static void expect_own_steps(struct judged *j, const struct lab09_wrong *w)
{
    const struct lab09_shape own = lab09_shape(j, w->request);
    for (size_t i = 0; i < judge_numbers(j)->requests; i++) {
        const struct lab09_shape other = lab09_shape(j, i);
        const int n_steps = other.n_steps - (other.n_steps % 2 != own.n_steps % 2);
        judge_actual("out of request %zu (n %d, n_steps %d) is what a graph of n_steps %d makes",
                     w->request, own.n, own.n_steps, other.n_steps);
        judge_expected("the result of n_steps %d", own.n_steps);
        if (other.n == own.n && other.n_steps != own.n_steps && has_steps(j, w->request, n_steps))
            judge_fail_that("key_incomplete");
    }
    judge_actual("out of request %zu is the result of n_steps %d", w->request, own.n_steps - 1);
    judge_expect_that(!has_steps(j, w->request, own.n_steps - 1), "other_half");
    judge_forget();
}

void lab09_verify(struct judged *j)
{
    judge_expect_nothing_noted();
    double *expected = expected_results(j);
    struct lab09_wrong w;
    if (lab09_is_wrong(j, &w))
        expect_own_steps(j, &w);
    judge_expect_results(j, &(struct judge_results){.buffer = "out",
                                                    .batches = judge_numbers(j)->requests,
                                                    .rows = 1,
                                                    .columns = MAX_N,
                                                    .expected = expected,
                                                    .tolerance = 1e-5,
                                                    .batch_word = "request"});
    free(expected);
}

bool lab09_is_wrong(struct judged *j, struct lab09_wrong *w)
{
    const size_t n = judge_numbers(j)->requests * MAX_N;
    double *expected = expected_results(j);
    size_t i = 0;
    while (i < n && fabs(judge_buffer(j, "out")[i] - expected[i]) <= 1e-5)
        i++;
    if (i < n)
        *w = (struct lab09_wrong){i / MAX_N, i % MAX_N, judge_buffer(j, "out")[i], expected[i]};
    free(expected);
    return i < n;
}
