/*
 * expected_results.c: what lab 06 is to compute, and what a result that is something else says
 * about how it came about.
 */
#include "exchange.h"
#include "expected_results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/kernels.h"
#include "chains.h"
#include "mistake_of.h"

static bool is_corrected(const struct judge *j, size_t call)
{
    return judge_numbers(j)->corrected[call];
}

/* ---- what is expected ---------------------------------------------------------------------- */

/* What the calls of a run compute. In `one` and `branch` a result is base + factor x term. */
struct expected {
    size_t calls, n;     /* n floats a call */
    double *base, *term; /* calls x n each */
    double *factor;      /* calls */
    double *result;      /* calls x n */
};

void lab06_fill_weights(struct judge *j)
{
    const size_t calls = judge_numbers(j)->calls;
    judge_buffer(j, "weights")[1 + judge_random(j) % (calls - 1)] = 0;
}

/* From so many steps of launch_produce on its results are the same to the last bit. */
enum { SETTLED = 400 };

static void compute_call(struct judge *j, struct expected *e, size_t call)
{
    const struct numbers *numbers = judge_numbers(j);
    const bool one = numbers->workload == LAB06_ONE;
    const int steps = numbers->correct_steps;
    const float *in = judge_buffer(j, "in") + call * e->n;
    double *base = e->base + call * e->n, *term = e->term + call * e->n;
    lab06_smooth(j, call, numbers->n_smooth, base);
    if (!one)
        reference_produce(term, in, steps < SETTLED ? steps : SETTLED, (int)e->n);
    for (size_t i = 0; i < e->n; i++)
        term[i] = one ? in[i] : term[i] * numbers->strength;
    e->factor[call] = one ? judge_buffer(j, "weights")[call] : is_corrected(j, call);
    for (size_t i = 0; i < e->n; i++)
        e->result[call * e->n + i] = base[i] + e->factor[call] * term[i];
}

static struct expected expected_of(struct judge *j)
{
    const struct numbers *numbers = judge_numbers(j);
    const bool items = numbers->workload == LAB06_ALL;
    struct expected e = {.calls = numbers->calls, .n = numbers->n * (items ? 2 : 1)};
    e.result = judge_room(e.calls * e.n, sizeof *e.result);
    e.base = judge_room(e.calls * e.n, sizeof *e.base);
    e.term = judge_room(e.calls * e.n, sizeof *e.term);
    e.factor = judge_room(e.calls, sizeof *e.factor);
    for (size_t call = 0; call < e.calls; call++) {
        if (items)
            lab06_item(j, call, e.result + call * e.n);
        else
            compute_call(j, &e, call);
    }
    return e;
}

static void expected_free(struct expected *e)
{
    free(e->result);
    free(e->base);
    free(e->term);
    free(e->factor);
}

/* ---- what a wrong result says ---------------------------------------------------------------- */

enum { LITTLE = 100000 }; /* a part in so many is no difference */

/* The f for which out = base + f x term; NaN where there is none. */
static double factor_of(const float *out, const double *base, const double *term, size_t n)
{
    double both = 0, square = 0, rest = 0;
    for (size_t i = 0; i < n; i++) {
        both += (out[i] - base[i]) * term[i];
        square += term[i] * term[i];
    }
    const double f = both / square;
    for (size_t i = 0; i < n; i++)
        rest = fmax(rest, fabs(out[i] - base[i] - f * term[i]));
    return rest < sqrt(square / (double)n) * 10 / LITTLE ? f : NAN;
}

/* Is out = base + f x the one of the two vectors that is not NULL, for any f but 0? */
static bool adds(const float *out, const double *base, const float *single, const double *wide,
                 size_t n)
{
    double *term = judge_room(n, sizeof *term);
    for (size_t i = 0; i < n; i++)
        term[i] = single ? (double)single[i] : wide[i];
    const double f = factor_of(out, base, term, n);
    free(term);
    return !isnan(f) && fabs(f) > 1e-4;
}

static bool is_near(double a, double b)
{
    return fabs(a - b) < 1e-4;
}

/* Is out = base + the term of that call? */
static bool has_term_of(const struct expected *e, const float *out, const double *base, size_t call)
{
    return is_near(factor_of(out, base, e->term + call * e->n, e->n), 1);
}

