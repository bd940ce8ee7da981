/*
 * expected_alone.c: what plan, step and decide of lab 10 must do, each judged without lab.c.
 */
#include "exchange.h"
#include "expected_alone.h"

#include <math.h>

#include "alone.h"
#include "judge/judge.h"
#include "labs/lab10_conditional/lab.h"
#include "labs/lab10/mistakes.h"

enum { N_CASES = 6, NOT_INVOLVED = 1000 };

/* A case of the judge's, and what the kernel made of it. */
struct given {
    const float *in, *out;
};

/* The mistake of a kernel that breaks the rule in one case, or in all of them. */
struct expectation {
    bool (*is_broken)(const struct given *g);
    bool in_all;
    const char *mistake;
};

/* ---- cases ----------------------------------------------------------------------------------- */

static float between(struct judge *j, double low, double high)
{
    return (float)(low + judge_uniform(j) * (high - low));
}

static void fill_plan(struct judge *j)
{
    float *c = judge_buffer(j, "cases");
    for (int i = 0; i < N_CASES; i++, c += CASE_FLOATS) {
        c[CASE_LARGEST] = between(j, 0.5, 200);
        c[CASE_TOLERANCE] = LAB10_FLOAT_LIMIT * c[CASE_LARGEST] *
                            (i % 2 ? between(j, 1.2, 4) : between(j, 0.3, 0.8f));
    }
}

/* A probe and a change that do not decide by accident: one of them is large. */
static void fill_common(struct judge *j, float *c)
{
    c[CASE_TOLERANCE] = between(j, 1e-4, 1e-2);
    c[CASE_MAX_ITERATIONS] = (float)(20 + (int)(20 * judge_uniform(j)));
    c[CASE_ITERATIONS] = (float)(int)(15 * judge_uniform(j));
    c[CASE_CHECKS] = (float)(int)(c[CASE_ITERATIONS] * (float)judge_uniform(j));
    c[CASE_LOOP_BEGINS] = 1;
}

/* The probe: above, below, equal to the tolerance. Iterations: some left, one left, none left. */
static void fill_step(struct judge *j)
{
    static const struct {
        double low, high;
        int left;
    } all[N_CASES] = {
        {2, 9, NOT_INVOLVED}, {0.1, 0.9, NOT_INVOLVED}, {1, 1, NOT_INVOLVED}, {2, 9, 1}, {2, 9, 0},
        {0.1, 0.9, 0}};
    float *c = judge_buffer(j, "cases");
    for (int i = 0; i < N_CASES; i++, c += CASE_FLOATS) {
        fill_common(j, c);
        c[CASE_PROBE] = c[CASE_TOLERANCE] * between(j, all[i].low, all[i].high);
        c[CASE_CHANGE] = c[CASE_PROBE] < c[CASE_TOLERANCE] ? 3 * c[CASE_TOLERANCE] : 0;
        c[CASE_CHECK_BEGINS] = c[CASE_PROBE] > c[CASE_TOLERANCE] && all[i].left != 1;
        if (all[i].left != NOT_INVOLVED)
            c[CASE_ITERATIONS] = c[CASE_MAX_ITERATIONS] - 1 - (float)all[i].left;
    }
}

/* The change: above, below, equal to the tolerance; and above, when `step` has ended the loop. */
static void fill_decide(struct judge *j)
{
    static const double all[N_CASES][2] = {{2, 9}, {0.1, 0.9}, {1, 1}, {2, 9}, {0.1, 0.9}, {2, 9}};
    float *c = judge_buffer(j, "cases");
    for (int i = 0; i < N_CASES; i++, c += CASE_FLOATS) {
        fill_common(j, c);
        c[CASE_CHANGE] = c[CASE_TOLERANCE] * between(j, all[i][0], all[i][1]);
        c[CASE_PROBE] = c[CASE_CHANGE] > c[CASE_TOLERANCE] ? 0 : 3 * c[CASE_TOLERANCE];
        c[CASE_LOOP_BEGINS] = i < N_CASES - 1;
    }
}

/* ---- plan ------------------------------------------------------------------------------------ */

static float best_precision(const struct given *g)
{
    return g->in[CASE_TOLERANCE] < LAB10_FLOAT_LIMIT * g->in[CASE_LARGEST] ? LAB10_DOUBLE
                                                                           : LAB10_FLOAT;
}

static bool leaves_value(const struct given *g)
{
    return g->out[ANSWER_VARIANT] == ALONE_DEFAULT_BODY;
}

static bool runs_no_body(const struct given *g)
{
    return g->out[ANSWER_VARIANT] != LAB10_FLOAT && g->out[ANSWER_VARIANT] != LAB10_DOUBLE;
}

static bool is_plan_wrong(const struct given *g)
{
    return !runs_no_body(g) && g->out[ANSWER_VARIANT] != best_precision(g) &&
           g->out[ANSWER_PRECISION] != best_precision(g);
}

static bool runs_other_body(const struct given *g)
{
    return !runs_no_body(g) && g->out[ANSWER_VARIANT] != best_precision(g);
}

