/* expected_results.c: the layers in double precision, see expected.h. */
#include "exchange.h"
#include "expected.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/kernels.h"
#include "labs/random_weights.h"
#include "labs/lab14/mistakes.h"

int devices_of(const struct judged *j)
{
    return judge_count(j, n_devices, LAB14_MOST_DEVICES);
}

/* Some rows of y, made from the same rows of x in place. */
static void apply_layers(const struct judged *j, double *x, size_t rows)
{
    const struct numbers *numbers = judge_numbers(j);
    const size_t n = numbers->n, m = numbers->m, each = numbers->n_layers * n * m;
    double *h = judge_room(rows * m, sizeof *h), *p = judge_room(rows * n, sizeof *p);
    float *a = judge_room(n * m, sizeof *a), *b = judge_room(n * m, sizeof *b);
    for (size_t k = 0; k < numbers->n_layers; k++) {
        make_weights(a, k * n * m, n * m, LAB14_SEED, (int)n);
        make_weights(b, each + k * n * m, n * m, LAB14_SEED, (int)m);
        reference_mlp_up(h, x, a, (int)rows, (int)n, (int)m);
        reference_mlp_down(p, h, b, (int)rows, (int)m, (int)n);
        for (size_t i = 0; i < rows * n; i++)
            x[i] += p[i];
    }
    free(h);
    free(p);
    free(a);
    free(b);
}

/* Rows from number `first` on; to be freed. */
static double *expected_rows(const struct judged *j, size_t first, size_t rows)
{
    const size_t n = judge_numbers(j)->n;
    double *x = judge_room(rows * n, sizeof *x);
    for (size_t i = 0; i < rows * n; i++)
        x[i] = judge_buffer(j, "x")[first * n + i];
    apply_layers(j, x, rows);
    return x;
}

/* Poison, or what it becomes in a sum. */
static bool has_no_number(const struct judged *j)
{
    const float *y = judge_buffer(j, "y");
    for (size_t i = 0; i < (size_t)devices_of(j) * judge_numbers(j)->rows * judge_numbers(j)->n;
         i++)
        if (!isnan(y[i]))
            return false;
    return true;
}

void verify_all(struct judged *j)
{
    if (has_no_number(j))
        judge_fail_that("no_number_in_y");
    const struct numbers *numbers = judge_numbers(j);
    const size_t rows = numbers->rows, n = numbers->n, count = rows * n;
    double *one = expected_rows(j, 0, rows),
           *expected = judge_room((size_t)devices_of(j) * count, sizeof *expected);
    for (size_t d = 0; d < (size_t)devices_of(j); d++)
        memcpy(expected + d * count, one, count * sizeof *one);
    judge_expect_results(j, &(struct judge_results){.buffer = "y",
                                                    .batches = (size_t)devices_of(j),
                                                    .rows = rows,
                                                    .columns = n,
                                                    .expected = expected,
                                                    .tolerance = 1e-4,
                                                    .batch_word = "device"});
    free(expected);
    free(one);
}

void verify_bits(struct judged *j)
{
    const struct numbers *numbers = judge_numbers(j);
    const size_t count = numbers->rows * numbers->n;
    const float *y = judge_buffer(j, "y");
    for (size_t d = 1; d < (size_t)devices_of(j); d++) {
        if (memcmp(y, y + d * count, count * sizeof *y) == 0)
            continue;
        for (size_t i = 0; i < count; i++) {
            if (memcmp(&y[i], &y[d * count + i], sizeof *y) == 0)
                continue;
            judge_actual("element %zu: %.9g on device 0, %.9g on device %zu", i, y[i],
                         y[d * count + i], d);
            judge_expected("the same bits on all devices");
            judge_fail_that(fabs(y[i] - y[d * count + i]) < 1e-3 * fmax(1, fabs(y[i]))
                                ? "order_differs"
                                : NULL);
        }
    }
    judge_forget();
}

