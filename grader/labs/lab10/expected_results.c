/*
 * expected_results.c: how long lab 10 is to iterate, what x is then, and what it says of a
 * submission that did something else.
 *
 * The reference is in double for both precisions. In float a change can come out on the other side
 * of the tolerance if it is as good as equal to it: then the check after it will do, too.
 */
#include "expected_results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/kernels.h"
#include "labs/lab10_conditional/lab.h"

enum { UNTOUCHED = -77 }; /* a report that nobody has written: subject_lab10.c */

static int number(const struct judge *j, const char *name)
{
    return (int)judge_number(j, name);
}

/* A number in 0 to 1 that depends on i alone. */
static double scattered(size_t i)
{
    uint64_t x = (i + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return (double)((x ^ x >> 31) >> 11) * 0x1p-53;
}

void lab10_fill(struct judge *j)
{
    static unsigned runs;
    const bool same = judge_number(j, "same_b");
    const long next = judge_number(j, "scale_next");
    const double scale = (double)(next && runs++ % 2 ? next : judge_number(j, "scale"));
    const size_t count = judge_buffer_count(j, "b");
    const bool quiet = judge_number(j, "quiet_middle");
    float *b = judge_buffer(j, "b");
    for (size_t i = 0; i < count; i++)
        b[i] = (float)((2 * (same ? scattered(i) : judge_uniform(j)) - 1) * scale);
    for (size_t i = count / 4; i < count - count / 4 && quiet; i++)
        b[i] = 0;
}

/* ---- what is wanted -------------------------------------------------------------------------- */

struct wanted {
    int precision;
    int rounds, fewer;           /* rounds, and another number that will do (the same, mostly) */
    int checks, more_checks;     /* likewise */
    double change, other_change; /* of the last check; likewise */
    double *x;                   /* after as many rounds as the submission says, if they will do */
};

/* The grid after one sweep and the next, in turns. */
struct grid {
    int n, count;
    const float *b;
    float shift;
    double *x[2];
};

static void *room(size_t count, size_t bytes)
{
    void *p = calloc(count, bytes);
    if (!p)
        judge_inconclusive("the grader has no memory for the reference results");
    return p;
}

static void sweep_round(const struct grid *g, int sweeps)
{
    for (int k = 0; k < sweeps; k++)
        reference_jacobi(g->x[1 - k % 2], g->x[k % 2], g->b, g->shift, g->n);
}

static float tolerance_of(const struct judge *j)
{
    return (float)judge_number(j, "tolerance_millionth") / 1e6f;
}

/* One round more; is it the last? `doubt`: this part of the tolerance may be missing or too much.
 */
static bool go_on(struct judge *j, const struct grid *g, struct wanted *w, double doubt)
{
    const double tolerance = (double)tolerance_of(j), low = tolerance * (1 - doubt),
                 high = tolerance * (1 + doubt);
    const size_t row = (size_t)(g->n / 2) * (size_t)g->n;
    sweep_round(g, number(j, "sweeps"));
    w->rounds++;
    const double probe = reference_change(g->x[0] + row, g->x[1] + row, g->n);
    w->checks += probe <= low;
    w->more_checks += probe <= high;
    if (probe > high)
        return true;
    const double change = reference_change(g->x[0], g->x[1], g->count);
    w->other_change = change;
    if (probe <= low)
        w->change = change;
    if (!w->fewer && change <= high)
        w->fewer = w->rounds;
    return change > low;
}

/* `seen`: the rounds that the submission says it has done. */
static struct wanted wanted_by(struct judge *j, int seen)
{
    struct grid g = {.n = number(j, "n"),
                     .b = judge_buffer(j, "b"),
                     .shift = (float)judge_number(j, "shift_thousandth") / 1000.0f};
    struct wanted w = {.rounds = 0};
    g.count = g.n * g.n;
    for (int i = 0; i < 2; i++)
        g.x[i] = room((size_t)g.count, sizeof *g.x[i]);
    w.x = room((size_t)g.count, sizeof *w.x);
    w.precision = tolerance_of(j) < LAB10_FLOAT_LIMIT * (float)reference_largest(g.b, g.count)
                      ? LAB10_DOUBLE
                      : LAB10_FLOAT;
    const double last_digit = w.precision == LAB10_FLOAT ? 2e-7 : 1e-15;
    const double doubt =
        last_digit * reference_largest(g.b, g.count) / (double)tolerance_of(j) + 1e-6;
    while (w.rounds < number(j, "max_iterations") && go_on(j, &g, &w, doubt))
        if (w.rounds == seen && w.fewer == seen)
            break;
    memcpy(w.x, g.x[0], (size_t)g.count * sizeof *w.x);
    free(g.x[0]);
    free(g.x[1]);
    return w;
}

/* ---- what another number of rounds means ----------------------------------------------------- */

struct seen {
    int precision, rounds, checks;
};

/* Has any sweep been run? Without one x is all 0, or what it was before. */
static bool has_moved(struct judge *j)
{
    const float *x = judge_buffer(j, "x");
    const size_t count = judge_buffer_count(j, "x");
    for (size_t i = 0; i < count; i++)
        if (x[i] != 0 && !isnan(x[i]))
            return true;
    return false;
}

static void expect_begun(struct judge *j, const struct seen *s)
{
    judge_next("the last node of the graph copies the control block to lab->report");
    judge_expect(s->rounds != UNTOUCHED,
                 "nothing was in lab->report when lab10_solve returned: it was not copied back, or "
                 "nobody waited");
    judge_actual("0 rounds, %d checks, and an x that sweeps have changed", s->checks);
    judge_expected("at least 1 round");
    judge_next(
        "control->iterations: `step` adds 1 to it in every round, and nobody clears it meanwhile");
    judge_expect(s->rounds != 0 || !has_moved(j), "rounds were run, and `step` did not count them");
    judge_actual("no round; plan chose precision %d", s->precision);
    judge_expected("at least one");
    judge_next("which values can variant and loop have when their nodes ask for them, and who has "
               "set them? And do the copies back wait for the SWITCH?");
    judge_expect(s->rounds != 0,
                 "not one round was run. A SWITCH runs no body if its value is not the number of "
                 "one; a WHILE is not entered if its value is 0, as it is in every launch without "
                 "cudaGraphCondAssignDefault, whatever was said when the handle was made");
}

static void expect_precision(const struct judge *j, const struct wanted *w, const struct seen *s)
{
    static const char *const names[] = {"float", "double"};
    const bool known = s->precision == LAB10_FLOAT || s->precision == LAB10_DOUBLE;
    judge_next("tolerance < LAB10_FLOAT_LIMIT * control->largest: then double, as the value of "
               "`variant` and in control->precision");
    judge_actual("control->precision %d (%s)", s->precision,
                 known ? names[s->precision] : "neither");
    judge_expected("%d (%s): tolerance %g, b up to %ld", w->precision, names[w->precision],
                   (double)tolerance_of(j), judge_number(j, "scale"));
    judge_expect(known, "plan chose a precision that is neither LAB10_FLOAT nor LAB10_DOUBLE");
    judge_expect(s->precision == w->precision,
                 w->precision == LAB10_DOUBLE
                     ? "plan chose float where changes are looked for that float cannot tell"
                     : "plan chose double where float does it");
}

/* What was computed in float leaves nothing behind the digits of a float. */
static void expect_own_body(struct judge *j, const struct wanted *w)
{
    const float *low = judge_buffer(j, "x_rest");
    const size_t count = judge_buffer_count(j, "x_rest");
    bool in_float = has_moved(j);
    for (size_t i = 0; i < count && in_float; i++)
        in_float = low[i] == 0;
    judge_actual("an x of floats");
    judge_expected("an x of doubles: control->precision says so");
    judge_next(
        "plan: cudaGraphSetConditional(variant, …), with the number of the body that is to run");
    judge_expect(
        w->precision != LAB10_DOUBLE || !in_float,
        "plan chose double, and x was computed in float: the SWITCH has run the other body, or "
        "the body is that of the other precision");
}

/* There are too many rounds. */
static _Noreturn void blame_too_many(const struct judge *j, const struct wanted *w,
                                     const struct seen *s)
{
    judge_next(
        "`step` sets `loop` to 0 when it has counted max_iterations, and nobody sets it to 1");
    judge_expect(s->rounds <= number(j, "max_iterations"),
                 "more rounds were run than max_iterations");
    judge_next(
        "one behind the other: the sweeps, the probe, step, the IF; in its body clear, change, "
        "decide");
    judge_expect(s->rounds != w->rounds + 1,
                 "one round too many: what was looked at is the change of the check before, or of "
                 "the round before. Is `decide` in front of launch_change, or `step` in front of "
                 "the probe?");
    if (s->checks == 0)
        judge_next(
            "no check was made at all. Does the probe become small: do the sweeps go there "
            "and back, so that each reads what the one before wrote, and does `step` make it "
            "0 again? Does `step` set `check`, and is there a body in the IF?");
    else
        judge_next("what does `decide` compare, and does it set `loop` to 0?");
    judge_fail("the loop went on although x was good enough long ago: no check has ended it");
}

static void expect_rounds(const struct judge *j, const struct wanted *w, const struct seen *s)
{
    judge_actual("%d rounds, %d checks", s->rounds, s->checks);
    judge_expected("%d rounds, %d checks (at most %d rounds)", w->rounds, w->checks,
                   number(j, "max_iterations"));
    if (s->rounds > w->rounds)
        blame_too_many(j, w, s);
    judge_next("which change is compared with the tolerance, and what else sets `loop` to 0? Is "
               "`loop` the handle of the WHILE, and `check` that of the IF?");
    judge_expect(s->rounds == w->rounds || s->rounds == w->fewer,
                 "the loop ended too early: x still changes by more than the tolerance");
    judge_next("`step` says it in each round: cudaGraphSetConditional(check, control->probe <= "
               "tolerance), and only behind that makes the probe 0");
    judge_expect(s->checks <= w->more_checks,
                 "checks are made that no probe has asked for: a value stays until it is set "
                 "again, so `check` has to be set to 0, too");
    judge_next("`decide` counts the checks; is the probe the change of row n / 2 alone, and does "
               "the IF run whenever it asks for one?");
    judge_expect(s->checks >= w->checks,
                 "a check that the probe asked for was not made, or not counted");
}

/* ---- x --------------------------------------------------------------------------------------- */

/* The judge's functions know floats; here is what is behind them. */
static void expect_digits(struct judge *j, const struct wanted *w)
{
    const float *high = judge_buffer(j, "x"), *low = judge_buffer(j, "x_rest");
    const size_t count = judge_buffer_count(j, "x");
    double off = 0, size = 0;
    for (size_t i = 0; i < count; i++) {
        off = fmax(off, fabs((double)high[i] + (double)low[i] - w->x[i]));
        size = fmax(size, fabs(w->x[i]));
    }
    judge_next(
        "launch_jacobi_double between two buffers of doubles, and the result copied from them");
    judge_actual("x is off by %.1e of its largest", off / size);
    judge_expected("1e-12 at most");
    judge_expect(off <= 1e-12 * size, "x has the digits of float where double was wanted");
}

static void expect_x(struct judge *j, const struct wanted *w)
{
    const size_t n = (size_t)number(j, "n");
    judge_expect_results(j, &(struct judge_results){.buffer = "x",
                                                    .batches = 1,
                                                    .rows = n,
                                                    .columns = n,
                                                    .expected = w->x,
                                                    .tolerance = 2e-5,
                                                    .batch_word = "grid"});
    if (w->precision == LAB10_DOUBLE)
        expect_digits(j, w);
}

void lab10_verify(struct judge *j)
{
    const struct seen s = {.precision = (int)judge_value(j, "precision"),
                           .rounds = (int)judge_value(j, "rounds"),
                           .checks = (int)judge_value(j, "checks")};
    struct wanted w = wanted_by(j, s.rounds);
    expect_begun(j, &s);
    expect_precision(j, &w, &s);
    expect_own_body(j, &w);
    expect_rounds(j, &w, &s);
    expect_x(j, &w);
    const double change = judge_value(j, "change");
    judge_actual("change %g", change);
    judge_expected("%g", w.change);
    judge_next("launch_change over all of both buffers, behind the clearing of control->change");
    judge_expect(s.checks == 0 || fabs(change - w.change) <= 0.05 * w.change ||
                     fabs(change - w.other_change) <= 0.05 * w.other_change,
                 "report->change is not the largest change of the last round that was checked");
    judge_actual("%s", "");
    judge_expected("%s", "");
    judge_next("%s", "");
    free(w.x);
}