static bool is_not_stored(const struct given *g)
{
    return g->out[ANSWER_PRECISION] != best_precision(g);
}

static const struct expectation plan_rules[] = {
    {leaves_value, true, "switch_not_set"},         {is_plan_wrong, false, "plan_wrong"},
    {runs_other_body, false, "switch_other_body"},  {runs_no_body, false, "switch_no_body"},
    {is_not_stored, false, "precision_not_stored"}, {NULL}};

static void say_plan(const struct given *g)
{
    judge_actual("tolerance %.3g, largest |b| %.3g: control->precision %.0f, body %.0f of the "
                 "SWITCH (-1: none, 2: that of a value that was not set)",
                 (double)g->in[CASE_TOLERANCE], (double)g->in[CASE_LARGEST],
                 (double)g->out[ANSWER_PRECISION], (double)g->out[ANSWER_VARIANT]);
    judge_expected("%.0f and body %.0f", (double)best_precision(g), (double)best_precision(g));
}

/* ---- step ------------------------------------------------------------------------------------ */

static bool needs_check(const struct given *g)
{
    return g->in[CASE_PROBE] <= g->in[CASE_TOLERANCE];
}

static float iterations_left(const struct given *g)
{
    return g->in[CASE_MAX_ITERATIONS] - g->in[CASE_ITERATIONS] - 1;
}

static bool counts_nothing(const struct given *g)
{
    return g->out[ANSWER_ITERATIONS] == g->in[CASE_ITERATIONS];
}

static bool miscounts(const struct given *g)
{
    return g->out[ANSWER_ITERATIONS] != g->in[CASE_ITERATIONS] + 1;
}

/* The WHILE has what the IF should have, and the IF the 0 that ends the loop. */
static bool exchanges_handles(const struct given *g)
{
    const float check = iterations_left(g) == 0 ? 0 : g->in[CASE_CHECK_BEGINS];
    return g->out[ANSWER_LOOP] == (float)needs_check(g) && g->out[ANSWER_CHECK] == check;
}

static bool leaves_check(const struct given *g)
{
    return g->out[ANSWER_CHECK] == g->in[CASE_CHECK_BEGINS];
}

static bool asks_for_needless(const struct given *g)
{
    return !needs_check(g) && g->in[CASE_CHECK_BEGINS] == 0 && g->out[ANSWER_CHECK] != 0;
}

static bool leaves_old_check(const struct given *g)
{
    return !needs_check(g) && g->out[ANSWER_CHECK] != 0;
}

static bool misses_check(const struct given *g)
{
    return g->in[CASE_PROBE] < g->in[CASE_TOLERANCE] && iterations_left(g) > 0 &&
           g->out[ANSWER_CHECK] == 0;
}

static bool misses_last_check(const struct given *g)
{
    return g->in[CASE_PROBE] < g->in[CASE_TOLERANCE] && g->out[ANSWER_CHECK] == 0;
}

static bool misses_equal_probe(const struct given *g)
{
    return needs_check(g) && g->out[ANSWER_CHECK] == 0;
}

static bool keeps_probe(const struct given *g)
{
    return g->out[ANSWER_PROBE] != 0;
}

static bool ends_anyhow(const struct given *g)
{
    return iterations_left(g) > 1 && g->out[ANSWER_LOOP] == 0;
}

static bool ends_one_early(const struct given *g)
{
    return iterations_left(g) == 1 && g->out[ANSWER_LOOP] == 0;
}

static bool goes_beyond_limit(const struct given *g)
{
    return iterations_left(g) == 0 && g->out[ANSWER_LOOP] != 0;
}

static const struct expectation step_rules[] = {{counts_nothing, true, "not_counted"},
                                                {miscounts, false, "not_counted"},
                                                {exchanges_handles, true, "step_exchanges_handles"},
                                                {leaves_check, true, "check_not_set"},
                                                {asks_for_needless, false, "check_always"},
                                                {leaves_old_check, false, "check_never_reset"},
                                                {misses_check, false, "check_missed"},
                                                {misses_last_check, false, "last_check_missed"},
                                                {misses_equal_probe, false, "probe_equal"},
                                                {keeps_probe, false, "probe_not_reset"},
                                                {ends_anyhow, false, "step_too_soon"},
                                                {ends_one_early, false, "limit_early"},
                                                {goes_beyond_limit, false, "no_limit"},
                                                {NULL}};

static void say_step(const struct given *g)
{
    judge_actual("iteration %.0f of %.0f, probe %.2f x tolerance, check %.0f and loop 1 before: "
                 "check %.0f, loop %.0f, iterations %.0f, probe %.3g",
                 (double)g->in[CASE_ITERATIONS] + 1, (double)g->in[CASE_MAX_ITERATIONS],
                 (double)(g->in[CASE_PROBE] / g->in[CASE_TOLERANCE]),
                 (double)g->in[CASE_CHECK_BEGINS], (double)g->out[ANSWER_CHECK],
                 (double)g->out[ANSWER_LOOP], (double)g->out[ANSWER_ITERATIONS],
                 (double)g->out[ANSWER_PROBE]);
    judge_expected("check %d, loop %d, iterations %.0f, probe 0", needs_check(g),
                   iterations_left(g) > 0, (double)g->in[CASE_ITERATIONS] + 1);
}

