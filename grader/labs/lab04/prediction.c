/* prediction.c: what is predicted, and what a wrong prediction says of its model. */
#include "exchange.h"
#include "expected.h"

#include <math.h>

static const double off = 0.10; /* between two ways to write the same model */

/* One question: its figures, what the reference answers, and the submission. */
struct question {
    struct batch_times known, asked;
    const char *known_name, *asked_name; /* "batches of 512 x 512" */
    bool is_imaginary;
    double expected_us, expected_slowdown, us, slowdown;
};

enum { QUESTIONS = 3 };

/* ---- measuring and asking -------------------------------------------------------------------- */

static double stages_us(const struct batch_times *b)
{
    return b->h2d_us + b->kernel_us + b->d2h_us;
}

static double rounded(double us)
{
    return round(us * 1000) / 1000;
}

static struct batch_times measure(const struct judge_scenario *scenario)
{
    struct judged *r = judge_start(JUDGE_REFERENCE, scenario);
    judge_floor(r);
    const struct batch_times t = {.n_batches = (int)judge_numbers(r)->n_batches,
                                  .h2d_us = rounded(judge_value(r, h2d_us)),
                                  .kernel_us = rounded(judge_value(r, kernel_us)),
                                  .d2h_us = rounded(judge_value(r, d2h_us)),
                                  .overlap_us = rounded(judge_value(r, overlap_us)),
                                  .replays_us = rounded(judge_value(r, replays_us))};
    judge_stop(r);
    return t;
}

static struct judged *ask(enum judge_who who, const struct question *q)
{
    struct batch_times asked = q->asked;
    asked.replays_us = 0;
    const struct judge_scenario scenario = {
        .name = q->asked_name,
        .numbers = JUDGE_NUMBERS(.part = LAB04_PREDICT, .known = q->known, .asked = asked)};
    struct judged *j = judge_start(who, &scenario);
    judge_run(j);
    return j;
}

/* ---- answers --------------------------------------------------------------------------------- */

static bool is_near(double value, double expected, double share)
{
    return fabs(value / expected - 1) <= share; /* false for a NaN */
}

/* What is left of each prediction for one replay, after the stages: always the same? */
static bool is_constant(const struct question q[QUESTIONS])
{
    double cost_us[QUESTIONS];
    for (int i = 0; i < QUESTIONS; i++)
        cost_us[i] = (q[i].us - stages_us(&q[i].asked)) / q[i].asked.n_batches;
    return is_near(cost_us[1], cost_us[0], 0.01) && is_near(cost_us[2], cost_us[0], 0.01);
}

static double longest_stage_us(const struct batch_times *b)
{
    return fmax(b->h2d_us, fmax(b->kernel_us, b->d2h_us));
}

/* Stages that overlap in the batches that are asked for, with a fixed cost? */
static bool is_overlapped_with_cost(double us, const struct question *q, double same)
{
    const struct batch_times *a = &q->asked, *k = &q->known;
    const double n_ratio = (double)a->n_batches / k->n_batches, longest_us = longest_stage_us(a),
                 fixed_us = n_ratio * (k->replays_us - stages_us(k));
    return is_near(us, longest_us + fixed_us, same) ||
           is_near(us, a->overlap_us + fixed_us, same) ||
           is_near(us, a->overlap_us + n_ratio * (k->replays_us - k->overlap_us), same) ||
           is_near(us, longest_us + n_ratio * (k->replays_us - longest_stage_us(k)), same);
}

/* Is at least one stage of the known batches a part of the fixed cost? */
static bool has_stage_in_fixed_cost(double us, const struct question *q, double same)
{
    const struct batch_times *a = &q->asked, *k = &q->known;
    const double subtracted_us = k->replays_us - (us - stages_us(a)) * k->n_batches / a->n_batches;
    return fabs(subtracted_us) <= same * k->replays_us ||
           is_near(subtracted_us, k->h2d_us + k->kernel_us, same) ||
           is_near(subtracted_us, k->h2d_us + k->d2h_us, same) ||
           is_near(subtracted_us, k->kernel_us + k->d2h_us, same);
}

