/* expected_results.c: what the graphs of lab 08 are to compute. */
#include "exchange.h"
#include "expected_results.h"

#include <math.h>
#include <stdlib.h>

#include "kernels/kernels.h"

/* x += weight * produce(x), twice, as the adapter's library does. */
static void apply_library(double *x, const double weights[2], int n)
{
    double *made = judge_room((size_t)n, sizeof *made);
    float *now = judge_room((size_t)n, sizeof *now);
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < n; i++)
            now[i] = (float)x[i];
        reference_produce(made, now, 1, n);
        for (int i = 0; i < n; i++)
            x[i] += weights[k] * made[i];
    }
    free(now);
    free(made);
}

static void apply_weights(struct judged *j, double *out, int n)
{
    const float *weights = judge_buffer(j, "weights");
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (size_t k = 0; k < judge_numbers(j)->rows; k++)
            sum += weights[k * (size_t)n + (size_t)i];
        out[i] *= sum;
    }
}

/* One launch; `weights`: of the library. */
static void expect_launch(struct judged *j, double *out, const float *in, const double weights[2])
{
    const struct numbers *numbers = judge_numbers(j);
    const int n = (int)numbers->n;
    switch (numbers->task) {
    case LAB08_LIBRARY:
        for (int i = 0; i < n; i++)
            out[i] = in[i];
        apply_library(out, weights, n);
        return;
    case LAB08_EARLY:
        reference_produce(out, in, numbers->steps, n);
        apply_weights(j, out, n);
        return;
    case LAB08_BRANCHES:
        reference_produce(out, in, numbers->steps, n);
        for (int i = 0; i < n; i++)
            out[i] += numbers->strength * in[i];
        return;
    default:
        reference_consume(out, in, n);
    }
}

static double *expect_all(struct judged *j, const double weights[2])
{
    const struct numbers *numbers = judge_numbers(j);
    const size_t n = (size_t)numbers->n, launches = numbers->launches;
    double *expected = judge_room(n * launches, sizeof *expected);
    for (size_t i = 0; i < launches; i++)
        expect_launch(j, expected + i * n, judge_buffer(j, "in") + i * n, weights);
    return expected;
}

static bool is_right(struct judged *j, const double weights[2])
{
    const struct numbers *numbers = judge_numbers(j);
    double *expected = expect_all(j, weights);
    bool right = true;
    const size_t count = (size_t)numbers->n * numbers->launches;
    for (size_t i = 0; i < count; i++)
        right = right && fabs(judge_buffer(j, "out")[i] - expected[i]) <= 1e-4;
    free(expected);
    return right;
}

/* ---- wrong results --------------------------------------------------------------------------- */

/* What element i of a launch of `branches` is if an argument of a saxpy node is another one. */
static const char *other_argument(struct judged *j, size_t at)
{
    const struct numbers *numbers = judge_numbers(j);
    const double actual = judge_buffer(j, "out")[at], s = numbers->strength;
    const float *x = judge_buffer(j, "in") + at;
    double u;
    reference_produce(&u, x, numbers->steps, 1);
    const struct {
        double value;
        const char *mistake;
    } looks[] = {{s * (u + *x), "alpha_of_join"},
                 {u + *x, "alpha_of_scale"},
                 {*x + s * *x, "x_added_twice"},
                 {u, "x_not_added"},
                 {s * *x, "u_not_added"}};
    for (size_t i = 0; i < sizeof looks / sizeof looks[0]; i++)
        if (fabs(actual - looks[i].value) <= 1e-5)
            return looks[i].mistake;
    return NULL;
}

/* Is element i of `early` what it is with weights[i * rows + k]? */
static bool has_rows_of_weights(struct judged *j, size_t i)
{
    const struct numbers *numbers = judge_numbers(j);
    const size_t rows = numbers->rows;
    const float *x = judge_buffer(j, "in") + i;
    double u, sum = 0;
    reference_produce(&u, x, numbers->steps, 1);
    for (size_t k = 0; k < rows; k++)
        sum += judge_buffer(j, "weights")[i * rows + k];
    return fabs(judge_buffer(j, "out")[i] - u * sum) <= 1e-4;
}

/* Element i of a launch is the first wrong one. Did no thread compute the elements from there on?
 */
