/* expected_results.c: how long lab 10 is to iterate, what x is then, and what it says of a
 * submission that did something else.
 *
 * The reference is in double for both precisions. In float a change can come out on the other side
 * of the tolerance if it is as good as equal to it: then the check after it will do, too. */
#include "exchange.h"
#include "expected.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/splitmix.h"
#include "kernels/kernels.h"
#include "labs/lab10_conditional/lab.h"

enum { UNTOUCHED = -77 }; /* a report that nobody has written: adapter.c */
static const double DOUBLE_ERROR = 1e-12, FLOAT_ERROR = 1e-5;

void lab10_fill(struct judged *j)
{
    const struct numbers *numbers = judge_numbers(j);
    static unsigned runs;
    const bool same = numbers->same_b;
    const int next = numbers->scale_next;
    const double scale = (double)(next && runs++ % 2 ? next : numbers->scale);
    const size_t count = judge_buffer_count(j, "b");
    const bool quiet = numbers->quiet_middle;
    float *b = judge_buffer(j, "b");
    for (size_t i = 0; i < count; i++) {
        const double x =
            same ? splitmix_uniform(splitmix_of((i + 1) * SPLITMIX_STEP)) : judge_uniform(j);
        b[i] = (float)((2 * x - 1) * scale);
    }
    for (size_t i = count / 4; i < count - count / 4 && quiet; i++)
        b[i] = 0;
    if (numbers->largest_last)
        b[count - 1] = (float)(2 * scale);
}

/* ---- what is expected ---------------------------------------------------------------------- */

struct expected {
    int precision;
    int iterations, fewer;   /* iterations, and another number that will do (the same, mostly) */
    int checks, more_checks; /* likewise */
    double largest;          /* of all |b| */
    double change, other_change; /* of the last check; likewise */
    double change_then;          /* of the last reported iteration, if that is too early */
    double *x; /* after as many iterations as the submission says, if they will do */
};

/* The grid after one sweep and the next, in turns. */
struct grid {
    int n, count;
    const float *b;
    float shift;
    double *x[2];
};

/* One iteration more; is it the last? The tolerance may be off by `doubt`. */
static bool go_on(struct judged *j, const struct grid *g, struct expected *e, double doubt)
{
    const struct numbers *numbers = judge_numbers(j);
    const double tolerance = (double)numbers->tolerance, low = tolerance - doubt,
                 high = tolerance + doubt;
    const size_t row = (size_t)(g->n / 2) * (size_t)g->n;
    for (int k = 0; k < numbers->sweeps; k++)
        reference_jacobi(g->x[1 - k % 2], g->x[k % 2], g->b, g->shift, g->n);
    e->iterations++;
    const double probe = reference_change(g->x[0] + row, g->x[1] + row, g->n);
    e->checks += probe <= low;
    e->more_checks += probe <= high;
    if (probe > high)
        return true;
    const double change = reference_change(g->x[0], g->x[1], g->count);
    e->other_change = change;
    if (probe <= low)
        e->change = change;
    if (!e->fewer && change <= high)
        e->fewer = e->iterations;
    return change > low;
}

/* `reported`: the iterations that the submission says it has done. */
static struct expected expected_of(struct judged *j, int reported)
{
    const struct numbers *numbers = judge_numbers(j);
    struct grid g = {.n = (int)numbers->n, .b = judge_buffer(j, "b"), .shift = numbers->shift};
    struct expected e = {.iterations = 0};
    g.count = g.n * g.n;
    for (int i = 0; i < 2; i++)
        g.x[i] = judge_room((size_t)g.count, sizeof *g.x[i]);
    e.x = judge_room((size_t)g.count, sizeof *e.x);
    e.largest = reference_largest(g.b, g.count);
    e.precision =
        numbers->tolerance < LAB10_FLOAT_LIMIT * (float)e.largest ? LAB10_DOUBLE : LAB10_FLOAT;
    const double last_digit = e.precision == LAB10_FLOAT ? 2e-7 : 1e-15;
    const double doubt = last_digit * e.largest + 1e-6 * (double)numbers->tolerance;
    while (e.iterations < numbers->max_iterations && go_on(j, &g, &e, doubt)) {
        if (e.iterations == reported && e.fewer == reported)
            break;
        if (e.iterations == reported)
            e.change_then = reference_change(g.x[0], g.x[1], g.count);
    }
    memcpy(e.x, g.x[0], (size_t)g.count * sizeof *e.x);
    free(g.x[0]);
    free(g.x[1]);
    return e;
}

/* ---- x --------------------------------------------------------------------------------------- */

/* Is each number 0? One that is not a number counts as 0: nothing wrote there. */
static bool is_all_zero(struct judged *j, const char *buffer)
{
    const float *x = judge_buffer(j, buffer);
    const size_t count = judge_buffer_count(j, buffer);
    for (size_t i = 0; i < count; i++)
        if (x[i] != 0 && !isnan(x[i]))
            return false;
    return true;
}

