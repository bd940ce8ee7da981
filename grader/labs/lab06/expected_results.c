/* expected_results.c: what lab 06 is to compute, and what a result that is something else says
 * about how it came about. */
#include "exchange.h"
#include "expected.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/kernels.h"

/* ---- what is expected ---------------------------------------------------------------------- */

/* What the calls of a run compute. In `one` and `branch` a result is base + factor x term. */
struct expected {
    size_t calls, n;          /* n floats a call */
    double *in, *base, *term; /* calls x n each */
    double *factor;           /* calls */
    double *result;           /* calls x n */
};

/* From so many steps of launch_produce on its results are the same to the last bit. */
enum { SETTLED = 400 };

static void compute_call(struct judged *j, struct expected *e, size_t call)
{
    const struct numbers *numbers = judge_numbers(j);
    const bool one = numbers->workload == LAB06_ONE;
    const int steps = numbers->correct_steps;
    const float *in = judge_buffer(j, "in") + call * e->n;
    double *base = e->base + call * e->n, *term = e->term + call * e->n,
           *wide = e->in + call * e->n;
    lab06_smooth(j, call, numbers->n_smooth, base);
    if (!one)
        reference_produce(term, in, steps < SETTLED ? steps : SETTLED, (int)e->n);
    for (size_t i = 0; i < e->n; i++) {
        wide[i] = in[i];
        term[i] = one ? in[i] : term[i] * numbers->strength;
    }
    e->factor[call] = one ? judge_buffer(j, "weights")[call] : numbers->corrected[call];
    for (size_t i = 0; i < e->n; i++)
        e->result[call * e->n + i] = base[i] + e->factor[call] * term[i];
}

