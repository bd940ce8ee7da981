/* expected_results.c: the product of x and all weights, see expected.h. */
#include "exchange.h"
#include "expected.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/kernels.h"
#include "labs/freivalds.h"
#include "weights.h"

/* Layer k's weights, in the same memory for each k. */
static const float *layer_weights(const struct judged *j, size_t k)
{
    static float *w;
    size_t n = judge_numbers(j)->n;
    w = realloc(w, n * n * sizeof *w);
    cr_assert(w, "no memory for weights");
    make_weights(w, k * n * n, n * n, LAB12_SEED, (int)n);
    return w;
}

/* x and all layers; to be freed. */
static double *product(const struct judged *j)
{
    const struct numbers *numbers = judge_numbers(j);
    const size_t n = numbers->n, rows = numbers->rows, count = rows * n;
    double *from = judge_room(count, sizeof *from), *to = judge_room(count, sizeof *to);
    for (size_t i = 0; i < count; i++)
        from[i] = judge_buffer(j, "x")[i];
    for (size_t k = 0; k < numbers->n_layers; k++) {
        reference_dense(to, from, layer_weights(j, k), (int)rows, (int)n);
        memcpy(from, to, count * sizeof *from);
    }
    free(to);
    return from;
}

static bool is_product(const struct judged *j, const double *expected)
{
    const struct numbers *numbers = judge_numbers(j);
    const size_t count = numbers->rows * numbers->n;
    bool right = true;
    for (size_t i = 0; i < count && right; i++)
        right = fabs(judge_buffer(j, "y")[i] - expected[i]) <= 1e-3 * fmax(1, fabs(expected[i]));
    return right;
}

/* Does the graph show why y is wrong? */
static void expect_right_graph(struct judged *j)
{
    const struct dag *g = judge_graph(j);
    const size_t n_layers = judge_numbers(j)->n_layers;
    judge_actual("nodes of the graph: %zu H2D, %zu dense, %zu D2H", dag_count(g, "h2d", NULL),
                 dag_count(g, "kernel", "dense*"), dag_count(g, "d2h", NULL));
    judge_expected("one H2D copy of each row of x, one D2H copy of each row of y, and %zu dense "
                   "for each micro-batch",
                   n_layers);
    judge_expect_that(!graph_facts_of_results(g, judge_buffer_count(j, "y"), n_layers), NULL);
    judge_forget();
}

void verify_all(struct judged *j)
{
    const struct numbers *numbers = judge_numbers(j);
    double *expected = product(j);
    if (!is_product(j, expected))
        expect_right_graph(j);
    judge_expect_results(j, &(struct judge_results){.buffer = "y",
                                                    .batches = numbers->rows,
                                                    .rows = 1,
                                                    .columns = numbers->n,
                                                    .expected = expected,
                                                    .tolerance = 1e-4,
                                                    .batch_word = "row"});
    free(expected);
}

/* Are the layers with these primes the last ones of their stages, and no others? */
static bool are_last_layers(const struct judged *j, long lost)
{
    const size_t n_layers = judge_numbers(j)->n_layers,
                 stages = (size_t)judge_count(j, n_devices, MOST_DEVICES);
    for (size_t s = 1; s <= stages; s++) {
        const long prime = layer_primes[s * n_layers / stages - 1];
        if (lost % prime == 0)
            lost /= prime;
    }
    return lost == 1;
}

void expect_primes(const struct judged *j)
{
    const float *x = judge_buffer(j, "x"), *y = judge_buffer(j, "y");
    const size_t count = judge_buffer_count(j, "y");
    size_t largest = 0;
    long all = 1;
    for (size_t k = 0; k < judge_numbers(j)->n_layers; k++)
        all *= layer_primes[k];
    for (size_t i = 0; i < count; i++)
        if (fabsf(x[i]) > fabsf(x[largest]))
            largest = i;
    const double factor = (double)y[largest] / x[largest], lost = round((double)all / factor);
    for (size_t i = 0; i < count; i++)
        if (fabs(y[i] - factor * x[i]) > 1e-4 * fabs(factor)) /* false for a NaN */
            judge_fail_that(judge_value(j, n_devices) > 1 ? "stage_weights_shifted"
                                                          : "weights_shifted");
    if (!(factor > 0.5))
        return;
    /* y is a float: it may be rounded */
    const bool is_share = fabs(factor * lost - (double)all) <= 1e-5 * (double)all;
    judge_expect_that(is_share && all % (long)lost == 0, "other_weights");
    judge_expect_that(lost <= 1, are_last_layers(j, (long)lost) ? "result_lost" : "layer_lost");
}

/* w[0] (w[1] (... v)) */
static void apply_weights(const struct judged *j, double *v)
{
    const struct numbers *numbers = judge_numbers(j);
    size_t n = numbers->n;
    double *next = judge_room(n, sizeof *next);
    for (size_t k = numbers->n_layers; k-- > 0;) {
        freivalds_times(next, layer_weights(j, k), v, n, n);
        memcpy(v, next, n * sizeof *v);
    }
    free(next);
}

void verify_sums(struct judged *j)
{
    const struct numbers *numbers = judge_numbers(j);
    static double *before, *after; /* v, and what the weights make of it */
    const size_t n = numbers->n, rows = numbers->rows;
    const double tolerance = 1e-3 * sqrt((double)n);
    double *actual = judge_room(2 * rows, sizeof *actual), *expected = actual + rows;
    if (!before) {
        before = judge_room(n, sizeof *before);
        after = judge_room(n, sizeof *after);
        for (size_t i = 0; i < n; i++)
            after[i] = before[i] = 2 * judge_uniform(j) - 1;
        apply_weights(j, after);
    }
    freivalds_times(actual, judge_buffer(j, "y"), before, rows, n);
    freivalds_times(expected, judge_buffer(j, "x"), after, rows, n);
    for (size_t r = 0; r < rows; r++) {
        if (fabs(actual[r] - expected[r]) <= tolerance)
            continue;
        judge_forget(); /* that was about time */
        judge_actual("row %zu: y times a random vector is %g", r, actual[r]);
        judge_expected("%g", expected[r]);
        judge_fail("A row of y is not the product of its row of x and all layers.");
    }
    free(actual);
}