/* What all calls of a run have in common. */
struct symptoms {
    bool right;
    bool inverted;  /* on where off was expected, and off where on was */
    bool late;      /* the factors are those of the call before */
    bool frozen;    /* the factors are all the same one */
    bool off;       /* the factors are all 0 */
    bool first;     /* only that of the first call is wrong */
    bool still_on;  /* only calls before the first corrected one are wrong: they are corrected */
    bool zero_kept; /* only calls whose factor is 0 are wrong: they have that of the call before */
    bool other;     /* the factors are others again, but each result has one */
    bool scaled;    /* the factors are one and the same other one if on was expected, else right */
    bool old_added; /* a call that wants no term has that of an earlier call */
    bool old_used;  /* a call that wants its own has it */
    bool crossed;   /* a call that wants the term has that of the last call that wants none */
    bool of_in;     /* each call that wants the term has a multiple of the input in its place */
    bool of_base;   /* each call that wants it has a multiple of the smoothed values in its place */
};

static struct symptoms symptoms_of(struct judge *j, const struct expected *e)
{
    struct symptoms s = {.right = true,
                         .inverted = true,
                         .late = e->calls > 1,
                         .frozen = e->calls > 1,
                         .off = e->calls > 1,
                         .first = e->calls > 1,
                         .still_on = true,
                         .zero_kept = true,
                         .other = true,
                         .scaled = true,
                         .crossed = true,
                         .of_in = true,
                         .of_base = true};
    double first = NAN, before = NAN, on = NAN;
    size_t last_on = e->calls, last_off = e->calls;
    for (size_t i = 0; i < e->calls; i++) {
        const float *out = judge_buffer(j, "out") + i * e->n;
        const double *base = e->base + i * e->n, f = factor_of(out, base, e->term + i * e->n, e->n);
        const float *in = judge_buffer(j, "in") + i * e->n;
        const bool is_right = is_near(f, e->factor[i]);
        s.of_in = s.of_in && (e->factor[i] == 0 ? is_right : adds(out, base, in, NULL, e->n));
        s.of_base = s.of_base && (e->factor[i] == 0 ? is_right : adds(out, base, NULL, base, e->n));
        first = i == 0 ? f : first;
        s.right = s.right && is_right;
        s.off = s.off && is_near(f, 0);
        s.first = s.first && (i == 0 ? !is_right && !isnan(f) : is_right);
        s.still_on = s.still_on && (is_right || (last_on == e->calls && is_near(f, 1)));
        s.zero_kept = s.zero_kept && (is_right || (e->factor[i] == 0 && is_near(f, before)));
        before = f;
        s.other = s.other && !isnan(f);
        on = isnan(on) && e->factor[i] != 0 ? f : on;
        s.scaled = s.scaled && (e->factor[i] != 0 ? is_near(f, on) && !is_near(f, 0) : is_right);
        s.inverted = s.inverted && is_near(f, e->factor[i] == 0);
        s.frozen = s.frozen && is_near(f, first);
        s.late = s.late && (i == 0 || is_near(f, e->factor[i - 1]));
        if (isnan(f) && last_on < i && has_term_of(e, out, base, last_on)) {
            s.old_added = s.old_added || e->factor[i] == 0;
            s.old_used = s.old_used || e->factor[i] != 0;
        }
        s.crossed =
            s.crossed &&
            (e->factor[i] == 0 ? is_right : last_off < i && has_term_of(e, out, base, last_off));
        last_on = e->factor[i] != 0 ? i : last_on;
        last_off = e->factor[i] != 0 ? last_off : i;
    }
    return s;
}

/* Do all results fit so many smoothing kernels? */
static bool is_smoothed(struct judge *j, const struct expected *e, size_t n_smooth)
{
    double *base = judge_room(e->n, sizeof *base);
    bool fits = true;
    for (size_t i = 0; i < e->calls && fits; i++) {
        lab06_smooth(j, i, n_smooth, base);
        fits = !isnan(factor_of(judge_buffer(j, "out") + i * e->n, base, e->term + i * e->n, e->n));
    }
    free(base);
    return fits;
}

static void judge_smoothing(struct judge *j, const struct expected *e)
{
    const size_t n = judge_numbers(j)->n_smooth, others[] = {0, 1, n - 1, n + 1};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (others[i] != n && is_smoothed(j, e, others[i])) {
            judge_actual("smoothed %zu times", others[i]);
            judge_expected("smoothed %zu times", n);
            judge_fail_that("smoothing_steps");
        }
}

/* Does the first corrected call have the correction after so many steps? */
static bool has_steps(struct judge *j, const struct expected *e, int steps)
{
    size_t call = 0;
    while (call < e->calls && !is_corrected(j, call))
        call++;
    if (call == e->calls || steps < 1)
        return false;
    double *term = judge_room(e->n, sizeof *term);
    reference_produce(term, judge_buffer(j, "in") + call * e->n, steps, (int)e->n);
    for (size_t i = 0; i < e->n; i++)
        term[i] *= judge_numbers(j)->strength;
    const double f =
        factor_of(judge_buffer(j, "out") + call * e->n, e->base + call * e->n, term, e->n);
    free(term);
    return is_near(f, 1);
}

