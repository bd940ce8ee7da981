/* products.c: scenarios of batches of C = A B, and whether C is right. */
#include "products.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "freivalds.h"
#include "kernels/kernels.h"
#include "query/trace.h"

/* ---- results --------------------------------------------------------------------------------- */

enum { WHOLE = 128, SAMPLES = 32 }; /* up to n = WHOLE, products are compared whole */

static size_t rows_of(const struct judged *j)
{
    return judge_numbers(j)->n;
}

static size_t batches_of(const struct judged *j)
{
    return judge_buffer_count(j, "c") / (rows_of(j) * rows_of(j));
}

/* The factors of one batch. */
struct factors {
    const float *a, *b;
};

static struct factors factors_of(const struct judged *j, size_t batch)
{
    const size_t matrix = rows_of(j) * rows_of(j), first = batch * matrix;
    if (!judge_has_buffer(j, "a_and_b"))
        return (struct factors){judge_buffer(j, "a") + first, judge_buffer(j, "b") + first};
    const float *ab = judge_buffer(j, "a_and_b");
    return (struct factors){ab + first, ab + batches_of(j) * matrix + first};
}

static double product_at(struct judged *j, size_t batch, size_t row, size_t column)
{
    const size_t n = rows_of(j);
    const struct factors f = factors_of(j, batch);
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += (double)f.a[row * n + k] * f.b[k * n + column];
    return sum;
}

/* Does this row of c hold that of left times right, in the column and those beside it? */
static bool holds_product(struct judged *j, const float *left, const float *right, size_t batch,
                          size_t row, size_t column)
{
    enum { COLUMNS = 8 };
    const size_t n = rows_of(j), first = column < n - COLUMNS ? column : n - COLUMNS;
    const float *c = judge_buffer(j, "c") + (batch * n + row) * n;
    for (size_t i = first; i < first + COLUMNS; i++) {
        double sum = 0;
        for (size_t k = 0; k < n; k++)
            sum += (double)left[row * n + k] * right[k * n + i];
        if (!(fabs(c[i] - sum) <= 1e-4 * sqrt((double)n)))
            return false;
    }
    return true;
}

/* Is it the product of two other matrices? Of all of a, followed by all of b. */
static void expect_own_factors(struct judged *j, size_t batch, size_t row, size_t column)
{
    const size_t n = batches_of(j);
    for (size_t pair = 0; pair < 4 * n * n; pair++) {
        const size_t left = pair / (2 * n), right = pair % (2 * n);
        const struct factors of_left = factors_of(j, left % n), of_right = factors_of(j, right % n);
        if (left + n == right || /* A and B of one batch */
            !holds_product(j, left < n ? of_left.a : of_left.b, right < n ? of_right.a : of_right.b,
                           batch, row, column))
            continue;
        judge_expect_order(j); /* a race has that result, too */
        judge_asks("factor_of_other_batch");
        judge_next("compare the source of each copy in with lab.h: A of batch i begins at a + i * "
                   "n * n, and B at b + i * n * n, counted in floats");
        judge_fail("Batch %zu was computed from %c of batch %zu and %c of batch %zu.", batch,
                   left < n ? 'A' : 'B', left % n, right < n ? 'A' : 'B', right % n);
    }
}

/* Is another product of A and B there? */
static const char *looks_like(struct judged *j, size_t batch, size_t row, size_t column)
{
    const struct factors f = factors_of(j, batch);
    const struct {
        const float *left, *right;
        const char *mistake;
    } others[] = {
        {f.b, f.a, "operands_swapped"}, {f.a, f.a, "operands_same"}, {f.b, f.b, "operands_same"}};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (holds_product(j, others[i].left, others[i].right, batch, row, column))
            return others[i].mistake;
    expect_own_factors(j, batch, row, column);
    return NULL;
}

/* Rows that Freivalds' check does not believe. */
static size_t suspects(struct judged *j, size_t batch, size_t *rows, size_t most)
{
    const size_t n = rows_of(j);
    const struct factors f = factors_of(j, batch);
    double *x = judge_room(n, sizeof *x);
    for (size_t i = 0; i < n; i++)
        x[i] = judge_uniform(j);
    const size_t found = freivalds(
        &(struct product){f.a, f.b, judge_buffer(j, "c") + batch * n * n, n}, x, rows, most);
    free(x);
    return found;
}

/* All products, to be freed. */
static double *whole_products(struct judged *j)
{
    const size_t n = rows_of(j), matrix = n * n;
    double *products = judge_room(batches_of(j) * matrix, sizeof *products);
    for (size_t i = 0; i < batches_of(j); i++) {
        const struct factors f = factors_of(j, i);
        reference_matmul(products + i * matrix, f.a, f.b, (int)n);
    }
    return products;
}

void products_verify(struct judged *j)
{
    const size_t n = rows_of(j);
    double *expected = n <= WHOLE ? whole_products(j) : NULL;
    judge_expect_results(j, &(struct judge_results){.buffer = "c",
                                                    .batches = batches_of(j),
                                                    .rows = n,
                                                    .columns = n,
                                                    .expected = expected,
                                                    .expected_at = product_at,
                                                    .samples = n > WHOLE ? SAMPLES : 0,
                                                    .suspects = suspects,
                                                    .looks_like = looks_like,
                                                    .tolerance = 1e-5});
    free(expected);
}

