/* test_products.c: the check of large products believes right ones, and no others. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "labs/freivalds.h"

enum { N = 256, MATRIX = N * N };

static float a[MATRIX], b[MATRIX], c[MATRIX];
static const struct product product = {a, b, c, N};

static double uniform(void)
{
    return rand() / (RAND_MAX + 1.0);
}

/* c = a b, as single precision sums it up. */
static void multiply(void)
{
    srand(7);
    for (int i = 0; i < MATRIX; i++) {
        a[i] = (float)(2 * uniform() - 1);
        b[i] = (float)(2 * uniform() - 1);
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            float sum = 0;
            for (int k = 0; k < N; k++)
                sum += a[i * N + k] * b[k * N + j];
            c[i * N + j] = sum;
        }
}

/* How many rows are suspect; the first. */
static size_t suspects(size_t *first)
{
    double x[N];
    size_t rows[N];
    for (int i = 0; i < N; i++)
        x[i] = uniform();
    size_t n = freivalds(&product, x, rows, N);
    *first = n ? rows[0] : N;
    return n;
}

TestSuite(products, .init = multiply);

Test(products, rounding_is_believed)
{
    size_t row;
    for (int i = 0; i < 50; i++)
        cr_assert_eq(suspects(&row), 0, "row %zu", row);
}

Test(products, one_wrong_element_is_always_found)
{
    size_t row;
    for (int i = 0; i < 50; i++) {
        const int at = rand() % MATRIX;
        const float right = c[at];
        c[at] += 0.02f; /* elements are about 5 */
        cr_assert_eq(suspects(&row), 1);
        cr_assert_eq(row, (size_t)at / N);
        c[at] = right;
    }
}

Test(products, exchanged_elements_and_NaNs_are_found)
{
    size_t row;
    const float first = c[3 * N];
    c[3 * N] = c[3 * N + 1];
    c[3 * N + 1] = first;
    cr_expect_eq(suspects(&row), 1);
    cr_expect_eq(row, 3);
    c[N + 5] = NAN;
    cr_expect_eq(suspects(&row), 2);
    cr_expect_eq(row, 1);
}

Test(products, a_result_of_other_factors_is_found)
{
    size_t row;
    a[9 * N] += 0.5f;
    cr_expect_eq(suspects(&row), 1);
    b[0] += 0.5f;
    cr_expect_gt(suspects(&row), N / 2);
}