static void judge_correction(struct judge *j, const struct expected *e)
{
    const int steps = (int)judge_numbers(j)->correct_steps,
              others[] = {(int)judge_numbers(j)->n_smooth, 1, steps - 1, steps + 1};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (others[i] != steps && others[i] < SETTLED && has_steps(j, e, others[i])) {
            judge_actual("a correction of %d steps", others[i]);
            judge_expected("a correction of correct_steps, %d", steps);
            judge_fail_that("correction_steps");
        }
}

static void judge_weights(const struct symptoms *s)
{
    if (s->of_base)
        judge_fail_that("other_vector");
    if (s->first)
        judge_fail_that("first_not_set");
    if (s->zero_kept)
        judge_fail_that("zero_not_set");
    judge_next("set the parameters of the executable graph's node before each launch, with a "
               "kernelParams array that points at the new weight");
    judge_expect(!s->frozen,
                 "Every call was computed with one and the same weight. The change never "
                 "reached the executable graph.");
    if (s->late)
        judge_fail_that("set_after_launch");
    if (s->other)
        judge_fail_that("not_a_float");
}

static void judge_branches(const struct symptoms *s)
{
    if (s->of_in || s->of_base)
        judge_fail_that("other_vector");
    if (s->still_on)
        judge_fail_that("first_not_switched");
    judge_asks("switched_inverted");
    judge_expect(!s->crossed,
                 "A corrected call holds the correction of a call that wants none: `correct` is on "
                 "if it should be off, and off if it should be on.");
    judge_forget();
    judge_next("let both sides wait for the copy in, and apply for both sides");
    judge_expect(!s->old_used, "A corrected call holds the correction of an earlier one: `apply` "
                               "did not wait for the `correct` of its own call, or `correct` not "
                               "for the copy in.");
    if (s->inverted)
        judge_fail_that("switched_inverted");
    if (s->scaled)
        judge_fail_that("other_strength");
    if (s->old_added)
        judge_fail_that("apply_left_on");
    if (s->off) {
        judge_next("enable `correct` and `apply` in each call that wants the correction, before "
                   "the launch. If you do so, compare the array that `apply` adds to with the one "
                   "that is copied back");
        judge_fail("No result has the correction, also in calls that want it: the branch is off, "
                   "or `apply` adds to another array.");
    }
    if (s->frozen)
        judge_fail_that("never_switched");
    if (s->late)
        judge_fail_that("switched_after_launch");
}

void lab06_verify(struct judge *j)
{
    const struct numbers *numbers = judge_numbers(j);
    const enum lab06_workload workload = numbers->workload;
    struct expected e = expected_of(j);
    struct symptoms s = {.right = true};
    if (workload != LAB06_ALL)
        s = symptoms_of(j, &e);
    if (!s.right) {
        judge_actual("%s", "");
        judge_expected("%s", "");
    }
    if (!s.right && !s.other)
        judge_smoothing(j, &e);
    if (!s.right && workload == LAB06_ONE)
        judge_expect_that(judge_value(j, other_grid) == 0, "other_grid");
    if (!s.right && workload == LAB06_ONE)
        judge_weights(&s);
    if (!s.right && !s.other && workload == LAB06_BRANCH)
        judge_correction(j, &e);
    if (!s.right && workload == LAB06_BRANCH)
        judge_branches(&s);
    judge_expect_results(
        j, &(struct judge_results){.buffer = "out",
                                   .batches = e.calls,
                                   .rows = workload == LAB06_ALL ? 2 : 1,
                                   .columns = numbers->n,
                                   .expected = e.result,
                                   .tolerance = 1e-5,
                                   .looks_like = workload == LAB06_ALL ? lab06_wrong_item : NULL,
                                   .batch_word = "call"});
    expected_free(&e);
}

bool lab06_is_frozen(struct judge *j)
{
    struct expected e = expected_of(j);
    const struct symptoms s = symptoms_of(j, &e);
    expected_free(&e);
    return s.frozen && !s.right;
}

bool lab06_is_right(struct judge *j)
{
    struct expected e = expected_of(j);
    bool right = true;
    for (size_t i = 0; i < e.calls * e.n && right; i++)
        right = fabs(judge_buffer(j, "out")[i] - e.result[i]) <= 1e-4;
    expected_free(&e);
    return right;
}