void verify_rows(struct judged *j)
{
    const struct numbers *numbers = judge_numbers(j);
    enum { DRAWN = 2 };
    const size_t rows = numbers->rows, n = numbers->n;
    for (int i = 0; i < DRAWN; i++) {
        const size_t row = judge_random(j) % rows;
        double *expected = expected_rows(j, row, 1);
        for (size_t c = 0; c < n; c++) {
            const double actual = judge_buffer(j, "y")[row * n + c];
            judge_actual("row %zu, column %zu on device 0: %g", row, c, actual);
            judge_expected("%g", expected[c]);
            judge_expect(fabs(actual - expected[c]) <= 1e-3 * fmax(1, fabs(expected[c])),
                         "An element of y is wrong.");
        }
        free(expected);
    }
    judge_forget();
    verify_bits(j);
}

/* ---- digits ---------------------------------------------------------------------------------- */

void fill_digits(struct judged *j)
{
    for (size_t i = 0; i < judge_buffer_count(j, "x"); i++)
        judge_buffer(j, "x")[i] = 0.5f;
}

/* How often was the part of device q added? */
static int times_added(double y, size_t q)
{
    return (int)((long)floor(y) >> (2 * q)) & 3;
}

static const char *mistake_of_digits(double y, size_t d, size_t n_devices)
{
    size_t missing = 0, twice = 0;
    for (size_t q = 0; q < n_devices; q++) {
        missing += times_added(y, q) == 0;
        twice += times_added(y, q) > 1;
        if (q != d && y == (double)(1L << (2 * q)))
            return "gathers_partial_sum";
    }
    if (y - floor(y) != 0.5)
        return "input_not_added";
    if (missing > 1 || (missing && twice))
        return "weights_wrong";
    if (twice)
        return "part_twice";
    return times_added(y, d) == 0 ? "own_part_missing" : "part_missing";
}

/* The sum of all partial sums, for an input of 0.5. */
static double sum_of_digits(size_t n_devices)
{
    return (double)((1L << (2 * n_devices)) - 1) / 3;
}

void expect_digits(const struct judged *j)
{
    const struct numbers *numbers = judge_numbers(j);
    const size_t n_devices = (size_t)devices_of(j), count = numbers->rows * numbers->n;
    const double right = 0.5 + sum_of_digits(n_devices);
    for (size_t d = 0; d < n_devices; d++) {
        size_t lacking = 0;
        for (size_t i = 0; i < count; i++)
            lacking += judge_buffer(j, "y")[d * count + i] + (double)(1L << (2 * d)) == right;
        if (lacking == count)
            judge_fail_that("own_part_missing");
    }
    for (size_t d = 0; d < n_devices; d++)
        for (size_t i = 0; i < count; i++) {
            const double y = judge_buffer(j, "y")[d * count + i];
            if (!(y >= 0 && y < 4 * right)) /* nothing was written there */
                judge_fail_that("part_missing");
            if (y != right)
                judge_fail_that(mistake_of_digits(y, d, n_devices));
        }
}

/* Has y this value everywhere, but for rounding? */
static bool is_everywhere(const struct judged *j, double value, double tolerance)
{
    const size_t count = (size_t)devices_of(j) * judge_numbers(j)->rows * judge_numbers(j)->n;
    for (size_t i = 0; i < count; i++)
        if (!(fabs(judge_buffer(j, "y")[i] - value) <= tolerance))
            return false;
    return true;
}

void expect_second_layer(const struct judged *j)
{
    const double x = 0.5, sum = sum_of_digits((size_t)devices_of(j)), first = x + sum;
    const double from_x = sum, from_first = 2 * first * sum; /* what the second layer adds */
    if (is_everywhere(j, x + from_first, sum / 4) || is_everywhere(j, first + from_x, sum / 4) ||
        is_everywhere(j, x + from_x, sum / 4))
        judge_fail_that("later_layer_uses_x");
}