/* ---- decide ---------------------------------------------------------------------------------- */

static bool is_check_uncounted(const struct given *g)
{
    return g->out[ANSWER_CHECKS] != g->in[CASE_CHECKS] + 1;
}

static bool revives_loop(const struct given *g)
{
    return g->in[CASE_LOOP_BEGINS] == 0 && g->out[ANSWER_LOOP] != 0;
}

static bool goes_on_if_small(const struct given *g)
{
    return g->in[CASE_CHANGE] < g->in[CASE_TOLERANCE] && g->out[ANSWER_LOOP] != 0;
}

static bool goes_on_if_equal(const struct given *g)
{
    return g->in[CASE_CHANGE] == g->in[CASE_TOLERANCE] && g->out[ANSWER_LOOP] != 0;
}

static bool ends_if_large(const struct given *g)
{
    return g->in[CASE_CHANGE] > g->in[CASE_TOLERANCE] && g->in[CASE_LOOP_BEGINS] != 0 &&
           g->out[ANSWER_LOOP] == 0;
}

static const struct expectation decide_rules[] = {{is_check_uncounted, false, "checks_not_counted"},
                                                  {goes_on_if_small, false, "decide_never_ends"},
                                                  {goes_on_if_equal, false, "change_equal"},
                                                  {ends_if_large, false, "decide_too_soon"},
                                                  {revives_loop, false, "decide_continues"},
                                                  {NULL}};

static void say_decide(const struct given *g)
{
    judge_actual("change %.2f x tolerance, loop %.0f and checks %.0f before: loop %.0f, checks "
                 "%.0f",
                 (double)(g->in[CASE_CHANGE] / g->in[CASE_TOLERANCE]),
                 (double)g->in[CASE_LOOP_BEGINS], (double)g->in[CASE_CHECKS],
                 (double)g->out[ANSWER_LOOP], (double)g->out[ANSWER_CHECKS]);
    judge_expected("loop %d, checks %.0f",
                   g->in[CASE_LOOP_BEGINS] != 0 && g->in[CASE_CHANGE] > g->in[CASE_TOLERANCE],
                   (double)g->in[CASE_CHECKS] + 1);
}

/* ---- verdict --------------------------------------------------------------------------------- */

static struct given given(struct judge *j, int i)
{
    return (struct given){judge_buffer(j, "cases") + i * CASE_FLOATS,
                          judge_buffer(j, "answers") + i * ANSWER_FLOATS};
}

/* The first case that breaks the rule, or the last one if all do that must; -1: the rule is kept.
 */
static int first_broken(struct judge *j, const struct expectation *rule)
{
    for (int i = 0; i < N_CASES; i++) {
        const struct given g = given(j, i);
        const bool is_broken = rule->is_broken(&g);
        if (is_broken != rule->in_all)
            return rule->in_all ? -1 : i;
    }
    return rule->in_all ? N_CASES - 1 : -1;
}

static void expect(struct judge *j, const struct expectation *rules,
                   void (*say)(const struct given *))
{
    for (const struct expectation *rule = rules; rule->is_broken; rule++) {
        const int i = first_broken(j, rule);
        if (i < 0)
            continue;
        const struct given g = given(j, i);
        say(&g);
        judge_fail_that(rule->mistake);
    }
}

static void verify_plan(struct judge *j)
{
    expect(j, plan_rules, say_plan);
}

static void verify_step(struct judge *j)
{
    expect(j, step_rules, say_step);
}

static void verify_decide(struct judge *j)
{
    expect(j, decide_rules, say_decide);
}

static void run_alone(enum alone_kernel kernel, const char *name, void (*fill)(struct judge *),
                      void (*verify)(struct judge *))
{
    const struct judge_scenario scenario = {
        .name = name,
        .numbers = JUDGE_NUMBERS(.kernel = kernel),
        .buffers = {{"cases", JUDGE_INPUT, N_CASES * CASE_FLOATS},
                    {"answers", JUDGE_OUTPUT, N_CASES * ANSWER_FLOATS}},
        .fill = fill,
        .verify = verify};
    judge_expect_written(kernel); /* steps 1, 2 and 3 */
    judge_run(judge_start(JUDGE_SUBMISSION, &scenario));
}

void lab10_expect_plan(void)
{
    run_alone(ALONE_PLAN, "`plan` alone, 6 cases", fill_plan, verify_plan);
}

void lab10_expect_step(void)
{
    run_alone(ALONE_STEP, "`step` alone, 6 cases", fill_step, verify_step);
}

void lab10_expect_decide(void)
{
    run_alone(ALONE_DECIDE, "`decide` alone, 6 cases", fill_decide, verify_decide);
}
