/* expected_alone.c: what plan, step and decide of lab 10 must do, each judged without lab.c. */
#include "exchange.h"
#include "expected.h"

#include "alone.h"
#include "judge/judge.h"
#include "labs/lab10_conditional/lab.h"

enum { N_CASES = 6, NOT_INVOLVED = 1000 };

/* A case of the judge's, and what the kernel made of it. */
struct given {
    const float *in, *out;
};

/* A part of an answer, what it must be, and the fact that it differs, by case; NULL: as of the
   first case. */
struct field {
    const char *facts[N_CASES];
    enum alone_answer answer;
    float (*expected)(const struct given *g);
};

/* ---- cases ----------------------------------------------------------------------------------- */

static float between(struct judged *j, double low, double high)
{
    return (float)(low + judge_uniform(j) * (high - low));
}

/* The best precision is double and float in turns. The last tolerance is the limit times a power of
   two: equal without rounding, however the comparison is written. */
static void fill_plan(struct judged *j)
{
    static const double all[N_CASES][2] = {{0.3, 0.8}, {1.2, 4},   {0.3, 0.8},
                                           {1.2, 4},   {0.3, 0.8}, {1, 1}};
    float *c = judge_buffer(j, "cases");
    for (int i = 0; i < N_CASES; i++, c += CASE_FLOATS) {
        c[CASE_LARGEST] = i < N_CASES - 1 ? between(j, 0.5, 200) : 64;
        c[CASE_TOLERANCE] = LAB10_FLOAT_LIMIT * c[CASE_LARGEST] * between(j, all[i][0], all[i][1]);
    }
}

/* A probe and a change that do not decide by accident: one of them is large. */
static void fill_common(struct judged *j, float *c)
{
    c[CASE_TOLERANCE] = between(j, 1e-4, 1e-2);
    c[CASE_MAX_ITERATIONS] = (float)(20 + (int)(20 * judge_uniform(j)));
    c[CASE_ITERATIONS] = (float)(int)(15 * judge_uniform(j));
    c[CASE_CHECKS] = (float)(int)(c[CASE_ITERATIONS] * (float)judge_uniform(j));
    c[CASE_LOOP_BEGINS] = 1;
}

/* The probe: above, below, equal to the tolerance. Iterations: some left, one left, none left. */
static void fill_step(struct judged *j)
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
static void fill_decide(struct judged *j)
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

static const struct field plan_fields[] = {
    {{"body_for_double", "body_for_float", "body_for_double", "body_for_float", "body_for_double",
      "body_for_float"},
     ANSWER_VARIANT,
     best_precision},
    {{"precision_for_double", "precision_for_float", "precision_for_double", "precision_for_float",
      "precision_for_double", "precision_for_float"},
     ANSWER_PRECISION,
     best_precision},
    {.expected = NULL}};

static void say_plan(const struct given *g)
{
    judge_actual("tolerance %.3g, largest |b| %.3g: control->precision %.0f, body %.0f of the "
                 "SWITCH (-1: none, 2: that of a value that was not set)",
                 (double)g->in[CASE_TOLERANCE], (double)g->in[CASE_LARGEST],
                 (double)g->out[ANSWER_PRECISION], (double)g->out[ANSWER_VARIANT]);
    judge_expected("%.0f and body %.0f", (double)best_precision(g), (double)best_precision(g));
}

/* ---- step ------------------------------------------------------------------------------------ */

static float needs_check(const struct given *g)
{
    return g->in[CASE_PROBE] <= g->in[CASE_TOLERANCE];
}

static float goes_on(const struct given *g)
{
    return g->in[CASE_MAX_ITERATIONS] - g->in[CASE_ITERATIONS] > 1;
}

static float counts_iteration(const struct given *g)
{
    return g->in[CASE_ITERATIONS] + 1;
}

static float resets_probe(const struct given *g)
{
    (void)g;
    return 0;
}

static const struct field step_fields[] = {
    {{"iterations_by_step"}, ANSWER_ITERATIONS, counts_iteration},
    {{"check_above", "check_below", "check_equal", "check_above_one_left", "check_above_none_left",
      "check_below_none_left"},
     ANSWER_CHECK,
     needs_check},
    {{"probe_after_step"}, ANSWER_PROBE, resets_probe},
    {{"loop_above", "loop_below", "loop_equal", "loop_one_left", "loop_above_none_left",
      "loop_below_none_left"},
     ANSWER_LOOP,
     goes_on},
    {.expected = NULL}};

