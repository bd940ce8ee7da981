/* freivalds.c: R. Freivalds, "Probabilistic machines can use less running time", IFIP Congress
 * 1977. */
#include "freivalds.h"

#include <math.h>
#include <stdlib.h>

/* Of single precision with a little room, as for single elements: rounding adds up at random here,
   too. Of the root mean square of a row's sum. */
static const double tolerance = 1e-5;

/* Of n numbers, a multiple of 4. Four sums, so that none waits for the one before. */
static double dot(const float *row, const double *x, size_t n)
{
    double sum[4] = {0};
    for (size_t k = 0; k < n; k += 4)
        for (size_t i = 0; i < 4; i++)
            sum[i] += (double)row[k + i] * x[k + i];
    return sum[0] + sum[1] + (sum[2] + sum[3]);
}

void freivalds_times(double *y, const float *matrix, const double *x, size_t rows, size_t n)
{
#pragma omp parallel for
    for (size_t i = 0; i < rows; i++)
        y[i] = dot(matrix + i * n, x, n);
}

static size_t all_rows(size_t n, size_t *rows, size_t most)
{
    size_t i = 0;
    for (; i < n && i < most; i++)
        rows[i] = i;
    return i;
}

size_t freivalds(const struct product *p, double *x, size_t *rows, size_t most)
{
    const size_t n = p->n;
    double *bx = calloc(3 * n, sizeof *bx), *abx = bx + n, *cx = abx + n, squares = 0;
    size_t found = 0;
    if (!bx)
        return all_rows(n, rows, most);
    for (size_t i = 0; i < n; i++) /* from [-1, -1/2) or [1/2, 1): none is near 0 */
        x[i] = x[i] < 0.5 ? x[i] - 1 : x[i];
    freivalds_times(bx, p->b, x, n, n);
    freivalds_times(abx, p->a, bx, n, n);
    freivalds_times(cx, p->c, x, n, n);
    for (size_t i = 0; i < n; i++)
        squares += abx[i] * abx[i];
    const double limit = tolerance * sqrt(squares / (double)n);
    for (size_t i = 0; i < n && found < most; i++)
        if (!(fabs(cx[i] - abx[i]) <= limit)) /* also of a NaN */
            rows[found++] = i;
    free(bx);
    return found;
}