static const char *mistake_of_grid(struct judged *j, size_t launch, size_t i)
{
    enum { THREADS = 256 };
    const size_t n = (size_t)judge_numbers(j)->n;
    if (i == 0 || i % THREADS != 0)
        return NULL;
    double *expected = expect_all(j, judge_numbers(j)->weight);
    size_t n_right = 0;
    for (size_t k = launch * n + i; k < (launch + 1) * n; k++)
        n_right += fabs(judge_buffer(j, "out")[k] - expected[k]) <= 1e-5;
    free(expected);
    return n_right == 0 ? "too_few_blocks" : NULL;
}

static const char *looks_like(struct judged *j, size_t launch, size_t row, size_t i)
{
    const struct numbers *numbers = judge_numbers(j);
    const size_t n = (size_t)numbers->n;
    const char *grid = mistake_of_grid(j, launch, i);
    (void)row;
    if (grid)
        return grid;
    if (numbers->task == LAB08_EARLY && has_rows_of_weights(j, i))
        return "weights_by_row";
    if (numbers->task == LAB08_EARLY && judge_device_is_simulated()) {
        judge_expect_order(j); /* a race has that result, too */
        return "weigh_wrong";
    }
    return numbers->task == LAB08_BRANCHES ? other_argument(j, launch * n + i) : NULL;
}

/* ---- verdicts -------------------------------------------------------------------------------- */

/* Is it the mean of the n values, but for one that is not added or is counted too many or too few,
   or their sum? Or the mean of no values of these at all? */
static bool is_mean_of_others(const float *values, size_t n, double actual)
{
    double sum = 0, least = values[0], greatest = values[0];
    for (size_t i = 0; i < n; i++) {
        sum += values[i];
        least = fmin(least, values[i]);
        greatest = fmax(greatest, values[i]);
    }
    if (actual < least || actual > greatest)
        return true;
    const double sums[] = {sum, sum - values[0], sum - values[n - 1]};
    const size_t counts[] = {n - 1, n, n + 1, 1};
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++)
            if (fabs(actual * (double)counts[k] - sums[i]) <= 1e-7 * (double)n)
                return true;
    return false;
}

/* How a mean that is wrong was computed. `sum`: of all launches' means. */
static const char *mistake_of_mean(const float *values, size_t n, double sum)
{
    const double actual = values[n], tolerance = 1e-6;
    float in_float = 0;
    for (size_t i = 0; i < n; i++)
        in_float += values[i];
    if (actual == 0 || fabs(actual - in_float / (double)n) <= tolerance / 10)
        return "mean_not_in_double";
    if (fabs(actual - sum) <= tolerance)
        return "sum_not_reset";
    return is_mean_of_others(values, n, actual) ? "mean_of_other_number" : "wrong_mean";
}

/* The mean of the last launch's values, after them all: a double, which the adapter returns as a
   float. */
static void verify_mean(struct judged *j)
{
    const struct numbers *numbers = judge_numbers(j);
    const size_t n = (size_t)numbers->n, launches = numbers->launches;
    const float *all = judge_buffer(j, "out"), *values = all + (launches - 1) * n;
    double mean = 0, sum = 0;
    for (size_t i = 0; i < launches * n; i++)
        sum += all[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        mean += values[i] / (double)n;
    judge_actual("%.8g", (double)values[n]);
    judge_expected("%.8g", mean);
    if (!(fabs(values[n] - mean) <= 1e-7))
        judge_fail_that(mistake_of_mean(values, n, sum));
}

void lab08_verify(struct judged *j)
{
    const struct numbers *numbers = judge_numbers(j);
    const enum lab08_task task = numbers->task;
    const double first = task == LAB08_LIBRARY ? numbers->weight[0] : 0,
                 second = task == LAB08_LIBRARY ? numbers->weight[1] : 0;
    if (task == LAB08_LIBRARY) {
        judge_expect_that(!is_right(j, (double[]){first, first}), "same_weight");
        judge_expect_that(!is_right(j, (double[]){second, first}), "weights_swapped");
    }
    if (task == LAB08_TEMPORARY)
        judge_expect_order(
            j); /* with other arrays than the drawing's; says more than a wrong value */
    double *expected = expect_all(j, (double[]){first, second});
    judge_expect_results(j, &(struct judge_results){.buffer = "out",
                                                    .batches = numbers->launches,
                                                    .rows = 1,
                                                    .columns = numbers->n,
                                                    .expected = expected,
                                                    .tolerance = 1e-5,
                                                    .looks_like = looks_like,
                                                    .batch_word = "launch"});
    free(expected);
    if (task == LAB08_SUMMARY)
        verify_mean(j);
    judge_expect_order(j); /* right by luck: with other arrays, the edges order too little */
    judge_expect_nothing_noted();
}