/* ---- scenarios of labs 03, 05 and 23 --------------------------------------------------------- */

/* Short batches are run several times: one run is over before anything is seen. */
enum { SHORT = 320, REPEATS = 10, LONG = 2048 };

long products_size(long n)
{
    /* of large n by pairs of tiles: odd numbers of them fill the SMs unevenly at the end */
    const long step = n >= 1024 ? 2 * PRODUCTS_TILE : PRODUCTS_TILE;
    return judge_draw(n - step, n + step, step);
}

void products_make(struct products_scenario *s, const struct numbers *p)
{
    const size_t count = (size_t)p->n_batches * (size_t)p->n * (size_t)p->n;
    char memory[40];
    if (p->n_matrices)
        snprintf(memory, sizeof memory, "memory for %ld matrices", p->n_matrices);
    else
        snprintf(memory, sizeof memory, "%ld streams, %ld sets", p->n_streams, p->n_sets);
    snprintf(s->name, sizeof s->name, "%ld batches of %ld x %ld, %s%s", p->n_batches, p->n, p->n,
             memory, p->load ? ", and a busy D2H engine" : "");
    s->numbers = *p;
    s->judge = (struct judge_scenario){.name = s->name,
                                       .numbers = &s->numbers,
                                       .buffers = {{.name = "a_and_b",
                                                    .direction = JUDGE_INPUT,
                                                    .count = 2 * count,
                                                    .pinned = true,
                                                    .parts = 2 * (size_t)p->n_batches,
                                                    .part = "matrix"},
                                                   {.name = "c",
                                                    .direction = JUDGE_OUTPUT,
                                                    .count = count,
                                                    .pinned = true,
                                                    .made_by = "matmul",
                                                    .parts = (size_t)p->n_batches,
                                                    .part = "batch"}},
                                       .repeats = p->n > WHOLE && p->n < SHORT ? REPEATS : 1,
                                       .model_only = p->n > WHOLE && p->n < LONG,
                                       .verify = products_verify};
}

void products_run_cases(const struct numbers *cases, size_t n_all,
                        void (*run_to_end)(struct judged *j, const char *unfinished),
                        const char *unfinished)
{
    const size_t n_cases = judge_device_is_simulated() ? n_all - 1 : n_all;
    struct products_scenario *s = judge_room(n_all, sizeof *s);
    struct judged *j = NULL;
    for (size_t i = 0; i < n_cases; i++) {
        products_make(&s[i], &cases[i]);
        j = judge_turn_to(j, &s[i].judge);
        const int runs = i == 0 || cases[i].load || cases[i].n_matrices ? 2 : 1;
        for (int k = 0; k < runs; k++)
            if (cases[i].load || !unfinished) /* the grader's own copies may be left */
                judge_run(j);
            else
                run_to_end(j, unfinished);
    }
    judge_prepare(j, &s[0].judge);
    judge_run_unaided(j, NULL);
    free(s);
}

void products_expect_results(const char *unfinished)
{
    const long n = products_size(64);
    const struct numbers cases[] = {
        {.n = n, .n_batches = judge_draw(9, 11, 1), .n_streams = 3, .n_sets = 3},
        {.n = n, .n_batches = judge_draw(10, 12, 1), .n_streams = 4, .n_sets = 3},
        {.n = 32, .n_batches = judge_draw(8, 10, 1), .n_streams = 2, .n_sets = 5},
        {.n = 32, .n_batches = 2, .n_streams = 4, .n_sets = 3},
        {.n = 96, .n_batches = judge_draw(8, 10, 1), .n_streams = 4, .n_sets = 2, .load = 8},
        {.n = 2048, .n_batches = 4, .n_streams = 4, .n_sets = 2}};
    products_run_cases(cases, sizeof cases / sizeof cases[0], judge_run_to_end, unfinished);
}

double products_most_bytes(const struct judged *j)
{
    const double sets = (double)judge_numbers(j)->n_sets + 0.5, n = (double)rows_of(j);
    return sets * 3 * n * n * sizeof(float);
}

bool products_ask_waits(const struct trace *t)
{
    const struct trace_row *last = trace_last(t, "api", "cudaLaunchKernel*"),
                           *wait = last ? trace_host_wait(t, -1, last->start_us) : NULL;
    if (!wait)
        return false;
    judge_actual("%s between the batches", wait->name);
    judge_expected("no call that waits before the last launch");
    judge_fact("host_waits");
    return true;
}

void products_expect_all_work(const struct judged *j, const struct trace *t)
{
    const double n = (double)rows_of(j), batches = (double)batches_of(j) * judge_repeats(j),
                 bytes = batches * n * n * sizeof(float);
    const size_t kernels = trace_count(t, "sm", "matmul*");
    const bool is_repeated = (double)kernels > batches;
    judge_asks(is_repeated ? "work_repeated" : "work_left_out");
    if (!is_repeated)
        judge_next("copy all of a and b in, launch matmul, and copy all of c back: for each batch, "
                   "in every run");
    judge_expect((double)kernels == batches,
                 "The trace shows %zu matmul kernels for %.0f batches: each batch needs one.",
                 kernels, batches);
    judge_expect(trace_bytes(t, "h2d", NULL) >= 2 * bytes && trace_bytes(t, "d2h", NULL) >= bytes,
                 "The copies in the trace move less than all of a, b and c.");
    judge_forget();
}