static struct expected expected_of(struct judged *j)
{
    const struct numbers *numbers = judge_numbers(j);
    const bool items = numbers->workload == LAB06_ALL;
    struct expected e = {.calls = numbers->calls, .n = numbers->n * (items ? 2 : 1)};
    e.result = judge_room(e.calls * e.n, sizeof *e.result);
    e.in = judge_room(e.calls * e.n, sizeof *e.in);
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
    free(e->in);
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

static bool is_near(double a, double b)
{
    return fabs(a - b) < 1e-4;
}

/* Is out = base + the term of that call? */
static bool has_term_of(const struct expected *e, const float *out, const double *base, size_t call)
{
    return call < e->calls && is_near(factor_of(out, base, e->term + call * e->n, e->n), 1);
}

/* What is true of all calls of a run, or of any, by the names of facts. */
enum { MOST_PATTERNS = 16 };
struct patterns {
    const char *facts[MOST_PATTERNS];
    bool holds[MOST_PATTERNS];
    size_t n, at;
    bool right;
    bool factors; /* each result is base + factor x term, for some factor */
};

/* The fact whose turn it is: in each call there are the same ones, in the same order. */
static bool *next_of(struct patterns *p, const char *fact, bool at_first)
{
    if (p->at == p->n) {
        p->facts[p->n] = fact;
        p->holds[p->n++] = at_first;
    }
    return &p->holds[p->at++];
}

static void always(struct patterns *p, const char *fact, bool holds)
{
    *next_of(p, fact, true) &= holds;
}

static void once(struct patterns *p, const char *fact, bool holds)
{
    *next_of(p, fact, false) |= holds;
}

static struct patterns patterns_of(struct judged *j, const struct expected *e)
{
    const bool one = judge_numbers(j)->workload == LAB06_ONE, branch = !one;
    struct patterns p = {.right = true, .factors = true};
    double first = NAN, before = NAN, wanted_before = NAN, on = NAN;
    size_t last_on = e->calls, last_off = e->calls; /* e->calls: none yet */
    for (size_t i = 0; i < e->calls; i++, p.at = 0) {
        const float *out = judge_buffer(j, "out") + i * e->n;
        const double *base = e->base + i * e->n, *in = e->in + i * e->n, wanted = e->factor[i],
                     f = factor_of(out, base, e->term + i * e->n, e->n);
        const bool right = is_near(f, wanted), off = wanted == 0, was_on = last_on < e->calls,
                   has_old = isnan(f) && has_term_of(e, out, base, last_on);
        p.right &= right;
        p.factors &= !isnan(f);
        first = i == 0 ? f : first;
        on = isnan(on) && !off ? f : on;
        const bool is_late = i == 0 || is_near(f, wanted_before),
                   adds_smoothed = fabs(factor_of(out, base, base, e->n)) > 1e-4,
                   adds_input = fabs(factor_of(out, base, in, e->n)) > 1e-4;
        always(&p, "adds_smoothed", off ? right : adds_smoothed);
        always(&p, "adds_input", branch && (off ? right : adds_input));
        always(&p, "only_first_wrong", one && (i == 0 ? !right && !isnan(f) : right));
        always(&p, "zero_is_old", one && (right || (off && is_near(f, before))));
        always(&p, "one_weight", one && is_near(f, first));
        always(&p, "weights_late", one && is_late);
        always(&p, "other_weights", one && !isnan(f));
        always(&p, "on_at_first", branch && (right || (!was_on && is_near(f, 1))));
        always(&p, "correct_inverted",
               branch && (off ? right : has_term_of(e, out, base, last_off)));
        always(&p, "inverted", branch && is_near(f, off));
        always(&p, "one_strength", branch && (off ? right : is_near(f, on) && !is_near(f, 0)));
        always(&p, "never_on", branch && is_near(f, 0));
        always(&p, "never_changed", branch && is_near(f, first));
        always(&p, "switched_late", branch && is_late);
        once(&p, "old_correction_used", has_old && !off);
        once(&p, "old_correction_added", has_old && off);
        *(off ? &last_off : &last_on) = i;
        before = f;
        wanted_before = wanted;
    }
    return p;
}

/* Do all results fit so many smoothing kernels? */
static bool is_smoothed(struct judged *j, const struct expected *e, size_t n_smooth)
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

static void expect_smoothing(struct judged *j, const struct expected *e)
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
static bool has_steps(struct judged *j, const struct expected *e, int steps)
{
    size_t call = 0;
    while (call < e->calls && !judge_numbers(j)->corrected[call])
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

static void expect_correction(struct judged *j, const struct expected *e)
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

/* The words of patterns that no rule names: checks of one function each know more of these. */
static void say(const char *fact)
{
    static const struct {
        const char *fact, *words, *next;
    } all[] = {
        {"one_weight",
         "Every call was computed with one and the same weight. The change never reached the "
         "executable graph.",
         "set the parameters of the executable graph's node before each launch, with a "
         "kernelParams array that points at the new weight"},
        {"old_correction_used",
         "A corrected call holds the correction of an earlier one: `apply` did not wait for the "
         "`correct` of its own call, or `correct` not for the copy in.",
         "let both sides wait for the copy in, and apply for both sides"},
        {"never_on",
         "No result has the correction, also in calls that want it: the branch is off, or `apply` "
         "adds to another array.",
         "enable `correct` and `apply` in each call that wants the correction, before the launch. "
         "If you do so, compare the array that `apply` adds to with the one that is copied back"}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strcmp(all[i].fact, fact) == 0) {
            judge_note("%s", all[i].words);
            judge_next("%s", all[i].next);
        }
}

/* Fails if the results of lab06_one or lab06_branch are wrong in a way that is known. */
static void expect_no_pattern(struct judged *j, const struct expected *e)
{
    const bool one = judge_numbers(j)->workload == LAB06_ONE;
    const struct patterns p = patterns_of(j, e);
    bool is_known = false;
    if (p.right)
        return;
    judge_actual("%s", "");
    judge_expected("%s", "");
    if (!p.factors)
        expect_smoothing(j, e);
    if (!p.factors && !one)
        expect_correction(j, e);
    for (size_t i = 0; i < p.n; i++)
        if (p.holds[i]) {
            judge_fact(p.facts[i]);
            say(p.facts[i]);
            is_known = true;
        }
    if (!is_known && judge_device_is_simulated())
        judge_expect_order(j); /* a finding says more than a note */
    judge_expect_nothing_noted();
    judge_expect_that(!is_known, "wrong_in_a_known_way");
}

void lab06_verify(struct judged *j)
{
    const struct numbers *numbers = judge_numbers(j);
    const bool items = numbers->workload == LAB06_ALL;
    struct expected e = expected_of(j);
    if (!items)
        expect_no_pattern(j, &e);
    judge_expect_results(j, &(struct judge_results){.buffer = "out",
                                                    .batches = e.calls,
                                                    .rows = items ? 2 : 1,
                                                    .columns = numbers->n,
                                                    .expected = e.result,
                                                    .tolerance = 1e-5,
                                                    .looks_like = items ? lab06_wrong_item : NULL,
                                                    .batch_word = "call"});
    expected_free(&e);
}

bool lab06_is_right(struct judged *j)
{
    struct expected e = expected_of(j);
    bool right = true;
    for (size_t i = 0; i < e.calls * e.n && right; i++)
        right = fabs(judge_buffer(j, "out")[i] - e.result[i]) <= 1e-4;
    expected_free(&e);
    return right;
}