/* How far x is off, as a part of its largest; INFINITY for one that is not a number. */
static double error_of(struct judged *j, const struct expected *e)
{
    const float *high = judge_buffer(j, "x"), *low = judge_buffer(j, "x_rest");
    const size_t count = judge_buffer_count(j, "x");
    double off = 0, size = 0;
    for (size_t i = 0; i < count; i++) {
        const double one = fabs((double)high[i] + (double)low[i] - e->x[i]);
        off = isnan(one) ? INFINITY : fmax(off, one);
        size = fmax(size, fabs(e->x[i]));
    }
    return off / size;
}

/* Is x right, whatever number of iterations is reported? One more changes x by more than this. */
static bool is_x_right(struct judged *j, const struct expected *e)
{
    return error_of(j, e) <= (e->precision == LAB10_DOUBLE ? DOUBLE_ERROR : FLOAT_ERROR);
}

/* The judge compares floats; these are the digits beyond them. */
static void expect_digits(struct judged *j, const struct expected *e)
{
    const double error = error_of(j, e);
    judge_next("compute in double between two buffers of doubles, and copy the result from them");
    judge_actual("x is off by %.1e of its largest", error);
    judge_expected("%g at most", DOUBLE_ERROR);
    judge_expect(error <= DOUBLE_ERROR,
                 "x has the precision of float, although this b needs double.");
}

/* If the loop ended by itself after as many iterations as it must, then the sweeps are right. */
static const char *looks_like(struct judged *j, size_t grid, size_t row, size_t column)
{
    (void)grid;
    (void)row;
    (void)column;
    judge_expect_order(j);
    const float *x = judge_buffer(j, "x");
    const bool is_cut = !isnan(x[0]) && isnan(x[judge_buffer_count(j, "x") - 1]);
    const bool is_limit = judge_value(j, iterations) == judge_numbers(j)->max_iterations;
    return is_limit || is_cut ? NULL : "result_elsewhere";
}

static void expect_x(struct judged *j, const struct expected *e)
{
    const size_t n = (size_t)judge_numbers(j)->n;
    judge_expect_results(j, &(struct judge_results){.buffer = "x",
                                                    .batches = 1,
                                                    .rows = n,
                                                    .columns = n,
                                                    .expected = e->x,
                                                    .tolerance = 2e-5,
                                                    .looks_like = looks_like,
                                                    .batch_word = "grid"});
    if (e->precision == LAB10_DOUBLE)
        expect_digits(j, e);
}

/* ---- what another number of iterations means ------------------------------------------------- */

struct reported {
    int precision, iterations, checks;
};

/* It has no NaN, either. */
static bool is_zero(struct judged *j)
{
    const float *x = judge_buffer(j, "x");
    for (size_t i = 0; i < judge_buffer_count(j, "x"); i++)
        if (x[i] != 0)
            return false;
    return true;
}

/* Did both counters begin with the same value, that of memory that nobody wrote, or the iterations
   with those of a run that was right? */
static bool counts_on(const struct judged *j, const struct expected *e, const struct reported *r)
{
    const long iterations = (long)r->iterations - e->iterations,
               checks = (long)r->checks - e->checks;
    return iterations > 0 && checks > 0 && (iterations == checks || judge_was_right(j));
}

static void say_iterations(const struct judged *j, const struct expected *e,
                           const struct reported *r)
{
    judge_actual("iterations: %d, checks: %d", r->iterations, r->checks);
    judge_expected("iterations: %d (at most %d), checks: %d", e->iterations,
                   judge_numbers(j)->max_iterations, e->checks);
}

/* What the run shows, for rules; how often kernels set values, a GPU does not show: 0. */
static _Noreturn void fail(struct judged *j, const struct expected *e, const struct reported *r,
                           const char *what)
{
    const int most = judge_numbers(j)->max_iterations;
    const double change = judge_value(j, change), zeros = judge_value(j, check_zeros),
                 ones = judge_value(j, check_ones);
    judge_fact_number("iterations", r->iterations);
    judge_fact_number("iterations_more", (double)r->iterations - e->iterations); /* than expected */
    judge_fact_number("iterations_left", (double)most - r->iterations);
    judge_fact_number("iterations_left_expected", (double)most - e->iterations);
    judge_fact_number("checks", r->checks);
    judge_fact_number("checks_over", (double)r->checks - e->more_checks);
    judge_fact_number("checks_fewer", (double)e->checks - r->checks);
    judge_fact_number("checks_more", (double)r->checks - e->checks);
    judge_fact_number("largest_b", e->largest);
    judge_fact_number("x_moved", !is_all_zero(j, "x")); /* without a sweep it is all 0 */
    judge_fact_number("x_right", is_x_right(j, e));
    judge_fact_number("x_not_a_number", isinf(error_of(j, e)));
    judge_fact_number("counts_on", counts_on(j, e, r));
    judge_fact_number("change_over_tolerance", change - (double)judge_numbers(j)->tolerance);
    judge_fact_number("change_of_share", change - 0.95 * e->change_then);
    judge_fact_number("loops_start", judge_value(j, loops_start));
    judge_fact_number("loop_ones", judge_value(j, loop_ones));
    judge_fact_number("switch_value", judge_value(j, switch_value));
    judge_fact_number("check_sets", zeros + ones);
    judge_fact_number("check_sets_beside_step", zeros + ones - r->iterations);
    judge_fact_number("check_zeros", zeros);
    judge_fact_number("check_ones", ones);
    judge_fact_number("check_ones_more", ones - e->more_checks);
    judge_fact_number("check_ones_fewer", e->checks - ones);
    judge_fact_number("check_always_one", zeros == 0 && ones < r->iterations);
    judge_fail_that(what);
}