/* Which model makes such a prediction? NULL: none that is known. */
static const char *model_of(double us, const struct question *q)
{
    const struct batch_times *a = &q->asked, *k = &q->known;
    const double same = 0.005, fixed_us = k->replays_us - stages_us(k), stages = stages_us(a);
    if (us == 0)
        return "prediction_unwritten";
    if (is_near(us, longest_stage_us(a), same) || is_near(us, a->overlap_us, same))
        return "predicts_overlap";
    if (is_near(us, stages, same))
        return "predicts_stages_only";
    if (is_near(us * a->n_batches, q->expected_us, same))
        return "predicts_one_replay";
    if (is_near(us, k->replays_us * stages / stages_us(k), same) ||
        is_near(us, k->replays_us / k->n_batches * a->n_batches, same))
        return "stages_in_fixed_cost";
    if (is_near(us, stages + fixed_us, same) ||
        is_near(us, stages + fixed_us / k->n_batches, same) ||
        is_near(us, stages + fixed_us * a->n_batches, same))
        return "fixed_cost_once";
    if (is_near(us, stages * a->n_batches, same) ||
        is_near(us, a->n_batches * (stages + fixed_us), same) ||
        is_near(us, a->n_batches * (stages + fixed_us / k->n_batches), same))
        return "stages_of_one_batch";
    if (has_stage_in_fixed_cost(us, q, same))
        return "stages_in_fixed_cost";
    if (is_near(us + a->h2d_us, q->expected_us, same) ||
        is_near(us + a->kernel_us, q->expected_us, same) ||
        is_near(us + a->d2h_us, q->expected_us, same))
        return "stage_left_out";
    if (is_overlapped_with_cost(us, q, same))
        return "predicts_overlap";
    return NULL;
}

static void expect_replays(const struct question *q, bool has_constant)
{
    const struct batch_times *a = &q->asked, *k = &q->known;
    judge_measured(fabs(q->us / q->expected_us - 1), off, "ratio");
    judge_actual("%.0f us predicted for %d %s%s", q->us, a->n_batches, q->asked_name,
                 q->is_imaginary ? ", on an imaginary device on which a replay costs more" : "");
    judge_expected("%.0f us within %.0f %%; stages: %.0f + %.0f + %.0f us. Known: %d %s, replays "
                   "%.0f us, stages %.0f + %.0f + %.0f us",
                   q->expected_us, off * 100, a->h2d_us, a->kernel_us, a->d2h_us, k->n_batches,
                   q->known_name, k->replays_us, k->h2d_us, k->kernel_us, k->d2h_us);
    if (is_near(q->us, q->expected_us, off))
        return;
    const char *model = model_of(q->us, q);
    if (!model && has_constant)
        model = "fixed_cost_constant";
    if (model)
        judge_fail_that(model);
    judge_next("known replays = stages + n_batches x fixed cost: solve for the fixed cost, then "
               "use the same equation for the batches that are asked for");
    judge_fail("The prediction is off by more than %.0f %%.", off * 100);
}

static void expect_slowdown(const struct question *q)
{
    const double expected = q->expected_slowdown, slowdown = q->slowdown;
    judge_measured(fabs(slowdown / expected - 1), off, "ratio");
    judge_actual("a slowdown of %.2f", slowdown);
    judge_expected("%.2f within %.0f %%: %.0f us of replays, %.0f us as in lab 03", expected,
                   off * 100, q->expected_us, q->asked.overlap_us);
    if (is_near(slowdown, expected, off))
        return;
    if (slowdown == 0)
        judge_fail_that("slowdown_unset");
    if (is_near(slowdown, 1 / expected, off))
        judge_fail_that("slowdown_inverted");
    if (is_near(slowdown, q->expected_us / q->known.overlap_us, off))
        judge_fail_that("slowdown_of_known");
    judge_next(
        "divide the predicted time of the replays by asked->overlap_us: 2 means twice as long");
    judge_fail("The slowdown is off by more than %.0f %%.", off * 100);
}

static void answer(struct question *q)
{
    struct judged *reference = ask(JUDGE_REFERENCE, q);
    q->expected_us = judge_value(reference, replays_us);
    q->expected_slowdown = judge_value(reference, slowdown);
    judge_stop(reference);
    struct judged *j = ask(JUDGE_SUBMISSION, q);
    q->us = judge_value(j, replays_us);
    q->slowdown = judge_value(j, slowdown);
    judge_stop(j);
}

void judge_predictions(const struct judge_scenario *known, const struct judge_scenario *asked)
{
    const struct batch_times a = measure(known), b = measure(asked);
    struct batch_times imaginary = a;
    imaginary.replays_us = 2 * stages_us(&a);
    struct question q[QUESTIONS] = {
        {.known = a, .asked = b, .known_name = known->name, .asked_name = asked->name},
        {.known = b, .asked = a, .known_name = asked->name, .asked_name = known->name}};
    q[2] = q[0];
    q[2].known = imaginary;
    q[2].is_imaginary = true;
    for (int i = 0; i < QUESTIONS; i++)
        answer(&q[i]);
    for (int i = 0; i < QUESTIONS; i++) {
        expect_replays(&q[i], is_constant(q));
        expect_slowdown(&q[i]);
    }
    judge_note("%d %s: %.0f us predicted, %.0f measured, %.2f times lab 03's", b.n_batches,
               asked->name, q[0].us, b.replays_us, b.replays_us / b.overlap_us);
}