static void say_step(const struct given *g)
{
    judge_actual("iteration %.0f of %.0f, probe %.2f x tolerance, check %.0f and loop 1 before: "
                 "check %.0f, loop %.0f, iterations %.0f, probe %.3g",
                 (double)g->in[CASE_ITERATIONS] + 1, (double)g->in[CASE_MAX_ITERATIONS],
                 (double)(g->in[CASE_PROBE] / g->in[CASE_TOLERANCE]),
                 (double)g->in[CASE_CHECK_BEGINS], (double)g->out[ANSWER_CHECK],
                 (double)g->out[ANSWER_LOOP], (double)g->out[ANSWER_ITERATIONS],
                 (double)g->out[ANSWER_PROBE]);
    judge_expected("check %.0f, loop %.0f, iterations %.0f, probe 0", (double)needs_check(g),
                   (double)goes_on(g), (double)counts_iteration(g));
}

/* ---- decide ---------------------------------------------------------------------------------- */

static float counts_check(const struct given *g)
{
    return g->in[CASE_CHECKS] + 1;
}

/* Not if `step` has ended it. */
static float goes_on_after_check(const struct given *g)
{
    return g->in[CASE_LOOP_BEGINS] != 0 && g->in[CASE_CHANGE] > g->in[CASE_TOLERANCE];
}

static const struct field decide_fields[] = {
    {{"checks_by_decide"}, ANSWER_CHECKS, counts_check},
    {{"goes_on_above", "goes_on_below", "goes_on_equal", "goes_on_above", "goes_on_below",
      "goes_on_after_end"},
     ANSWER_LOOP,
     goes_on_after_check},
    {.expected = NULL}};

static void say_decide(const struct given *g)
{
    judge_actual("change %.2f x tolerance, loop %.0f and checks %.0f before: loop %.0f, checks "
                 "%.0f",
                 (double)(g->in[CASE_CHANGE] / g->in[CASE_TOLERANCE]),
                 (double)g->in[CASE_LOOP_BEGINS], (double)g->in[CASE_CHECKS],
                 (double)g->out[ANSWER_LOOP], (double)g->out[ANSWER_CHECKS]);
    judge_expected("loop %.0f, checks %.0f", (double)goes_on_after_check(g),
                   (double)counts_check(g));
}

/* ---- verdict --------------------------------------------------------------------------------- */

static struct given given(struct judged *j, int i)
{
    return (struct given){judge_buffer(j, "cases") + i * CASE_FLOATS,
                          judge_buffer(j, "answers") + i * ANSWER_FLOATS};
}

static const struct {
    const char *name;
    void (*fill)(struct judged *j);
    const struct field *fields;
    void (*say)(const struct given *g);
} kernels[] = {
    [ALONE_PLAN] = {"`plan` alone, 6 cases", fill_plan, plan_fields, say_plan},
    [ALONE_STEP] = {"`step` alone, 6 cases", fill_step, step_fields, say_step},
    [ALONE_DECIDE] = {"`decide` alone, 6 cases", fill_decide, decide_fields, say_decide}};

/* Each part that differs is a fact, with its number. Shows the first case that has one. */
static void verify(struct judged *j)
{
    const enum alone_kernel kernel = judge_numbers(j)->kernel;
    bool differs = false;
    judge_expect_nothing_noted();
    for (int i = 0; i < N_CASES; i++) {
        const struct given g = given(j, i);
        for (const struct field *f = kernels[kernel].fields; f->expected; f++) {
            const float actual = g.out[f->answer];
            if (actual == f->expected(&g))
                continue;
            if (!differs)
                kernels[kernel].say(&g);
            differs = true;
            judge_fact_number(f->facts[i] ? f->facts[i] : f->facts[0], (double)actual);
        }
    }
    judge_expect_that(!differs, "kernel_wrong");
}

void lab10_expect_alone(enum alone_kernel kernel)
{
    const struct judge_scenario scenario = {
        .name = kernels[kernel].name,
        .numbers = JUDGE_NUMBERS(.kernel = kernel),
        .buffers = {{"cases", JUDGE_INPUT, N_CASES * CASE_FLOATS},
                    {"answers", JUDGE_OUTPUT, N_CASES * ANSWER_FLOATS}},
        .fill = kernels[kernel].fill,
        .verify = verify};
    judge_needs_step(kernel); /* steps 1, 2 and 3 */
    judge_run(judge_start(JUDGE_SUBMISSION, &scenario));
}