static void expect_begun(struct judged *j, const struct expected *e, const struct reported *r)
{
    if (r->iterations != UNTOUCHED && r->iterations != 0)
        return;
    judge_actual("iterations: %d, checks: %d, precision: %d", r->iterations, r->checks,
                 r->precision);
    judge_expected("at least 1 iteration");
    if (r->iterations == UNTOUCHED)
        judge_actual("lab->report was not written");
    judge_note("No iteration was counted, although the value of the SWITCH names a body.");
    judge_next("compare the nodes of each body with the graph in lab.h");
    fail(j, e, r, "not_begun");
}

static void expect_precision(struct judged *j, const struct expected *e, const struct reported *r)
{
    static const char *const names[] = {"float", "double"};
    const bool has_x = !is_all_zero(j, "x");
    const bool in_float = !has_x || is_all_zero(j, "x_rest"); /* no more digits than a float has */
    const bool in_double =
        judge_device_is_simulated() ? judge_value(j, switch_value) == LAB10_DOUBLE : !in_float;
    const bool is_right = in_double == (e->precision == LAB10_DOUBLE);
    const double largest = judge_value(j, largest);
    judge_actual("control->largest %g", largest);
    judge_expected("%g: the largest |b|", e->largest);
    if (r->precision != e->precision && largest < e->largest)
        judge_fail_that("largest_missed");
    judge_actual("control->precision %d (%s), and an x of %ss", r->precision,
                 r->precision == LAB10_FLOAT    ? "float"
                 : r->precision == LAB10_DOUBLE ? "double"
                                                : "neither",
                 names[!in_float]);
    judge_expected("%d (%s): tolerance %g, b up to %.3g", e->precision, names[e->precision],
                   (double)judge_numbers(j)->tolerance, e->largest);
    if (r->precision != e->precision)
        judge_fail_that(has_x && is_right ? "precision_not_stored" : "plan_wrong");
    if (!has_x || (e->precision == LAB10_DOUBLE ? !in_float : is_right))
        return;
    judge_fail_that(judge_device_is_simulated() && judge_value(j, switch_sets) == 0
                        ? "switch_not_set"
                        : "switch_other_body");
}

static void expect_checks(struct judged *j, const struct expected *e, const struct reported *r)
{
    say_iterations(j, e, r);
    if (r->checks > e->more_checks || r->checks < e->checks)
        fail(j, e, r, "checks_wrong");
    const double change = judge_value(j, change);
    judge_actual("report->change %g", change);
    judge_expected("%g", e->change);
    judge_expect_that(r->checks == 0 || fabs(change - e->change) <= 0.05 * e->change ||
                          fabs(change - e->other_change) <= 0.05 * e->other_change,
                      "change_wrong");
}

/* ---- verdict --------------------------------------------------------------------------------- */

/* All is right. The next step stays: it may be of the check. */
static void say_nothing(void)
{
    judge_actual("%s", "");
    judge_expected("%s", "");
}

static struct expected verify(struct judged *j, const struct reported *r)
{
    const struct expected e = expected_of(j, r->iterations);
    expect_begun(j, &e, r);
    expect_precision(j, &e, r);
    say_iterations(j, &e, r);
    if (r->iterations != e.iterations && r->iterations != e.fewer)
        fail(j, &e, r, "iterations_wrong");
    if (e.precision == LAB10_FLOAT && e.largest > 0 && is_zero(j))
        judge_fail_that("widened_early");
    expect_x(j, &e);
    say_nothing();
    return e;
}

static struct reported reported_by(const struct judged *j)
{
    return (struct reported){.precision = (int)judge_value(j, precision),
                             .iterations = (int)judge_value(j, iterations),
                             .checks = (int)judge_value(j, checks)};
}

void lab10_verify(struct judged *j)
{
    const struct reported r = reported_by(j);
    const struct expected e = verify(j, &r);
    free(e.x);
}

void lab10_verify_checks(struct judged *j)
{
    const struct reported r = reported_by(j);
    const struct expected e = verify(j, &r);
    expect_checks(j, &e, &r);
    say_nothing();
    free(e.x);
}
